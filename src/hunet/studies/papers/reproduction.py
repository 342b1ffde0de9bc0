"""What the reproduction of any paper consists of: traces, figures, simulations, and a verdict on every claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from hunet.studies.claims.verdict import Verdict
from hunet.studies.simulations import all_runs
from hunet.sweeps.runner import Progress, Runner
from hunet.traces.clean import CleanCounts
from hunet.traces.store import Trace, TraceStore

__all__ = ["Paper", "Table", "Told", "Traces", "all_runs", "sound_rows", "write_claims", "write_table"]

Table: TypeAlias = list[dict[str, Any]]

Told: TypeAlias = Callable[[str, int, int], None]
"""Called with the figure that is computed now, how much is done, and of how much."""


class Traces(NamedTuple):
    """What a paper is simulated on."""

    tables: Mapping[str, tuple[pa.Table, pa.Table]]
    """Contacts and nodes, by what people call the trace."""
    rows: Mapping[str, int] = {}
    """Of traces that were imported: sound rows of the raw files, before the directions of a contact were united."""
    absent: Sequence[str] = ()
    """A sentence for each trace that the paper used and that is not stored here."""


class Paper(NamedTuple):
    """A paper, step by step. Figures are written to the folder as soon as they are known."""

    traces: Callable[[TraceStore, Sequence[str], bool], Traces]
    """From the store, by the names that are asked for; quick or not."""
    compute: Callable[[Path, Traces, bool, Told], Mapping[str, Table]]
    """Figures that need no simulation, by their ids."""
    simulate: Callable[[Path, Traces, Mapping[str, Table], bool, Runner, Progress], pd.DataFrame]
    """Figures that do, beside those already computed; hands back what was measured."""
    judge: Callable[[Mapping[str, Table], pd.DataFrame], list[Verdict]]


def sound_rows(trace: Trace) -> int | None:
    """Rows of the files that a trace was imported from, before directions were united; None where there are none."""
    counts = trace.manifest.counts
    if "rows" not in counts:
        return None
    return CleanCounts(**{name: counts[name] for name in CleanCounts.__dataclass_fields__}).clean_rows  # type: ignore[arg-type]


def write_table(path: Path, table: Table | pd.DataFrame) -> None:
    """As CSV and Parquet."""
    found = (
        pa.Table.from_pylist(table) if isinstance(table, list) else pa.Table.from_pandas(table, preserve_index=False)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    pyarrow.csv.write_csv(found, f"{path}.csv")
    pq.write_table(found, f"{path}.parquet")


def write_claims(out: Path, found: Sequence[Verdict]) -> None:
    """The verdicts, beside the figures."""
    write_table(out / "claims", [verdict._asdict() for verdict in found])
