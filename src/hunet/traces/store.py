"""The trace store: finished traces as Parquet, one directory per version, read by pyarrow without a JVM.

    <home>/traces/<name>/manifest.json      which version is the trace; replaced last, in one step
                         <version>/manifest.json, contacts/, nodes/, spans/, positions/, plots/

A table is a directory of Parquet files, as Spark writes it. Whoever writes a version works in a hidden draft; a writer
that dies leaves a draft nobody sees, which the next writer of that trace clears away. The content hash covers contacts
and nodes alone, in whatever order and number of files they lie: equal traces have equal hashes. What is derived from
the contacts may be missing, as in versions that an earlier hunet wrote: it is computed then.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from hunet.atomic import whole_file
from hunet.input_files import reason_of
from hunet.model.errors import TraceError
from hunet.model.names import is_name, unknown
from hunet.model.tables import CONTACTS, NODES, POSITIONS, SPANS
from hunet.traces.fingerprint import fingerprint
from hunet.traces.locking import exclusive
from hunet.traces.manifest import Manifest, as_stored, manifests_in, read_manifest, trace_folder, write_manifest
from hunet.traces.order import by_time
from hunet.traces.pairs import Boundary, pairs_from, spans_of

TABLES: Mapping[str, pa.Schema] = {"contacts": CONTACTS, "nodes": NODES, "spans": SPANS, "positions": POSITIONS}

KEPT_VERSIONS = 5
"""How many versions of a trace are kept, the current one among them; older ones go when a new one comes."""

_BATCH = 2**20
"""Rows that are read at a time."""


@dataclass(frozen=True)
class Trace:
    """A stored trace. Tables are read when asked for."""

    path: Path
    manifest: Manifest
    _held: dict[str, weakref.ref[pa.Table]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def contacts(self) -> pa.Table:
        """CONTACTS, sorted by (start, a, b). While somebody holds them they are not read again."""
        held = self._held["contacts"]() if "contacts" in self._held else None
        if held is None:
            held = by_time(self._read("contacts"))
            self._held["contacts"] = weakref.ref(held)
        return held

    def count(self) -> int:
        """How many contacts there are; they are not read for that, unless there seem to be none."""
        with suppress(OSError, pa.ArrowException):
            found: int = sum(pq.read_metadata(file).num_rows for file in _files(self.table_path("contacts")))
            if found:
                return found
        return int(self.contacts().num_rows)  # says what is damaged

    def nodes(self) -> pa.Table:
        """NODES, sorted by node; `attributes` beside them where the data had more to say."""
        return self._read("nodes").sort_by("node")

    def pairs(
        self, window: tuple[float, float] | None = None, boundary: Boundary = "both", sigma: float | None = None
    ) -> pa.Table:
        """PAIRS of every pair that met in the window, by default the whole trace, sorted by (a, b).

        Of the whole trace, its first 40 % and the shares it was imported with, spans are stored; those of another
        window come from the contacts.
        """
        return pairs_from(self._spans(window), boundary, sigma)

    def positions(self) -> pa.Table:
        """POSITIONS, sorted by (t, node), or an empty table."""
        return self._read("positions").sort_by([("t", "ascending"), ("node", "ascending")])

    def table_path(self, table: str) -> Path:
        """Where a table lies: a directory of Parquet files, which need not exist for spans and positions."""
        return self.path / table

    def _spans(self, window: tuple[float, float] | None) -> pa.Table:
        stored = self._read("spans")
        if stored.num_rows:
            begin, stop = (pc.min(stored["window_start"]), pc.max(stored["window_end"])) if window is None else window
            found = stored.filter((pc.field("window_start") == begin) & (pc.field("window_end") == stop))
            if found.num_rows:
                return found.sort_by([("a", "ascending"), ("b", "ascending")])
        return spans_of(self.contacts(), window)

    def batches(self, table: str) -> Iterator[pa.RecordBatch]:
        """A table piece by piece, however large it is."""
        for file in _files(self.table_path(table)):
            yield from pq.ParquetFile(file).iter_batches()

    def _read(self, table: str) -> pa.Table:
        path = self.table_path(table)
        if not path.exists():
            return TABLES[table].empty_table()
        try:
            files = _files(path)
            found = _read_whole(files) if table != "contacts" else _read_flat(files)
        except (OSError, KeyError, pa.ArrowException) as error:
            raise self._damaged(f"'{path}' cannot be read, {reason_of(error)}") from error
        if not set(TABLES[table].names) <= set(found.column_names):
            raise self._damaged(f"'{path}' lacks columns")
        return found

    def require_tables(self) -> None:
        """Refuse a trace of which only the manifest is left."""
        for table in _NEEDED:
            if not self.table_path(table).is_dir():
                raise self._damaged(f"'{self.table_path(table)}' is gone")

    def _damaged(self, what: str) -> TraceError:
        return TraceError(f"trace {self.manifest.name!r} is damaged ({what}): import or generate it again")


_NEEDED = ("contacts", "nodes")


class Draft:
    """A version in the making. Write tables with `write`, or let Spark write to `table_path`; set `manifest`."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest

    def table_path(self, table: str) -> Path:
        """Where a table belongs: a directory that Spark may write."""
        return self.path / table

    def write(self, table: str, content: pa.Table) -> None:
        """Write one of TABLES whole; columns that its schema does not name are kept."""
        _write(self.table_path(table), table, by_time(content) if table == "contacts" else content)

    def describe(self, **changes: object) -> None:
        """Change fields of the manifest, such as origin, licence, settings, counts."""
        self.manifest = replace(self.manifest, **changes)  # type: ignore[arg-type]


