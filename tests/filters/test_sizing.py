"""The papers' equations: values worked out elsewhere, limits, and refusals."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from hunet.filters import sizing
from hunet.model.errors import InvalidValueError


def binomial_survival(keys: int, p: Fraction, x: int) -> Fraction:
    """P(X >= x), exactly."""
    return sum((math.comb(keys, i) * p**i * (1 - p) ** (keys - i) for i in range(x, keys + 1)), Fraction(0))


def test_one_filter_in_reference_values() -> None:  # spec section 1, to the digits printed there
    assert sizing.fill_ratio(38, 256, 4) == pytest.approx(0.4477, abs=5e-5)
    assert sizing.set_bits(38, 256, 4) == pytest.approx(114.6, abs=0.05)
    assert sizing.false_positive_rate(38, 256, 4) == pytest.approx(0.0402, abs=5e-5)
    assert sizing.false_positive_rate(38, 256, 4, exact=True) == pytest.approx(0.0404, abs=5e-5)
    assert sizing.false_positive_rate(38, 256, 3) == pytest.approx(0.0464, abs=5e-5)
    assert sizing.false_positive_rate_as_printed(38, 256, 4) == pytest.approx(5.5e-14, rel=0.01)


@pytest.mark.parametrize(("n", "m", "k"), [(1, 2, 1), (3, 7, 2), (10, 64, 3), (38, 256, 4)])
def test_the_exact_forms_equal_fractions(n: int, m: int, k: int) -> None:
    ratio = 1 - (1 - Fraction(1, m)) ** (n * k)
    assert sizing.fill_ratio(n, m, k, exact=True) == pytest.approx(float(ratio), rel=1e-12)  # a few roundings
    assert sizing.set_bits(n, m, k, exact=True) == pytest.approx(float(m * ratio), rel=1e-12)
    assert sizing.false_positive_rate(n, m, k, exact=True) == pytest.approx(float(ratio**k), rel=1e-12)


def test_edges_of_one_filter() -> None:
    assert sizing.fill_ratio(0, 256, 4) == 0
    assert sizing.fill_ratio(0, 1, 1, exact=True) == 0
    assert sizing.fill_ratio(1, 1, 1, exact=True) == 1
    assert sizing.keys_from_fill_ratio(1.0, 256, 4) == math.inf
    assert sizing.keys_from_fill_ratio(0.0, 256, 4) == 0
    assert sizing.false_positive_rate_of(0.5, 3) == 0.125
    assert sizing.waste_split(0.04) == pytest.approx((0.0016, 0.0384), rel=1e-12)
    for m, bits in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (256, 8), (257, 9), (2**31, 31)]:
        assert sizing.position_bits(m) == sizing.position_bits(np.int64(m)) == bits  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [1, 10, 38])
def test_keys_from_fill_ratio_inverts_the_fill_ratio(n: int) -> None:
    assert sizing.keys_from_fill_ratio(sizing.fill_ratio(n, 256, 4), 256, 4) == pytest.approx(n, rel=1e-12)


@pytest.mark.parametrize(("keys", "m", "k"), [(0, 8, 2), (1, 8, 2), (5, 16, 3), (20, 64, 4), (6, 3, 5)])
def test_the_expected_minimum_is_the_mean_of_the_smallest_binomial(keys: int, m: int, k: int) -> None:
    p = min(Fraction(1), Fraction(k, m))
    tail = [binomial_survival(keys, p, x) ** k for x in range(keys + 2)]
    mean = sum(x * (tail[x] - tail[x + 1]) for x in range(1, keys + 1))
    assert sizing.expected_minimum(keys, m, k) == pytest.approx(float(mean), rel=1e-9)  # logs of factorials
    at_most = [(1 - binomial_survival(keys, p, x + 1)) ** k for x in range(keys + 1)]
    printed = math.prod(at_most[x] - at_most[x - 1] for x in range(1, keys + 1))
    # Differences of numbers near 1 lose their last digits, so the printed form is compared up to 1e-9 in all.
    assert sizing.expected_minimum_as_printed(keys, m, k) == pytest.approx(float(printed), abs=1e-9)


def test_the_decay_factor_in_reference_values() -> None:  # AMB-08, to the digits printed there
    assert 60 * sizing.decay_factor(50, 36_000, 78, 256, 4) == pytest.approx(0.1054, abs=5e-5)
    assert sizing.decay_factor(50, 100, 0, 256, 4, delta=0.25) == 0.75


def test_feedback_moves_the_decay_factor_towards_the_target() -> None:
    assert sizing.next_decay_factor(1.0, 0.5, 2, target=0.1) == 1.25
    assert sizing.next_decay_factor(1.0, 0.5, 2, target=0.25) == 0.8
    assert sizing.next_decay_factor(1.0, 0.5, 2, target=0.1, step=2) == 2.0


def test_tuning_finds_the_smallest_factor_that_meets_the_target() -> None:
    seen: list[float] = []

    def observe(factor: float) -> float:
        seen.append(factor)
        return 1 / (1 + factor)

    factor = sizing.tune_decay_factor(observe, target=0.25, low=0.0, high=8.0, steps=30)
    assert 3.0 <= factor <= 3.0 + 8 / 2**30  # 30 halvings
    assert len(seen) == 32
    assert sizing.tune_decay_factor(observe, target=1.0, low=0.0, high=8.0) == 0.0
    with pytest.raises(InvalidValueError, match=r"even at a decay factor of 8 the rate is 0.1111, above 0.1"):
        sizing.tune_decay_factor(observe, target=0.1, low=0.0, high=8.0)


def test_unique_keys_in_reference_values() -> None:  # ERR-07, to the digits printed there
    assert sizing.unique_keys(20, 38) == pytest.approx(15.71, abs=0.005)
    assert sizing.unique_keys(1, 38, per_node=5) == pytest.approx(5, rel=1e-12)
    assert sizing.unique_keys(3, 5, per_node=5) == 5
    assert sizing.unique_keys_as_printed(20, 38) == pytest.approx(12.05, abs=0.005)
    assert sizing.unique_keys_weighted(20, [1] * 38) == pytest.approx(sizing.unique_keys(20, 38), rel=1e-12)
    assert sizing.unique_keys_weighted(2, [3, 1]) == pytest.approx(1 - 1 / 16 + 1 - 9 / 16, rel=1e-12)


def test_several_filters_in_reference_values() -> None:  # ERR-09 and ERR-10, to the digits printed there
    for filters, rate in [(1, 0.0402), (2, 0.0087), (4, 0.00145), (8, 2.1e-4), (38, 2.2e-6)]:
        assert sizing.joint_false_positive_rate([38 / filters] * filters, 256, 4) == pytest.approx(rate, rel=0.03)
    for filters, bits in [(1, 1031.6), (2, 1183.6), (4, 1271.3)]:
        printed = sizing.memory_bits_as_printed([38 / filters] * filters, 256, 4)
        assert printed == pytest.approx(bits, abs=0.05)
    assert sizing.memory_bits([38], 256, 4) == pytest.approx(16 * 114.6, abs=16 * 0.05)
    assert sizing.joint_false_positive_rate([], 256, 4) == 0
    assert sizing.joint_false_positive_rate([10**9], 8, 1) == 1.0


@pytest.mark.parametrize("as_printed", [False, True])
@pytest.mark.parametrize("n", [1, 5, 38])
def test_the_best_number_of_filters_equals_exhaustive_search(n: int, as_printed: bool) -> None:
    memory = sizing.memory_bits_as_printed if as_printed else sizing.memory_bits
    sizes = [memory([n / h] * h, 256, 4) for h in range(1, n + 1)]
    for budget in [sizes[0], *(size * 1.0001 for size in sizes), 1e9, math.inf]:
        found = sizing.allocate_filters(n, 256, 4, budget, as_printed)
        assert found.filters == max(h for h, size in enumerate(sizes, 1) if size <= budget * (1 + 1e-12))
        assert found.threshold == sizing.fill_ratio(n / found.filters, 256, 4)
    with pytest.raises(InvalidValueError, match=f"{n} keys? need .* bits in one filter; the budget is 1"):
        sizing.allocate_filters(n, 256, 4, 1)


def test_paper_units_give_the_papers_number_of_filters() -> None:
    assert sizing.allocate_filters(38, 256, 4, 1200, as_printed=True).filters == 2
    assert sizing.allocate_filters(38, 256, 4, 1300, as_printed=True).filters == 5


BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: sizing.fill_ratio(-1, 256, 4), r"n must lie in 0\.\.inf, got -1"),
    (lambda: sizing.fill_ratio(math.nan, 256, 4), "got nan"),
    (lambda: sizing.fill_ratio(1, 0, 4), "m must lie in"),
    (lambda: sizing.fill_ratio(1, 256, 0), "k must lie in"),
    (lambda: sizing.fill_ratio(1, 2.5, 4), "m must be a whole number, got 2.5"),  # type: ignore[arg-type]
    (lambda: sizing.fill_ratio(10**400, 256, 4), "n must be a number"),
    (lambda: sizing.set_bits(-1, 256, 4), "n must lie in"),
    (lambda: sizing.false_positive_rate(-1, 256, 4), "n must lie in"),
    (lambda: sizing.false_positive_rate_of(1.5, 4), r"fill ratio must lie in 0\.\.1, got 1.5"),
    (lambda: sizing.false_positive_rate_of(0.5, 0), "k must lie in"),
    (lambda: sizing.false_positive_rate_as_printed(-1, 256, 4), "n must lie in"),
    (lambda: sizing.keys_from_fill_ratio(-0.1, 256, 4), r"fill ratio must lie in 0\.\.1, got -0.1"),
    (lambda: sizing.keys_from_fill_ratio(0.1, 0, 4), "m must lie in"),
    (lambda: sizing.position_bits(0), "m must lie in"),
    (lambda: sizing.waste_split(2), "rate must lie in"),
    (lambda: sizing.expected_minimum(-1, 256, 4), r"keys must lie in 0\.\.10000000, got -1"),
    (lambda: sizing.expected_minimum(10**8, 256, 4), "got 100000000"),
    (lambda: sizing.expected_minimum_as_printed(5, 0, 4), "m must lie in"),
    (lambda: sizing.decay_factor(-1, 100, 5, 256, 4), "initial must lie in"),
    (lambda: sizing.decay_factor(50, -1, 5, 256, 4), "delay limit must lie in"),
    (lambda: sizing.decay_factor(50, 0, 5, 256, 4), "delay limit must be larger than 0, got 0"),
    (lambda: sizing.decay_factor(50, 100, 5, 256, 4, delta=-1), "delta must lie in"),
    (lambda: sizing.next_decay_factor(-1, 0.5, 4, 0.1), "decay factor must lie in"),
    (lambda: sizing.next_decay_factor(1, 0.5, 4, 1.5), "target must lie in"),
    (lambda: sizing.next_decay_factor(1, 0.5, 4, 0.1, step=0.5), "step must lie in"),
    (lambda: sizing.tune_decay_factor(float, -1, 0, 1), "target must lie in"),
    (lambda: sizing.tune_decay_factor(float, 0.1, -1, 1), "low must lie in"),
    (lambda: sizing.tune_decay_factor(float, 0.1, 2, 1), r"high must lie in 2\.\.inf, got 1"),
    (lambda: sizing.tune_decay_factor(float, 0.1, 0, 1, steps=0), "steps must lie in"),
    (lambda: sizing.unique_keys(-1, 38), "nodes must lie in"),
    (lambda: sizing.unique_keys(5, 0), "pool must lie in"),
    (lambda: sizing.unique_keys(5, 38, 39), r"keys per node must lie in 1\.\.38, got 39"),
    (lambda: sizing.unique_keys_as_printed(0, 1), "pool must lie in 2"),
    (lambda: sizing.unique_keys_weighted(-1, [1]), "draws must lie in"),
    (lambda: sizing.unique_keys_weighted(1, []), "weights must be"),
    (lambda: sizing.unique_keys_weighted(1, [0, 0]), "weights must be"),
    (lambda: sizing.unique_keys_weighted(1, [1, -1]), "weights must be"),
    (lambda: sizing.unique_keys_weighted(1, [1, math.inf]), "weights must be"),
    (lambda: sizing.joint_false_positive_rate([1, -1], 256, 4), "n must lie in"),
    (lambda: sizing.memory_bits([-1], 256, 4), "n must lie in"),
    (lambda: sizing.allocate_filters(0, 256, 4, 1000), "n must lie in"),
    (lambda: sizing.allocate_filters(5, 256, 4, math.nan), "budget must lie in"),
]


@pytest.mark.parametrize(("call", "said"), BAD)
def test_impossible_questions_are_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(InvalidValueError, match=said):
        call()
