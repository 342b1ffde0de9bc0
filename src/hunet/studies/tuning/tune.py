"""`tune`: good settings of a protocol for one trace, and what they are worth on a part of it that they never saw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from hunet.model.errors import StudyError
from hunet.protocols import Protocol
from hunet.sim.workload.files import read_workload
from hunet.studies.simulations import Simulation, all_runs, trace_data
from hunet.studies.statistics import interval, values
from hunet.studies.tuning.parts import Parts, Tables
from hunet.studies.tuning.search import Candidate, Effort, Found, candidates, search
from hunet.sweeps.data import Data
from hunet.sweeps.experiment import Run
from hunet.sweeps.identity import run_id
from hunet.sweeps.runner import Progress, Runner
from hunet.sweeps.simulation import workload_data

__all__ = ["COSTS", "Goal", "Interval", "Tuned", "tune"]

COSTS: Mapping[str, str] = {
    "copies": "copies_ever_mean",
    "forwards": "forwards",
    "delay": "delay_mean",
    "control": "control_bytes_per_contact",
}
"""What can be minimised, and its measure."""

_BASELINE = "push"
_PUSH = -1
"""Its place among the candidates."""
_FIRST_JUDGING_SEED = 1001
"""Other than those of the search: judged by workloads that the settings never saw, either."""
_SHOWN = ("delivery_ratio", *COSTS.values())


class Goal(NamedTuple):
    """What is looked for."""

    protocol: Protocol
    min_delivery: float
    """Of what PUSH delivers."""
    minimise: str
    """One of `COSTS`."""
    workload: str | Path
    """The name of a profile, or a workload file."""


class Interval(NamedTuple):
    """A mean over seeds, with its 95 % interval."""

    mean: float
    low: float
    high: float


class Tuned(NamedTuple):
    """Settings, and how they did on the last part of the trace."""

    found: Found
    judged: Mapping[str, Mapping[str, Interval]]
    """By measure, and by who: push, defaults, tuned."""
    relative: Mapping[str, Interval]
    """By who: what is delivered, of what PUSH delivers with the same seed."""
    saved: Interval
    """How much of the defaults' cost is saved, by the same seeds."""
    seeds: int
    """How many there were of these."""

    @property
    def delivery(self) -> Interval:
        """What the settings that were found deliver, of what PUSH delivers."""
        return self.relative["tuned"]


def tune(
    parts: Parts,
    goal: Goal,
    folder: Path,
    runner: Runner,
    effort: Effort,
    seed: int,
    progress: Progress,
) -> Tuned:
    """Search and judge. All runs are kept in the folder: stopped, the same call goes on from there."""
    some = candidates(goal.protocol, effort, seed)
    with runner.kept():
        runs = _Runs(goal, folder, runner, _over_rounds(progress, _sizes(len(some), effort)))
        found = search(some, lambda few, seeds: runs.compare(parts.search, few, seeds), goal.min_delivery, effort)
        return _judged(found, runs.judge(parts.judge, found.best, effort.judging), goal)


class _Runs(NamedTuple):
    """How runs are made and done."""

    goal: Goal
    folder: Path
    runner: Runner
    progress: Iterator[Progress]

    def compare(self, pieces: Sequence[Tables], some: Sequence[Candidate], seeds: int) -> pd.DataFrame:
        """As `tuning.Measure` has it."""
        made = [
            (place, part, run)
            for part, piece in enumerate(pieces)
            for place, run in self._of(piece, range(1, seeds + 1), {_PUSH: {}, **dict(enumerate(some))})
        ]
        rows = self._measured(made, ("delivered", COSTS[self.goal.minimise]))
        push = rows[rows["candidate"] == _PUSH].set_index(["part", "seed"])["delivered"]
        rows = rows[rows["candidate"] != _PUSH].join(push.replace(0, np.nan).rename("most"), on=["part", "seed"])
        cost = rows[COSTS[self.goal.minimise]]
        return rows.assign(delivery=rows["delivered"] / rows["most"], cost=cost)

    def judge(self, piece: Tables, best: Candidate, count: int) -> pd.DataFrame:
        """One row per seed and who: candidate 0 are the defaults, 1 is what was found."""
        seeds = range(_FIRST_JUDGING_SEED, _FIRST_JUDGING_SEED + count)
        made = [(place, 0, run) for place, run in self._of(piece, seeds, {_PUSH: {}, 0: {}, 1: best})]
        return self._measured(made, ("delivered", *_SHOWN))

    def _of(self, piece: Tables, seeds: Sequence[int], some: Mapping[int, Candidate]) -> Iterator[tuple[int, Run]]:
        trace = trace_data(*piece)
        for seed in seeds:
            workload = _workload_on(piece, self.goal.workload, seed)
            for place, settings in some.items():
                name = _BASELINE if place == _PUSH else self.goal.protocol.name
                yield place, Simulation(trace, workload, name, settings).run(seed)

    def _measured(self, made: Sequence[tuple[int, int, Run]], measures: Sequence[str]) -> pd.DataFrame:
        done = all_runs([run for _, _, run in made], self.folder, self.runner, next(self.progress))
        wide = values(done, measures).pivot_table(index="run", columns="measure", values="value", dropna=False)
        rows = [{"candidate": place, "part": part, "seed": run.seed, "run": run_id(run)} for place, part, run in made]
        found = pd.DataFrame(rows).join(wide, on="run")
        push = found[found["candidate"] == _PUSH]
        if (push.groupby("part")["delivered"].max() == 0).any():
            raise StudyError("PUSH delivers nothing in a part of the trace: nothing can be relative to it")
        return found


def _workload_on(piece: Tables, source: str | Path, seed: int) -> str | Data:
    """Made for this part of the trace; of messages that a file lists, those that are published in it."""
    if isinstance(source, str):
        return source
    workload = read_workload(source, *piece, seed)
    created, (start, end) = workload.messages["created"], (piece[0]["start"], piece[0]["end"])
    inside = pc.and_(pc.greater_equal(created, pc.min(start)), pc.less_equal(created, pc.max(end)))
    return workload_data(replace(workload, messages=workload.messages.filter(inside)))


def _judged(found: Found, rows: pd.DataFrame, goal: Goal) -> Tuned:
    by_who = {who: rows[rows["candidate"] == place].set_index("seed") for who, place in _WHO.items()}
    cost = COSTS[goal.minimise]
    return Tuned(
        found,
        {measure: {who: _over_seeds(one[measure]) for who, one in by_who.items()} for measure in _SHOWN},
        {who: _over_seeds(one["delivered"] / by_who["push"]["delivered"]) for who, one in by_who.items()},
        _over_seeds(1 - by_who["tuned"][cost] / by_who["defaults"][cost]),
        len(by_who["push"]),
    )


_WHO = {"push": _PUSH, "defaults": 0, "tuned": 1}


def _over_seeds(values: pd.Series[Any]) -> Interval:
    return Interval(*interval(values.replace([np.inf, -np.inf], np.nan).to_numpy(np.float64))[1:])


def _sizes(some: int, effort: Effort) -> list[int]:
    """How many runs each round has, and the judging."""
    sizes = []
    for seeds in effort.seeds:
        sizes.append(2 * seeds * (some + 1))
        some = max(1, -(-some // effort.keep))
    return [*sizes, 3 * effort.judging]


def _over_rounds(progress: Progress, sizes: Sequence[int]) -> Iterator[Progress]:
    """For each round, what tells how far all rounds together are."""
    before, total = 0, sum(sizes)
    for size in sizes:

        def one(done: int, failed: int, _of: int, before: int = before) -> None:
            progress(before + done, failed, total)

        yield one
        before += size
