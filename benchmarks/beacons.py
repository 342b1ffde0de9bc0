"""Context sharing in beacons: what one beacon costs, with 100 walkers and with 10,000 at the same density.

A beacon is written by its sender and heard by all of its neighbours, three on average; one `node-beacon` is all of
that. Nothing in it depends on how many walkers there are, but 10,000 of them do not fit into a cache.
"""

from __future__ import annotations

import time

from benchmarks.measure import Row, compare
from hunet.protocols.grapevine import GrapevineSettings
from hunet.sim.sharing.allocation import by_percent, standing
from hunet.sim.sharing.network import LABELS, SharingNetwork, SharingScene
from hunet.traces.generators.mass_mobility import MASS_MOBILITY, MassMobilitySettings

CORES = 1
PER_SQUARE_KILOMETRE = 100
HOPS = 3
WARM_UP = 60.0
"""Seconds until tables are as full as they get."""


def run() -> list[Row]:
    """One row per number of walkers."""
    few, plain = (_microseconds(100, variant, seconds=1200.0, repeats=3) for variant in ("sptbf", "agnostic"))
    some, many = (_microseconds(walkers, "sptbf", seconds=120.0, repeats=2) for walkers in (1_000, 10_000))
    unit = "us CPU per node-beacon"
    return [
        compare(f"100 walkers: {_rate(few)}", unit, few, "interest-agnostic", plain),
        compare(f"1,000 walkers: {_rate(some)}", unit, some, "100 walkers", few),
        compare(f"10,000 walkers: {_rate(many)}", unit, many, "100 walkers", few, target=0.4),
        compare("10,000 walkers", unit, many, "1,000 walkers", some, target=0.7),
    ]


def _rate(microseconds: float) -> str:
    return f"{1e6 / microseconds:,.0f} node-beacons per second"


def _microseconds(walkers: int, variant: str, seconds: float, repeats: int) -> float:
    """CPU time per beacon, the least of several runs of the same network, without its first minute."""
    side = 1000.0 * (walkers / PER_SQUARE_KILOMETRE) ** 0.5
    settings = MassMobilitySettings(walkers=walkers, side=side, seconds=seconds, keep_positions=False)
    contacts = MASS_MOBILITY.generate(settings, 1).contacts
    interests = standing(by_percent(walkers, LABELS, 30, 1), HOPS)
    best = float("inf")
    for _ in range(repeats):
        network = SharingNetwork(SharingScene(contacts, walkers, interests, seconds), GrapevineSettings(variant))
        network.run_until(WARM_UP)
        before = network.measures()["beacons"]
        start = time.process_time()
        network.run_until(seconds)
        spent = time.process_time() - start
        best = min(best, 1e6 * spent / (network.measures()["beacons"] - before))
    return best
