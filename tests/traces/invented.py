"""Invented lines and tables for the tests of traces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from hunet.traces.format import EVENTS, INTERVALS, LINES, Format


def lines_of(*texts: str, file: str = "invented.txt") -> pa.Table:
    return pa.table([[file] * len(texts), list(range(1, len(texts) + 1)), list(texts)], schema=LINES)


def parsed(form: Format, *texts: str, **options: object) -> tuple[list[dict[str, Any]], dict[int, str]]:
    """(rows without their file, reasons by line) of a format that settles by these same lines."""
    settled = form.settle("invented.txt", texts, options)
    rows, bad = form.parse(lines_of(*texts), settled)
    assert set(rows.column("file").to_pylist()) <= {"invented.txt"}
    reasons = dict(zip(bad["line"].to_pylist(), bad["reason"].to_pylist(), strict=True))
    return rows.drop_columns("file").to_pylist(), reasons


def picked(rows: Sequence[Mapping[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows]


def events_of(events: Sequence[tuple[str, str, float, bool]]) -> pa.Table:
    columns = {
        "file": ["invented.txt"] * len(events),
        "line": list(range(1, len(events) + 1)),
        "time": [float(time) for _a, _b, time, _up in events],
        "a": [a for a, _b, _time, _up in events],
        "b": [b for _a, b, _time, _up in events],
        "up": [up for _a, _b, _time, up in events],
    }
    return pa.table(columns, schema=EVENTS)


def intervals_of(rows: Sequence[tuple[str, str, float, float]]) -> pa.Table:
    columns = {
        "file": ["invented.txt"] * len(rows),
        "line": list(range(1, len(rows) + 1)),
        "a": [a for a, _b, _start, _end in rows],
        "b": [b for _a, b, _start, _end in rows],
        "start": [float(start) for _a, _b, start, _end in rows],
        "end": [float(end) for _a, _b, _start, end in rows],
        "class_a": [None] * len(rows),
        "class_b": [None] * len(rows),
    }
    return pa.table(columns, schema=INTERVALS)
