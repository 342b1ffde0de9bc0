"""Filters behave like the built-ins they resemble: sets, counters, values."""

from __future__ import annotations

import copy
import math
import operator
import pickle
from typing import Any

import numpy as np
import pytest

from hunet.filters import TCBF, BloomFilter, CountingBloomFilter, Hashing, SpTBF, TCBFPool
from hunet.filters.base import Filter
from tests.filters.test_bad_input import FAMILY, MAKERS, STRANGERS, bloom, counting, pool, sptbf, tcbf


def empty(maker: str) -> Filter:
    every: dict[str, Filter] = {
        "bloom": BloomFilter(FAMILY),
        "counting": CountingBloomFilter(FAMILY),
        "tcbf": TCBF(FAMILY, 10),
        "pool": TCBFPool(TCBF(FAMILY, 10), 0.1, 3),
        "sptbf": SpTBF(FAMILY),
    }
    return every[maker]


@pytest.mark.parametrize("maker", MAKERS)
def test_a_key_that_was_put_in_is_in(maker: str) -> None:
    f = MAKERS[maker]()
    assert "jazz" in f
    assert b"jazz" in f
    assert "opera" not in f


@pytest.mark.parametrize("maker", MAKERS)
def test_an_empty_filter_is_false_and_has_length_0(maker: str) -> None:
    f = empty(maker)
    assert not f
    assert len(f) == 0
    assert (f.set_bits, f.fill_ratio, f.false_positive_rate) == (0, 0.0, 0.0)
    assert "jazz" not in f


@pytest.mark.parametrize("maker", MAKERS)
def test_a_filter_of_one_key_is_true_and_has_length_1(maker: str) -> None:
    f = MAKERS[maker]()
    assert f
    assert len(f) == 1
    assert f.set_bits == 3
    assert f.fill_ratio == 3 / 64
    assert f.false_positive_rate == pytest.approx((3 / 64) ** 3, rel=1e-12)  # a few roundings
    assert f.hashing == FAMILY


def test_the_length_estimates_the_number_of_keys() -> None:
    f = BloomFilter(Hashing(m=4096, k=4), [f"key {i}" for i in range(300)])
    # alpha has a standard deviation of about sqrt(m e^-x (1 - e^-x (1 + x))) with x = kn/m, some 9 positions; a
    # position stands for 1 / (k e^-x) keys: 5 standard deviations are 15 keys
    assert abs(len(f) - 300) <= 15


@pytest.mark.parametrize("m", [1, 2, 64])
def test_a_full_filter_still_has_a_length(m: int) -> None:
    f = BloomFilter(Hashing(m, 1), [str(i) for i in range(50 * m)])
    assert f.set_bits == m
    assert len(f) >= m / 2  # it takes at least that many for half of a position to be left free


@pytest.mark.parametrize("maker", MAKERS)
def test_copies_and_pickles_are_equal_and_independent(maker: str) -> None:
    f = MAKERS[maker]()
    twins = [f.copy(), copy.copy(f).copy(), copy.deepcopy(f), *(pickle.loads(pickle.dumps(f, p)) for p in range(2, 6))]
    for twin in twins:
        assert twin == f
        assert type(twin) is type(f)
        if isinstance(twin, SpTBF):
            twin.insert("opera", 1, 5, 100.0)
        else:
            twin.add("opera")
        twin._check()
        assert twin != f
        assert "opera" not in f


@pytest.mark.parametrize("maker", MAKERS)
def test_filters_have_no_hash(maker: str) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(MAKERS[maker]())


@pytest.mark.parametrize("maker", MAKERS)
def test_equality_looks_at_kind_family_and_content(maker: str) -> None:
    make = MAKERS[maker]
    assert make() == make()
    assert make() != empty(maker)
    for stranger in STRANGERS.values():
        assert make() != make(stranger)
    for other in MAKERS:
        if other != maker:
            assert make() != MAKERS[other]()
    assert make() != "jazz"
    assert (make() == None) is False  # noqa: E711  # the operator itself is meant


