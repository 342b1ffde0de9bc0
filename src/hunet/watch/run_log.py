"""The log of a run as a file: a Parquet table of events that also says what was published and wanted, on which trace.

    columns     time, kind, message, from, to
    metadata    hunet.run: JSON with `version`, the run's `title` and `details`, and `trace` (name, version and whence);
                hunet.messages, hunet.interests, hunet.heard: tables (Arrow stream, deflated, base64)

A stored trace stays in the trace store: it may be large, and it is there. One that was read from files for this run
comes along, as hunet.contacts, hunet.nodes and hunet.positions.
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
from hunet.model.tables import CONTACTS, INTERESTS, NODES, POSITIONS
from hunet.watch.show import EVENTS, HEARD, PUBLISHED, Network, Play, Show, Traffic

__all__ = ["RunLog", "is_run_log", "read_run_log", "write_run_log"]

VERSION = 1
_RUN = b"hunet.run"
_TABLES = {"messages": PUBLISHED, "interests": INTERESTS, "heard": HEARD}
_OF_TRACE = {"contacts": CONTACTS, "nodes": NODES, "positions": POSITIONS}
_MOST_BYTES = 1 << 30
"""Of a table in the metadata, unpacked."""


@dataclass(frozen=True)
class RunLog:
    """What a file has in it."""

    trace: str
    trace_version: int
    """In the trace store; 0 where the trace is not stored, but here."""
    network: Network | None
    traffic: Traffic
    play: Play


def write_run_log(path: Path, trace: str, trace_version: int, show: Show) -> Path:
    """Write the log of a run on the trace of this name and version, making its folder; version 0: it is not stored."""
    (play,), traffic, network = show.plays, show.traffic, show.network
    assert traffic is not None
    about = {
        "version": VERSION,
        "title": play.title,
        "details": dict(play.details),
        "trace": {"name": trace, "version": trace_version},
    }
    tables = {"messages": traffic.messages, "interests": traffic.interests, "heard": play.heard}
    if not trace_version:
        tables |= {"contacts": network.contacts, "nodes": network.nodes, "positions": network.positions}
        about["network"] = {name: getattr(network, name) for name in ("title", "origin", "licence", "generated")}
    metadata = {f"hunet.{name}".encode(): _packed(one) for name, one in tables.items()}
    metadata[_RUN] = json.dumps(about).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as draft:
        pq.write_table(play.events.replace_schema_metadata(metadata), draft)
    return path


def is_run_log(path: Path) -> bool:
    """Whether a file is the log of a run, by its metadata; what is wrong with others is said by who reads them."""
    if path.suffix != ".parquet" or not path.is_file():
        return False
    try:
        return _RUN in (pq.read_schema(path).metadata or {})
    except (OSError, pa.ArrowException):
        return False


def read_run_log(path: Path) -> RunLog:
    """Read the file again."""
    with readable(path, WatchError, "log of a run"):
        table = pq.read_table(path)
        metadata = table.schema.metadata or {}
        about = parse_json(metadata[_RUN].decode(), f"'{path}'", WatchError)
        if about["version"] != VERSION:
            raise WatchError(f"'{path}' is a log of version {about['version']}: this hunet reads version {VERSION}")
        expected = {**_TABLES, **({} if about["trace"]["version"] else _OF_TRACE)}
        found = {name: _unpacked(metadata[f"hunet.{name}".encode()], schema) for name, schema in expected.items()}
        events = table.select(EVENTS.names).cast(EVENTS)
        details = {str(name): str(value) for name, value in about["details"].items()}
        play = Play(str(about["title"]), events, details, found["heard"])
        network = None if about["trace"]["version"] else _network(about["network"], found)
        traffic = Traffic(found["messages"], found["interests"])
        return RunLog(str(about["trace"]["name"]), int(about["trace"]["version"]), network, traffic, play)


def _network(about: Mapping[str, Any], found: Mapping[str, pa.Table]) -> Network:
    origin = (str(about["origin"]), str(about["licence"]), bool(about["generated"]))
    return Network(str(about["title"]), found["contacts"], found["nodes"], found["positions"], *origin)


def _packed(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return base64.b64encode(zlib.compress(sink.getvalue().to_pybytes(), 6))


def _unpacked(text: bytes, schema: pa.Schema) -> pa.Table:
    unpacking = zlib.decompressobj()
    content = unpacking.decompress(base64.b64decode(text, validate=True), _MOST_BYTES)
    if not unpacking.eof:
        raise ValueError(f"a table in it is damaged, or has more than {_MOST_BYTES:,} bytes")
    return pa.ipc.open_stream(content).read_all().select(schema.names).cast(schema)
