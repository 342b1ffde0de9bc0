"""The log of a run as a file: a Parquet table of events that also says what was published and wanted, on which trace.

    columns     time, kind, message, from, to
    metadata    hunet.run: JSON with `version`, the run's `title` and `details`, and `trace` (name and version);
                hunet.messages, hunet.interests, hunet.heard: tables (Arrow stream, deflated, base64)

The trace itself stays in the trace store: it may be large, and it is there.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hunet.atomic import whole_file
from hunet.input_files import parse_json, readable
from hunet.model.errors import WatchError
from hunet.model.tables import INTERESTS
from hunet.watch.show import EVENTS, HEARD, PUBLISHED, Play, Traffic

__all__ = ["RunLog", "is_run_log", "read_run_log", "write_run_log"]

VERSION = 1
_RUN = b"hunet.run"
_TABLES = {"messages": PUBLISHED, "interests": INTERESTS, "heard": HEARD}
_MOST_BYTES = 1 << 30
"""Of a table in the metadata, unpacked."""


@dataclass(frozen=True)
class RunLog:
    """What a file has in it."""

    trace: str
    trace_version: int
    traffic: Traffic
    play: Play


def write_run_log(path: Path, log: RunLog) -> Path:
    """Write the file, making its folder."""
    about = {
        "version": VERSION,
        "title": log.play.title,
        "details": dict(log.play.details),
        "trace": {"name": log.trace, "version": log.trace_version},
    }
    tables = {"messages": log.traffic.messages, "interests": log.traffic.interests, "heard": log.play.heard}
    metadata = {f"hunet.{name}".encode(): _packed(one) for name, one in tables.items()}
    metadata[_RUN] = json.dumps(about).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as draft:
        pq.write_table(log.play.events.replace_schema_metadata(metadata), draft)
    return path


def is_run_log(path: Path) -> bool:
    """Whether a file is the log of a run, by its metadata."""
    if path.suffix != ".parquet" or not path.is_file():
        return False
    with readable(path, WatchError, "log of a run"):
        return _RUN in (pq.read_schema(path).metadata or {})


def read_run_log(path: Path) -> RunLog:
    """Read the file again."""
    with readable(path, WatchError, "log of a run"):
        table = pq.read_table(path)
        metadata = table.schema.metadata or {}
        about = parse_json(metadata[_RUN].decode(), f"'{path}'", WatchError)
        if about["version"] != VERSION:
            raise WatchError(f"'{path}' is a log of version {about['version']}: this hunet reads version {VERSION}")
        found = {name: _unpacked(metadata[f"hunet.{name}".encode()]).cast(schema) for name, schema in _TABLES.items()}
        events = table.select(EVENTS.names).cast(EVENTS)
        _check(path, events, found["messages"])
        details = {str(name): str(value) for name, value in about["details"].items()}
        play = Play(str(about["title"]), events, details, found["heard"])
        trace: Mapping[str, Any] = about["trace"]
        return RunLog(str(trace["name"]), int(trace["version"]), Traffic(found["messages"], found["interests"]), play)


def _check(path: Path, events: pa.Table, messages: pa.Table) -> None:
    kinds, numbers = events["kind"].to_pylist(), events["message"].to_pylist()
    if any(kind != "election" and not 0 <= m < messages.num_rows for kind, m in zip(kinds, numbers, strict=True)):
        raise WatchError(f"'{path}' has events of messages that it does not have: simulate once more")


def _packed(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return base64.b64encode(zlib.compress(sink.getvalue().to_pybytes(), 6))


def _unpacked(text: bytes) -> pa.Table:
    unpacking = zlib.decompressobj()
    content = unpacking.decompress(base64.b64decode(text, validate=True), _MOST_BYTES)
    if not unpacking.eof:
        raise WatchError(f"a table in the log is damaged, or has more than {_MOST_BYTES:,} bytes")
    return pa.ipc.open_stream(content).read_all()
