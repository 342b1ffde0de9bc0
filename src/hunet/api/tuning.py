"""`tune`: settings of a protocol for one's own trace, in a folder with all that led to them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hunet.api.trace import Trace
from hunet.model.errors import InvalidValueError
from hunet.model.names import choose
from hunet.protocols import protocol_named
from hunet.report.contents import write_contents
from hunet.report.table import Table
from hunet.sim.workload.profiles import PROFILES
from hunet.studies.contents import Asked, of_tuning
from hunet.studies.tuning.parts import Parts, parts_of
from hunet.studies.tuning.results import comparison, setting_rows, verdict, write_results
from hunet.studies.tuning.search import QUICK, Effort
from hunet.studies.tuning.tune import COSTS, Goal, Tuned
from hunet.studies.tuning.tune import tune as run
from hunet.sweeps.runner import Progress, Runner

__all__ = ["Tuning", "goal_of", "tune"]


@dataclass(frozen=True)
class Tuning:
    """What was found, and where it lies."""

    trace: str
    goal: Goal
    parts: Parts
    tuned: Tuned
    file: Path
    """The settings, for `hunet simulate --settings` and `hunet node run --settings`."""
    picture: Path

    @property
    def tables(self) -> list[Table]:
        """For people: the settings beside the defaults, and how both did on the last part of the trace."""
        judged = f"On the last 30 % of the trace ({self.parts.judged / 3600:.1f} h), {self.tuned.seeds} seeds"
        return [
            Table(f"{self.goal.protocol.name} on {self.trace}: settings", setting_rows(self.goal, self.tuned)),
            Table(f"{judged}, mean ± 95 % interval", comparison(self.tuned)),
        ]

    @property
    def sentences(self) -> list[str]:
        """Whether the goal is met, what is saved, and how sure that is."""
        return verdict(self.goal, self.tuned)

    @property
    def settings(self) -> dict[str, Any]:
        """What was found, of what was searched."""
        return dict(self.tuned.found.best)

    @property
    def meets(self) -> bool:
        """Whether enough is delivered, by the lower end of its interval."""
        return bool(self.tuned.delivery.low >= self.goal.min_delivery)

    @property
    def facts(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "trace": self.trace,
            "protocol": self.goal.protocol.name,
            "settings": self.settings,
            "delivery_of_push": self.tuned.delivery._asdict(),
            "saved_of_defaults": self.tuned.saved._asdict(),
            "meets": self.meets,
            "file": str(self.file),
            "picture": str(self.picture),
        }


def goal_of(protocol: str, min_delivery: float, minimise: str, workload: str) -> Goal:
    """What is looked for, with every mistake in it found before anything is read.

    min_delivery    a share of what PUSH delivers
    minimise        copies, forwards, delay or control
    workload        the name of a profile, or a .toml file
    """
    chosen = protocol_named(protocol)
    if not 0 < min_delivery < math.inf:
        raise InvalidValueError(f"min-delivery {min_delivery:g}: a share of what PUSH delivers, above 0, such as 0.9")
    choose("thing to minimise", minimise, COSTS)
    if not workload.endswith(".toml"):
        choose("workload", workload, PROFILES)
        return Goal(chosen, min_delivery, minimise, workload)
    return Goal(chosen, min_delivery, minimise, Path(workload))


def tune(
    trace: Trace,
    goal: Goal,
    out: Path,
    runner: Runner,
    *,
    seed: int,
    quick: bool,
    progress: Progress,
    asked: Asked,
) -> Tuning:
    """Search on the first 70 % of a trace, judge on the last 30 %.

    All runs are kept in the folder: the same call goes on where an earlier one was stopped. It can be made a page of.
    """
    tables = trace.contacts, trace.nodes
    parts = parts_of(tables)
    tuned = run(parts, goal, out / "runs", runner, QUICK if quick else Effort(), seed, progress)
    facts = {"name": trace.title, "version": trace.about.version, "content_hash": trace.about.content_hash}
    file, picture = write_results(out, goal, tuned, facts)
    write_contents(out, of_tuning(asked, out, trace.title, tables, goal, tuned))
    return Tuning(trace.title, goal, parts, tuned, file, picture)
