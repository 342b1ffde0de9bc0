"""Everything of [zigzag] again: the data and the plot of every figure, and a verdict on every claim.

Tables are computed for several seeds: a column of measured numbers becomes its mean, with the ends of the 95 % interval
beside it (`p_t`, `p_t_low`, `p_t_high`). Written for each figure: CSV, Parquet and PNG, named by its id; ZZ-R1 is our
evaluation of the routing, for which the paper has none (ERR-29).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from hunet.pipeline.session import SparkSettings
from hunet.pipeline.sweep.driver import Progress
from hunet.report.style import save
from hunet.studies.bsub_traces import only_busy_days
from hunet.studies.bsub_traces import traces as stored_traces
from hunet.studies.range_pictures import draw_figure
from hunet.studies.reproduction import Paper, Table, Told, Traces, write_table
from hunet.studies.statistics import interval
from hunet.studies.zigzag import FIGURES
from hunet.studies.zigzag_claims import verdicts
from hunet.studies.zigzag_routing import conference, draw, measure
from hunet.traces.store import TraceStore

__all__ = ["ZIGZAG", "over_seeds"]

_ROUTING = "ZZ-R1"
_STORED = ("infocom06-surrogate", "infocom05", "reality")
_DAYS = 3


def _traces(store: TraceStore, names: Sequence[str], quick: bool) -> Traces:
    """Those that are named, or those of the ledger that are stored; a generated conference if none is, or to be quick.

    Of Reality the busiest days in a row are taken, as for [bsub10].
    """
    known = {manifest.name for manifest in store.list()}
    asked = list(names) or [name for name in _STORED if name in known and not quick]
    if not asked:
        return Traces(conference(quick), absent=[] if quick else [f"none of {', '.join(_STORED)} is stored here"])
    found = stored_traces(store, asked, quick)
    return found._replace(tables=found.tables if names else only_busy_days(found, _DAYS))


def _compute(out: Path, _on: Traces, quick: bool, told: Told) -> dict[str, Table]:
    """Compute, write and draw what needs no simulation."""
    seeds = range(1, 4 if quick else 11)
    tables: dict[str, Table] = {}
    for number, (name, figure) in enumerate(FIGURES.items()):
        found: list[Table] = []
        for seed in seeds:
            told(name, number * len(seeds) + len(found), len(FIGURES) * len(seeds))
            found.append(figure(quick, seed))
        tables[name] = over_seeds(found)
        write_table(out / name, tables[name])
        save(draw_figure(name, tables[name]), out / f"{name}.png")
    return tables


def over_seeds(tables: Sequence[Table]) -> Table:
    """Tables of equal rows but for measured numbers: the mean of each of these with its interval."""
    rows: Table = []
    for same in zip(*tables, strict=True):
        row: dict[str, object] = {}
        for column, value in same[0].items():
            if not isinstance(value, float):
                assert all(other[column] == value for other in same)
                row[column] = value
                continue
            _, mean, low, high = interval(np.array([other[column] for other in same], np.float64))
            row |= {column: mean, f"{column}_low": low, f"{column}_high": high}
        rows.append(row)
    return rows


def _route(
    out: Path, traces: Traces, _tables: Mapping[str, Table], quick: bool, spark: SparkSettings, progress: Progress
) -> pd.DataFrame:
    """Simulate the routing, write and draw it: a picture per trace and spread of content."""
    found = measure(traces.tables, out / "runs", quick, spark, progress)
    write_table(out / _ROUTING, found)
    for trace, spread in found[["on", "spread"]].drop_duplicates().itertuples(index=False):
        words = "-".join("".join(letter if letter.isalnum() else " " for letter in f"{trace} {spread}").split())
        save(draw(found, trace, spread), out / f"{_ROUTING}-{words}.png")
    return found


ZIGZAG = Paper(_traces, _compute, _route, verdicts)