def test_equality_looks_at_settings_and_time() -> None:
    base = TCBF(FAMILY, 10, 60.0)
    for other in (
        TCBF(FAMILY, 11, 60.0),
        TCBF(FAMILY, 10, 61.0),
        TCBF(FAMILY, 10, 60.0, ceiling=254),
        TCBF(FAMILY, 10, 60.0, now=1.0),
        base + base,
    ):
        assert base != other
    assert TCBFPool(base, 0.1, 3) != TCBFPool(base, 0.1, 4)
    assert TCBFPool(base, 0.1, 3) != TCBFPool(base, 0.2, 3)
    assert SpTBF(FAMILY) != SpTBF(FAMILY, strict_equations=True)
    assert SpTBF(FAMILY) != SpTBF(FAMILY, now=1.0)
    assert SpTBF(FAMILY) != SpTBF(FAMILY, hop_bits=3)


def test_operators_make_new_filters_and_leave_the_operands() -> None:
    jazz, opera = bloom(), BloomFilter(FAMILY, ["opera"])
    both = jazz | opera
    assert "jazz" in both
    assert "opera" in both
    assert "jazz" not in jazz & opera
    assert both & jazz == jazz
    assert (jazz, opera) == (bloom(), BloomFilter(FAMILY, ["opera"]))
    assert (counting() + counting())["jazz"] == 2
    assert (tcbf() + tcbf())["jazz"] == 20
    assert (tcbf() | tcbf())["jazz"] == 10
    assert sptbf() | sptbf() == sptbf()


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("stranger", ["jazz", 1, None, {"jazz"}])
def test_operators_with_strangers_are_type_errors(maker: str, stranger: Any) -> None:
    f = MAKERS[maker]()
    for act in (operator.or_, operator.and_, operator.add):
        with pytest.raises(TypeError, match="unsupported operand"):
            act(f, stranger)


def test_printing_tells_what_matters() -> None:
    assert repr(bloom()) == "BloomFilter(m=64, k=3, set_bits=3, about 1 key)"
    assert repr(BloomFilter(FAMILY)) == "BloomFilter(m=64, k=3, set_bits=0, about 0 keys)"
    assert repr(counting()) == "CountingBloomFilter(m=64, k=3, set_bits=3, highest=1)"
    assert (
        repr(tcbf() + tcbf()) == "TCBF(m=64, k=3, initial=10, decay_cycle=60, now=100, set_bits=3, highest=20, merged)"
    )
    assert repr(TCBF(FAMILY, 10)) == "TCBF(m=64, k=3, initial=10, no decay, now=0, set_bits=0, highest=0)"
    assert repr(pool()) == "TCBFPool(m=64, k=3, 1 of 3 filters, set_bits=3)"
    assert repr(sptbf()) == "SpTBF(m=64, k=3, timebase=100, now=100, live slots=3)"


# ------------------------------------------------------------------ what belongs to one kind


def test_clear_empties() -> None:
    for f in (bloom(), counting()):
        f.clear()
        assert not f


def test_a_counter_that_lost_count_is_never_lowered() -> None:
    f = CountingBloomFilter(FAMILY, ["jazz"] * 300)
    assert f["jazz"] == 255
    for _ in range(300):
        f.remove("jazz")
    assert f["jazz"] == 255


def test_decay_factor_is_the_inverse_of_the_decay_cycle() -> None:
    assert TCBF(FAMILY, 10, decay_factor=0.5).decay_cycle == 2.0
    assert TCBF(FAMILY, 10, 4.0).decay_factor == 0.25
    assert TCBF(FAMILY, 10, decay_factor=0).decay_cycle == math.inf
    assert TCBF(FAMILY, 10).decay_factor == 0.0
    f = TCBF(FAMILY, 10, 1.0, keys=["jazz"])
    f.decay_cycle = 5.0
    f.decay(now=20.0)
    assert f["jazz"] == 6
    assert (f.initial, f.ceiling, f.now, f.merged) == (10, 255, 20.0, False)


