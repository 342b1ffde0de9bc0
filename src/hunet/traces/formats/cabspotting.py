"""Positions of taxis as Cabspotting has them: `latitude longitude occupied time`, one file per taxi, latest first.

The name of a node is that of its file, without what follows the first point. Times are Unix times.

Options: `origin` ("lat,lon"), `unit` (s, ms or us; settled by the size of the times).
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from hunet.traces.degrees import project, settle_origin
from hunet.traces.evidence import Sample
from hunet.traces.fields import Sheet, split_words, without_blanks
from hunet.traces.format import POSITION_ROWS, Evidence, Format, Options
from hunet.traces.times import find_unit, in_seconds


def evidence(_file_name: str, head: Sequence[str]) -> Evidence | None:
    """A latitude, a longitude, a 0 or 1, and a date of our time, by white space."""
    sample = Sample.of(head)
    if sample is None or len(sample.columns) != 4 or sample.separator is not None:
        return None
    lat, lon, occupied, time = sample.columns
    if not (lat.may_be_degrees(90.0) and lon.may_be_degrees(180.0) and time.is_dated and time.numbers):
        return None
    if not set(occupied.texts) <= {"0", "1"}:
        return None
    return Evidence("a latitude and a longitude, 0 or 1, and a Unix time; the node is named by its file", sure=True)


def settle(file_name: str, head: Sequence[str], options: Options) -> Options:
    """Settle the origin and the unit of time."""
    sample = Sample.of(head)
    known = sample is not None and len(sample.columns) == 4 and sample.is_numeric
    columns = sample.columns if sample is not None and known else ()
    unit = find_unit(options, (), columns[3].numbers if columns else ())
    first = [column.numbers[:1] for column in columns[:2]] or [[], []]
    return {**options, "origin": settle_origin(options.get("origin"), first, file_name), "unit": unit}


def parse(lines: pa.Table, options: Options) -> tuple[pa.Table, pa.Table]:
    """Positions in metres."""
    sheet = Sheet.of_text(without_blanks(lines))
    lat, lon, _occupied, time = split_words(sheet, (4,), "latitude longitude occupied time")
    x, y = project(sheet, lat, lon, str(options["origin"]))
    seconds = in_seconds(sheet.number(time, "time"), str(options["unit"]))
    name = file_names(sheet.lines.column("file"))
    return sheet.sort_out(POSITION_ROWS, {"name": name, "time": seconds, "x": x, "y": y})


def file_names(files: pa.ChunkedArray) -> pa.ChunkedArray:
    """The names of files without folders and without what follows the first point."""
    return pc.replace_substring_regex(files, r"^(?:.*[/\\])?([^/\\]+?)(?:\.[^/\\]*)?$", r"\1")


CABSPOTTING = Format(
    "cabspotting", "GPS, one file per node (latitude longitude occupied time)", "positions", evidence, parse, settle
)
