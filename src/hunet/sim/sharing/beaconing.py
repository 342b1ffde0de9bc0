"""When nodes send beacons, by which clocks, and which beacons are lost.

Beacon n of a node leaves at its phase + n periods + a delay, which is drawn for every beacon. All chance is a hash of
the seed and what it is about (SplitMix64: Steele, Lea and Flood, OOPSLA 2014), so a beacon leaves at the same time
whatever else happens, in every variant of a protocol and on a node that is alone. Times are whole milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_real
from hunet.kernels import leaf
from hunet.model.errors import InvalidValueError
from hunet.protocols.chance import STEP, mix

__all__ = ["TICKS", "Beaconing", "Beacons", "beacons_between", "clock_offsets", "is_lost", "loss_limit"]

TICKS = 1000
"""Per second."""

_PHASE, _DELAY, _LOSS, _CLOCK = range(4)
_AT_A_TIME = 500_000
_YEAR = 365 * 86_400 * TICKS

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Beaconing:
    """How a network sends beacons. Period and radio are our readings (AMB-67)."""

    period: float = 5.0
    """Seconds from beacon to beacon."""
    jitter: float = 0.5
    """A beacon is late by up to so many seconds, so that neighbours do not always speak in the same order."""
    loss: float = 0.0
    """How likely a neighbour misses a beacon; 0 for a radio that reaches all in range, always."""
    clock_offset: float = _YEAR / TICKS
    """Clocks of nodes differ by up to so many seconds."""

    def __post_init__(self) -> None:
        require_real("period", self.period, 0.1, 86_400)
        require_real("loss", self.loss, 0, 1)
        require_real("clock_offset", self.clock_offset, 0, 1e9)
        if not 0 <= self.jitter <= self.period:
            raise InvalidValueError(
                f"jitter {self.jitter:g} s must lie between 0 and the period of {self.period:g} s, "
                "or a node's beacons would overtake each other"
            )


class Beacons(NamedTuple):
    """Beacons in order of time, those of equal time in order of their senders."""

    time: Ints
    node: Ints
    number: Ints
    """Which of its sender's it is."""


@leaf
def _draw(seed: Any, subject: Any, one: Any, two: Any) -> Any:
    """64 random bits about something."""
    word = mix((seed * np.uint64(4) + np.uint64(subject)) * STEP)
    word = mix(word + (np.uint64(one) + np.uint64(1)) * STEP)
    return mix(word + (np.uint64(two) + np.uint64(1)) * STEP)


@leaf
def is_lost(limit: Any, seed: Any, sender: Any, number: Any, receiver: Any) -> Any:
    """Does a neighbour miss this beacon?"""
    about = (np.uint64(sender) << np.uint64(32)) | np.uint64(receiver)
    return _draw(seed, _LOSS, about, number) >> np.uint64(1) < limit


def loss_limit(loss: float) -> np.uint64:
    """What `is_lost` compares with."""
    return np.uint64(int(loss * 2.0**63))


def _below(seed: int, subject: int, one: npt.NDArray[Any], two: npt.NDArray[Any], limit: int) -> Ints:
    """Whole numbers below a limit; 0 where that is 0."""
    with np.errstate(over="ignore"):
        bits = _draw(np.uint64(seed), subject, one.astype(np.uint64), two.astype(np.uint64))
    return np.asarray((bits >> np.uint64(32)) * np.uint64(limit) >> np.uint64(32), np.int64)


def clock_offsets(beaconing: Beaconing, nodes: int, seed: int) -> Ints:
    """By how many milliseconds each node's clock is ahead."""
    every = np.arange(nodes)
    fine = _below(seed, _CLOCK, every, np.zeros(nodes), TICKS)
    return fine + TICKS * _below(seed, _CLOCK, every, np.ones(nodes), int(beaconing.clock_offset))


def beacons_between(
    beaconing: Beaconing, nodes: int, seed: int, start: int, stop: int
) -> Iterator[tuple[int, Beacons]]:
    """All beacons from `start` until before `stop`, in parts of a bounded number, each with the time it goes up to."""
    period = round(beaconing.period * TICKS)
    jitter = round(beaconing.jitter * TICKS)
    every = np.arange(nodes)
    phase = _below(seed, _PHASE, every, np.zeros(nodes), period)
    window = period * max(1, _AT_A_TIME // nodes)
    for begin in range(start, stop, window):
        end = min(begin + window, stop)
        # A node's beacon n leaves between n and n + 2 periods.
        numbers = np.arange(max(0, begin // period - 2), end // period + 1)
        node, number = (part.ravel() for part in np.meshgrid(every, numbers))
        time = phase[node] + number * period + _below(seed, _DELAY, node, number, jitter)
        there = np.flatnonzero((time >= begin) & (time < end))
        order = there[np.lexsort((node[there], time[there]))]
        yield end, Beacons(time[order], node[order], number[order])