class TraceStore:
    """The traces under one home directory."""

    def __init__(self, home: Path) -> None:
        self.home = home
        """Where other data may lie beside the traces."""
        self._root = trace_folder(home)

    def list(self) -> list[Manifest]:
        """The manifests of all traces, by name; those that cannot be read are left out (`manifests_in` says why)."""
        return [manifest for manifest in manifests_in(self._root) if isinstance(manifest, Manifest)]

    def __contains__(self, name: str) -> bool:
        """Whether there is a trace of this name."""
        return is_name(name) and (self._root / name / "manifest.json").exists()

    def open(self, name: str, version: int | None = None) -> Trace:
        """A trace by its name: its current version, or one that was current before."""
        current = self._place(name) / "manifest.json"
        if not current.exists():
            raise TraceError(unknown("trace", name, [manifest.name for manifest in self.list()]))
        manifest = read_manifest(current)
        if version is not None and version != manifest.version:
            older = self._place(name) / str(version) / "manifest.json"
            if not older.exists():
                raise TraceError(f"trace {name!r} has no version {version}; the current one is {manifest.version}")
            manifest = read_manifest(older)
        trace = Trace(self._place(name) / str(manifest.version), manifest)
        trace.require_tables()
        return trace

    @contextmanager
    def write_version(self, name: str) -> Iterator[Draft]:
        """Write a new version of a trace; it becomes the trace when the block ends without an error.

        Contacts and nodes must have been written by then. If content, origin, settings and the other facts are those
        of the current version, nothing changes and the draft is dropped.
        """
        place = self._place(name)
        with self._lock(place):
            for abandoned in place.glob(".draft-*"):
                shutil.rmtree(abandoned)
            draft = Draft(Path(tempfile.mkdtemp(prefix=".draft-", dir=place)), Manifest(name))
            try:
                yield draft
                self._publish(place, draft)
            finally:
                shutil.rmtree(draft.path, ignore_errors=True)

    def beside(self, name: str) -> Path:
        """Where a command keeps what it needs to go on with a trace; it goes when the trace is removed."""
        return self._place(name) / ".work"

    def remove(self, name: str) -> None:
        """Remove a trace with all its versions, also one that is damaged."""
        place = self._place(name)
        if not (place / "manifest.json").exists() and not self.beside(name).is_dir():
            raise TraceError(unknown("trace", name, [manifest.name for manifest in self.list()]))
        with self._lock(place):
            # The manifest goes first: whoever looks now finds no trace rather than half of one.
            (place / "manifest.json").unlink(missing_ok=True)
            shutil.rmtree(place)

    @contextmanager
    def _lock(self, place: Path) -> Iterator[None]:
        """Hold a trace for writing; its folder is made if there is none, and goes if it stays empty."""
        place.mkdir(parents=True, exist_ok=True)
        busy = f"trace {place.name!r} is being written by another command: wait until it is done"
        with exclusive(place / ".lock", busy):
            try:
                yield
            finally:
                with suppress(FileNotFoundError):  # the trace was removed
                    if [path.name for path in place.iterdir()] == [".lock"]:
                        shutil.rmtree(place)

    def _publish(self, place: Path, draft: Draft) -> None:
        missing = [table for table in _NEEDED if not draft.table_path(table).exists()]
        if missing:
            raise TraceError(f"trace {place.name!r} was not finished: it has no {' and no '.join(missing)}")
        made = Trace(draft.path, draft.manifest)
        content = fingerprint(made.batches("contacts"), made.nodes())
        current = place / "manifest.json"
        old = read_manifest(current) if current.exists() else None
        manifest = as_stored(replace(draft.manifest, name=place.name, content_hash=content))
        if old is not None and replace(manifest, version=old.version) == old:
            return
        version = 1 + max((int(path.name) for path in place.iterdir() if path.name.isdecimal()), default=0)
        manifest = replace(manifest, version=version)
        write_manifest(draft.path / "manifest.json", manifest)
        draft.path.chmod(0o755)
        draft.path.rename(place / str(version))
        with whole_file(current) as fresh:
            write_manifest(fresh, manifest)
        for number in range(1, version - KEPT_VERSIONS + 1):
            shutil.rmtree(place / str(number), ignore_errors=True)

    def _place(self, name: str) -> Path:
        if not is_name(name):
            raise TraceError(f"trace name {name!r}: use letters, digits, dots, dashes and underscores, 100 at most")
        return self._root / name


