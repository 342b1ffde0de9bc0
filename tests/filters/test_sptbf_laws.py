"""Laws of the SpTBF ([sptbf] 2 and 3), with the printed equations and with ours, and of filters that delete.

Whether the claims of the paper hold is for their judges to say (`tests/studies/test_judges.py`).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from hunet.filters import TCBF, CountingBloomFilter, Hashing, SpTBF
from hunet.filters.codec import pack, unpack
from hunet.filters.slot_codec import packed_slots_bytes
from hunet.model.errors import InvalidValueError
from hunet.studies.papers.bsub.filter_samples import key_at
from tests.filters.spreading import knowledge_on_a_line

DRAWING = Hashing(m=8, k=3, distinct=True)  # Fig. 1 has 8 slots; its content fits 3 hash functions
SMALL = Hashing(m=40, k=3)


def random_filter(
    random: np.random.Generator, now: float, entries: int = 6, strict: bool = False
) -> tuple[SpTBF, dict[str, float]]:
    """A filter of random labels, and when each of them expires; inserted at times up to `now`."""
    start = float(random.integers(0, int(now) + 1))
    f = SpTBF(SMALL, now=start, strict_equations=strict)
    expires: dict[str, float] = {}
    for at in np.sort(random.integers(int(start), int(now) + 1, entries)).tolist():
        label, lifetime = f"label {random.integers(0, 1000)}", float(random.integers(1, 64))
        f.insert(label, int(random.integers(1, 4)), lifetime, float(at))
        expires[label] = max(expires.get(label, 0.0), at + lifetime)
    return f, expires


def test_two_inserts_give_the_filter_of_fig_1() -> None:
    """(4, 6) in the slots 0, 6, 7 and (1, 21) in 2, 4, 7. Four hops need 3 bits, the 2 of its evaluation do not do."""
    f = SpTBF(DRAWING, hop_bits=3, now=42)
    f.insert(key_at(DRAWING, {0, 6, 7}), hops=4, lifetime=6, now=42)
    f.insert(key_at(DRAWING, {2, 4, 7}), hops=1, lifetime=21, now=42)
    assert f.slots() == [(4, 6), (0, 0), (1, 21), (0, 0), (1, 21), (0, 0), (4, 6), (4, 21)]
    assert f.timebase == 42
    with pytest.raises(InvalidValueError, match=r"hops must lie in 1\.\.3"):
        SpTBF(DRAWING, now=42).insert("any", hops=4, lifetime=6, now=42)


@pytest.mark.parametrize("strict", [False, True])
def test_an_insert_takes_maxima_and_counts_time_from_now(strict: bool) -> None:
    """Inserted 10 s after the time base, a label of 5 s expires at 15 s, whether the base moves along or stays."""
    f = SpTBF(DRAWING, strict_equations=strict)
    first, second = key_at(DRAWING, {0, 1, 2}), key_at(DRAWING, {2, 3, 4})
    f.insert(first, hops=1, lifetime=20, now=0)
    f.insert(second, hops=3, lifetime=5, now=10)
    left = [seconds - (f.now - f.timebase) for _, seconds in f.slots()]
    assert left[:5] == [10, 10, 10, 5, 5]
    assert [hops for hops, _ in f.slots()][:5] == [1, 1, 3, 3, 3]
    assert f.timebase == (0 if strict else 10)
    assert f.query(second, now=14.999)
    assert not f.query(second, now=15)
    assert f.query(first, now=19.999)
    assert not f.query(first, now=20)


@pytest.mark.parametrize("strict", [False, True])
def test_a_query_needs_every_part_of_every_slot_and_denies_no_live_label(strict: bool) -> None:
    random = np.random.default_rng(4)
    for _ in range(40):
        f, expires = random_filter(random, now=60, strict=strict)
        for ahead in random.integers(0, 70, 3).tolist():
            now = f.now + ahead
            assert all(f.query(label, now) for label, end in expires.items() if end > now), "a false negative"
            for label in [*expires, "another", "and another"]:
                slots = [f.slots()[place] for place in SMALL.positions(label)]
                alive = all(hops != 0 and seconds - (now - f.timebase) > 0 for hops, seconds in slots)
                assert f.query(label, now) == alive
    # A slot without hops is as dead as one without time.
    f = SpTBF(SMALL, strict_equations=strict)
    f.insert("ctx", hops=1, lifetime=60, now=0)
    f.decrement_hops()
    assert "ctx" not in f


def test_a_merge_of_filters_with_different_time_bases_confirms_what_either_did() -> None:
    random = np.random.default_rng(6)
    for _ in range(150):
        f, in_f = random_filter(random, now=30)
        g, in_g = random_filter(random, now=50)
        now = max(f.now, g.now) + float(random.integers(0, 20))
        later = now + float(random.integers(0, 40))
        labels = [*in_f, *in_g]
        either_now = [f.query(label, now) or g.query(label, now) for label in labels]
        either_later = [f.query(label, later) or g.query(label, later) for label in labels]
        f.merge(g, now)
        assert f.timebase == f.now == now
        assert all(f.query(label, now) for label, known in zip(labels, either_now, strict=True) if known)
        assert all(f.query(label, later) for label, known in zip(labels, either_later, strict=True) if known)


@pytest.mark.parametrize("strict", [False, True])
def test_housekeeping_stops_at_zero_and_adjusting_time_changes_no_answer(strict: bool) -> None:
    random = np.random.default_rng(7)
    for _ in range(40):
        f, expires = random_filter(random, now=30, strict=strict)
        now = f.now + float(random.integers(0, 80))
        labels = [*expires, *(f"stranger {i}" for i in range(5))]
        before = [f.query(label, now) for label in labels]
        f.adjust_time(now)
        assert [f.query(label, now) for label in labels] == before
        assert f.timebase == now
        assert int(f.times.min()) >= 0
        for _ in range(5):
            f.decrement_hops()
        assert f.hops.max() == 0
        assert not any(f.query(label, now) for label in labels)


def test_an_interest_of_2_hops_and_15_seconds_spreads_and_expires_as_in_fig_3() -> None:
    """A line of five nodes, exchanges every 5 s. Node 0 also hears of its own interest, from node 1, at 10 s."""
    known = knowledge_on_a_line(hops=2, lifetime=15, until=20, clocks=[0.0] * 5)
    assert known[5] == [False, True, False, False, False]
    assert known[10] == [True, True, True, False, False]
    assert known[15] == known[20] == [False] * 5


def test_clocks_need_not_agree() -> None:
    """Random offsets up to a year (whole milliseconds, the resolution of the filter) change no answer."""
    random = np.random.default_rng(9)
    together = knowledge_on_a_line(hops=3, lifetime=22, until=30, clocks=[0.0] * 6)
    assert together[15] == [True, True, True, True, False, False]
    for _ in range(20):
        clocks = (random.integers(0, 365 * 86_400_000, 6) / 1000).tolist()
        assert knowledge_on_a_line(hops=3, lifetime=22, until=30, clocks=clocks) == together


def test_a_slot_takes_one_byte_and_holds_3_hops_and_63_seconds() -> None:
    """ERR-21: printed 64 s; 6 bits hold 0 to 63, and 0 means expired. m slots take m + 4 bytes; hunet adds a header."""
    for m in (8, 100, 256):
        f = SpTBF(Hashing(m=m, k=3))
        assert len(pack(f)) - 1 == packed_slots_bytes(m) == m + 4
        assert (f.max_hops, f.max_lifetime) == (3, 63)
        f.insert("ctx", hops=3, lifetime=63, now=0)
        received = unpack(pack(f), like=SpTBF(Hashing(m=m, k=3)))
        assert received.query("ctx", now=62.999)
        assert not received.query("ctx", now=63)
    f = SpTBF(SMALL)
    f.insert("soon over", hops=1, lifetime=0.5, now=0)
    assert "soon over" in unpack(pack(f), like=f), "whole seconds, rounded up: what lives stays alive (AMB-66)"
    with pytest.raises(InvalidValueError, match=r"0\.001\.\.63, got 64"):
        f.insert("ctx", hops=3, lifetime=64, now=0)


def test_deleting_can_cause_false_negatives_and_common_decay_cannot() -> None:
    """Deleting a key that was never added, but is confirmed, from a counting filter takes away another's counter."""
    family = Hashing(m=5, k=2, distinct=True)
    k0, k1, foreign = key_at(family, {0, 2}), key_at(family, {2, 4}), key_at(family, {0, 4})
    counting = CountingBloomFilter(family, [k0, k1])
    counting.remove(foreign)
    assert k0 not in counting, "a false negative"
    assert k1 not in counting, "and another"
    # A TCBF has no deletion. All counters fall together, so a key lives at least until its own units are used up.
    random = np.random.default_rng(20)
    for trial in range(30):
        f = TCBF(Hashing(m=64, k=3), 10, decay_cycle=1.0)
        due: dict[str, int] = {}
        for now in range(40):
            f.decay(now)
            if random.random() < 0.4:
                key = f"{trial}/{random.integers(0, 12)}"
                f.m_merge(TCBF(Hashing(m=64, k=3), 10, decay_cycle=1.0, now=now, keys=[key]))
                due[key] = now + 10
            assert all(key in f for key, end in due.items() if end > now)


