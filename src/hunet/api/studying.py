"""`run_study`: the runs of a study file, and what came of them, in a folder."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from hunet.report.contents import write_contents
from hunet.report.table import Table
from hunet.studies.contents import Asked, of_study
from hunet.studies.statistics import mean_over
from hunet.studies.study_file.results import failures, for_people, write_results
from hunet.studies.study_file.runs import study_runs
from hunet.studies.study_file.study import Study
from hunet.sweeps.compaction import Sweep
from hunet.sweeps.runner import Progress, Runner

__all__ = ["Studied", "run_study"]

_SHOWN_FAILURES = 5


@dataclass(frozen=True)
class Studied:
    """What came of a study: means over the seeds with 95 % intervals, and their picture, if any run succeeded."""

    study: Study
    sweep: Sweep
    means: pd.DataFrame
    picture: Path | None

    @property
    def table(self) -> Table:
        """For people: a row for each protocol and what varies."""
        return Table(f"{self.study.title}: {mean_over(len(self.study.seeds))}", *for_people(self.means))

    @property
    def failed(self) -> Table:
        """Some of the runs that failed, and why; without rows where all succeeded."""
        found = failures(self.sweep)
        columns = ["protocol", *self.study.swept, "seed", "error"]
        rows = [{name: row[name] for name in columns} for _, row in found.head(_SHOWN_FAILURES).iterrows()]
        return Table(f"{len(found):,} of {self.sweep.runs.num_rows:,} runs failed, such as", rows)

    @property
    def memory(self) -> float | None:
        """Bytes that a process took at most; None where that is not known."""
        most = float(self.sweep.runs.to_pandas()["memory"].max())
        return None if math.isnan(most) else most

    @property
    def facts(self) -> dict[str, Any]:
        """For scripts."""
        runs = self.sweep.runs
        return {
            "study": self.study.name,
            "runs": runs.num_rows,
            "failed": runs.num_rows - runs.column("error").null_count,
            "summary": self.means.to_dict(orient="records"),
            "picture": str(self.picture) if self.picture else None,
            "folder": str(self.sweep.path),
        }


def run_study(
    study: Study, out: Path, runner: Runner, *, retry_failed: bool, progress: Progress, asked: Asked
) -> Studied:
    """Do the runs that are not done yet; tables, a picture and a description are written to the folder."""
    runs = study_runs(study)
    done = runner.sweep(runs, out, limits=study.limits, retry_failed=retry_failed, progress=progress)
    means, picture = write_results(study, done)
    traces = {trace.label: trace.load() for trace in study.traces}
    write_contents(out, of_study(asked, study, done.runs, traces, picture is not None))
    return Studied(study, done, means, picture)
