"""What a trace format is: how to recognise one, and a pure function from lines of text to rows.

`parse` receives a table of LINES, any part of a file, and returns the rows it found and the lines it could not use.
What only the head of a file can tell (column names, separator, unit) is settled once, before, by `settle`; so a file
can be parsed in pieces, in any order, on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

Options = Mapping[str, object]
"""Settings of a format, by name; each format's file says which it knows."""

_ORIGIN = [("file", pa.string()), ("line", pa.int64())]

LINES = pa.schema([*_ORIGIN, ("text", pa.string())])
"""line: the number of the line from 1, or its byte offset where the file was split; it orders rows of equal time."""

INTERVALS = pa.schema(
    [
        *_ORIGIN,
        ("a", pa.string()),
        ("b", pa.string()),
        ("start", pa.float64()),
        ("end", pa.float64()),
        ("class_a", pa.string()),
        ("class_b", pa.string()),
    ]
)
EVENTS = pa.schema([*_ORIGIN, ("time", pa.float64()), ("a", pa.string()), ("b", pa.string()), ("up", pa.bool_())])
RECORDS = pa.schema(
    [
        *_ORIGIN,
        ("time", pa.float64()),
        ("a", pa.string()),
        ("b", pa.string()),
        ("class_a", pa.string()),
        ("class_b", pa.string()),
    ]
)
"""a and b were together during [time - period, time]; `period` and the `gap` to merge over are settled options."""
POSITION_ROWS = pa.schema(
    [*_ORIGIN, ("time", pa.float64()), ("name", pa.string()), ("x", pa.float64()), ("y", pa.float64())]
)
BAD = pa.schema([*_ORIGIN, ("text", pa.string()), ("reason", pa.string())])

ROWS: Mapping[str, pa.Schema] = {
    "intervals": INTERVALS,
    "events": EVENTS,
    "records": RECORDS,
    "positions": POSITION_ROWS,
}
"""The schema of the rows of each kind a format may yield."""


@dataclass(frozen=True)
class Evidence:
    """Why lines may be of a format. Sure: they bear a mark of it, so no reading of bare numbers comes into question."""

    why: str
    sure: bool = False


def nothing_to_settle(_file_name: str, _head: Sequence[str], options: Options) -> Options:
    """The `settle` of a format whose lines explain themselves."""
    return options


@dataclass(frozen=True)
class Format:
    """One trace format.

    `evidence(file name, first lines)` says why a file may be of it, or None. `settle(file name, first lines, options)`
    completes the user's options with what the head of the file decides and refuses values it does not know; call it
    once per import and pass its answer to every `parse`. `parse(lines, options)` returns (rows, bad lines); blank
    lines, comments and headers are neither.
    """

    name: str
    title: str
    yields: str
    evidence: Callable[[str, Sequence[str]], Evidence | None]
    parse: Callable[[pa.Table, Options], tuple[pa.Table, pa.Table]]
    settle: Callable[[str, Sequence[str], Options], Options] = nothing_to_settle
    survey: Callable[[Iterable[pa.Table]], Options] | None = None
    """lines of all files -> options that only all of them together can tell; None where there are none."""
    tells_once: bool = False
    """Whether an event that is told again, with the same time and ends, is the same: a log of which there is a copy."""
