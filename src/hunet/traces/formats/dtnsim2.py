"""Contact files of dtnsim2: `@time a <-> b up|down`. A line with the number of nodes alone may stand first."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from hunet.traces.fields import Sheet, split_words, without_blanks
from hunet.traces.format import EVENTS, Evidence, Format, Options
from hunet.traces.formats.one import read_state


def evidence(_file_name: str, head: Sequence[str]) -> Evidence | None:
    """Every line begins with @ and has the arrow, a first line of one number apart."""
    rows = [line.split() for line in head if line.strip() and not line.startswith("#")]
    if rows and len(rows[0]) == 1 and rows[0][0].isdecimal():
        rows = rows[1:]
    if rows and all(len(row) == 5 and row[0].startswith("@") and row[2] == "<->" for row in rows):
        return Evidence("every line has an @ and an arrow", sure=True)
    return None


def parse(lines: pa.Table, _options: Options) -> tuple[pa.Table, pa.Table]:
    """Up and down events."""
    lines = without_blanks(lines)
    node_count = pc.match_substring_regex(lines.column("text"), "^[0-9]+$")
    sheet = Sheet.of_text(lines.filter(pc.invert(node_count)))
    time, a, arrow, b, state = split_words(sheet, (5,), "@time a <-> b up|down")
    sheet.reject(pc.invert(pc.starts_with(time, "@")), "the time does not begin with @")
    sheet.reject(pc.not_equal(arrow, "<->"), pc.binary_join_element_wise("'", arrow, "' stands where <-> should", ""))
    seconds = sheet.number(pc.replace_substring(time, "@", "", max_replacements=1), "time")
    columns = {"time": seconds, "a": a, "b": b, "up": read_state(sheet, state)}
    return sheet.sort_out(EVENTS, columns)


DTNSIM2 = Format("dtnsim2", "dtnsim2 contacts (@time a <-> b up|down)", "events", evidence, parse)
