"""Point sightings: device a saw device b at time t, one per line, as a text table with or without a header.

Sightings of a pair that follow each other within `gap` seconds are one contact, from the first to the last of them;
a lone sighting is a contact of no length. Without a header the columns are `a b time`.

Options: `columns` (a, b, time to column name or number from 1), `separator`, `unit` (s or ms), `gap` (seconds; 300, the
scan period of Bluetooth logging on phones).
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
    head_times,
    read_table,
    settle_table,
    settled_columns,
    shown_names,
)
from hunet.traces.format import RECORDS, Format, Options
from hunet.traces.times import read_times

GAP = 300.0

_PARTS = ("a", "b", "time", "class_a", "class_b")
_WITHOUT_HEADER = {"a": 1, "b": 2, "time": 3}


def looks_like(_file_name: str, head: Sequence[str]) -> bool:
    """A header with both devices and one time; or three bare columns of which only the last is a running time."""
    layout = find_layout(head)
    if layout is None:
        return False
    if layout.header is not None:
        columns = find_columns(layout.names, _PARTS, {})
        return {"a", "b", "time"} <= columns.keys()
    if len(layout.names) != 3:
        return False
    first, last = (head_times(head, layout, place) for place in (0, 2))
    rows = sum(1 for line in head if line.strip() and not line.startswith("#"))
    named = len(first) < rows
    return len(last) == rows and last == sorted(last) and (named or first != sorted(first))


def settle(file_name: str, head: Sequence[str], options: Options) -> Options:
    """Settle separator, header, columns, unit and gap."""
    gap = options.get("gap", GAP)
    if not isinstance(gap, int | float) or not (math.isfinite(gap) and gap >= 0):
        raise InvalidValueError(f"gap {gap!r}: give the longest pause within one contact in seconds, 0 or more")
    layout = find_layout(head)
    if layout is not None and layout.header is None:
        options = {**options, "columns": {**_WITHOUT_HEADER, **given_columns(options)}}
    settled = settle_table(head, _PARTS, options)
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


SIGHTINGS = Format("sightings", "point sightings (a saw b at time)", "records", looks_like, parse, settle)
