"""Everything of [bsub13] again: the data and the plot of every figure, and a verdict on every claim.

Fig. 9 is drawn for every trace (F9a-R and so on for Reality, whose version is in the paper's supplement), with 180
messages of each node, our reading, and with 180 of all together (AMB-33).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from hunet.studies.papers.bsub.figures import write_computed
from hunet.studies.papers.bsub.traces import traces
from hunet.studies.papers.bsub13.claims import verdicts
from hunet.studies.papers.bsub13.figures import computed, draw_computed, write_simulated
from hunet.studies.papers.bsub13.runs import measure, plan_of
from hunet.studies.papers.reproduction import Paper, Table, Told, Traces
from hunet.sweeps.runner import Progress, Runner

__all__ = ["BSUB13"]


def _compute(out: Path, found: Traces, quick: bool, told: Told) -> dict[str, Table]:
    return write_computed(out, computed(found, range(1, 3 if quick else 4)), draw_computed, told)


def _simulate(
    out: Path, found: Traces, _tables: Mapping[str, Table], quick: bool, runner: Runner, progress: Progress
) -> pd.DataFrame:
    measured = measure(found.tables, out / "runs", plan_of(quick), runner, progress)
    write_simulated(out, measured)
    return measured


BSUB13 = Paper(traces, _compute, _simulate, verdicts)
