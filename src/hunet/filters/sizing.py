"""How large, how full, how wrong: the papers' equations about filters, as functions.

Corrected forms are the default; where the print differs, the printed form stands beside it under a name that says
so. n keys, m positions, k hash functions throughout. References: [bsub10] B-SUB (ICDCS 2010), [zigzag] ZigZag
(ICCCN 2011); ERR and AMB numbers are explained in `docs/papers/`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_int, require_real
from hunet.model.errors import InvalidValueError

__all__ = [
    "Allocation",
    "allocate_filters",
    "decay_factor",
    "expected_minimum",
    "expected_minimum_as_printed",
    "false_positive_rate",
    "false_positive_rate_as_printed",
    "false_positive_rate_of",
    "fill_ratio",
    "joint_false_positive_rate",
    "keys_from_fill_ratio",
    "memory_bits",
    "memory_bits_as_printed",
    "next_decay_factor",
    "position_bits",
    "set_bits",
    "tune_decay_factor",
    "unique_keys",
    "unique_keys_as_printed",
    "unique_keys_weighted",
    "waste_split",
]

_MANY = 2**62


# ------------------------------------------------------------------ one filter


def fill_ratio(n: float, m: int, k: int, exact: bool = False) -> float:
    """Expected share of set positions, FR ~ 1 - exp(-kn/m) (Eq. 3, [bsub10]); exact: 1 - (1 - 1/m)^(nk).

    >>> round(fill_ratio(38, 256, 4), 4)
    0.4477
    """
    _require_shape(m, k)
    require_real("n", n, 0)
    if exact:
        return -math.expm1(n * k * math.log1p(-1.0 / m)) if m > 1 else float(n > 0)
    return -math.expm1(-k * n / m)


def set_bits(n: float, m: int, k: int, exact: bool = False) -> float:
    """Expected number of set positions, alpha = m FR (Eq. 2, [bsub10])."""
    return m * fill_ratio(n, m, k, exact)


def false_positive_rate(n: float, m: int, k: int, exact: bool = False) -> float:
    """Probability that an absent key is confirmed, (1 - exp(-nk/m))^k (Eq. 1, [bsub10]; Eq. 5, [zigzag]).

    The formula is slightly optimistic in small filters: measured rates lie up to 5 % above it.

    >>> round(false_positive_rate(38, 256, 4), 4), round(false_positive_rate(38, 256, 4, exact=True), 4)
    (0.0402, 0.0404)
    """
    return fill_ratio(n, m, k, exact) ** k


def false_positive_rate_of(ratio: float, k: int) -> float:
    """The same from an observed fill ratio: FR^k."""
    require_real("fill ratio", ratio, 0, 1)
    require_int("k", k, 1, _MANY)
    return float(ratio**k)


def false_positive_rate_as_printed(n: float, m: int, k: int) -> float:
    """The rate printed after Eq. 6 in [bsub10], with exponent n where k is meant (ERR-08)."""
    return float(fill_ratio(n, m, k) ** n)


def keys_from_fill_ratio(ratio: float, m: int, k: int) -> float:
    """How many keys are in a filter that is so full: (m/k) ln(1 / (1 - FR)) ([bsub10] VI-B).

    >>> round(keys_from_fill_ratio(0.4477, 256, 4), 1)
    38.0
    """
    _require_shape(m, k)
    require_real("fill ratio", ratio, 0, 1)
    return -m / k * math.log1p(-ratio) if ratio < 1 else math.inf


def position_bits(m: int) -> int:
    """Bits that name one of m positions: ceil(log2 m), at least 1.

    >>> position_bits(256), position_bits(257)
    (8, 9)
    """
    require_int("m", m, 1, _MANY)
    return max(1, (m - 1).bit_length())


def waste_split(rate: float) -> tuple[float, float]:
    """The false-positive rate in two parts: completely wasted, and not completely wasted ([bsub10] VI-B).

    A message that nobody wants needs a false match at the broker and another at the consumer to be delivered: rate^2.
    The rest, rate (1 - rate), is injected falsely but reaches only those who want it. Both filters are taken to be
    equally full.
    """
    require_real("rate", rate, 0, 1)
    return rate * rate, rate * (1 - rate)


# ------------------------------------------------------------------ decay


def expected_minimum(keys: int, m: int, k: int) -> float:
    """Mean accidental reinforcement of a key by others: E[MIN] (Eq. 4, [bsub10], corrected).

    Each of `keys` other keys hits a given counter with probability k/m; a key dies with the weakest of its k
    counters, so E[MIN] is the mean of the minimum of k binomials: sum over x = 1..N of (1 - F(x - 1))^k.
    Differs: printed as a product without the factor x, which is 0 to machine precision (ERR-05).

    >>> round(expected_minimum(38, 256, 4), 4), round(expected_minimum(78, 256, 4), 4)
    (0.0413, 0.2645)
    """
    return float(np.sum(_survival(keys, m, k) ** k))


def expected_minimum_as_printed(keys: int, m: int, k: int) -> float:
    """Eq. 4 of [bsub10] as printed: the product over x of (1 - F(x - 1)^k) - (1 - F(x)^k) (ERR-05).

    The last bracket, which the print leaves open, is closed at the end.

    >>> f"{expected_minimum_as_printed(5, 256, 4):.1e}", expected_minimum_as_printed(38, 256, 4)
    ('1.6e-21', 0.0)
    """
    below = np.append(1.0 - _survival(keys, m, k), 1.0) ** k  # F(x - 1)^k for x = 1..N + 1
    return float(np.prod(below[1:] - below[:-1]))


def decay_factor(initial: float, delay_limit: float, keys: int, m: int, k: int, delta: float = 0.0) -> float:
    """Counter units to lose per second so that an interest lives about `delay_limit`: Eq. 5, [bsub10].

    DF = (I/T)(1 + E[MIN]) + delta, with N = `keys` collected in T. A node that sets its own DF while running uses
    the number of different nodes it met in its window for N (VII-B); delta is an allowance for M-merges.

    >>> round(60 * decay_factor(50, 10 * 3600, 78, 256, 4), 4)  # per minute
    0.1054
    """
    require_real("initial", initial, 0)
    require_real("delay limit", delay_limit, 0)
    require_real("delta", delta, 0)
    if delay_limit == 0:
        raise InvalidValueError("the delay limit must be larger than 0, got 0")
    return initial / delay_limit * (1.0 + expected_minimum(keys, m, k)) + delta


def next_decay_factor(factor: float, ratio: float, k: int, target: float, step: float = 1.25) -> float:
    """One step of the feedback that a running node can use ([bsub10] VI-B).

    The observed fill ratio implies a false-positive rate FR^k; above the target the factor grows by `step`, below
    it shrinks by as much. Steps of constant ratio follow a network that changes, where a bisection would lock in.
    """
    require_real("decay factor", factor, 0)
    require_real("target", target, 0, 1)
    require_real("step", step, 1)
    return factor * step if false_positive_rate_of(ratio, k) > target else factor / step


def tune_decay_factor(
    observe: Callable[[float], float], target: float, low: float, high: float, steps: int = 20
) -> float:
    """The smallest decay factor found in [low, high] whose observed false-positive rate is at most the target.

    `observe(factor)` runs the network and returns the rate, which falls as the factor grows; there is no closed form
    (VI-B, [bsub10]). Bisection: each step halves the range. The result always meets the target as observed.
    """
    require_real("target", target, 0, 1)
    require_real("low", low, 0)
    require_real("high", high, low)
    require_int("steps", steps, 1, 1000)
    if observe(low) <= target:
        return low
    if (rate := observe(high)) > target:
        raise InvalidValueError(f"even at a decay factor of {high:g} the rate is {rate:.4g}, above {target:g}")
    for _ in range(steps):
        middle = (low + high) / 2
        if observe(middle) <= target:
            high = middle
        else:
            low = middle
    return high


def _survival(keys: int, m: int, k: int) -> npt.NDArray[np.float64]:
    """P(X >= x) for x = 1..keys, X binomial(keys, k/m)."""
    require_int("keys", keys, 0, 10**7)
    _require_shape(m, k)
    p = min(1.0, k / m)
    x = np.arange(keys + 1)
    if p == 1.0:
        return np.ones(keys)
    log_factorial = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, keys + 1)))))
    log_choose = log_factorial[-1] - log_factorial - log_factorial[::-1]
    mass = np.exp(log_choose + x * math.log(p) + (keys - x) * math.log1p(-p))
    tail: npt.NDArray[np.float64] = np.cumsum(mass[::-1])[::-1][1:]  # summed from the small end
    return np.minimum(tail, 1.0)


# ------------------------------------------------------------------ unique keys


def unique_keys(nodes: float, pool: int, per_node: int = 1) -> float:
    """Expected number of different keys when each node picks `per_node` of a pool, all equally likely.

    K (1 - (1 - kbar/K)^N). Differs: Eq. 6 of [bsub10] counts the keys that occur exactly once (ERR-07).

    >>> round(unique_keys(20, 38), 2), round(unique_keys(78, 38), 1)
    (15.71, 33.3)
    """
    _require_pool("nodes", nodes, pool, per_node)
    return float(pool * (1.0 - (1.0 - per_node / pool) ** nodes))


def unique_keys_weighted(draws: float, weights: Sequence[float]) -> float:
    """Expected number of different keys after so many draws from a weighted pool: sum of 1 - (1 - p_i)^N."""
    require_real("draws", draws, 0)
    p = np.asarray(weights, np.float64)
    if p.size == 0 or not np.all(np.isfinite(p)) or np.any(p < 0) or p.sum() == 0:
        raise InvalidValueError("weights must be finite, not negative, and not all 0")
    return float(np.sum(1.0 - (1.0 - p / p.sum()) ** draws))


def unique_keys_as_printed(keys: float, pool: int, per_node: int = 1) -> float:
    """Eq. 6 of [bsub10] as printed: N (1 - 1/K)^(N - kbar), N being the keys collected, kbar from each node (ERR-07).

    >>> round(unique_keys_as_printed(20, 38), 2), round(unique_keys_as_printed(78, 38), 1)
    (12.05, 10.0)
    """
    _require_pool("keys", keys, pool, per_node)
    return float(keys * (1.0 - 1.0 / pool) ** (keys - per_node))


# ------------------------------------------------------------------ several filters


def joint_false_positive_rate(counts: Iterable[float], m: int, k: int) -> float:
    """Rate of several filters asked together, counts[i] keys in filter i: 1 - prod(1 - f_i) (Eq. 7, [bsub10]).

    >>> round(joint_false_positive_rate([19, 19], 256, 4), 4)
    0.0087
    """
    return -math.expm1(sum(math.log1p(-false_positive_rate(n, m, k)) for n in counts))


def memory_bits(counts: Iterable[float], m: int, k: int, counter_bits: int = 8) -> float:
    """Expected size of several filters as position and counter lists (Eq. 8, [bsub10], units corrected).

    Differs: the print adds 1 (byte) to ceil(log2 m) (bits); a set position costs 8 + ceil(log2 m) bits (ERR-03).
    """
    return sum(set_bits(n, m, k) for n in counts) * (counter_bits + position_bits(m))


def memory_bits_as_printed(counts: Iterable[float], m: int, k: int) -> float:
    """Eq. 8 of [bsub10] as printed, with the factor 1 + ceil(log2 m) (ERR-03).

    >>> round(memory_bits_as_printed([38], 256, 4), 1)
    1031.6
    """
    return memory_bits(counts, m, k, counter_bits=1)


@dataclass(frozen=True, slots=True)
class Allocation:
    """A division of keys over filters: how many, and the fill ratio at which the next is opened."""

    filters: int
    threshold: float


def allocate_filters(n: int, m: int, k: int, budget_bits: float, as_printed: bool = False) -> Allocation:
    """The most filters that n keys may be spread over within a memory budget (Eq. 9-10, [bsub10]).

    The joint rate falls and the memory grows with the number of filters h, so the best h is the largest feasible
    one, found by binary search; more filters than keys are of no use (ERR-09, ERR-10). The threshold is the fill
    ratio of an equal share, FR(n/h). `as_printed` measures memory in the units of the print.

    >>> allocate_filters(38, 256, 4, 1200, as_printed=True).filters
    2
    """
    require_int("n", n, 1, _MANY)
    require_real("budget", budget_bits, 0)
    memory = memory_bits_as_printed if as_printed else memory_bits

    def needed(filters: int) -> float:
        return filters * memory([n / filters], m, k)

    if needed(1) > budget_bits:
        raise InvalidValueError(f"{n} keys need {needed(1):.0f} bits in one filter; the budget is {budget_bits:g}")
    low, high = 1, n
    while low < high:
        middle = (low + high + 1) // 2
        if needed(middle) <= budget_bits:
            low = middle
        else:
            high = middle - 1
    return Allocation(low, fill_ratio(n / low, m, k))


def _require_shape(m: int, k: int) -> None:
    require_int("m", m, 1, _MANY)
    require_int("k", k, 1, _MANY)


def _require_pool(name: str, number: float, pool: int, per_node: int) -> None:
    require_real(name, number, 0)
    require_int("pool", pool, 1, _MANY)
    require_int("keys per node", per_node, 1, pool)
