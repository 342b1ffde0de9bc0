"""Everything of [zigzag] again: the data and the plot of every figure, and a verdict on every claim.

Tables are computed for several seeds: a column of measured numbers becomes its mean, with the ends of the 95 % interval
beside it (`p_t`, `p_t_low`, `p_t_high`). Written for each figure: CSV, Parquet and PNG, named by its id; ZZ-R1 is our
evaluation of the routing, for which the paper has none (ERR-29).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from hunet.pipeline.session import SparkSettings
from hunet.report.style import save
from hunet.studies.range_pictures import draw_figure
from hunet.studies.statistics import interval
from hunet.studies.verdicts import Verdict
from hunet.studies.zigzag import FIGURES, Table
from hunet.studies.zigzag_claims import verdicts
from hunet.studies.zigzag_routing import draw, measure

__all__ = ["compute", "over_seeds", "route", "write_claims"]

_ROUTING = "ZZ-R1"


def compute(out: Path, quick: bool, progress: Callable[[str, int, int], None]) -> dict[str, Table]:
    """Compute, write and draw what needs no simulation. `progress` is told the figure, what is done, and of what."""
    seeds = range(1, 4 if quick else 11)
    tables: dict[str, Table] = {}
    for number, (name, figure) in enumerate(FIGURES.items()):
        found: list[Table] = []
        for seed in seeds:
            progress(name, number * len(seeds) + len(found), len(FIGURES) * len(seeds))
            found.append(figure(quick, seed))
        tables[name] = over_seeds(found)
        _write(out / name, pa.Table.from_pylist(tables[name]))
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


def route(
    out: Path,
    traces: Mapping[str, tuple[pa.Table, pa.Table]],
    quick: bool,
    spark: SparkSettings,
    progress: Callable[[int, int, int], None],
) -> pd.DataFrame:
    """Simulate the routing, write and draw it: a picture per trace and spread of content."""
    found = measure(traces, out / "runs", quick, spark, progress)
    _write(out / _ROUTING, pa.Table.from_pandas(found, preserve_index=False))
    for trace, spread in found[["on", "spread"]].drop_duplicates().itertuples(index=False):
        words = "-".join("".join(letter if letter.isalnum() else " " for letter in f"{trace} {spread}").split())
        save(draw(found, trace, spread), out / f"{_ROUTING}-{words}.png")
    return found


def write_claims(out: Path, tables: Mapping[str, Table], routing: pd.DataFrame) -> list[Verdict]:
    """Judge every claim and write the verdicts."""
    found = verdicts(tables, routing)
    _write(out / "claims", pa.Table.from_pylist([verdict._asdict() for verdict in found]))
    return found


def _write(path: Path, table: pa.Table) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pyarrow.csv.write_csv(table, f"{path}.csv")
    pq.write_table(table, f"{path}.parquet")