def _files(folder: Path) -> list[Path]:
    """The files of a table. pyarrow would find them itself with its datasets, which take long to load."""
    return sorted(file for file in folder.iterdir() if file.suffix == ".parquet" and file.name[0] not in "._")


def _read_whole(files: Sequence[Path]) -> pa.Table:
    parts = [pq.ParquetFile(file).read() for file in files]
    return pa.concat_tables(parts) if parts else pa.table({})


def _read_flat(files: Sequence[Path]) -> pa.Table:
    """A huge table of numbers, filled bit by bit: read as a whole, it would be in memory twice."""
    schema = pq.read_schema(files[0]) if files else pa.schema([])
    if not all(map(pa.types.is_primitive, schema.types)):
        return _read_whole(files)
    rows = sum(pq.read_metadata(file).num_rows for file in files)
    columns = {name: np.empty(rows, schema.field(name).type.to_pandas_dtype()) for name in schema.names}
    done = 0
    for file in files:
        for batch in pq.ParquetFile(file).iter_batches(_BATCH):
            for name, column in columns.items():
                column[done : done + batch.num_rows] = batch[name].to_numpy()
            done += batch.num_rows
    return pa.table(columns, schema=schema)


def _write(folder: Path, table: str, content: pa.Table) -> None:
    schema = TABLES[table]
    missing = [name for name in schema.names if name not in content.column_names]
    if missing:
        raise TraceError(f"table {table!r} lacks the columns {', '.join(missing)}")
    known = content.select(schema.names).cast(schema)
    for name in content.column_names:
        if name not in schema.names:
            known = known.append_column(name, content.column(name))
    folder.mkdir(exist_ok=True)
    with whole_file(folder / "all.parquet") as draft:
        pq.write_table(known, draft)
