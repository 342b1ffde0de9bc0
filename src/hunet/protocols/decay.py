"""How fast relay filters forget: given, from Eq. 5 of [bsub10], or set by each broker while it runs.

A broker can set its own decay factor in two ways that need nothing but what it sees itself: by Eq. 5 from the number
of different nodes it met in its time window ([bsub10] VII-B), or by feedback, until the false-positive rate implied
by the fill ratio of its relay filters is what it should be (VI-B).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_int, require_length, require_real
from hunet.kernels import leaf
from hunet.protocols.settings import require_choice

__all__ = ["WAYS", "Decay", "cycles_by_nodes_met", "make_decay", "rescale", "retuned_cycle"]

WAYS = ("given", "eq5", "online", "feedback")
_FIXED, _ONLINE, _FEEDBACK = range(3)
_STEP = 1.25  # as `filters.sizing.next_decay_factor`


class Decay(NamedTuple):
    """What a broker needs to know to set its decay cycle."""

    way: int
    start: float
    """The cycle of a new broker."""
    by_nodes_met: npt.NDArray[np.float64]
    """Online: the cycle after so many different nodes in the window."""
    rate: npt.NDArray[np.float64]
    """Feedback: the false-positive rate of a filter with so many positions set."""
    target: float
    shortest: float
    longest: float
    period: float
    """Seconds from one adjustment to the next."""


def cycles_by_nodes_met(
    most: int, m: int, k: int, initial: int, delay_limit: float, delta: float
) -> npt.NDArray[np.float64]:
    """The decay cycle by Eq. 5 for N = 0 to `most` keys collected in the delay limit.

    1 / DF with DF = (I/T)(1 + E[MIN]) + delta, as `filters.sizing.decay_factor` has it. Made by sums and products
    only, one N from the one before, so that every machine gets the same numbers to the last bit.
    """
    p = min(1.0, k / m)
    far = min(most, int(most * p + 40.0 * math.sqrt(most * p)) + 60)  # beyond, probabilities vanish
    cycles = np.empty(most + 1)
    mass = np.zeros(far + 1)  # of a binomial(N, p), from 0 up
    mass[0] = 1.0
    for n in range(most + 1):
        if n:
            mass[1:] = mass[1:] * (1.0 - p) + mass[:-1] * p
            mass[0] *= 1.0 - p
        tail = np.cumsum(mass[min(n, far) : 0 : -1])  # P(X >= x), from the last x down to 1
        power = tail.copy()
        for _ in range(k - 1):
            power *= tail
        expected_minimum = float(np.cumsum(power)[-1]) if n else 0.0
        cycles[n] = 1.0 / (initial / delay_limit * (1.0 + expected_minimum) + delta)
    return cycles


def make_decay(settings: Any, positions: int, most_met: int) -> Decay:
    """From the settings of B-SUB 2010, for filters of so many positions; nobody meets more than `most_met` nodes."""
    way = require_choice("decay", settings.decay, WAYS)
    require_length("decay_cycle", settings.decay_cycle)  # an infinite one: nothing decays
    require_real("delay_limit", settings.delay_limit, 1.0, 1e12)
    require_real("delta", settings.delta, 0.0, 1e6)
    require_int("nodes_met", settings.nodes_met, 0, 10**5)
    require_real("target_rate", settings.target_rate, 0.0, 1.0)
    require_real("feedback_period", settings.feedback_period, 1.0, 1e12)
    m, k, initial = settings.m, settings.k, settings.initial
    most = settings.nodes_met if way == "eq5" else most_met if way == "online" else 0
    cycles = cycles_by_nodes_met(most, m, k, initial, settings.delay_limit, settings.delta)
    rate = np.ones(positions + 1)
    for _ in range(k):
        rate *= np.arange(positions + 1) / positions
    longest = settings.delay_limit / initial  # a lone interest need not outlive the delay limit
    shortest = min(longest, settings.feedback_period / initial)  # nor die before the next look
    start = {"given": float(settings.decay_cycle), "eq5": cycles[-1], "online": cycles[0], "feedback": longest}[way]
    period = {"online": 0.0, "feedback": float(settings.feedback_period)}.get(way, math.inf)
    code = _ONLINE if way == "online" else _FEEDBACK if way == "feedback" else _FIXED
    return Decay(
        code,
        float(start),
        cycles,
        rate,
        float(settings.target_rate),
        float(shortest),
        float(longest),
        period,
    )


@leaf
def retuned_cycle(decay: Any, cycle: Any, nodes_met: Any, relay: Any, used: Any) -> Any:
    """The decay cycle that follows from the nodes met, or from how full the relay filters are."""
    if decay.way == _ONLINE:
        return decay.by_nodes_met[min(nodes_met, decay.by_nodes_met.size - 1)]
    if decay.way == _FEEDBACK:
        right = 1.0  # probability that no filter confirms an absent key (Eq. 7)
        for i in range(used):
            set_count = 0
            for j in range(relay.shape[1]):
                set_count += relay[i, j] != 0
            right *= 1.0 - decay.rate[set_count]
        if right < 1.0 - decay.target:
            return max(decay.shortest, cycle / _STEP)
        return min(decay.longest, cycle * _STEP)
    return cycle


def rescale(counters: npt.NDArray[Any], before: int, initial: int, ceiling: int) -> None:
    """Counters of interests that began at `before`, as if they had begun at `initial`: they stand for as many fresh
    interests as they did, and what is not 0 stays so."""
    counters[:] = np.minimum((counters.astype(np.int64) * initial + before - 1) // before, ceiling)
