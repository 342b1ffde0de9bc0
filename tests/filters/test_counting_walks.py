"""Random lives of counting filters, compared with a dict of counters after every action."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given

from hunet.filters import CountingBloomFilter
from hunet.filters.codec import decode, encode, pack, unpack
from hunet.model.errors import AbsentKeyError
from tests.filters.dice import KEYS, Dice, many_walks, programs
from tests.naive.filters import NaiveCounting


def agree(f: CountingBloomFilter, naive: NaiveCounting, key: str | bytes) -> None:
    f._check()
    assert {int(p): int(f.counters[p]) for p in np.flatnonzero(f.counters)} == naive.counters
    assert f[key] == naive.count(key)
    assert (key in f) == (naive.count(key) > 0)


@many_walks
@given(programs)
def test_a_counting_filter_does_what_a_dict_of_counters_does(program: bytes) -> None:
    dice = Dice(program)
    hashing, naive_hashing = dice.family()
    fast = [CountingBloomFilter(hashing) for _ in range(3)]
    slow = [NaiveCounting(naive_hashing) for _ in range(3)]
    while dice:
        i, j, key = dice.number(3), dice.number(3), dice.key()
        match dice.number(11):
            case 0 | 1:
                fast[i].add(key)
                slow[i].add(key)
            case 2 | 3 | 4:
                if slow[i].count(key):
                    fast[i].remove(key)
                    slow[i].remove(key)
                else:
                    before = fast[i].copy()
                    with pytest.raises(AbsentKeyError):
                        fast[i].remove(key)
                    assert fast[i] == before
            case 5:
                keys = dice.some_keys() * dice.of([1, 5, 260])
                fast[i].update(keys)
                for one in keys:
                    slow[i].add(one)
            case 6:
                fast[i] = fast[i] + fast[j]
                slow[i] = slow[i].plus(slow[j])
            case 7:
                fast[i] = fast[j].copy()
                slow[i] = slow[j].copy()
            case 8:
                fast[i] = pickle.loads(pickle.dumps(fast[i]))
            case 9:
                fast[i] = unpack(pack(fast[i]), fast[j])
                assert decode(encode(fast[i]), expect=hashing) == fast[i]
            case 10:
                if dice.number(4) == 0:
                    fast[i].clear()
                    slow[i].counters = {}
        agree(fast[i], slow[i], key)
        assert (fast[i] == fast[j]) == (slow[i].counters == slow[j].counters)
    assert fast[0].counts(KEYS).tolist() == [slow[0].count(key) for key in KEYS]
    stripped = fast[0].to_bloom()
    stripped._check()
    assert stripped.contains(KEYS).tolist() == [slow[0].count(key) > 0 for key in KEYS]
