"""Workloads by name: those of the papers, and a camera market for ranges."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from hunet.model.names import choose
from hunet.sim.workload.generate import InterestSettings, MessageSettings, WorkloadSettings, generate
from hunet.sim.workload.numbers import NumberSettings, generate_numbers
from hunet.sim.workload.ranges import RangeSettings, generate_ranges
from hunet.sim.workload.tag_pool import trends_2009
from hunet.sim.workload.units import parse_bandwidth
from hunet.sim.workload.workload import Workload

__all__ = [
    "BSUB10",
    "BSUB13",
    "CAMERAS",
    "CAMERA_CELLS",
    "MOPS",
    "MOPS_CHANGING",
    "PROFILES",
    "TITLES",
    "workload_named",
]

BSUB10 = WorkloadSettings(
    name="bsub10",
    pool=trends_2009(),
    interests=InterestSettings(per_node=1, weighted=True),
    messages=MessageSettings(process="periodic", every=30 * 60.0, by_centrality=True, smallest=1, largest=140),
    ttl=10 * 3600.0,
    bytes_per_second=parse_bandwidth("250kbps"),
    charge_digests=True,
)
"""[bsub10] VII-A. The paper sweeps the lifetime; 10 h is the one its decay factor of 0.138 per minute belongs to.
Filters share the link with messages: they are what it saves bandwidth for."""

BSUB13 = WorkloadSettings(
    name="bsub13",
    pool=trends_2009(),
    interests=InterestSettings(per_node=2, weighted=False),
    messages=MessageSettings(process="uniform", every=30 * 60.0),
    buffer=100,
)
"""[bsub13] 6.1: intervals uniform on [0, 1 h], 140 bytes, no lifetime (AMB-29), contact durations ignored."""

MOPS = NumberSettings(name="mops")
"""[mops] V-A: 10 categories, p = 0.2, 10 events of 5 Mb per hour, 500 kb/s, a lifetime of a day, 40 % of history."""

MOPS_CHANGING = NumberSettings(name="mops-changing", changing=1 / 3)
"""The same, with a third of the nodes changing their interests half-way."""

CAMERAS = RangeSettings(name="cameras")
"""Range subscriptions over a camera market, as points: for ZigZag."""

CAMERA_CELLS = RangeSettings(name="camera-cells", tags="cells")
"""The same messages and subscriptions with cells for tags: for all other protocols."""

PROFILES: Mapping[str, WorkloadSettings | NumberSettings | RangeSettings] = {
    profile.name: profile for profile in (BSUB10, BSUB13, MOPS, MOPS_CHANGING, CAMERAS, CAMERA_CELLS)
}

TITLES: Mapping[str, str] = {
    "bsub10": "B-SUB 2010: one interest each, busy nodes publish more, lifetime 10 h, 250 kbps",
    "bsub13": "B-SUB 2013: two interests each, a message every half hour on average, no lifetime, buffers of 100",
    "mops": "MOPS: ten categories, ten large events an hour, lifetime a day, the first 40 % of the trace is history",
    "mops-changing": "the same; a third of the nodes change their interests half-way",
    "cameras": "range subscriptions over a camera market, for zigzag; lifetime 10 h",
    "camera-cells": "the same with cells for tags, for all other protocols",
}
"""What each profile is, in a line."""


def workload_named(name: str, contacts: pa.Table, seed: int) -> Workload:
    """The workload of this name on a trace."""
    profile = choose("workload", name, PROFILES)
    if isinstance(profile, RangeSettings):
        return generate_ranges(profile, contacts, seed)
    if isinstance(profile, NumberSettings):
        return generate_numbers(profile, contacts, seed)
    return generate(profile, contacts, seed)
