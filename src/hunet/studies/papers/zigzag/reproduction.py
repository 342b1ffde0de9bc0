"""Everything of [zigzag] again: the data and the plot of every figure, and a verdict on every claim.

Tables are computed for several seeds: a column of measured numbers becomes its mean, with the ends of the 95 % interval
beside it (`p_t`, `p_t_lo`, `p_t_hi`). Written for each figure: CSV, Parquet and PNG, named by its id; ZZ-R1 is our
evaluation of the routing, for which the paper has none (ERR-29).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from hunet.report.style import save
from hunet.studies.papers.bsub.traces import only_busy_days
from hunet.studies.papers.reproduction import Paper, Table, Told, Traces, write_table
from hunet.studies.papers.traces import paper_traces
from hunet.studies.papers.zigzag.claims import verdicts
from hunet.studies.papers.zigzag.pictures import draw_figure
from hunet.studies.papers.zigzag.routing import MEASURES, draw, measure
from hunet.studies.papers.zigzag.tables import FIGURES
from hunet.studies.statistics import over_seeds, wide
from hunet.sweeps.runner import Progress, Runner
from hunet.traces.store import TraceStore

__all__ = ["ZIGZAG"]

_ROUTING = "ZZ-R1"
_DAYS = 3


def _traces(store: TraceStore, names: Sequence[str], quick: bool) -> Traces:
    """Those that are named; else Infocom05 and, unless it should be quick, Infocom06 and the busiest days of Reality.

    What is not stored has another in its place.
    """
    found = paper_traces(store, names, ("infocom05",) if quick else ("infocom05", "infocom06-surrogate", "reality"))
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


def _route(
    out: Path, traces: Traces, _tables: Mapping[str, Table], quick: bool, runner: Runner, progress: Progress
) -> pd.DataFrame:
    """Simulate the routing, write and draw it: a picture per trace and spread of content."""
    found = measure(traces.tables, out / "runs", quick, runner, progress)
    names = {"on": "trace", "spread": "spread", "protocol": "scheme", "lifetime": "ttl"}
    write_table(out / _ROUTING, wide(found, names, {measure: (measure, 1.0) for measure in MEASURES}))
    for trace, spread in found[["on", "spread"]].drop_duplicates().itertuples(index=False):
        words = "-".join("".join(letter if letter.isalnum() else " " for letter in f"{trace} {spread}").split())
        save(draw(found, trace, spread), out / f"{_ROUTING}-{words}.png")
    return found


ZIGZAG = Paper(_traces, _compute, _route, verdicts)
