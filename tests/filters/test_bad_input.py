"""Every refusal has a name, says the value and the limit, and changes nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hunet.filters import TCBF, BloomFilter, CountingBloomFilter, Hashing, SpTBF, TCBFPool
from hunet.filters.base import Filter
from hunet.filters.checks import require_length
from hunet.model.errors import (
    AbsentKeyError,
    ClockError,
    HunetError,
    InvalidKeyError,
    InvalidValueError,
    MergedFilterError,
    MismatchError,
)

FAMILY = Hashing(m=64, k=3)
STRANGERS = {
    "m": Hashing(m=65, k=3),
    "k": Hashing(m=64, k=4),
    "distinct": Hashing(m=64, k=3, distinct=True),
    "key": Hashing(m=64, k=3, key=b"another network!"),
}


def bloom(family: Hashing = FAMILY) -> BloomFilter:
    return BloomFilter(family, ["jazz"])


def counting(family: Hashing = FAMILY) -> CountingBloomFilter:
    return CountingBloomFilter(family, ["jazz"])


def tcbf(family: Hashing = FAMILY) -> TCBF:
    return TCBF(family, 10, 60.0, now=100.0, keys=["jazz"])


def pool(family: Hashing = FAMILY) -> TCBFPool:
    result = TCBFPool(TCBF(family, 10, 60.0, now=100.0), 0.1, 3)
    result.add("jazz")
    return result


def sptbf(family: Hashing = FAMILY) -> SpTBF:
    result = SpTBF(family, now=100.0)
    result.insert("jazz", hops=2, lifetime=15, now=100.0)
    return result


MAKERS: dict[str, Callable[..., Any]] = {
    "bloom": bloom,
    "counting": counting,
    "tcbf": tcbf,
    "pool": pool,
    "sptbf": sptbf,
}


def refuse(f: Filter, act: Callable[[Any], object], error: type[HunetError], said: str) -> None:
    before = f.copy()
    with pytest.raises(error, match=said):
        act(f)
    assert f == before
    f._check()


# ------------------------------------------------------------------ keys


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(("key", "said"), [("", "empty"), (b"", "empty"), (5, "5"), (None, "None"), ("\ud800", "text")])
def test_bad_keys_are_refused_by_every_filter(maker: str, key: Any, said: str) -> None:
    f = MAKERS[maker]()
    refuse(f, lambda f: key in f, InvalidKeyError, said)
    if isinstance(f, SpTBF):
        refuse(f, lambda f: f.insert(key, 1, 5, 200.0), InvalidKeyError, said)
        refuse(f, lambda f: f.query(key, 200.0), InvalidKeyError, said)
    else:
        refuse(f, lambda f: f.add(key), InvalidKeyError, said)
    if not isinstance(f, BloomFilter | SpTBF):
        refuse(f, lambda f: f[key], InvalidKeyError, said)
    if isinstance(f, BloomFilter | CountingBloomFilter | TCBF):
        refuse(f, lambda f: f.update(["good", key]), InvalidKeyError, said)


def test_no_filter_begins_with_a_bad_key() -> None:
    for make in (
        lambda keys: BloomFilter(FAMILY, keys),
        lambda keys: CountingBloomFilter(FAMILY, keys),
        lambda keys: TCBF(FAMILY, 10, keys=keys),
    ):
        with pytest.raises(InvalidKeyError, match="key 1 is empty"):
            make(["good", ""])


def test_removing_an_absent_key_is_refused() -> None:
    refuse(counting(), lambda f: f.remove("opera"), AbsentKeyError, "'opera' is not in the filter")
    with pytest.raises(KeyError):
        counting().remove("opera")
    refuse(counting(), lambda f: f.remove(""), InvalidKeyError, "empty")


def test_the_message_of_an_absent_key_is_printed_without_quotes() -> None:
    with pytest.raises(AbsentKeyError) as caught:
        counting().remove("opera")
    assert str(caught.value).startswith("'opera' is not")


def test_inserting_into_a_merged_filter_is_refused() -> None:
    f = tcbf() + tcbf()
    refuse(f, lambda f: f.add("opera"), MergedFilterError, "insert into a fresh TCBF")
    refuse(f, lambda f: f.update(["opera"]), MergedFilterError, "insert into a fresh TCBF")
    refuse(f, lambda f: f.update([]), MergedFilterError, "insert into a fresh TCBF")
    with pytest.raises(TypeError):
        f.add("opera")


# ------------------------------------------------------------------ time

BAD_TIMES: list[tuple[Any, str]] = [
    (-1, "-1"),
    (-1e-9, "-1e-09"),
    (math.nan, "nan"),
    (math.inf, "inf"),
    (1e13, r"0\.\.1e\+12, got 1"),
    (10**400, "seconds in 0"),
    ("noon", "noon"),
    (None, "None"),
    (True, "True"),
    (np.complex128(1), "1"),
    (99.9, "the clock went backwards: now 99.9 is before 100"),
]


@pytest.mark.parametrize(("now", "said"), BAD_TIMES)
def test_bad_times_are_refused_by_every_filter(now: Any, said: str) -> None:
    refuse(tcbf(), lambda f: f.decay(now), ClockError, said)
    refuse(pool(), lambda f: f.decay(now), ClockError, said)
    refuse(sptbf(), lambda f: f.insert("jazz", 1, 5, now), ClockError, said)
    refuse(sptbf(), lambda f: f.query("jazz", now), ClockError, said)
    refuse(sptbf(), lambda f: f.adjust_time(now), ClockError, said)
    refuse(sptbf(), lambda f: f.merge(sptbf(), now), ClockError, said)


@pytest.mark.parametrize(("now", "said"), BAD_TIMES[:-1])
def test_no_filter_begins_at_a_bad_time(now: Any, said: str) -> None:
    for make in (lambda: TCBF(FAMILY, 10, now=now), lambda: SpTBF(FAMILY, now=now)):
        with pytest.raises(ClockError, match=said):
            make()
    refuse(sptbf(), lambda f: f.rebase(now), ClockError, said)


def test_a_filter_from_the_future_is_refused_by_an_sptbf() -> None:
    ahead = sptbf()
    ahead.adjust_time(110.0)
    refuse(sptbf(), lambda f: f.merge(ahead, 105.0), ClockError, "now 105.0 is before 110")


# ------------------------------------------------------------------ strangers


@pytest.mark.parametrize("difference", STRANGERS)
def test_filters_of_different_families_are_not_combined(difference: str) -> None:
    stranger = STRANGERS[difference]
    said = "different network keys" if difference == "key" else "different shapes"
    refuse(bloom(), lambda f: f | bloom(stranger), MismatchError, said)
    refuse(bloom(), lambda f: f & bloom(stranger), MismatchError, said)
    refuse(counting(), lambda f: f + counting(stranger), MismatchError, said)
    for act in (TCBF.a_merge, TCBF.m_merge, TCBF.__add__, TCBF.__or__):
        refuse(tcbf(), lambda f, act=act: act(f, tcbf(stranger)), MismatchError, said)  # type: ignore[misc]
    refuse(tcbf(), lambda f: f.preference("jazz", than=tcbf(stranger)), MismatchError, said)
    refuse(pool(), lambda f: f.a_merge(tcbf(stranger)), MismatchError, said)
    refuse(pool(), lambda f: f.m_merge(pool(stranger)), MismatchError, said)
    refuse(sptbf(), lambda f: f.merge(sptbf(stranger), 100.0), MismatchError, said)
    refuse(sptbf(), lambda f: f | sptbf(stranger), MismatchError, said)


def test_the_refusal_names_both_shapes() -> None:
    with pytest.raises(MismatchError, match=r"m=64, k=3, distinct=False and m=65, k=3, distinct=False"):
        bloom() | bloom(STRANGERS["m"])


@pytest.mark.parametrize("other", [*MAKERS, "text"])
def test_filters_of_different_kinds_are_not_combined(other: str) -> None:
    stranger: Any = MAKERS[other]() if other in MAKERS else "jazz"
    kind = type(stranger).__name__
    if other != "tcbf":
        refuse(tcbf(), lambda f: f.a_merge(stranger), MismatchError, kind)
        refuse(tcbf(), lambda f: f.m_merge(stranger), MismatchError, kind)
        refuse(pool(), lambda f: f.a_merge(stranger), MismatchError, kind)
        refuse(tcbf(), lambda f: f.preference("jazz", than=stranger), MismatchError, kind)
    if other != "pool":
        refuse(pool(), lambda f: f.m_merge(stranger), MismatchError, kind)
    if other != "sptbf":
        refuse(sptbf(), lambda f: f.merge(stranger, 100.0), MismatchError, kind)


def test_sptbfs_of_different_widths_or_readings_are_not_combined() -> None:
    wide, literal = SpTBF(FAMILY, time_bits=7), SpTBF(FAMILY, strict_equations=True)
    refuse(sptbf(), lambda f: f.merge(wide, 100.0), MismatchError, r"2\+6 bits and 2\+7 bits")
    refuse(sptbf(), lambda f: f.merge(literal, 100.0), MismatchError, "strict_equations")


# ------------------------------------------------------------------ settings

BAD_SETTINGS: list[tuple[Callable[[], object], str]] = [
    (lambda: BloomFilter("m=64"), "made from a Hashing"),  # type: ignore[arg-type]
    (lambda: CountingBloomFilter(64), "made from a Hashing"),  # type: ignore[arg-type]
    (lambda: TCBF(FAMILY, 0), r"initial must lie in 1\.\.255, got 0"),
    (lambda: TCBF(FAMILY, 256), r"initial must lie in 1\.\.255, got 256"),
    (lambda: TCBF(FAMILY, 5, ceiling=4), r"initial must lie in 1\.\.4, got 5"),
    (lambda: TCBF(FAMILY, 5, ceiling=0), "ceiling must lie in"),
    (lambda: TCBF(FAMILY, 5, ceiling=2**32), "got 4294967296"),
    (lambda: TCBF(FAMILY, 5.0), "whole number, got 5.0"),  # type: ignore[arg-type]
    (lambda: TCBF(FAMILY, 5, 0), r"decay_cycle must lie in 1e-06\.\.inf, got 0"),
    (lambda: TCBF(FAMILY, 5, -1.0), "got -1.0"),
    (lambda: TCBF(FAMILY, 5, 1e-12), "got 1e-12"),
    (lambda: TCBF(FAMILY, 5, math.nan), "got nan"),
    (lambda: TCBF(FAMILY, 5, "often"), "must be a number, got 'often'"),  # type: ignore[arg-type]
    (lambda: TCBF(FAMILY, 5, np.complex128(1)), "must be a number"),  # type: ignore[arg-type]
    (lambda: TCBF(FAMILY, 5, decay_factor=-0.1), "decay_factor must lie in"),
    (lambda: TCBF(FAMILY, 5, decay_factor=math.inf), "got inf"),
    (lambda: TCBF(FAMILY, 5, 1.0, decay_factor=1.0), "not both"),
    (lambda: TCBFPool(tcbf(), -0.1, 3), r"threshold must lie in 0\.\.1, got -0.1"),
    (lambda: TCBFPool(tcbf(), 1.1, 3), "got 1.1"),
    (lambda: TCBFPool(tcbf(), 0.1, 0), r"limit must lie in 1\.\.65536, got 0"),
    (lambda: TCBFPool(tcbf(), 0.1, 2**16 + 1), "got 65537"),
    (lambda: TCBFPool(FAMILY, 0.1, 3), "made from a TCBF"),  # type: ignore[arg-type]
    (lambda: SpTBF(FAMILY, hop_bits=0), r"hop_bits must lie in 1\.\.8, got 0"),
    (lambda: SpTBF(FAMILY, hop_bits=9), "got 9"),
    (lambda: SpTBF(FAMILY, time_bits=0), r"time_bits must lie in 1\.\.32, got 0"),
    (lambda: SpTBF(FAMILY, time_bits=33), "got 33"),
]


@pytest.mark.parametrize(("make", "said"), BAD_SETTINGS)
def test_impossible_settings_are_refused(make: Callable[[], object], said: str) -> None:
    with pytest.raises(InvalidValueError, match=said):
        make()


@pytest.mark.parametrize("cycle", [0, -1, math.nan, "x", 10**400])
def test_a_running_filter_refuses_an_impossible_decay_cycle(cycle: Any) -> None:
    refuse(tcbf(), lambda f: setattr(f, "decay_cycle", cycle), InvalidValueError, "decay_cycle must")


def test_a_length_of_time_is_above_0_and_may_be_infinite() -> None:
    assert [require_length("horizon", good) for good in (0.5, 3, math.inf)] == [0.5, 3.0, math.inf]
    for bad, said in ((0, "larger than 0 seconds, got 0"), (-1, "got -1"), (math.nan, "got nan"), ("x", "a number")):
        with pytest.raises(InvalidValueError, match=said):
            require_length("horizon", bad)


@pytest.mark.parametrize(
    ("hops", "lifetime", "said"),
    [
        (0, 5, r"hops must lie in 1\.\.3, got 0"),
        (4, 5, r"hops must lie in 1\.\.3, got 4"),
        (1.5, 5, "whole number, got 1.5"),
        (1, 0, r"lifetime must lie in 0.001\.\.63, got 0"),
        (1, 64, r"lifetime must lie in 0.001\.\.63, got 64"),
        (1, math.nan, "got nan"),
        (1, "long", "must be a number, got 'long'"),
    ],
)
def test_hops_and_lifetimes_that_do_not_fit_are_refused(hops: Any, lifetime: Any, said: str) -> None:
    refuse(sptbf(), lambda f: f.insert("opera", hops, lifetime, 200.0), InvalidValueError, said)


def test_numpy_numbers_of_any_width_are_as_good_as_pythons() -> None:
    narrow = TCBF(FAMILY, np.uint8(10), np.float32(60), ceiling=np.uint16(255), now=np.uint8(100))  # type: ignore[arg-type]
    assert narrow == TCBF(FAMILY, 10, 60.0, now=100.0)
    assert TCBFPool(narrow, np.float32(0.5), np.uint8(2)) == TCBFPool(narrow, 0.5, 2)  # type: ignore[arg-type]
    wide = SpTBF(FAMILY, hop_bits=np.uint8(8), time_bits=np.uint8(32), now=np.uint8(100))  # type: ignore[arg-type]
    assert (wide.max_hops, wide.max_lifetime) == (255, 2**32 - 1)
    wide.insert("jazz", np.uint8(255), np.uint8(60), np.uint8(200))  # type: ignore[arg-type]
    assert wide.query("jazz", 259.9)
    assert not wide.query("jazz", 260)
