"""The simulations of [mops] V: four schemes on its workload, with one thing varied at a time.

Every run is described by what it varies, in columns: `on` (the trace), `protocol`, and those of `DEFAULTS`. A figure
picks the runs in which everything else has its default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from hunet.sim.workload.numbers import generate_numbers
from hunet.sim.workload.profiles import MOPS
from hunet.studies.papers.depth import Depth
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.mops.changing import changing_run
from hunet.studies.papers.mops.structure import THRESHOLDS
from hunet.studies.papers.traces import CAMPUS, INFOCOM05, PaperTrace, Traces
from hunet.studies.simulations import SIMULATION, Simulation, all_runs, trace_data
from hunet.studies.statistics import values
from hunet.sweeps.data import Data
from hunet.sweeps.experiment import Run
from hunet.sweeps.runner import Progress, Runner
from hunet.sweeps.simulation import workload_data

__all__ = [
    "BUSY",
    "BY_LIFETIME",
    "DEFAULTS",
    "READ",
    "READINGS",
    "SCAN",
    "SCHEMES",
    "Plan",
    "measure",
    "picked",
    "plan_of",
]

SCHEMES = ("push", "mops", "neighbors", "pull")
_HOUR = 3600.0

DEFAULTS: Mapping[str, float] = {
    "ttl": MOPS.ttl,
    "per_hour": MOPS.per_hour,
    "categories": MOPS.categories,
    "min_contact": 0.0,
    "threshold": 0.5,
    "default_weight": 1e-5,
}
"""[mops] V-B. The last two are parameters of MOPS alone."""

READ: Mapping[str, Any] = {
    "lists": "gossip",
    "exclude_peer_community": False,
    "gateway_size": 1,
    "broadcast": "interests",
    "neighbors": 5,
    "any_holder": False,
    "shuffled": True,
    "boundary": "both",
}
"""How we read what the paper leaves open: AMB-55, 50, 82 and 83, of Neighbors AMB-39, push where time is short AMB-63,
and which gaps count in closeness AMB-40."""

_OWN = {
    "mops": ("threshold", "default_weight", "lists", "exclude_peer_community", "gateway_size", "broadcast"),
    "neighbors": ("neighbors", "any_holder"),
    "push": ("shuffled",),
}
"""What is a setting of one scheme alone."""

SCAN = 120.0
"""Seconds between two looks around in Infocom05 (AMB-60)."""
BUSY = 100.0
"""Events per hour at which contacts are too short for push; with the default rate they hardly ever are."""

BY_LIFETIME: Mapping[str, Mapping[str, Any]] = {
    "contacts that last until the next look around (AMB-60)": {"min_contact": SCAN},
    "2 nearest neighbours (AMB-39)": {"neighbors": 2},
    "10 nearest neighbours (AMB-39)": {"neighbors": 10},
    "push sending the oldest first (AMB-63)": {"shuffled": False},
    "Neighbors collecting from everybody who holds an event (AMB-39)": {"any_holder": True},
    "only gaps between contacts in closeness (AMB-40)": {"boundary": "inner"},
    "no gateways towards communities of one (AMB-82)": {"gateway_size": 2},
}
"""Readings that are not ours; the first is run on Infocom05 alone."""
READINGS: Mapping[str, Mapping[str, Any]] = {
    **BY_LIFETIME,
    "5 categories (AMB-57)": {"categories": 5},
    "20 categories (AMB-57)": {"categories": 20},
    "nothing asked for that the peer's community wants (AMB-50)": {"exclude_peer_community": True},
    "lists known at once (AMB-55)": {"lists": "at_once"},
    "gaps between contacts and after the last in closeness (AMB-40)": {"boundary": "tail"},
    "no gateways towards communities of one or two (AMB-82)": {"gateway_size": 3},
    "lists sent anew at every change of a weight (AMB-83)": {"broadcast": "weights"},
}
"""All that are run with events that live a day."""
_MEASURES = {
    "delivery_ratio_per_message": "utility",
    "efficiency": "efficiency",
    "delay_mean": "latency",
    "forwards": "event_forwards",
    "list_forwards": "list_forwards",
    "hops_mean": "hops_mean",
    "hops_max": "hops_max",
    **{f"delivery_ratio_q{quarter}": f"utility_q{quarter}" for quarter in range(1, 5)},
}
"""By the simulator's name, the paper's."""


class Plan(NamedTuple):
    """Which values are tried, and how often."""

    seeds: int
    lifetimes: Sequence[float]
    thresholds: Sequence[float]
    rates: Sequence[float]
    readings: Sequence[str]
    """Other than ours, that are tried."""
    changing: bool
    """Whether interests that change are tried, too."""


def plan_of(quick: bool, all_readings: bool = False) -> Plan:
    """The paper's 30 seeds, or 2 and fewer values."""
    if quick:
        return Plan(2, (6 * _HOUR, 24 * _HOUR, 72 * _HOUR), (0.1, 0.5, 0.7, 0.99), (5.0, 10.0, BUSY), (), False)
    readings = tuple(READINGS) if all_readings else ()
    hours = (1.0, 3.0, 6.0, 12.0, 24.0, 36.0, 48.0, 72.0)
    return Plan(30, tuple(_HOUR * hour for hour in hours), THRESHOLDS, (5.0, 10.0, 20.0, 50.0, BUSY), readings, True)


