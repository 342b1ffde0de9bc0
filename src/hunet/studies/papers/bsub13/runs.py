"""The simulations of [bsub13] 6: both B-SUBs by decay cycle, PUSH and PULL, with counters that end at 255 and without.

Every run is described by columns (`evidence`): x is the decay cycle in seconds, and its `study` is `cycle`; where
counters may grow to 60,000, `unlimited`; `alike` is an experiment of its own, and `small` has filters that err often.
Under our reading (AMB-33) everybody publishes about 180 messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from hunet.sim.workload import profiles
from hunet.sim.workload.generate import generate
from hunet.sim.workload.workload import Workload
from hunet.studies.papers.bsub13.alike import ALIKE, EXTRAS
from hunet.studies.papers.depth import Depth
from hunet.studies.papers.evidence import COLUMNS, OURS
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.traces import INFOCOM06_98, PaperTrace, Traces
from hunet.studies.simulations import Simulation, all_runs, trace_data
from hunet.studies.statistics import values
from hunet.sweeps.data import Data
from hunet.sweeps.experiment import Input, Run
from hunet.sweeps.runner import Progress, Runner
from hunet.sweeps.simulation import workload_data

__all__ = ["BEST", "FITTED", "INSTEAD", "READINGS", "TOTAL", "Plan", "load", "measure", "plan_of"]

TOTAL = "180 messages of all nodes together (AMB-33)"
_RAW = "180 messages together and raw counters compared (AMB-33, AMB-24)"
_MIXED = "180 messages together and one's own mixture as reference (AMB-33, AMB-31)"
_A_DAY = "a lifetime of a day (AMB-29)"
_OUTSIDE = "own messages outside the buffer (AMB-30)"
_CHANGED: Mapping[str, tuple[Sequence[str], Mapping[str, Any]]] = {
    "a table that begins with one's own counter (AMB-24, AMB-25)": (("bsub13", "bsubp"), {"preference": "above"}),
    "the peer's relay filter merged first (AMB-26)": (("bsub13",), {"relay_first": True}),
    "nobody relays what it wanted (AMB-28)": (("bsub13", "bsubp"), {"relays_wanted": False}),
}
"""Readings that are settings: of which protocols."""
FITTED: Mapping[str, float] = {
    f"a lifetime of {hours:g} h, fitted (AMB-29)": 3600 * hours for hours in (0.5, 1.0, 1.1, 1.2, 2.0)
}
"""Lifetimes in seconds. None is printed; these are chosen by what comes out, and called so."""
_EVER = "all who ever had a copy counted (AMB-35)"
_LISTS, _VECTORS = "positions with a counter each, E3 (AMB-06)", "a bit vector with counters, E4 (AMB-06)"
_EVER_OF_FEW = "180 messages together and all who ever had a copy counted (AMB-33, AMB-35)"
READINGS: Mapping[str, str] = {
    TOTAL: OURS,
    _RAW: TOTAL,
    _MIXED: TOTAL,
    _A_DAY: OURS,
    _OUTSIDE: OURS,
    **dict.fromkeys(_CHANGED, OURS),
    **dict.fromkeys(FITTED, OURS),
    _EVER: OURS,
    _EVER_OF_FEW: TOTAL,
    _LISTS: OURS,
    _VECTORS: OURS,
}
"""Readings that are not ours, and which each rests on: only what it changes is run."""
_COPIES = {"copies_net_mean": "copies_ever_mean"}
INSTEAD: Mapping[str, Mapping[str, str]] = {
    _EVER: _COPIES,
    _EVER_OF_FEW: _COPIES,
    _LISTS: {"control_bytes_per_contact": "control_bytes_E3"},
    _VECTORS: {"control_bytes_per_contact": "control_bytes_E4"},
}
"""Readings that need no runs of their own: which measure each takes for which."""
BEST = 256.0
"""The paper's best decay cycle lies between 2^7 and 2^8 s (ERR-14)."""

_MOST = 60_000
_EVERY, _EVERY_SPARSE = 30 * 60.0, 25 * 3600.0
"""Means of intervals uniform up to 1 h, and up to 50 h on Reality."""
_EXTRAS = {
    "push": ("not_by_bsub",),
    "pull": ("false_positives", "encodings"),
    "bsub13": EXTRAS,
    "bsubp": EXTRAS,
}


class Plan(NamedTuple):
    """Which decay cycles are tried (powers of 2, in seconds), and how often."""

    seeds: int
    powers: Sequence[int]
    fewer: Sequence[int]
    """For counters without limit."""
    others: Sequence[int]
    """For most of the other readings."""
    raw: Sequence[int]
    """For the reading that decides on most claims, raw counters."""
    read: int
    """Seeds with which other readings are tried."""
    fitted: int
    """Seeds with which lifetimes that are fitted are tried, on the paper's own crowd."""


