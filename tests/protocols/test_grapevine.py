"""Why beacons round times down: rounded up, an interest among nodes that hear each other never dies."""

from __future__ import annotations

import pytest

from hunet.filters import Hashing, SpTBF
from hunet.filters.codec import pack, unpack

pytestmark = pytest.mark.interpreted

FAMILY = Hashing(m=50, k=3)
NEIGHBOURS = 8
PERIOD = 5.0


def alive_after(seconds: float, rounded_up: bool) -> bool:
    """Does anybody still know an interest of 10 s that was heard once? All hear all, one after the other."""
    nodes = [SpTBF(FAMILY) for _ in range(NEIGHBOURS)]
    for node in nodes:
        node.insert("ctx", hops=2, lifetime=10, now=0)
    beacons = int(seconds / PERIOD * NEIGHBOURS)
    for i in range(1, beacons):
        now = i * PERIOD / NEIGHBOURS
        summary = nodes[i % NEIGHBOURS].copy()
        summary.adjust_time(now)
        summary.decrement_hops()
        if not rounded_up:
            summary.times //= 1000
            summary.times *= 1000
            summary.hops[summary.times == 0] = 0
        heard = unpack(pack(summary), like=summary)
        heard.rebase(now)
        for node in nodes:
            node.merge(heard, now)
    return any(node.query("ctx", seconds) for node in nodes)


def test_rounded_up_an_interest_among_neighbours_lives_on_and_rounded_down_it_dies() -> None:
    assert alive_after(9.0, rounded_up=False)
    assert not alive_after(10.0, rounded_up=False)
    assert alive_after(60.0, rounded_up=True), "six times as long as asked for, and no end in sight"
