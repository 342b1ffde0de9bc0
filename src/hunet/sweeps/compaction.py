"""What came of a sweep, as tables: runs, measures, and whatever tables its experiments add.

Each run of the sweep stands there once, in the order in which it was asked for, however often it was tried and
whatever else was published in the same folder before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from hunet.atomic import whole_file
from hunet.model.errors import SweepError
from hunet.model.tables import MEASURES
from hunet.sweeps.data import Data
from hunet.sweeps.experiment import Run
from hunet.sweeps.folder import Record, SweepFolder
from hunet.sweeps.identity import code_version

__all__ = ["Sweep", "compact"]


@dataclass(frozen=True)
class Sweep:
    """The tables of a finished sweep."""

    path: Path
    runs: pa.Table
    """run, experiment, seed, labels and inputs, code, seconds, memory (bytes), error (null where all went well)."""
    measures: pa.Table
    """run, measure, value; runs that failed have none."""

    pieces: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    """By the name of a table that the experiments added: its files, one of each run that has it."""

    def table(self, name: str) -> pa.Table:
        """A table that the experiments added, such as `deliveries`, with the run in its first column."""
        path = self.path / f"{name}.parquet"
        if not path.exists():
            raise SweepError(f"the sweep in '{self.path}' has no table {name!r}")
        return pq.read_table(path)


def compact(folder: SweepFolder, runs: Mapping[str, Run], join: bool) -> Sweep:
    """Write the tables of these runs, by name, all of which are published; those they added, if asked to."""
    records = [folder.read(name) for name in runs]
    table = _runs_table(runs, records)
    measures = pa.table(
        [
            [record.run for record in records for _ in record.measures],
            [name for record in records for name in record.measures],
            [value for record in records for value in record.measures.values()],
        ],
        schema=MEASURES,
    )
    added = {
        name: {record.run: folder.table_of(record.run, name) for record in records if name in record.tables}
        for name in sorted({name for record in records for name in record.tables})
    }
    for name, files in added.items() if join else ():
        _join(folder, name, files)
    for name, content in (("measures", measures), ("runs", table)):
        with whole_file(folder.path / f"{name}.parquet") as draft:
            pq.write_table(content, draft)
    return Sweep(folder.path, table, measures, {name: list(files.values()) for name, files in added.items()})


def _runs_table(runs: Mapping[str, Run], records: Sequence[Record]) -> pa.Table:
    told = [{**run.labels, **run.inputs, **run.labels} for run in runs.values()]  # labels stand first, and win
    names = dict.fromkeys(name for row in told for name in row)
    columns = {
        "run": pa.array(list(runs), pa.string()),
        "experiment": pa.array([run.experiment.name for run in runs.values()], pa.string()),
        "seed": pa.array([run.seed for run in runs.values()], pa.int64()),
        **{name: _column([row.get(name) for row in told]) for name in names},
        "code": pa.array([code_version(run.experiment.function.__module__) for run in runs.values()], pa.string()),
        "seconds": pa.array([record.seconds for record in records], pa.float64()),
        "memory": pa.array([record.memory for record in records], pa.float64()),
        "error": pa.array([record.error for record in records], pa.string()),
    }
    return pa.table(columns)


def _column(values: Sequence[object]) -> pa.Array:
    """Values of one type where they have one, else as text."""
    plain = [value.hash if isinstance(value, Data) else value for value in values]
    kinds = {type(value) for value in plain if value is not None}
    if kinds <= {int, float} and kinds:
        return pa.array(plain, pa.float64() if float in kinds else pa.int64())
    if kinds == {bool}:
        return pa.array(plain, pa.bool_())
    return pa.array([None if value is None else str(value) for value in plain], pa.string())


def _join(folder: SweepFolder, name: str, files: Mapping[str, Path]) -> None:
    """One after the other: together they may be larger than memory."""
    first = pq.read_schema(next(iter(files.values())))
    schema = pa.schema([pa.field("run", pa.dictionary(pa.int32(), pa.string())), *first])
    with whole_file(folder.path / f"{name}.parquet") as draft, pq.ParquetWriter(draft, schema) as writer:
        for run, file in files.items():
            table = pq.read_table(file).cast(first)
            who = pa.DictionaryArray.from_arrays(np.zeros(table.num_rows, np.int32), [run])
            writer.write_table(pa.table([who, *table.columns], schema=schema))
