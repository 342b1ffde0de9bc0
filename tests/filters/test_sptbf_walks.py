"""Random lives of spatiotemporal filters, compared with a dict of slots after every action, in both readings."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given

from hunet.filters import Hashing, SpTBF
from hunet.filters.codec import decode, encode, pack, unpack
from hunet.model.errors import ClockError
from tests.filters.dice import KEYS, Dice, many_walks, programs
from tests.naive.filters import NaiveSpTBF

STEPS = (0, 1, 500, 1000, 4999, 5000, 63_000)  # milliseconds
WIDTHS = ((2, 6), (1, 1), (8, 32), (3, 4))


def agree(f: SpTBF, naive: NaiveSpTBF, label: str | bytes, now: int) -> None:
    f._check()
    assert f.now == naive.now / 1000
    used = np.flatnonzero((f.hops != 0) | (f.times != 0)).tolist()
    raw = {p: (int(f.hops[p]), int(f.times[p])) for p in used}
    if naive.strict:
        assert f.timebase == naive.timebase / 1000
        assert raw == {p: slot for p, slot in naive.slots.items() if any(slot)}
    else:  # where the time base lies is not visible: only what is left counts
        passed = round(1000 * (f.now - f.timebase))
        assert {p: (h, t - passed) for p, (h, t) in raw.items()} == naive.live()
    assert f.set_bits == len(naive.live())
    assert (label in f) == naive.query(label, naive.now)
    assert f.query(label, now / 1000) == naive.query(label, now)


def through_bytes(f: SpTBF, hashing: Hashing) -> None:
    """Packing rounds times up to seconds; from then on bytes and filter are the same thing."""
    packed = pack(f)
    received = unpack(packed, f)
    received._check()
    assert pack(received) == packed
    assert decode(encode(received), expect=hashing) == received
    assert received.set_bits == f.set_bits


def walk(program: bytes, strict: bool) -> None:
    dice = Dice(program)
    hashing, naive_hashing = dice.family()
    hop_bits, time_bits = dice.of(WIDTHS)
    pairs = [
        (
            SpTBF(hashing, hop_bits=hop_bits, time_bits=time_bits, strict_equations=strict),
            NaiveSpTBF(naive_hashing, strict),
        )
        for _ in range(2)
    ]
    while dice:
        i, label = dice.number(2), dice.key()
        (f, slow), (g, slow_g) = pairs[i], pairs[1 - i]
        now = slow.now + dice.of(STEPS)
        match dice.number(10):
            case 0 | 1 | 2:
                hops = 1 + dice.number(f.max_hops)
                lifetime = 1 + (dice.number(256) * 9973) % (1000 * f.max_lifetime)
                f.insert(label, hops, lifetime / 1000, now / 1000)
                slow.insert(label, hops, lifetime, now)
            case 3:
                f.adjust_time(now / 1000)
                slow.adjust_time(now)
            case 4:
                f.decrement_hops()
                slow.decrement_hops()
            case 5:
                now = max(now, slow_g.now)
                f.merge(g, now / 1000)
                slow.merge(slow_g, now)
            case 6:
                now = max(slow.now, slow_g.now)
                pairs[i] = f | g, slow.copy()
                pairs[i][1].merge(slow_g, now)
                agree(f, slow, label, slow.now)  # the operand stays as it was
            case 7:  # the peer's clock may be behind: any time will do
                now = dice.of((0, 1, 77_000, 10**9))
                f.rebase(now / 1000)
                slow.hand_over(now)
            case 8:
                pairs[i] = pickle.loads(pickle.dumps(g)).copy(), slow_g.copy()
                through_bytes(g, hashing)
            case 9:
                before = f.copy()
                if slow.now > 0:
                    with pytest.raises(ClockError):
                        f.insert(label, 1, 1, (slow.now - 1) / 1000)
                    with pytest.raises(ClockError):
                        f.merge(g, (slow.now - 1) / 1000)
                assert f == before
        agree(*pairs[i], label, max(now, pairs[i][1].now))
    for f, slow in pairs:
        agree(f, slow, "jazz", slow.now)
    f, slow = pairs[0]
    assert f.slots() == [(int(hops), int(time) / 1000) for hops, time in zip(f.hops, f.times, strict=True)]
    assert [label in f for label in KEYS] == [slow.query(label, slow.now) for label in KEYS]


@many_walks
@given(programs)
def test_an_sptbf_does_what_a_dict_of_slots_does(program: bytes) -> None:
    walk(program, strict=False)


@many_walks
@given(programs)
def test_an_sptbf_with_strict_equations_does_what_the_printed_equations_say(program: bytes) -> None:
    walk(program, strict=True)
