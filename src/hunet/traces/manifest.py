"""What a trace store says of its traces without reading one: manifests, and the folder they lie in. No Arrow here."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from hunet.input_files import parse_json, read_text, reason_of
from hunet.model.errors import TraceError

__all__ = [
    "SCHEMA_VERSION",
    "Manifest",
    "as_stored",
    "manifests_in",
    "read_manifest",
    "trace_folder",
    "write_manifest",
]

SCHEMA_VERSION = 1
"""Of the tables and the manifest; a store with a newer one is refused."""


@dataclass(frozen=True)
class Manifest:
    """What a trace is and where it came from. `settings` and `counts` are plain JSON: how it was made, what was
    removed. `surrogate`: made to resemble a real trace, and to be called so wherever it is shown."""

    name: str
    version: int = 0
    origin: str = ""
    licence: str = ""
    surrogate: bool = False
    settings: Mapping[str, object] = field(default_factory=dict)
    counts: Mapping[str, object] = field(default_factory=dict)
    content_hash: str = ""
    made_by: str = ""
    schema_version: int = SCHEMA_VERSION

    @property
    def title(self) -> str:
        """What it is called wherever it is shown."""
        return f"{self.name} (surrogate)" if self.surrogate and "surrogate" not in self.name else self.name


def trace_folder(home: Path) -> Path:
    """The folder of traces under a home, which need not exist yet; a place that cannot be one is refused."""
    root = home / "traces"
    remedy = "so no traces can be kept there: set HUNET_HOME to a folder"
    for place in (root, *root.absolute().parents):
        try:
            place.lstat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise TraceError(f"'{place}' cannot be read ({reason_of(error)}), {remedy}") from None
        if not place.is_dir():
            raise TraceError(f"'{place}' is no folder, {remedy}")
        break
    return root


def manifests_in(folder: Path) -> Iterator[Manifest | TraceError]:
    """The manifests of all traces in a folder of traces, by name; of one that cannot be read, what is wrong."""
    for path in sorted(folder.glob("*/manifest.json")) if folder.is_dir() else []:
        try:
            yield read_manifest(path)
        except TraceError as error:
            yield error


def as_stored(manifest: Manifest) -> Manifest:
    """A manifest as it will come back from JSON, where tuples are lists: only so are two manifests comparable."""
    return Manifest(**json.loads(json.dumps(asdict(manifest))))


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write it, on the disk for sure when this returns."""
    with path.open("w", encoding="utf-8") as stream:
        json.dump(asdict(manifest), stream, indent=2)
        stream.write("\n")
        stream.flush()
        os.fsync(stream.fileno())


def read_manifest(path: Path) -> Manifest:
    """What was written, or in one sentence why not."""
    remedy = "import or generate the trace again, or remove it"
    try:
        content = parse_json(read_text(path, TraceError, "manifest"), f"manifest '{path}'", TraceError, own=True)
    except TraceError as error:
        raise TraceError(f"{error}: {remedy}") from None
    schema = content.get("schema_version") if isinstance(content, dict) else None
    if isinstance(schema, int) and schema > SCHEMA_VERSION:
        raise TraceError(f"'{path}' has schema version {schema}, this hunet reads {SCHEMA_VERSION}: update hunet")
    if not isinstance(schema, int):
        raise TraceError(f"the manifest '{path}' has no schema version: {remedy}")
    known = {one.name: type(one.default) for one in fields(Manifest)} | {"name": str, "settings": dict, "counts": dict}
    for name, kind in known.items():
        if name in content and type(content[name]) is not kind:
            raise TraceError(f"the manifest '{path}' has {name} = {content[name]!r}: {remedy}")
    folder = path.parent.name if not path.parent.name.isdecimal() else path.parent.parent.name
    if content.get("name") not in (path.parent.name, folder):
        raise TraceError(f"the manifest '{path}' is of the trace {content.get('name')!r}: {remedy}")
    if content.get("version", 0) < 1:
        raise TraceError(f"the manifest '{path}' has version = {content.get('version')!r}: {remedy}")
    return Manifest(**{name: value for name, value in content.items() if name in known})
