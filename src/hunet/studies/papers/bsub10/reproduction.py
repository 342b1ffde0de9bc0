"""Everything of [bsub10] again: the data and the plot of every figure, and a verdict on every claim.

Infocom06 is a surrogate, Reality is cut to the three days in a row with most contacts (AMB-21); where they are not
stored, generated traces stand in for them and are called so.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from hunet.studies.papers.bsub.figures import write_computed
from hunet.studies.papers.bsub.traces import only_busy_days, traces
from hunet.studies.papers.bsub10.claims import verdicts
from hunet.studies.papers.bsub10.figures import computed, draw_computed, write_simulated
from hunet.studies.papers.bsub10.runs import measure, plan_of
from hunet.studies.papers.reproduction import Paper, Table, Told, Traces
from hunet.sweeps.runner import Progress, Runner

__all__ = ["BSUB10"]

_DAYS = 3


def _compute(out: Path, found: Traces, _quick: bool, told: Told) -> dict[str, Table]:
    return write_computed(out, computed(found), draw_computed, told)


def _simulate(
    out: Path, found: Traces, _tables: Mapping[str, Table], quick: bool, runner: Runner, progress: Progress
) -> pd.DataFrame:
    measured = measure(only_busy_days(found, _DAYS), out / "runs", plan_of(quick), runner, progress)
    write_simulated(out, measured)
    return measured.runs


BSUB10 = Paper(traces, _compute, _simulate, verdicts)
