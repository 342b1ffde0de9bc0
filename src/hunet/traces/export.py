"""Handing a trace to other programs: The ONE, CSV, Parquet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq

from hunet.atomic import whole_file
from hunet.model.errors import TraceError
from hunet.model.names import unknown
from hunet.traces.store import Trace


def export_one(trace: Trace, path: Path) -> None:
    """Connectivity events for The ONE: `time CONN a b up|down` in the order of time, with dense ids as host numbers.

    At equal times ups come first, so that a contact of no length is up before it is down.
    """
    contacts = trace.contacts()
    time = np.concatenate((contacts["start"].to_numpy(), contacts["end"].to_numpy()))
    closes = np.repeat((False, True), contacts.num_rows)
    ends = [np.tile(contacts[end].to_numpy(), 2) for end in ("a", "b")]
    order = np.lexsort((ends[1], ends[0], closes, time))
    words = [
        _text(time[order]),
        pa.repeat("CONN", len(order)),
        *(_text(end[order]) for end in ends),
        pc.if_else(pa.array(closes[order]), "down", "up"),
    ]
    lines = pa.table({"line": pc.binary_join_element_wise(*words, " ")})
    _write_text(lines, path, header=False)


def export_csv(trace: Trace, path: Path) -> None:
    """`a,b,start,end` with the original names of the nodes, in the order of time."""
    _write_text(_named(trace), path, header=True)


def export_parquet(trace: Trace, path: Path) -> None:
    """The columns of the CSV export as one Parquet file."""
    pq.write_table(_named(trace), path)


EXPORTS: Mapping[str, Callable[[Trace, Path], None]] = {
    "one": export_one,
    "csv": export_csv,
    "parquet": export_parquet,
}


_KINDS = {".csv": "csv", ".parquet": "parquet"}
"""By the ending of a file."""


def export(trace: Trace, path: Path, kind: str | None = None) -> str:
    """Write a trace in one of EXPORTS, and say in which: by default what the file's ending says, else for The ONE.

    The file appears whole or not at all.
    """
    kind = _KINDS.get(path.suffix, "one") if kind is None else kind
    if kind not in EXPORTS:
        raise TraceError(unknown("format of an export", kind, EXPORTS))
    try:
        with whole_file(path) as draft:
            EXPORTS[kind](trace, draft)
    except OSError as error:
        raise TraceError(f"cannot write '{path}': {error}") from error
    return kind


def _named(trace: Trace) -> pa.Table:
    contacts = trace.contacts()
    names = trace.nodes()["name"]
    ends = {end: names.take(contacts[end]) for end in ("a", "b")}
    return pa.table({**ends, "start": contacts["start"], "end": contacts["end"]})


def _text(values: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> pa.Array:
    return pc.cast(pa.array(values), pa.string())


def _write_text(table: pa.Table, path: Path, *, header: bool) -> None:
    options = arrow_csv.WriteOptions(include_header=header, quoting_style="needed" if header else "none")
    arrow_csv.write_csv(table, path, options)
