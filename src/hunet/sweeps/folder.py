"""The folder of a sweep, which the driver and all workers share.

    <folder>/data/<hash>/...            tables that runs take in
             plan.parquet               the runs that are being done, by task
             done/<2 digits>/<run>.json         a run that ended, with its measures;
                             <run>.failed.json  a run that failed, with the reason
                             <run>.<table>.parquet
             runs.parquet, measures.parquet, ...    what came of it all, written last

A run is published by one rename, so whatever has a name is whole, and the names alone say what is done. The tables of a
run come before its record. Whoever publishes a run again, after a retry, writes the same.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from hunet.atomic import PARTS, whole_file
from hunet.model.errors import SweepError

__all__ = ["Record", "SweepFolder"]


@dataclass(frozen=True)
class Record:
    """What is published of a run."""

    run: str
    seconds: float
    memory: float | None
    """The most bytes its process had by then, where that is known."""
    error: str | None = None
    measures: Mapping[str, float] = field(default_factory=dict)
    tables: tuple[str, ...] = ()


@dataclass(frozen=True)
class SweepFolder:
    """Paths of a sweep, and what may be done with them."""

    path: Path

    @property
    def data(self) -> Path:
        return self.path / "data"

    @property
    def plan(self) -> Path:
        return self.path / "plan.parquet"

    @property
    def done(self) -> Path:
        return self.path / "done"

    def write_tables(self, run: str, tables: Mapping[str, pa.Table]) -> None:
        """Write down the tables of a run, which is to be published then."""
        for name, table in tables.items():
            path = self.table_of(run, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as draft:
                pq.write_table(table, draft)

    def publish(self, record: Record) -> None:
        """Make a run known, whose tables are written."""
        shelf = self.done / record.run[:2]
        shelf.mkdir(parents=True, exist_ok=True)
        ending = "json" if record.error is None else "failed.json"
        with whole_file(shelf / f"{record.run}.{ending}") as draft:
            draft.write_text(json.dumps(asdict(record)), encoding="utf-8")

    def has(self, run: str) -> bool:
        """Whether a run is published."""
        shelf = self.done / run[:2]
        return (shelf / f"{run}.json").exists() or (shelf / f"{run}.failed.json").exists()

    def published(self) -> tuple[set[str], set[str]]:
        """The runs that ended well, and those that failed, by their names."""
        well: set[str] = set()
        failed: set[str] = set()
        for shelf in _entries(self.done):
            for file in _entries(shelf.path):
                run, _, ending = file.name.partition(".")
                if run and ending == "json":
                    well.add(run)
                elif run and ending == "failed.json":
                    failed.add(run)
        return well, failed - well

    def forget(self, failed: Iterable[str]) -> None:
        """Let failed runs be done again."""
        for run in failed:
            (self.done / run[:2] / f"{run}.failed.json").unlink(missing_ok=True)

    def clear_parts(self) -> None:
        """Remove what workers that died had begun to write."""
        for part in (*self.path.glob(PARTS), *self.done.glob(f"*/{PARTS}")):
            part.unlink(missing_ok=True)

    def read(self, run: str) -> Record:
        """The record of a published run."""
        shelf = self.done / run[:2]
        path = shelf / f"{run}.json"
        path = path if path.exists() else shelf / f"{run}.failed.json"
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            return Record(**{**content, "tables": tuple(content["tables"])})
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise SweepError(f"'{path}' is damaged ({error}): remove it and start the sweep again") from error

    def table_of(self, run: str, table: str) -> Path:
        """Where a table of a run lies."""
        return self.done / run[:2] / f"{run}.{table}.parquet"


def _entries(path: Path | str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []
