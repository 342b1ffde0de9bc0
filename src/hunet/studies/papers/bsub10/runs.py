"""The simulations of [bsub10] VII: PUSH, B-SUB and PULL by lifetime, B-SUB by decay factor, and what brokers are like.

Every run is described by columns (`evidence`): its `study` is `lifetime`, where x is the lifetime in minutes,
`decay`, where x is the decay factor per minute, `brokers` or `tuning`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from hunet.sim.workload import profiles
from hunet.sim.workload.generate import generate, people_and_time
from hunet.studies.papers.bsub10.brokers import BROKERS, EXTRAS, LIFETIME, TUNING, mean_nodes_met
from hunet.studies.papers.evidence import COLUMNS, OURS
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.traces import PaperTrace, Traces, only_busy_days
from hunet.studies.simulations import Simulation, all_runs, trace_data
from hunet.studies.statistics import values
from hunet.sweeps.data import Data
from hunet.sweeps.experiment import Run
from hunet.sweeps.runner import Progress, Runner
from hunet.sweeps.simulation import workload_data

__all__ = ["PRINTED_FACTOR", "READINGS", "SCHEMES", "Plan", "measure", "nodes_met", "plan_of"]

SCHEMES = ("push", "bsub10", "pull")
PRINTED_FACTOR = 0.138
BY_LIFETIME: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "producers that keep messages for direct delivery (AMB-11)": ("bsub10", {"producer_keeps_for_direct": True}),
    "PULL from everybody who has a message (AMB-37)": ("pull", {"any_holder": True}),
}
"""Readings that are not ours, the scheme that each changes, and how; those that are run by lifetime."""
BY_FACTOR: Mapping[str, Mapping[str, Any]] = {
    **{reading: settings for reading, (scheme, settings) in BY_LIFETIME.items() if scheme == "bsub10"},
    "counters that do not stop at 255 (AMB-03)": {"ceiling": 60_000},
}
"""Those that are run by decay factor."""
READINGS = tuple({**BY_LIFETIME, **BY_FACTOR})
_DAYS = 3
_MINUTE = 60.0
_MESSAGES = 13_000
"""Where somebody met one other person only, rates by degree would give up to a million messages: periods are longer
there by a whole number, so that about as many are published as on Infocom06."""


class Plan(NamedTuple):
    """Which values are tried, and how often."""

    seeds: int
    closely: int
    """Seeds of which brokers are followed, and with which other readings are tried by decay factor."""
    lifetimes: Sequence[float]
    """Minutes."""
    factors: Sequence[float]
    """Per minute; 0 for no decay."""
    readings: Sequence[str]
    """That are run by decay factor, too."""


def plan_of(quick: bool) -> Plan:
    """Ten seeds, or two and fewer values. The last factor is beyond the paper's axis: nothing is left by then."""
    if quick:
        return Plan(2, 2, (20.0, 100.0, 600.0, 1200.0), (0.0, PRINTED_FACTOR, 2.0, 60.0), ())
    lifetimes = (10.0, 20.0, 50.0, 100.0, 200.0, 600.0, 1200.0)
    factors = (0.0, 0.02, 0.05, PRINTED_FACTOR, 0.3, 0.6, 1.0, 2.0, 6.0, 20.0, 60.0)
    return Plan(10, 5, lifetimes, factors, tuple(BY_FACTOR))


def measure(traces: Traces, quick: bool, folder: Path, runner: Runner, progress: Progress) -> Measured:
    """Do all runs, of Reality on the three days in a row with most contacts (AMB-21).

    Beside them: `brokers`, with on, seed, and the columns of `brokers.py` (t, brokers, share, degrees) at the end of
    each window.
    """
    on = only_busy_days(traces.found, _DAYS)
    runs = [run for trace in on for run in _runs(trace, plan_of(quick))]
    done = all_runs(runs, folder, runner, progress)
    brokers = done.table("brokers").to_pandas().astype({"run": str})
    named = done.runs.to_pandas()[["run", "on", "seed"]]
    return Measured(on, values(done)[COLUMNS], {"brokers": brokers.merge(named, on="run").drop(columns="run")})


def _runs(on: PaperTrace, plan: Plan) -> Iterator[Run]:
    name, contacts = on.title, on.contacts
    trace = trace_data(*on.trace)
    every = profiles.BSUB10.messages.every * _rarer(contacts)
    met = {minutes: nodes_met(contacts, minutes * _MINUTE) for minutes in plan.lifetimes}
    for seed in range(1, plan.seeds + 1):
        workload = _workload(contacts, every, seed)
        for minutes in plan.lifetimes:
            decay = {"decay": "eq5", "delay_limit": minutes * _MINUTE, "nodes_met": met[minutes]}
            of = {"bsub10": decay}
            for scheme in SCHEMES:
                yield _one(name, trace, workload, scheme, "lifetime", minutes, of.get(scheme, {})).run(seed)
            for reading, (scheme, changed) in BY_LIFETIME.items():
                other = {**of.get(scheme, {}), **changed}
                yield _one(name, trace, workload, scheme, "lifetime", minutes, other, reading=reading).run(seed)
        for factor in plan.factors:
            cycle = {"decay_cycle": _MINUTE / factor if factor else 1e9}
            longest = LIFETIME / _MINUTE
            yield _one(name, trace, workload, "bsub10", "decay", longest, cycle, x=factor).run(seed)
            for reading in plan.readings if seed <= plan.closely else ():
                other = {**cycle, **BY_FACTOR[reading]}
                yield _one(name, trace, workload, "bsub10", "decay", longest, other, x=factor, reading=reading).run(
                    seed
                )
        for experiment, study in ((BROKERS, "brokers"), (TUNING, "tuning")) if seed <= plan.closely else ():
            labels: dict[str, str | int | float] = {
                "on": name,
                "protocol": "bsub10",
                "study": study,
                "reading": OURS,
                "x": 0.0,
            }
            yield Run(experiment, {"trace": trace, "every": every}, seed, labels)


def _one(
    name: str,
    trace: Data,
    workload: str | Data,
    scheme: str,
    study: str,
    minutes: float,
    settings: Mapping[str, Any],
    **labels: str | float,
) -> Simulation:
    about: dict[str, str | int | float] = {"on": name, "study": study, "reading": OURS, "x": minutes, **labels}
    return Simulation(
        trace,
        workload,
        scheme,
        settings,
        ttl=minutes * _MINUTE,
        extras=EXTRAS if scheme == "bsub10" else (),
        labels=about,
    )


def _rarer(contacts: pa.Table) -> int:
    """How many times as long periods are, for no more than `_MESSAGES`."""
    people = people_and_time(contacts)
    published = float(people.degree.sum() / people.degree.min()) * (people.end - people.start)
    return max(1, round(published / profiles.BSUB10.messages.every / _MESSAGES))


def _workload(contacts: pa.Table, every: float, seed: int) -> str | Data:
    if every == profiles.BSUB10.messages.every:
        return profiles.BSUB10.name
    messages = replace(profiles.BSUB10.messages, every=every)
    return workload_data(generate(replace(profiles.BSUB10, messages=messages), contacts, seed))


def nodes_met(contacts: pa.Table, span: float) -> int:
    """N of Eq. 5 as a whole number of nodes, 1 or more."""
    return max(1, round(mean_nodes_met(contacts, span)))
