"""Claims of B-SUB (TPDS 2013) about the TCBF. `docs/papers/bsub13.md` has the table of outcomes."""

from __future__ import annotations

import numpy as np
import pytest

from hunet.filters import TCBF, Hashing
from hunet.filters.codec import pack
from hunet.filters.encodings import Encoding, encoded_bits
from hunet.studies.bogus_counters import meetings
from hunet.studies.filter_samples import key_at

DRAWING = Hashing(m=5, k=2, distinct=True)  # the figures use 5 counters and 2 hash functions


def test_BSUB13_01_an_insert_sets_counters_to_the_initial_value_and_leaves_set_ones_alone() -> None:
    """ERR-02. The first sentence of 3.1 says that inserting increments; by that the shared counter would be 10, not 5,
    and counters would no longer all be equal, as the same paragraph says they are.
    """
    x, y = key_at(DRAWING, {0, 3}), key_at(DRAWING, {1, 3})
    f = TCBF(DRAWING, 5)
    f.add(x)
    f.add(y)
    f.add(y)
    by_increments = np.zeros(5, int)
    for places in ([0, 3], [1, 3], [1, 3]):
        by_increments[places] += 5
    assert by_increments.tolist() == [5, 10, 0, 15, 0]
    assert f.counters.tolist() == [5, 5, 0, 5, 0]
    # Left alone also when it has decayed: inserting is no renewal.
    f = TCBF(DRAWING, 5, decay_cycle=1.0, keys=[x])
    f.decay(3)
    f.add(y)
    assert f.counters.tolist() == [2, 5, 0, 2, 0]


def test_BSUB13_02_the_fourth_counter_is_the_sum_by_a_merge_and_the_maximum_by_m_merge() -> None:
    """Fig. 3 and 4, with hand-made operands of different counters: 10 and 7 in the fourth place."""
    f = TCBF(DRAWING, 10, decay_cycle=1.0, keys=[key_at(DRAWING, {0, 3})])
    f.decay(3)
    g = TCBF(DRAWING, 10, decay_cycle=1.0, now=3, keys=[key_at(DRAWING, {3, 4})])
    assert (f.counters[3], g.counters[3]) == (7, 10)
    assert (f + g).counters.tolist() == [7, 0, 0, 17, 10]
    assert (f | g).counters.tolist() == [7, 0, 0, 10, 10]


@pytest.mark.parametrize("cycle", [1.0, 128.0, 256.0, 7.25, 1 / 3, 100.1])
def test_BSUB13_03_the_decay_cycle_is_the_inverse_of_the_decay_factor(cycle: float) -> None:
    """Both ways of saying it give the same counters at any time (but for the rounding of 1/DF, at a tick itself)."""
    random = np.random.default_rng(3)
    by_cycle = TCBF(DRAWING, 200, decay_cycle=cycle, keys=["jazz"])
    by_factor = TCBF(DRAWING, 200, decay_factor=1 / cycle, keys=["jazz"])
    assert by_factor.decay_cycle == pytest.approx(cycle, rel=1e-15)
    assert by_cycle.decay_factor == pytest.approx(1 / cycle, rel=1e-15)
    for now in np.sort(random.uniform(0, 220 * cycle, 300)).tolist():
        by_cycle.decay(now)
        by_factor.decay(now)
        assert np.array_equal(by_cycle.counters, by_factor.counters)
    assert not by_cycle


def test_BSUB13_04_after_19_units_only_y_and_w_remain() -> None:
    """Fig. 5. Not recomputable: the times of insertion are only in the drawing. This schedule has the same outcome:
    DF = 1, ICV = 10, five counters; x and z come once, y late, w by being merged in again.
    """
    places = {"x": {0, 1}, "y": {1, 2}, "z": {3, 4}, "w": {2, 3}}
    keys = {name: key_at(DRAWING, where) for name, where in places.items()}
    arrivals = {0: "xz", 4: "w", 10: "w", 12: "y", 15: "w"}
    f = TCBF(DRAWING, 10, decay_cycle=1.0)
    for now in range(20):
        f.decay(now)
        for name in arrivals.get(now, ""):
            f.m_merge(TCBF(DRAWING, 10, decay_cycle=1.0, now=now, keys=[keys[name]]))
    assert {name for name, key in keys.items() if key in f} == {"y", "w"}


def test_BSUB13_07_m_merge_prevents_the_bogus_counters_of_a_merge() -> None:
    """Fig. 8: B and C meet every unit; ten units after A was met, A-merge has pushed the counter far above what A gave,
    M-merge never exceeds it and is at 0.
    """
    bogus, faithful = meetings(1, "A", until=10), meetings(1, "M", until=10)
    assert bogus[-1] == (255, 255)
    assert faithful[-1] == (0, 0)
    assert all(b == c == 10 - now for now, (b, c) in enumerate(faithful, start=1))
    assert all(min(bogus[now]) >= max(faithful[now]) for now in range(10))


def test_BSUB13_11_a_tag_takes_at_most_4_bytes() -> None:
    """m = 256, k = 3: three positions and one shared counter; hunet puts one header byte before it."""
    assert encoded_bits(Encoding.E2, 256, 3, 1, 8) == 4 * 8
    for i in range(50):
        assert len(pack(TCBF(Hashing(m=256, k=3), 5, keys=[f"tag {i}"]))) - 1 <= 4