def test_entries_that_collisions_prolong_become_rarer_with_more_slots() -> None:
    """20 short-lived and 20 long-lived labels: the share of the short ones still confirmed when their time is over
    falls with m, at every k, and equals the false-positive rate of the long ones alone.
    """

    def prolonged(m: int, k: int) -> float:
        alive = 0
        for trial in range(12):
            f = SpTBF(Hashing(m=m, k=k))
            for i in range(20):
                f.insert(f"short {trial}/{i}", hops=3, lifetime=5, now=0)
                f.insert(f"long {trial}/{i}", hops=1, lifetime=60, now=0)
            alive += sum(f.query(f"short {trial}/{i}", now=10) for i in range(20))
        return alive / (12 * 20)

    for k in (2, 3, 4):
        shares = [prolonged(m, k) for m in (32, 64, 128, 512)]
        assert all(few > many for few, many in pairwise(shares)), (k, shares)
        expected = [(1 - (1 - 1 / m) ** (20 * k)) ** k for m in (32, 64, 128, 512)]
        # Five standard errors of a binomial of 240, and 5 % as for any Bloom filter of this size.
        for share, rate in zip(shares, expected, strict=True):
            assert share == pytest.approx(rate, abs=0.05 * rate + 5 * (rate * (1 - rate) / 240) ** 0.5)
