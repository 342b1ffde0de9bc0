"""Random lives of temporal filters, compared with a dict of counters after every action.

Filters of one walk share the hash family only: initial counters, ceilings, decay cycles and times all differ.
"""

from __future__ import annotations

import math
import pickle
import struct

import numpy as np
import pytest
from hypothesis import given

from hunet.filters import TCBF, Hashing
from hunet.filters.codec import decode, encode, pack, unpack
from hunet.model.errors import ClockError, MergedFilterError
from tests.filters.dice import KEYS, Dice, many_walks, programs
from tests.naive.filters import NaiveTCBF
from tests.naive.hashing import NaiveHashing

CYCLES = (math.inf, 1.0, 60.0, 0.1, 7.2, 1 / 3, 0.000123)
CEILINGS = (255, 255, 10, 1, 256, 70_000, 2**32 - 1)
STEPS = (0.0, 0.05, 0.1, 1.0, 1 / 7, 13.7, 60.0, 1e6)


def new_pair(dice: Dice, hashing: Hashing, naive_hashing: NaiveHashing) -> tuple[TCBF, NaiveTCBF]:
    ceiling, cycle, now = dice.of(CEILINGS), dice.of(CYCLES), dice.of(STEPS)
    initial = min(ceiling, dice.of((1, 5, 10, 50, 200, 2**31)))
    return (
        TCBF(hashing, initial, cycle, ceiling=ceiling, now=now),
        NaiveTCBF(naive_hashing, initial, ceiling, cycle, now),
    )


def later(now: float, cycle: float, dice: Dice) -> float:
    """Any time to come; mostly a few ticks on, so that counters are lowered more often than cleared."""
    step = dice.of(STEPS) if math.isinf(cycle) or dice.number(3) == 0 else cycle / 3
    return now + step * dice.number(16)


def counters_of(f: TCBF) -> dict[int, int]:
    return {int(p): int(f.counters[p]) for p in np.flatnonzero(f.counters)}


def agree(f: TCBF, naive: NaiveTCBF, key: str | bytes) -> None:
    f._check()
    assert counters_of(f) == naive.counters
    assert (f.now, f.merged) == (naive.now, naive.merged)
    assert f[key] == naive.value(key)
    assert (key in f) == (naive.value(key) > 0)


def agree_on_preference(f: TCBF, g: TCBF, slow: NaiveTCBF, than: NaiveTCBF, key: str | bytes) -> None:
    exact, mine, theirs = slow.preference(key, than), slow.value(key), than.value(key)
    measured = f.preference(key, than=g)
    if max(mine, theirs) < 2**24:  # both exact in single precision: only the quotient is rounded
        assert measured == struct.unpack("f", struct.pack("f", float(exact)))[0]
    else:  # three roundings of 2^-24 each, the first two before a subtraction
        assert abs(measured - exact) <= 2**-22 * (1 + mine / max(theirs, 1))


@many_walks
@given(programs)
def test_a_tcbf_does_what_a_dict_of_counters_does(program: bytes) -> None:
    dice = Dice(program)
    family = dice.family()
    pairs = [new_pair(dice, *family) for _ in range(2)]
    while dice:
        i, j, key = dice.number(2), dice.number(2), dice.key()
        (f, slow), (g, slow_g) = pairs[i], pairs[j]
        match dice.number(14):
            case 0 | 1 | 2:
                if slow.merged:
                    before = f.copy()
                    with pytest.raises(MergedFilterError):
                        f.add(key)
                    assert f == before
                    pairs[i] = new_pair(dice, *family)
                else:
                    f.add(key)
                    slow.insert(key)
            case 3 | 4:
                now = later(f.now, f.decay_cycle, dice)
                f.decay(now)
                slow.decay(now)
            case 5:
                if not slow.merged:
                    keys = dice.some_keys()
                    f.update(keys)
                    for one in keys:
                        slow.insert(one)
            case 6 | 7:
                f.a_merge(g)
                slow.a_merge(slow_g)
            case 8:
                f.m_merge(g)
                slow.m_merge(slow_g)
            case 9:
                total, slow_total = f + g, slow.copy()
                slow_total.a_merge(slow_g)
                agree(f, slow, key)  # the operands stay as they were
                pairs[i] = total, slow_total
            case 10:
                union, slow_union = f | g, slow.copy()
                slow_union.m_merge(slow_g)
                agree(f, slow, key)
                pairs[i] = union, slow_union
            case 11:
                pairs[i] = g.copy(), slow_g.copy()
            case 12:
                pairs[i] = pickle.loads(pickle.dumps(f)), slow
                assert unpack(pack(f), f) == f
                assert decode(encode(f), expect=family[0]) == f
            case 13:
                before = f.copy()
                if f.now > 0:
                    with pytest.raises(ClockError):
                        f.decay(f.now * 0.99)
                assert f == before
        agree(*pairs[i], key)
        agree_on_preference(pairs[i][0], pairs[j][0], pairs[i][1], pairs[j][1], key)
    for f, slow in pairs:
        agree(f, slow, "jazz")  # nothing was changed by what was done to the others
    f, slow = pairs[0]
    assert f.values(KEYS).tolist() == [slow.value(key) for key in KEYS]
    assert f.to_bloom().contains(KEYS).tolist() == [slow.value(key) > 0 for key in KEYS]
