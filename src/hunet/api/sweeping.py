"""`sweep`: every combination of settings, over seeds, as a frame."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from hunet.api.simulating import MODELS, chosen_protocol, chosen_workload, limits
from hunet.api.trace import Trace
from hunet.model.errors import InvalidValueError
from hunet.model.names import one_of
from hunet.model.tables import MEASURES
from hunet.progress import progress_bar, told_of_runs
from hunet.protocols import make_settings
from hunet.sim.workload.workload import Workload
from hunet.studies.simulations import Simulation, trace_data
from hunet.studies.study_file.values import combinations, values_of
from hunet.sweeps.compaction import Sweep
from hunet.sweeps.experiment import Run
from hunet.sweeps.identity import run_id
from hunet.sweeps.runner import Progress, Runner
from hunet.sweeps.simulation import workload_data

__all__ = ["folder_or_passing", "sweep", "told_or_bar"]

_PLACE = "place"
"""Of a combination among all: rows of the same one stand together."""


def sweep(
    trace: Trace,
    protocol: str | Path,
    workload: str | Path | Workload = "bsub13",
    *,
    seeds: int | Sequence[int] = 10,
    ttl: Any = None,
    buffer: Any = None,
    bandwidth: Any = None,
    min_contact: Any = None,
    own_outside: Any = None,
    contacts: str = "start",
    measures: Sequence[str] = (),
    runner: Runner | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> pd.DataFrame:
    """Simulate every combination of these settings and conditions, over seeds: one row per run.

    protocol, workload  as of `hn.simulate`
    seeds               how many, or which
    ttl, buffer, ...    and settings of the protocol: as of `hn.simulate`, each one value or a list of them
    runner              where it is done: `hn.Runner.spark(...)`, the default, on all cores of this machine or a
                        cluster; or `hn.Runner.local()`, in plain processes, without a JVM
    out                 a folder in which every run is kept when it ends: the same call goes on where an earlier one
                        was stopped. Without it nothing is kept
    progress            called with how many runs are done, how many of these failed, and how many there are; by
                        default a bar where a person can see it

    The frame has the protocol, what was asked for (in seconds and bytes per second), the seed, every measure, and
    `error`: a run that fails is a row with the reason and no measures. `hunet study` does more. Go on by
    `frame.groupby("decay_cycle")["delivery_ratio"].mean()`.

    >>> import hunet as hn
    >>> t = hn.generate("conference", nodes=8, days=1, contacts_per_day=20)
    >>> df = hn.sweep(t, "push", ttl=["1h", "2h"], seeds=2, runner=hn.Runner.local(1))
    >>> df[["ttl", "seed", "delivered"]].astype(int).values.tolist()
    [[3600, 1, 28], [3600, 2, 25], [7200, 1, 48], [7200, 2, 53]]
    """
    chosen, given = chosen_protocol(protocol)
    one_of("contact model", contacts, MODELS)
    asked = {
        "ttl": ttl,
        "buffer": buffer,
        "bandwidth": bandwidth,
        "min_contact": min_contact,
        "own_outside": own_outside,
    }
    conditions = {name: _several(name, found) for name, found in asked.items() if found is not None}
    values = {name: _several(name, found) for name, found in {**given, **settings}.items()}
    numbers = _seeds(seeds)
    plan = [
        (_condition(condition), {name: getattr(make_settings(chosen, setting), name) for name in setting})
        for condition in combinations(conditions)
        for setting in combinations(values)
    ]
    data = trace_data(trace.contacts, trace.nodes)
    runs: dict[str, Run] = {}
    rows: dict[str, dict[str, Any]] = {}
    for seed in numbers:  # seeds change slowest, so that a worker finds the workload of the run before
        load = chosen_workload(trace, workload, seed)
        shared = load if isinstance(load, str) else workload_data(load)
        for place, (condition, setting) in enumerate(plan):
            run = Simulation(data, shared, chosen.name, setting, contacts, extras=tuple(measures), **condition).run(
                seed
            )
            runs[run_id(run)] = run
            rows[run_id(run)] = {_PLACE: place, "protocol": chosen.name, **setting, **condition, "seed": seed}
    with folder_or_passing(out) as folder, told_or_bar(progress) as told:
        done = (runner or Runner.spark()).sweep(list(runs.values()), folder, progress=told)
    return _frame(rows, done)


def _several(name: str, found: Any) -> list[Any]:
    """One value or many, also as a range or an array."""
    return values_of(name, found if isinstance(found, str | dict) or not hasattr(found, "__iter__") else list(found))


def _seeds(seeds: int | Sequence[int]) -> Sequence[int]:
    found = range(1, seeds + 1) if isinstance(seeds, int) else list(seeds)
    if not found or min(found) < 0:
        raise InvalidValueError(f"seeds {seeds!r}: say how many, such as 10, or which, such as [1, 2, 5]")
    return found


def _condition(written: Mapping[str, Any]) -> dict[str, Any]:
    """As a run takes it: seconds, bytes per second, infinity for no limit."""
    return {name: math.inf if value is None else value for name, value in limits(**written).items()}


def _frame(rows: Mapping[str, dict[str, Any]], done: Sweep) -> pd.DataFrame:
    for name, measure, value in zip(*(done.measures[key].to_pylist() for key in MEASURES.names), strict=True):
        rows[name][measure] = value
    for name, error in zip(done.runs["run"].to_pylist(), done.runs["error"].to_pylist(), strict=True):
        rows[name]["error"] = error
    columns = dict.fromkeys(key for row in rows.values() for key in row if key not in (_PLACE, "error"))
    ordered = sorted(rows.values(), key=lambda row: int(row[_PLACE]))
    return pd.DataFrame(ordered, columns=[*columns, "error"])


@contextmanager
def folder_or_passing(out: str | Path | None) -> Iterator[Path]:
    """The folder for runs; without one, a folder that is gone when they are done."""
    if out is not None:
        yield Path(out)
        return
    with tempfile.TemporaryDirectory(prefix="hunet-") as folder:
        yield Path(folder)


@contextmanager
def told_or_bar(progress: Progress | None) -> Iterator[Progress]:
    """What is told how far runs are; without it, a bar where a person can see it."""
    if progress is not None:
        yield progress
        return
    with progress_bar("starting") as told:
        yield told_of_runs(told)
