"""Everything of [sptbf] again: the data and the plot of every figure, and a verdict on every claim.

Written for each figure: CSV and Parquet, named by its id, and PNG where it is a plot or a scene. AMB-67 is the table of
what our readings do to the savings. The walkers have arenas of their own and need no traces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from hunet.report.sharing import draw_lost_savings, draw_readings, draw_savings
from hunet.report.style import save
from hunet.sim.sharing.network import COVERED, LABELS
from hunet.studies.claims.verdict import Verdict
from hunet.studies.papers.reproduction import Paper, Table, Told, Traces, write_table
from hunet.studies.papers.sptbf import evaluation as sptbf
from hunet.studies.papers.sptbf.claims import verdicts
from hunet.studies.papers.sptbf.drawings import example_filter, life, operations, signatures
from hunet.studies.papers.sptbf.pictures import draw_life
from hunet.sweeps.runner import Progress, Runner
from hunet.traces.store import TraceStore

__all__ = ["SPTBF"]

_READINGS = {
    "range": "radio range, m",
    "period": "seconds between beacons",
    "lifetime": "seconds an interest lives",
    "m": "slots (m)",
    "k": "hash functions (k)",
    "loss": "share of beacons lost",
    "item_bytes": "bytes per label and value",
}


def _traces(_store: TraceStore, names: Sequence[str], _quick: bool) -> Traces:
    return Traces({}, absent=["sptbf walks in arenas of its own: it is not simulated on traces"] if names else [])


def _compute(out: Path, _on: Traces, _quick: bool, told: Told) -> dict[str, Table]:
    """The drawings of the paper as tables, and Fig. 3 as a strip of pictures among walkers."""
    drawings: dict[str, Callable[[], pd.DataFrame]] = {
        "SPTBF-F1": lambda: pd.DataFrame(example_filter().slots(), columns=["hops", "time"]),
        "SPTBF-F2": operations,
        "SPTBF-F3": life,
        "SPTBF-T1": signatures,
    }
    tables: dict[str, Table] = {}
    for number, (name, draw) in enumerate(drawings.items()):
        told(name, number, len(drawings))
        table = draw()
        write_table(out / name, table)
        tables[name] = [dict(zip(table.columns, row, strict=True)) for row in table.itertuples(index=False)]
    save(draw_life(), out / "SPTBF-F3.png")
    return tables


def _simulate(
    out: Path, _on: Traces, _tables: Mapping[str, Table], quick: bool, runner: Runner, progress: Progress
) -> pd.DataFrame:
    """The evaluation: what is missing is simulated; its figures are written and drawn."""
    found = sptbf.measure(out / "runs", quick, runner, progress)
    percents, applications = sptbf.percents(found), sptbf.applications(found)
    sizes, readings = sptbf.sizes(found), sptbf.sensitivity(found)
    wanted = "labels that each node wants, %"
    figures = {
        "SPTBF-F4": (percents, draw_savings("Savings by what each node wants", percents, wanted, COVERED)),
        "SPTBF-F5": (applications, draw_savings("Savings by applications", applications, "applications", COVERED)),
        "SPTBF-F6": (sizes, draw_lost_savings("Savings lost to false positives, hop limit 3", sizes, LABELS)),
        "AMB-67": (readings, draw_readings("Savings by what the paper leaves open, hop limit 2", readings, _READINGS)),
    }
    for name, (table, figure) in figures.items():
        amount = "apps" if name == "SPTBF-F5" else "percent"
        names = {"hops": "hop_limit", "amount": amount} | {
            f"bytes{end}": f"bytes_sptbf{end}" for end in ("", "_lo", "_hi")
        }
        write_table(out / name, table.rename(columns=names))
        save(figure, out / f"{name}.png")
    return found


def _judge(_tables: Mapping[str, Table], found: pd.DataFrame) -> list[Verdict]:
    """A verdict on every claim."""
    return verdicts(found)


SPTBF = Paper(_traces, _compute, _simulate, _judge)