def test_inserting_again_does_not_raise_a_counter_that_has_decayed() -> None:
    f = TCBF(FAMILY, 10, 1.0, keys=["jazz"])
    f.decay(now=4.0)
    f.add("jazz")
    assert f["jazz"] == 6


@pytest.mark.parametrize(("ceiling", "kind"), [(255, np.uint8), (256, np.uint16), (2**16, np.uint32)])
def test_counters_are_as_wide_as_the_ceiling_needs(ceiling: int, kind: type) -> None:
    f = TCBF(FAMILY, 200, ceiling=ceiling, keys=["jazz"])
    narrow = TCBF(FAMILY, 200, keys=["jazz"])
    assert f.counters.dtype == kind
    assert (f + narrow)["jazz"] == min(ceiling, 400)
    assert (narrow + f)["jazz"] == 255
    assert (TCBF(FAMILY, 3, ceiling=7, keys=["jazz"]) | f)["jazz"] == 7


def test_a_pool_gives_its_settings_and_its_filters() -> None:
    f = TCBFPool(TCBF(FAMILY, 10, ceiling=20), threshold=0.04, limit=2)
    for key in ("jazz", "opera", "chess"):
        f.add(key)
    assert (f.filters, f.limit, f.threshold, f.template.initial) == (2, 2, 0.04, 10)
    first, second = f.to_filters()
    assert first.merged
    assert first["jazz"] == 10
    assert second["chess"] == 10
    assert len(f) == len(first) + len(second)
    assert f.fill_ratio == (first.fill_ratio + second.fill_ratio) / 2
    joint = 1 - (1 - first.false_positive_rate) * (1 - second.false_positive_rate)
    assert f.false_positive_rate == pytest.approx(joint, rel=1e-9)  # 1 - x near 1 keeps 9 digits of a rate of 1e-4
    first.decay(10.0)
    assert f["jazz"] == 10


def test_a_pool_opens_the_next_filter_only_above_the_threshold() -> None:
    f = TCBFPool(TCBF(Hashing(m=100, k=1), 10), threshold=0.29, limit=2)
    received = TCBF(Hashing(m=100, k=1), 10)
    received.counters[:29] = 10
    f.a_merge(received)
    assert f.fill_ratio == 0.29
    f.add("opera")  # 29 of 100 is not above 0.29, although 0.29 * 100 is 28.999999999999996
    assert f.filters == 1


def test_a_pool_forgets_that_its_template_was_merged_or_held_keys() -> None:
    fresh, used = TCBF(FAMILY, 10, 60.0), TCBF(FAMILY, 10, 60.0, keys=["jazz"])
    assert TCBFPool(used + used, 0.1, 3) == TCBFPool(fresh, 0.1, 3)


def test_handing_over_an_unadjusted_filter_keeps_lifetimes_within_their_limit() -> None:
    f = SpTBF(FAMILY, strict_equations=True)
    f.insert("jazz", 2, 63, now=0.0)
    f.insert("opera", 2, 63, now=50.0)
    f.rebase(7.0)
    f._check()
    assert (f.timebase, f.now) == (7.0, 7.0)
    assert f.query("opera", 69.9)
    assert not f.query("opera", 70.0)
    assert f.query("jazz", 19.9)
    assert not f.query("jazz", 20.0)


def test_settings_of_an_sptbf_can_be_read() -> None:
    f = SpTBF(FAMILY, hop_bits=3, time_bits=4, strict_equations=True)
    assert (f.hop_bits, f.time_bits, f.max_hops, f.max_lifetime, f.strict_equations) == (3, 4, 7, 15, True)
    assert f.slots() == [(0, 0.0)] * 64