def plan_of(depth: Depth) -> Plan:
    """Ten seeds, or two and fewer values."""
    if depth.quick:
        return Plan(2, (0, 4, 7, 8, 10, 14), (0, 8, 14), (), (), 0, 0)
    powers = (0, 2, 4, 6, 7, 8, 9, 10, 12, 14)
    if depth.all_readings:
        return Plan(10, powers, (0, 8, 14), (0, 8, 14), powers, 3, 3)
    return Plan(10, powers, (0, 8, 14), (), (), 0, 0)


def load(trace: PaperTrace, seed: int, total: bool) -> Workload:
    """[bsub13]'s workload; `total`: intervals so long that all together publish what one would."""
    every = (_EVERY_SPARSE if trace.sparse else _EVERY) * (_people(trace.contacts) if total else 1)
    messages = replace(profiles.BSUB13.messages, every=every)
    return generate(replace(profiles.BSUB13, messages=messages), trace.contacts, seed)


def _people(contacts: pa.Table) -> int:
    return int(np.unique(np.concatenate((contacts.column("a").to_numpy(), contacts.column("b").to_numpy()))).size)


def measure(traces: Traces, depth: Depth, folder: Path, runner: Runner, progress: Progress) -> Measured:
    """Do all runs."""
    runs = [run for trace in traces.found for run in _runs(trace, plan_of(depth))]
    return Measured(traces.found, values(all_runs(runs, folder, runner, progress))[COLUMNS])


def _runs(on: PaperTrace, plan: Plan) -> Iterator[Run]:
    name, trace = on.title, trace_data(*on.trace)
    cycles, fewer, others, raw = (
        [2.0**power for power in powers] for powers in (plan.powers, plan.fewer, plan.others, plan.raw)
    )
    for seed in range(1, plan.seeds + 1):
        loads = {reading: workload_data(load(on, seed, reading == TOTAL)) for reading in (OURS, TOTAL)}
        one = _Maker(name, trace, seed)
        for reading, workload in loads.items():
            for scheme in ("push", "pull"):
                yield one(workload, scheme, reading)
            for scheme in ("bsub13", "bsubp"):
                for cycle in cycles:
                    yield one(workload, scheme, reading, cycle)
                for cycle in fewer:
                    yield one(workload, scheme, reading, cycle, "unlimited", ceiling=_MOST)
        yield one(loads[OURS], "pull", OURS, 0.0, "small", m=16, k=1)
        if seed <= plan.read:
            yield from _readings(one, loads, others, raw)
        for cycle in fewer:
            inputs: dict[str, Input] = {"trace": trace, "workload": loads[TOTAL], "cycle": cycle}
            labels: dict[str, str | int | float] = {
                "on": name,
                "protocol": "bsub13",
                "reading": OURS,
                "study": "alike",
                "x": cycle,
            }
            yield Run(ALIKE, inputs, seed, labels)
        for reading, ttl in FITTED.items() if seed <= plan.fitted and on.key == INFOCOM06_98 else ():
            for scheme in ("push", "pull"):
                yield one(loads[OURS], scheme, reading, ttl=ttl)
            for scheme in ("bsub13", "bsubp"):
                for cycle in cycles:
                    yield one(loads[OURS], scheme, reading, cycle, ttl=ttl)


def _readings(one: _Maker, loads: Mapping[str, Data], cycles: Sequence[float], more: Sequence[float]) -> Iterator[Run]:
    """What other readings change: at some cycles, and raw counters at more."""
    for scheme in ("push", "pull"):
        yield one(loads[OURS], scheme, _A_DAY, ttl=86_400.0)
        yield one(loads[OURS], scheme, _OUTSIDE, own_outside=True)
    for scheme in ("bsub13", "bsubp"):
        for cycle in more:
            yield one(loads[TOTAL], scheme, _RAW, cycle, preference="raw")
        for cycle in cycles:
            yield one(loads[OURS], scheme, _A_DAY, cycle, ttl=86_400.0)
            yield one(loads[OURS], scheme, _OUTSIDE, cycle, own_outside=True)
    for cycle in cycles:
        yield one(loads[TOTAL], "bsubp", _MIXED, cycle, reference="mixed")
        for reading, (schemes, settings) in _CHANGED.items():
            for scheme in schemes:
                yield one(loads[OURS], scheme, reading, cycle, **settings)


class _Maker(NamedTuple):
    """Makes the runs on one trace with one seed."""

    name: str
    trace: Data
    seed: int

    def __call__(
        self,
        workload: Data,
        scheme: str,
        reading: str,
        cycle: float = 0.0,
        study: str = "cycle",
        ttl: float | None = None,
        own_outside: bool | None = None,
        **settings: Any,
    ) -> Run:
        if cycle:
            settings["decay_cycle"] = cycle
        labels: dict[str, str | int | float] = {"on": self.name, "reading": reading, "study": study, "x": cycle}
        return Simulation(
            self.trace,
            workload,
            scheme,
            settings,
            ttl=ttl,
            own_outside=own_outside,
            extras=_EXTRAS[scheme],
            labels=labels,
        ).run(self.seed)
