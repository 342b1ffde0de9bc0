"""Traces on which claims about protocols are tested, and runs on them; each run is made once per session."""

from __future__ import annotations

import dataclasses
from functools import cache

import pyarrow as pa

from hunet.sim.engine import Conditions
from hunet.sim.generate import generate
from hunet.sim.profiles import BSUB10, BSUB13
from hunet.sim.result import Result
from hunet.sim.simulate import simulate
from hunet.sim.workload import Workload
from hunet.traces.generators.conference import CONFERENCE

Tables = tuple[pa.Table, pa.Table]


@cache
def conference() -> Tables:
    """The generated conference of 79 people and 3 days: 67,000 contacts."""
    made = CONFERENCE.generate(CONFERENCE.settings(), 1)
    return made.contacts, made.nodes


@cache
def load(profile: str, seed: int, total: bool = False) -> Workload:
    """A profile on the conference; `total`: intervals so long that all nodes together publish what one would."""
    settings = {"bsub10": BSUB10, "bsub13": BSUB13}[profile]
    if total:
        every = settings.messages.every * conference()[1].num_rows
        settings = dataclasses.replace(settings, messages=dataclasses.replace(settings.messages, every=every))
    return generate(settings, conference()[0], seed)


@cache
def light(protocol: str, seed: int, **settings: float) -> Result:
    """B-SUB 2013's workload read as 180 messages for the whole trace."""
    log = protocol in ("bsub13", "bsubp")  # as the attack needs it: one loop less to compile for each
    return simulate(conference(), load("bsub13", seed, total=True), protocol, seed, settings=settings, log=log)


@cache
def brokers(decay_cycle: float, seed: int = 1) -> Result:
    """B-SUB 2010 on its own workload, with a lifetime of 20 h as in its sweep of the decay factor, and a log."""
    workload = dataclasses.replace(load("bsub10", seed), ttl=20 * 3600.0)
    conditions = Conditions(bytes_per_second=workload.bytes_per_second)
    return simulate(
        conference(), workload, "bsub10", seed, settings={"decay_cycle": decay_cycle}, conditions=conditions, log=True
    )
