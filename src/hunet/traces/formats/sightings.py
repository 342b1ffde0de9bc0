"""Point sightings: device a saw device b at time t, one per line, as a text table with or without a header.

Sightings of a pair that follow each other within `gap` seconds are one contact, from the first to the last of them;
a lone sighting is a contact of no length. Without a header the columns are `a b time`.

Options: `columns` (a, b, time to column name or number from 1), `separator`, `unit` (s, ms or us), `gap` (seconds;
300, the scan period of Bluetooth logging on phones).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyarrow as pa

from hunet.model.errors import InvalidValueError, TraceError
from hunet.traces.columns import (
    find_columns,
    find_layout,
    given_columns,
    read_table,
    settle_table,
    settled_columns,
    shown_names,
)
from hunet.traces.evidence import bare_sightings
from hunet.traces.format import RECORDS, Evidence, Format, Options
from hunet.traces.times import read_times

GAP = 300.0

_PARTS = ("a", "b", "time", "class_a", "class_b")
_WITHOUT_HEADER = {"a": 1, "b": 2, "time": 3}


def evidence(_file_name: str, head: Sequence[str]) -> Evidence | None:
    """A header with both devices and one time; or three bare columns of which the last is the time."""
    layout = find_layout(head)
    if layout is None:
        return None
    if layout.header is not None:
        complete = {"a", "b", "time"} <= find_columns(layout.names, _PARTS, {}).keys()
        return Evidence("its header names who, whom and one time", sure=True) if complete else None
    why = bare_sightings(head, a=0, b=1, time=2)
    return None if why is None else Evidence(why)


def settle(file_name: str, head: Sequence[str], options: Options) -> Options:
    """Settle separator, header, columns, unit and gap."""
    gap = options.get("gap", GAP)
    if not isinstance(gap, int | float) or not (math.isfinite(gap) and gap >= 0):
        raise InvalidValueError(f"gap {gap!r}: give the longest pause within one contact in seconds, 0 or more")
    layout = find_layout(head)
    if layout is not None and layout.header is None:
        options = {**options, "columns": {**_WITHOUT_HEADER, **given_columns(options)}}
    settled = settle_table(file_name, head, _PARTS, options)
    missing = {"a", "b", "time"} - settled_columns(settled).keys()
    if missing:
        raise TraceError(
            f"trace file '{file_name}': no column found for {', '.join(sorted(missing))} among {shown_names(settled)}; "
            f"say which it is, such as --columns a=1,b=2,time=3"
        )
    return {**settled, "gap": float(gap), "period": 0.0}


def parse(lines: pa.Table, options: Options) -> tuple[pa.Table, pa.Table]:
    """Records of no length."""
    sheet, columns = read_table(lines, options)
    time = read_times(sheet, columns["time"], "time", str(options["unit"]))
    found = {"a": sheet.name(columns["a"], "a"), "b": sheet.name(columns["b"], "b"), "time": time}
    found |= {part: columns[part] for part in ("class_a", "class_b") if part in columns}
    return sheet.sort_out(RECORDS, found)


SIGHTINGS = Format("sightings", "point sightings (a saw b at time)", "records", evidence, parse, settle)
