"""Schemas, subscriptions and events as files; every error names the file and the line or the event."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet

from hunet.content.grid import Points
from hunet.content.matching import Id
from hunet.content.schema import Box, Schema, schema_from
from hunet.input_files import parse_json, parse_toml, read_text, readable
from hunet.model.errors import ContentError
from hunet.model.names import did_you_mean

__all__ = ["Events", "read_events", "read_schema", "read_subscriptions"]

_ENDINGS = {
    ".csv": "CSV",
    ".jsonl": "JSON lines",
    ".ndjson": "JSON lines",
    ".json": "JSON lines",
    ".parquet": "Parquet",
}


class Events(NamedTuple):
    """Events by their ids, as points."""

    ids: list[Any]
    points: Points


def read_schema(path: Path) -> Schema:
    """A schema from TOML: a table [attributes.NAME] per attribute, with type = "number", "category" or "time"."""
    description = parse_toml(read_text(path, ContentError, "schema"), path, ContentError)
    try:
        return schema_from(description)
    except ContentError as error:
        raise ContentError(f"{path}: {error}") from None


def read_subscriptions(path: Path, schema: Schema) -> dict[Id, Box]:
    """Subscriptions from JSON lines such as {"id": 7, "where": "brand = Nikon and 50 <= focal <= 105"}."""
    boxes: dict[Id, Box] = {}
    for number, line in enumerate(read_text(path, ContentError, "file of subscriptions").splitlines(), 1):
        if not line.strip():
            continue
        row = parse_json(line, f"{path}, line {number}", ContentError)
        try:
            id_, box = _subscription(row, schema)
            if id_ in boxes:
                raise ContentError(f"there is already a subscription {id_!r}")
        except ContentError as error:
            raise ContentError(f"{path}, line {number}: {error}") from None
        boxes[id_] = box
    return boxes


def _subscription(row: Any, schema: Schema) -> tuple[Id, Box]:
    if not isinstance(row, dict):
        raise ContentError(f'a subscription is an object such as {{"id": 7, "where": "..."}}, got {row!r}')
    for key in ("id", "where"):
        if key not in row:
            raise ContentError(f"a subscription needs {key!r}; {did_you_mean(key, row)}")
    if isinstance(row["id"], bool) or not isinstance(row["id"], int | str):
        raise ContentError(f"an id is a whole number or text, got {row['id']!r}")
    return row["id"], schema.box(row["where"])


def read_events(path: Path, schema: Schema) -> Events:
    """Events from CSV, JSON lines or Parquet, with a column `id` and one per attribute; others are ignored."""
    kind = _ENDINGS.get(path.suffix.lower())
    if kind is None:
        raise ContentError(f"{path}: events are read from files that end in {', '.join(_ENDINGS)}")
    with readable(path, ContentError, f"file of events ({kind})"):
        table = {"CSV": _csv, "JSON lines": _json_lines, "Parquet": _parquet}[kind](path, schema)
        if "id" not in table.column_names:
            raise ContentError(f"{path}: the events have no column 'id'; {did_you_mean('id', table.column_names)}")
        ids = table["id"].to_pylist()
        try:
            return Events(ids, schema.points(table, ids))
        except ContentError as error:
            raise ContentError(f"{path}: {error}") from None


def _csv(path: Path, schema: Schema) -> pa.Table:
    """Attributes are read as text, so that what is wrong with a value can be said in words of the schema."""
    as_text = pa.csv.ConvertOptions(column_types=dict.fromkeys(schema, pa.string()), strings_can_be_null=True)
    return pa.csv.read_csv(path, convert_options=as_text)


def _json_lines(path: Path, _schema: Schema) -> pa.Table:
    return pa.json.read_json(path) if path.stat().st_size else pa.table({"id": []})


def _parquet(path: Path, _schema: Schema) -> pa.Table:
    return pa.parquet.read_table(path)
