"""SocioPatterns contact lists: `t i j [class_i class_j]`: i and j faced each other during [t - 20 s, t].

Consecutive records of a pair touch, so merging makes one contact of them. Classes go into the table of nodes; so does a
metadata file (`id class [more...]`), read by `read_metadata`.

Options: `period`, the length of a record (20 s).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import InvalidValueError
from hunet.traces.columns import is_number
from hunet.traces.fields import Sheet, split_words, without_blanks
from hunet.traces.format import RECORDS, Evidence, Format, Options

PERIOD = 20.0

METADATA = pa.schema([("name", pa.string()), ("class", pa.string()), ("attributes", pa.string())])
"""What a metadata file says about nodes; attributes: the columns after the class (gender), joined by spaces."""


def evidence(_file_name: str, head: Sequence[str]) -> Evidence | None:
    """Three or five fields by white space; the first is a time on the grid of 20 s that never goes back."""
    rows = [line.split() for line in head if line.strip() and not line.startswith("#")]
    if not rows or any(len(row) not in (3, 5) or not is_number(row[0]) for row in rows):
        return None
    times = [float(row[0]) for row in rows]
    if times == sorted(times) and times[0] > 0 and all(time % PERIOD == 0 for time in times):
        return Evidence(f"the first column never goes back and is a multiple of {PERIOD:g} s", sure=len(rows[0]) == 5)
    return None


def settle(_file_name: str, _head: Sequence[str], options: Options) -> Options:
    """Settle the length of a record."""
    period = options.get("period", PERIOD)
    if not isinstance(period, int | float) or not (math.isfinite(period) and period > 0):
        raise InvalidValueError(f"period {period!r}: give the length of a record in seconds, above 0")
    return {"gap": 0.0, **options, "period": float(period)}


def parse(lines: pa.Table, _options: Options) -> tuple[pa.Table, pa.Table]:
    """Records of pairs, each the end of its period."""
    sheet = Sheet.of_text(without_blanks(lines))
    time, a, b, class_a, class_b = split_words(sheet, (3, 5), "t i j [class_i class_j]")
    columns = {"time": sheet.number(time, "t"), "a": a, "b": b, "class_a": class_a, "class_b": class_b}
    return sheet.sort_out(RECORDS, columns)


def read_metadata(lines: pa.Table) -> pa.Table:
    """METADATA from the lines of a metadata file: `id class [attribute...]`, separated by white space."""
    words = pc.split_pattern_regex(without_blanks(lines).column("text").combine_chunks(), r"\s+")
    sheet = pc.list_slice(words, 0, 2, return_fixed_size_list=True)
    rest = pc.binary_join(pc.list_slice(words, 2), " ")
    columns = [pc.list_element(sheet, 0), pc.list_element(sheet, 1), pc.if_else(pc.equal(rest, ""), None, rest)]
    return pa.table(columns, schema=METADATA)


SOCIOPATTERNS = Format(
    "sociopatterns", "SocioPatterns contact list (t i j, 20 s records)", "records", evidence, parse, settle
)
