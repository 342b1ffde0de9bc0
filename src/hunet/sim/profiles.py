"""The workloads of the papers, by name."""

from __future__ import annotations

from hunet.sim.generate import InterestSettings, MessageSettings, WorkloadSettings
from hunet.sim.tag_pool import trends_2009
from hunet.sim.units import parse_bandwidth

__all__ = ["BSUB10", "BSUB13", "PROFILES"]

BSUB10 = WorkloadSettings(
    name="bsub10",
    pool=trends_2009(),
    interests=InterestSettings(per_node=1, weighted=True),
    messages=MessageSettings(process="periodic", every=30 * 60.0, by_centrality=True, smallest=1, largest=140),
    ttl=10 * 3600.0,
    bytes_per_second=parse_bandwidth("250kbps"),
)
"""[bsub10] VII-A. The paper sweeps the lifetime; 10 h is the one its decay factor of 0.138 per minute belongs to."""

BSUB13 = WorkloadSettings(
    name="bsub13",
    pool=trends_2009(),
    interests=InterestSettings(per_node=2, weighted=False),
    messages=MessageSettings(process="uniform", every=30 * 60.0),
    buffer=100,
)
"""[bsub13] 6.1: intervals uniform on [0, 1 h], 140 bytes, no lifetime (AMB-29), contact durations ignored."""

PROFILES = {profile.name: profile for profile in (BSUB10, BSUB13)}
