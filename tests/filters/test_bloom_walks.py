"""Random lives of Bloom filters, compared with a set of positions after every action."""

from __future__ import annotations

import pickle

import numpy as np
import pyarrow as pa
from hypothesis import given

from hunet.filters import BloomFilter
from hunet.filters.codec import decode, encode, pack, unpack
from tests.filters.dice import KEYS, Dice, many_walks, programs
from tests.naive.filters import NaiveBloom


def agree(f: BloomFilter, naive: NaiveBloom, key: str | bytes) -> None:
    f._check()
    bits = np.unpackbits(f.words.view(np.uint8), bitorder="little")
    assert set(np.flatnonzero(bits).tolist()) == naive.positions
    assert f.set_bits == len(naive.positions)
    assert (key in f) == naive.has(key)


@many_walks
@given(programs)
def test_a_bloom_filter_does_what_a_set_of_positions_does(program: bytes) -> None:
    dice = Dice(program)
    hashing, naive_hashing = dice.family()
    fast = [BloomFilter(hashing) for _ in range(3)]
    slow = [NaiveBloom(naive_hashing) for _ in range(3)]
    while dice:
        i, j, key = dice.number(3), dice.number(3), dice.key()
        match dice.number(9):
            case 0 | 1:
                fast[i].add(key)
                slow[i].add(key)
            case 2:
                keys = dice.some_keys()
                fast[i].update(keys)
                for one in keys:
                    slow[i].add(one)
            case 3:
                fast[i] = fast[i] | fast[j]
                slow[i] = NaiveBloom(naive_hashing, slow[i].positions | slow[j].positions)
            case 4:
                fast[i] = fast[i] & fast[j]
                slow[i] = NaiveBloom(naive_hashing, slow[i].positions & slow[j].positions)
            case 5:
                fast[i] = fast[j].copy()
                slow[i] = NaiveBloom(naive_hashing, set(slow[j].positions))
            case 6:
                fast[i] = pickle.loads(pickle.dumps(fast[i]))
            case 7:
                fast[i] = unpack(pack(fast[i]), fast[j])
                again = decode(encode(fast[i]), expect=hashing)
                assert again == fast[i]
            case 8:
                if dice.number(4) == 0:
                    fast[i].clear()
                    slow[i] = NaiveBloom(naive_hashing)
        agree(fast[i], slow[i], key)
        assert (fast[i] == fast[j]) == (slow[i].positions == slow[j].positions)
    agree(fast[1], slow[1], "jazz")
    expected = [slow[0].has(key) for key in KEYS]
    as_bytes = [key.encode() if isinstance(key, str) else key for key in KEYS]
    assert fast[0].contains(KEYS).tolist() == expected
    assert fast[0].contains(pa.array(as_bytes)).tolist() == expected
