"""Random lives of pools, compared with a list of naive TCBFs after every action."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given

from hunet.filters import TCBF, Hashing, TCBFPool
from hunet.filters.codec import decode, encode, pack, unpack
from hunet.model.errors import ClockError
from tests.filters.dice import KEYS, Dice, many_walks, programs
from tests.filters.test_tcbf_walks import CEILINGS, CYCLES, later, new_pair
from tests.naive.filters import NaivePool, NaiveTCBF
from tests.naive.hashing import NaiveHashing

THRESHOLDS = (0.0, 0.05, 0.1, 0.29, 0.5, 1.0)


def new_pools(dice: Dice, hashing: Hashing, naive_hashing: NaiveHashing) -> tuple[TCBFPool, NaivePool]:
    ceiling, cycle = dice.of(CEILINGS), dice.of(CYCLES)
    initial = min(ceiling, dice.of((1, 5, 10, 50)))
    threshold, limit = dice.of(THRESHOLDS), dice.of((1, 2, 3, 5))
    template = TCBF(hashing, initial, cycle, ceiling=ceiling)
    return (
        TCBFPool(template, threshold, limit),
        NaivePool(NaiveTCBF(naive_hashing, initial, ceiling, cycle), threshold, limit),
    )


def agree(pool: TCBFPool, naive: NaivePool, key: str | bytes) -> None:
    pool._check()
    rows = [{int(p): int(row[p]) for p in np.flatnonzero(row)} for row in pool.rows[: pool.filters]]
    assert rows == [single.counters for single in naive.filters]
    assert pool.template.now == naive.empty.now
    assert pool.set_bits == sum(len(single.counters) for single in naive.filters)
    assert pool[key] == naive.value(key)
    assert (key in pool) == (naive.value(key) > 0)


@many_walks
@given(programs)
def test_a_pool_does_what_a_list_of_dicts_does(program: bytes) -> None:
    dice = Dice(program)
    family = dice.family()
    pairs = [new_pools(dice, *family) for _ in range(2)]
    while dice:
        i, key = dice.number(2), dice.key()
        (pool, slow), (other, slow_other) = pairs[i], pairs[1 - i]
        match dice.number(10):
            case 0 | 1 | 2:
                pool.add(key)
                slow.insert(key)
            case 3 | 4:
                received, slow_received = new_pair(dice, *family)
                for one in dice.some_keys():
                    received.add(one)
                    slow_received.insert(one)
                pool.a_merge(received)
                slow.a_merge(slow_received)
            case 5:
                now = later(pool.template.now, pool.template.decay_cycle, dice)
                pool.decay(now)
                slow.decay(now)
            case 6:
                pool.m_merge(other)
                slow.m_merge(slow_other)
            case 7:
                pairs[i] = other.copy(), slow_other.copy()
            case 8:
                pairs[i] = pickle.loads(pickle.dumps(pool)), slow
                assert unpack(pack(pool), pool) == pool
                assert decode(encode(pool), expect=family[0]) == pool
            case 9:
                before = pool.copy()
                if pool.template.now > 0:
                    with pytest.raises(ClockError):
                        pool.decay(pool.template.now / 2)
                assert pool == before
        agree(*pairs[i], key)
    for pool, slow in pairs:
        agree(pool, slow, "jazz")
    pool, slow = pairs[0]
    assert [pool[key] for key in KEYS] == [slow.value(key) for key in KEYS]
    assert [dict(enumerate(f.values(KEYS).tolist())) for f in pool.to_filters()] == [
        {row: single.value(key) for row, key in enumerate(KEYS)} for single in slow.filters
    ]