def measure(traces: Traces, depth: Depth, folder: Path, runner: Runner, progress: Progress) -> Measured:
    """Do all runs of the four schemes: on, protocol, seed, what `DEFAULTS` and `READ` have, measure (`utility`, ...),
    value. Beside them `changing`, with interests that change: on, seed, default_weight, measure, value.
    """
    plan = plan_of(depth.quick, depth.all_readings)
    runs = [
        run
        for trace in traces.found
        for seed in range(1, plan.seeds + 1)
        for run in _Seeded(trace, trace_data(*trace.trace), seed).all(plan)
    ]
    found = values(all_runs(runs, folder, runner, progress))
    is_scheme = found["experiment"] == SIMULATION.name
    schemes = found[is_scheme & found["measure"].isin(list(_MEASURES))]
    schemes = schemes.assign(measure=schemes["measure"].map(_MEASURES))
    forwards = schemes[schemes["measure"].isin(["event_forwards", "list_forwards"])]
    columns = ["on", "protocol", "seed", *DEFAULTS, *READ]
    total = pd.DataFrame(forwards.groupby([*columns, "run"], dropna=False, as_index=False)["value"].sum())
    both = pd.concat([schemes, total.assign(measure="forwards")], ignore_index=True)
    changing = found[~is_scheme][["on", "seed", "default_weight", "measure", "value"]]
    return Measured(traces.found, both[[*columns, "measure", "value"]], {"changing": changing})


def _changed_by(setting: str) -> Sequence[str]:
    """The scheme that has it; all, if it is not one's own."""
    return [scheme for scheme, own in _OWN.items() if setting in own] or SCHEMES


class _Seeded(NamedTuple):
    """A trace and a seed."""

    on: PaperTrace
    trace: Data
    seed: int

    def all(self, plan: Plan) -> Iterator[Run]:
        """Fig. 8 and 9 on every trace, 10 and 11 on the synthetic one, as in the paper; readings where they matter."""
        for ttl in plan.lifetimes:
            yield from self.runs(ttl=ttl)
        if self.on.is_own(INFOCOM05) or self.on.key == CAMPUS:
            yield from self.runs(per_hour=BUSY)
        for reading in plan.readings:
            changes = READINGS[reading]
            for ttl in plan.lifetimes if reading in BY_LIFETIME else (DEFAULTS["ttl"],):
                if "min_contact" not in changes or self.on.is_own(INFOCOM05):
                    yield from self.runs(_changed_by(*changes), ttl=ttl, **changes)
        for weight in (DEFAULTS["default_weight"], 0.0):
            if plan.changing:
                yield changing_run(self.on.title, self.trace, weight, self.seed)
            yield from self.runs(("mops",), default_weight=weight)
            if self.on.key == CAMPUS:
                for threshold in plan.thresholds:
                    yield from self.runs(("mops",), threshold=threshold, default_weight=weight)
        if self.on.key == CAMPUS:
            for rate in plan.rates:
                yield from self.runs(per_hour=rate)

    def runs(self, schemes: Sequence[str] = SCHEMES, **changes: Any) -> Iterator[Run]:
        """These schemes with some values that differ from the defaults."""
        chosen = {**DEFAULTS, **READ, **changes}
        workload = self._workload(chosen["per_hour"], int(chosen["categories"]))
        labels: dict[str, str | int | float] = {"on": self.on.title}
        labels |= {name: chosen[name] for name in ("per_hour", "categories")}
        for scheme in schemes:
            yield Simulation(
                self.trace,
                workload,
                scheme,
                {name: chosen[name] for name in _OWN.get(scheme, ())},
                ttl=chosen["ttl"],
                min_contact=chosen["min_contact"],
                boundary=chosen["boundary"],
                extras=("hops", "centrality"),
                labels=labels,
            ).run(self.seed)

    def _workload(self, per_hour: float, categories: int) -> str | Data:
        settings = replace(MOPS, per_hour=per_hour, categories=categories)
        if settings == MOPS:
            return MOPS.name
        return workload_data(generate_numbers(settings, self.on.contacts, self.seed))


def picked(found: pd.DataFrame, *varied: str, **where: Any) -> pd.DataFrame:
    """The runs in which all but `varied` and `where` is as in `DEFAULTS` and `READ`."""
    for column, value in {**DEFAULTS, **READ, **where}.items():
        if column not in varied:
            # What a scheme does not have is missing, and does not rule it out.
            found = found[(found[column] == value) | found[column].isna()]
    return found
