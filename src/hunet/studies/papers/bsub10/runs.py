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
from hunet.sim.workload.generate import MessageSettings, generate, people_and_time, relative_rates
from hunet.studies.papers.bsub10.brokers import BROKERS, EXTRAS, LIFETIME, TUNING, mean_nodes_met
from hunet.studies.papers.depth import Depth
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
    "brokers no more that hand nothing on (AMB-10)": ("bsub10", {"demoted_carry": False}),
    "brokers that delete what they delivered (AMB-12)": ("bsub10", {"broker_deletes_delivered": True}),
    "brokers that carry what they wanted (AMB-13)": ("bsub10", {"broker_carries_wanted": True}),
    "PULL from everybody who has a message (AMB-37)": ("pull", {"any_holder": True}),
}
"""Readings that are not ours, the scheme that each changes, and how; those that are run by lifetime."""
BY_FACTOR: Mapping[str, Mapping[str, Any]] = {
    **{reading: settings for reading, (scheme, settings) in BY_LIFETIME.items() if scheme == "bsub10"},
    "counters that do not stop at 255 (AMB-03)": {"ceiling": 60_000},
}
"""Those that are run by decay factor."""
BY_CONTACTS = "as many messages as contacts, not people met (AMB-19)"
"""A reading of the workload, which changes all schemes."""
READINGS = (*{**BY_LIFETIME, **BY_FACTOR}, BY_CONTACTS)
_DAYS = 3
_MINUTE = 60.0
_MESSAGES = 13_000
"""Where somebody met one other person only, rates by degree would give up to a million messages: periods are longer
there by a whole number, so that about as many are published as on Infocom06."""


class Plan(NamedTuple):
    """Which values are tried, and how often."""

    seeds: int
    closely: int
    """Seeds of which brokers are followed."""
    lifetimes: Sequence[float]
    """Minutes."""
    factors: Sequence[float]
    """Per minute; 0 for no decay."""
    read: int
    """Seeds with which other readings are tried."""


def plan_of(depth: Depth) -> Plan:
    """Ten seeds, or two and fewer values. The last factor is beyond the paper's axis: nothing is left by then."""
    if depth.quick:
        return Plan(2, 2, (20.0, 100.0, 600.0, 1200.0), (0.0, PRINTED_FACTOR, 2.0, 600.0), 0)
    lifetimes = (10.0, 20.0, 50.0, 100.0, 200.0, 600.0, 1200.0)
    factors = (0.0, 0.02, 0.05, PRINTED_FACTOR, 0.3, 0.6, 1.0, 2.0, 6.0, 20.0, 60.0, 600.0)
    return Plan(10, 5, lifetimes, factors, 3 if depth.all_readings else 0)


def measure(traces: Traces, depth: Depth, folder: Path, runner: Runner, progress: Progress) -> Measured:
    """Do all runs, of Reality on the three days in a row with most contacts (AMB-21).

    Beside them: `brokers`, with on, seed, and the columns of `brokers.py` (t, brokers, share, degrees) at the end of
    each window.
    """
    on = only_busy_days(traces.found, _DAYS)
    runs = [run for trace in on for run in _runs(trace, plan_of(depth))]
    done = all_runs(runs, folder, runner, progress)
    brokers = done.table("brokers").to_pandas().astype({"run": str})
    named = done.runs.to_pandas()[["run", "on", "seed"]]
    return Measured(on, values(done)[COLUMNS], {"brokers": brokers.merge(named, on="run").drop(columns="run")})


def _runs(on: PaperTrace, plan: Plan) -> Iterator[Run]:
    name, contacts = on.title, on.contacts
    trace = trace_data(*on.trace)
    usual, by_contacts = (_messages(contacts, centrality) for centrality in ("degree", "contacts"))
    met = {minutes: nodes_met(contacts, minutes * _MINUTE) for minutes in plan.lifetimes}
    longest = LIFETIME / _MINUTE
    for seed in range(1, plan.seeds + 1):
        workload = _workload(usual, contacts, seed)
        others = {"": workload}
        if seed <= plan.read:
            others[BY_CONTACTS] = _workload(by_contacts, contacts, seed)
        for minutes in plan.lifetimes:
            of = {"bsub10": {"decay": "eq5", "delay_limit": minutes * _MINUTE, "nodes_met": met[minutes]}}
            for reading, load in others.items():
                for scheme in SCHEMES:
                    settings = of.get(scheme, {})
                    yield _one(name, trace, load, scheme, "lifetime", minutes, settings, reading=reading).run(seed)
            for reading, (scheme, changed) in BY_LIFETIME.items() if seed <= plan.read else ():
                other = {**of.get(scheme, {}), **changed}
                yield _one(name, trace, workload, scheme, "lifetime", minutes, other, reading=reading).run(seed)
        for factor in plan.factors:
            cycle = {"decay_cycle": _MINUTE / factor if factor else 1e9}
            for reading, load in others.items():
                yield _one(name, trace, load, "bsub10", "decay", longest, cycle, x=factor, reading=reading).run(seed)
            for reading, changed in BY_FACTOR.items() if seed <= plan.read else ():
                other = {**cycle, **changed}
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
            yield Run(experiment, {"trace": trace, "every": usual.every}, seed, labels)


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


def _messages(contacts: pa.Table, centrality: str) -> MessageSettings:
    """Rates by this centrality; periods are so many times as long that no more than `_MESSAGES` are published."""
    people = people_and_time(contacts)
    usual = profiles.BSUB10.messages
    published = float(relative_rates(people, centrality).sum()) * (people.end - people.start) / usual.every
    return replace(usual, every=usual.every * max(1, round(published / _MESSAGES)), centrality=centrality)


def _workload(messages: MessageSettings, contacts: pa.Table, seed: int) -> str | Data:
    if messages == profiles.BSUB10.messages:
        return profiles.BSUB10.name
    return workload_data(generate(replace(profiles.BSUB10, messages=messages), contacts, seed))


def nodes_met(contacts: pa.Table, span: float) -> int:
    """N of Eq. 5 as a whole number of nodes, 1 or more."""
    return max(1, round(mean_nodes_met(contacts, span)))
