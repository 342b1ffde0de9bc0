"""The drawings of [sptbf] as tables: the example filter (Fig. 1), the operations (Fig. 2, Table 1), a life (Fig. 3)."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from hunet.filters import Hashing, SpTBF
from hunet.model.tables import CONTACTS
from hunet.protocols.grapevine import GrapevineSettings
from hunet.sim.sharing.allocation import single
from hunet.sim.sharing.beaconing import TICKS, Beaconing
from hunet.sim.sharing.network import SharingNetwork, SharingScene

__all__ = [
    "DRAWN",
    "FIG_1",
    "clique",
    "example_filter",
    "key_at",
    "known_along_a_line",
    "life",
    "line",
    "operations",
    "signatures",
]

DRAWN = Hashing(m=8, k=3, distinct=True)
"""Fig. 1 has 8 slots, and its content fits three hash functions."""

FIG_1 = [(4, 6.0), (0, 0.0), (1, 21.0), (0, 0.0), (1, 21.0), (0, 0.0), (4, 6.0), (4, 21.0)]
"""Hops and seconds of every slot, as printed."""


def key_at(slots: Collection[int]) -> str:
    """A label that falls on just these slots of the drawn filter."""
    return next(key for i in itertools.count() if set(DRAWN.positions(key := f"label {i}").tolist()) == set(slots))


def example_filter() -> SpTBF:
    """Fig. 1: (4, 6) in the slots 0, 6, 7, then (1, 21) in 2, 4, 7. Its four hops need 3 bits (ERR-21)."""
    f = SpTBF(DRAWN, hop_bits=3, now=42)
    f.insert(key_at({0, 6, 7}), hops=4, lifetime=6, now=42)
    f.insert(key_at({2, 4, 7}), hops=1, lifetime=21, now=42)
    return f


def _row(figure: str, step: str, f: SpTBF, answer: str = "") -> dict[str, Any]:
    slots = {f"slot_{i}": f"{hops}, {seconds:g}" for i, (hops, seconds) in enumerate(f.slots())}
    return {"figure": figure, "step": step, **slots, "timebase": f.timebase, "answer": answer}


def operations() -> pd.DataFrame:
    """Fig. 2: each operation before and after; "ctx" has 3 hops and 5 s, its slots are our choice."""
    f = SpTBF(DRAWN)
    f.insert(key_at({0, 1, 2}), hops=2, lifetime=30, now=0)
    f.insert(key_at({2, 3, 4}), hops=1, lifetime=3, now=0)
    ctx = key_at({1, 4, 6})
    rows = [_row("a", "before insert", f)]
    f.insert(ctx, hops=3, lifetime=5, now=0)
    rows += [_row("a", "after insert", f), _row("b", "query", f, str(f.query(ctx, now=0)))]
    one, two = SpTBF(DRAWN), SpTBF(DRAWN)
    one.insert(key_at({0, 1, 2}), hops=3, lifetime=1, now=0)
    two.insert(key_at({0, 1, 5}), hops=1, lifetime=20, now=0)
    rows += [_row("c", "merge: A", one), _row("c", "merge: B", two), _row("c", "merge: C", one | two)]
    f.decrement_hops()
    rows.append(_row("d", "after decrementHops", f))
    f.adjust_time(2)
    rows.append(_row("e", "after adjustTime(2)", f))
    return pd.DataFrame(rows)


def signatures() -> pd.DataFrame:
    """Table 1 beside ours; the printed merge lacks its operand (ERR-20)."""
    printed = {
        "insert": "insert(label, hopLimit, timeLimit, currentTime)",
        "query": "query(label, currentTime)",
        "merge": "merge(currentTime)",
        "decrement_hops": "decrementHops()",
        "adjust_time": "adjustTime(currentTime)",
    }
    ours = {name: ", ".join(list(inspect.signature(getattr(SpTBF, name)).parameters)[1:]) for name in printed}
    return pd.DataFrame([{"printed": text, "ours": f"{name}({ours[name]})"} for name, text in printed.items()])


def line(nodes: int, seconds: float) -> pa.Table:
    """Contacts of nodes in a row, each near the next."""
    return _lasting(np.arange(nodes - 1), np.arange(1, nodes), seconds)


def clique(nodes: int, seconds: float) -> pa.Table:
    """Contacts of nodes that are all near each other."""
    return _lasting(*np.triu_indices(nodes, 1), seconds)


def _lasting(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64], seconds: float) -> pa.Table:
    return pa.table([a, b, np.zeros(a.size), np.full(a.size, seconds)], schema=CONTACTS)


def known_along_a_line(clock_offset: float = 0.0, seed: int = 1, nodes: int = 6) -> dict[float, list[tuple[int, int]]]:
    """Fig. 3 with beacons: node 0 wants something from within 2 hops for 15 s. By second: hops and ms left at each."""
    scene = SharingScene(line(nodes, 30.0), nodes, single(0, 0, since=0, until=15, hops=2), 30.0, labels=1)
    beaconing = Beaconing(period=5.0, jitter=0.0, clock_offset=clock_offset)
    network = SharingNetwork(scene, GrapevineSettings(hops=2, lifetime=15), beaconing, seed)
    slots = network.params.table[:, 0]
    known = {}
    for second in range(21):
        network.run_until(second + 1 / TICKS)  # beacons of that very instant included
        state, now = network.state, second * TICKS + network.ground.clock
        left = (state.timebase[:, None] + state.times[:, slots] - now[:, None]).min(axis=1)
        hops = np.where(left > 0, state.hops[:, slots].min(axis=1), 0)
        known[float(second)] = [(int(h), max(0, int(ms))) for h, ms in zip(hops, left, strict=True)]
    return known


def life() -> pd.DataFrame:
    """SPTBF-F3: who knows of node 0's interest, by time and distance."""
    rows = [
        {"t": t, "distance": distance, "known": hops > 0, "hops": hops, "seconds_left": left / TICKS if hops else 0.0}
        for t, nodes in known_along_a_line(seed=8).items()
        for distance, (hops, left) in enumerate(nodes)
    ]
    return pd.DataFrame(rows)
