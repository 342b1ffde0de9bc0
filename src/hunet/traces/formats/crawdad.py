"""CRAWDAD contact tables: `id1 id2 start end [nth gap]`, separated by white space, one sighting interval per line.

id1 scanned and saw id2 from start to end; nth numbers the contacts of the ordered pair and gap is the time since its
last one. Both are derived, so they may be missing or mean something else, and are not read. Rows are directed: a
meeting of two scanning devices gives two rows with slightly different times, which cleaning unites.

Options: `unit` (s, ms or us; settled by the size of the times).
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from hunet.traces.columns import is_number
from hunet.traces.evidence import bare_contacts
from hunet.traces.fields import Sheet, split_words, without_blanks
from hunet.traces.format import INTERVALS, Evidence, Format, Options
from hunet.traces.times import find_unit, in_seconds


def evidence(_file_name: str, head: Sequence[str]) -> Evidence | None:
    """Four or six bare numbers per line by white space, of which the third is hardly ever above the fourth."""
    rows = [line.split() for line in head if line.strip() and not line.startswith("#")]
    if not rows or any(len(row) not in (4, 6) or not all(map(is_number, row)) for row in rows):
        return None
    why = bare_contacts(head)
    return None if why is None else Evidence(why, sure=len(rows[0]) == 6)


def settle(_file_name: str, head: Sequence[str], options: Options) -> Options:
    """Settle the unit of time."""
    rows = (line.split() for line in head)
    starts = [float(row[2]) for row in rows if len(row) >= 4 and is_number(row[2])]
    return {**options, "unit": find_unit(options, (), starts)}


def parse(lines: pa.Table, options: Options) -> tuple[pa.Table, pa.Table]:
    """Intervals, directed as the file has them."""
    sheet = Sheet.of_text(without_blanks(lines))
    a, b, start, end, *_derived = split_words(sheet, (4, 5, 6), "id1 id2 start end nth gap")
    unit = str(options.get("unit", "s"))
    columns = {
        "a": a,
        "b": b,
        "start": in_seconds(sheet.number(start, "start"), unit),
        "end": in_seconds(sheet.number(end, "end"), unit),
    }
    return sheet.sort_out(INTERVALS, columns)


CRAWDAD = Format("crawdad", "CRAWDAD contact table (id1 id2 start end nth gap)", "intervals", evidence, parse, settle)
