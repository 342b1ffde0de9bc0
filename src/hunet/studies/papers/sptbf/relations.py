"""Those claims of SpTBF that are examples or relations of the filter: each is computed here and judged."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import pairwise

import numpy as np

from hunet.filters import TCBF, CountingBloomFilter, Hashing, SpTBF
from hunet.filters.slot_codec import pack_slots, packed_slots_bytes
from hunet.model.errors import InvalidValueError
from hunet.studies.claims.judging import Alone, Found
from hunet.studies.papers.sptbf.drawings import DRAWN, FIG_1, example_filter, key_at, known_along_a_line

__all__ = ["RELATIONS"]

_SMALL = Hashing(m=40, k=3)
_TRIALS = 150
_SEED = 1


def _random(chance: np.random.Generator, now: int) -> tuple[SpTBF, dict[str, float]]:
    """A filter of six labels inserted up to `now`, and when each of them is over."""
    start = int(chance.integers(0, now + 1))
    f = SpTBF(_SMALL, now=start)
    over: dict[str, float] = {}
    for at in np.sort(chance.integers(start, now + 1, 6)).tolist():
        label, lifetime = f"label {chance.integers(0, 1000)}", int(chance.integers(1, 64))
        f.insert(label, int(chance.integers(1, 4)), lifetime, at)
        over[label] = max(over.get(label, 0.0), float(at + lifetime))
    return f, over


def _example() -> Found:
    f = example_filter()
    return Found.of(f.slots() == FIG_1 and f.timebase == 42, "two inserts give it slot by slot")


def _ctx() -> Found:
    f = SpTBF(DRAWN)
    f.insert(key_at({0, 1, 2}), hops=2, lifetime=30, now=0)
    ctx = key_at({1, 4, 6})
    before = ctx in f
    f.insert(ctx, hops=3, lifetime=5, now=0)
    return Found.of(ctx in f and not before, "yes")


def _maxima() -> Found:
    f = SpTBF(DRAWN)
    first, second = key_at({0, 1, 2}), key_at({2, 3, 4})
    f.insert(first, hops=1, lifetime=20, now=0)
    f.insert(second, hops=3, lifetime=5, now=10)
    right = f.slots()[2] == (3, 10.0) and f.query(second, 14.999) and not f.query(second, 15)
    return Found.of(right, "inserted at 10 s for 5 s: 15 s")


def _queries() -> Found:
    chance = np.random.default_rng([_SEED, 4])
    denied = asked = 0
    for _ in range(_TRIALS):
        f, over = _random(chance, 60)
        now = f.now + float(chance.integers(0, 70))
        alive = [label for label, end in over.items() if end > now]
        asked += len(alive)
        denied += sum(not f.query(label, now) for label in alive)
    spent = SpTBF(_SMALL)
    spent.insert("ctx", hops=1, lifetime=60, now=0)
    spent.decrement_hops()
    right = denied == 0 and "ctx" not in spent
    return Found.of(right, f"{denied} of {asked:,} denied")


def _mixture() -> Found:
    old = key_at({0, 1, 2})
    f, g = SpTBF(DRAWN), SpTBF(DRAWN)
    f.insert(old, hops=3, lifetime=1, now=0)
    for slots in ({0, 1, 5}, {2, 6, 7}):
        g.insert(key_at(slots), hops=1, lifetime=20, now=0)
    f.merge(g, now=0)
    right = f.slots()[0] == (3, 20.0) and f.query(old, 19) and not f.query(old, 20)
    return Found.of(right, "(3, 1) and (1, 20) give (3, 20)")


def _merges() -> Found:
    chance = np.random.default_rng([_SEED, 6])
    forgotten = 0
    for _ in range(_TRIALS):
        (f, in_f), (g, in_g) = _random(chance, 30), _random(chance, 50)
        now = max(f.now, g.now) + float(chance.integers(0, 20))
        either = [label for label in [*in_f, *in_g] if f.query(label, now) or g.query(label, now)]
        f.merge(g, now)
        forgotten += sum(not f.query(label, now) for label in either) + (f.timebase != now)
    return Found.of(forgotten == 0, f"{forgotten} answers lost in {_TRIALS} merges")


def _housekeeping() -> Found:
    chance = np.random.default_rng([_SEED, 7])
    changed = 0
    below = False
    for _ in range(_TRIALS):
        f, over = _random(chance, 30)
        now = f.now + float(chance.integers(0, 80))
        before = [f.query(label, now) for label in over]
        f.adjust_time(now)
        changed += [f.query(label, now) for label in over] != before
        for _ in range(5):
            f.decrement_hops()
        below |= bool(f.hops.any() or int(f.times.min()) < 0)
    return Found.of(changed == 0 and not below, f"{changed} of {_TRIALS} filters answer differently")


@cache
def _life(clock_offset: float = 0.0, seed: int = 1) -> Mapping[float, list[tuple[int, int]]]:
    return known_along_a_line(clock_offset, seed)


def _spreads() -> Found:
    """On a line, with beacons that leave at ten different times within the 5 s."""
    lives = [_life(seed=seed) for seed in range(1, 11)]
    reached = [max(_first_known(known, distance) for known in lives) for distance in range(4)]
    never = all(_first_known(known, distance) == np.inf for known in lives for distance in range(3, 6))
    gone = max(t + left / 1000 for known in lives for t, nodes in known.items() for hops, left in nodes if hops)
    right = reached[1] <= 5 and reached[2] <= 10 and never and 13 <= gone <= 15
    measured = (
        f"neighbours by {reached[1]:g} s, 2 hops by {reached[2]:g} s, 3 hops {'never' if never else 'too'}, gone by "
        f"{gone:.1f} s (whole seconds on the air, rounded down); its own echo by {reached[0]:g} s"
    )
    return Found.of(right, measured)


def _clocks() -> Found:
    same = all(_life(offset) == _life() for offset in (1.0, 86_400.0, 31_536_000.0))
    return Found.of(same, "clocks up to a year apart: the same, to the ms")


def _first_known(known: Mapping[float, list[tuple[int, int]]], distance: int) -> float:
    return min((t for t, nodes in known.items() if nodes[distance][0]), default=np.inf)


def _packing() -> Found:
    f = SpTBF(Hashing(m=100, k=3))
    right_size = len(pack_slots(f)) == packed_slots_bytes(100) == 104
    try:
        f.insert("ctx", hops=3, lifetime=64, now=0)
        fits = True
    except InvalidValueError:
        fits = False
    measured = f"m + 4 bytes{'' if right_size else ' not'} met; {f.max_hops} hops and {f.max_lifetime} s, ERR-21"
    return Found.or_erratum(right_size and fits, measured)


def _deletion() -> Found:
    family = Hashing(m=12, k=2)
    counting = CountingBloomFilter(family, ["one", "two"])
    foreign = next(key for i in range(10**6) if (key := f"key {i}") in counting)
    counting.remove(foreign)
    lost = sum(key not in counting for key in ("one", "two"))
    relay = TCBF(Hashing(m=12, k=2), 10, decay_cycle=1.0)
    early = 0
    for now in range(30):
        relay.decay(now)
        if now % 4 == 0:
            relay.m_merge(TCBF(Hashing(m=12, k=2), 10, decay_cycle=1.0, now=now, keys=[f"key {now}"]))
        early += sum(f"key {then}" not in relay for then in range(0, now + 1, 4) if now - then < 10)
    measured = f"{lost} of 2 keys lost by deleting a foreign one; {early} by decay"
    return Found.of(lost > 0 and early == 0, measured)


def _prolonged() -> Found:
    """20 short-lived and 20 long-lived labels: the share of the short ones that seem to live on."""
    sizes = (32, 64, 128, 512)
    shares = {k: [_outliving(m, k) for m in sizes] for k in (2, 3, 4)}
    right = all(few > many for row in shares.values() for few, many in pairwise(row))
    words = "; ".join(f"k = {k}: " + ", ".join(f"{share:.0%}" for share in row) for k, row in shares.items())
    return Found.of(right, f"alive after their time at m = 32, 64, 128, 512: {words}")


def _outliving(m: int, k: int, trials: int = 12) -> float:
    alive = 0
    for trial in range(trials):
        f = SpTBF(Hashing(m=m, k=k))
        for i in range(20):
            f.insert(f"short {trial}/{i}", hops=3, lifetime=5, now=0)
            f.insert(f"long {trial}/{i}", hops=1, lifetime=60, now=0)
        alive += sum(f.query(f"short {trial}/{i}", now=10) for i in range(20))
    return alive / (20 * trials)


RELATIONS: Alone = {
    "SPTBF-01": _example,
    "SPTBF-02": _ctx,
    "SPTBF-03": _maxima,
    "SPTBF-04": _queries,
    "SPTBF-05": _mixture,
    "SPTBF-06": _merges,
    "SPTBF-07": _housekeeping,
    "SPTBF-08": _spreads,
    "SPTBF-09": _clocks,
    "SPTBF-10": _packing,
    "SPTBF-20": _deletion,
    "SPTBF-22": _prolonged,
}
"""By the id in the ledger."""
