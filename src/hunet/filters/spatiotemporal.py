"""The spatiotemporal Bloom filter (SpTBF): interests that hold within so many hops and for so long."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hunet.filters.base import Filter
from hunet.filters.checks import require_int, require_real, require_time
from hunet.filters.hashing import Hashing
from hunet.filters.slots import adjust, alive, decrement, insert, merge
from hunet.kernels import loop
from hunet.model.errors import ClockError, MismatchError

__all__ = ["SpTBF"]

_adjust, _decrement, _merge = loop(adjust), loop(decrement), loop(merge)
"""For Python; compiled code takes the kernels themselves."""

TICKS_PER_SECOND = 1000


class SpTBF(Filter):
    """A set of labels, each with a number of hops to go and a time to live ([sptbf] 3).

    Every time is an argument, read from the holder's own clock; clocks of different holders need not agree. To hand a
    filter over, the sender lets `adjust_time(now)` and `decrement_hops()` work on a copy and sends it; the receiver
    calls `rebase(now)` with its own clock and merges it into its own filter. `label in f` answers for `f.now`.

    Hop limits and lifetimes must fit into `hop_bits` and `time_bits` (seconds), the paper's 2 and 6 by default: up
    to 3 hops and 63 s. Differs: the paper says 64 s, which 6 bits cannot hold, 0 meaning expired (ERR-21).
    `strict_equations` keeps the printed equations, dead twins included (AMB-65).

    >>> near = SpTBF(Hashing(m=100, k=3))
    >>> near.insert("coffee", hops=2, lifetime=15, now=0)
    >>> "coffee" in near, near.query("coffee", now=14.9), near.query("coffee", now=15)
    (True, True, False)
    """

    __slots__ = ("_hop_bits", "_now", "_strict", "_time_bits", "_timebase", "hops", "times")
    hops: npt.NDArray[np.uint8]
    times: npt.NDArray[np.int64]
    """Milliseconds that each slot lives on, counted from the time base."""

    def __init__(
        self,
        hashing: Hashing,
        *,
        hop_bits: int = 2,
        time_bits: int = 6,
        now: float = 0.0,
        strict_equations: bool = False,
    ) -> None:
        super().__init__(hashing)
        self._hop_bits = require_int("hop_bits", hop_bits, 1, 8)
        self._time_bits = require_int("time_bits", time_bits, 1, 32)
        self._strict = bool(strict_equations)
        self._timebase = self._now = _ticks(require_time(now))
        self.hops = np.zeros(hashing.m, np.uint8)
        self.times = np.zeros(hashing.m, np.int64)

    @property
    def hop_bits(self) -> int:
        """Bits per slot for the hop count."""
        return self._hop_bits

    @property
    def time_bits(self) -> int:
        """Bits per slot for the time, in seconds."""
        return self._time_bits

    @property
    def max_hops(self) -> int:
        """The largest hop limit that fits."""
        return int(2**self._hop_bits - 1)

    @property
    def max_lifetime(self) -> int:
        """The longest lifetime that fits, in seconds."""
        return int(2**self._time_bits - 1)

    @property
    def strict_equations(self) -> bool:
        """Whether dead slots keep their other half, as the printed equations have it."""
        return self._strict

    @property
    def timebase(self) -> float:
        """The instant from which slot times count, on the holder's clock."""
        return self._timebase / TICKS_PER_SECOND

    @property
    def now(self) -> float:
        """The latest time this filter was told."""
        return self._now / TICKS_PER_SECOND

    def insert(self, label: str | bytes, hops: int, lifetime: float, now: float) -> None:
        """Add a label for so many hops and seconds; slots already larger stay. O(k), or O(m) when time passed."""
        hops = require_int("hops", hops, 1, self.max_hops)
        lifetime = require_real("lifetime", lifetime, 1 / TICKS_PER_SECOND, self.max_lifetime)
        ticks = self._later(now)
        column = self._hashing.column(label)
        if not self._strict:
            self.adjust_time(now)
        self._now = ticks
        insert(self.hops, self.times, column, 0, np.uint8(hops), _ticks(lifetime) + self._elapsed)

    def query(self, label: str | bytes, now: float) -> bool:
        """Is the label wanted by somebody within reach at this time? Changes nothing. O(k)."""
        elapsed = self._later(now) - self._timebase
        return bool(alive(self.hops, self.times, self._hashing.column(label), 0, elapsed))

    def __contains__(self, label: str | bytes) -> bool:
        return self.query(label, self.now)

    def merge(self, other: SpTBF, now: float) -> None:
        """Take in what the other knows. Both count from `now` on, on the same clock. O(m).

        A filter received from elsewhere has its own time base: `rebase` it first.
        """
        self._require_same_family(other)
        self._later(now)
        theirs = other.copy()
        theirs.adjust_time(now)
        self.adjust_time(now)
        _merge(self.hops, self.times, theirs.hops, theirs.times)

    def __or__(self, other: SpTBF) -> Self:
        """Merge into a new filter, at the later of the two times (of one clock)."""
        if not isinstance(other, SpTBF):
            return NotImplemented
        result = self.copy()
        result.merge(other, max(self.now, other.now))
        return result

    def adjust_time(self, now: float) -> None:
        """Move the time base to `now`; no query at `now` changes its answer. O(m)."""
        self._now = self._later(now)
        if self._elapsed:
            _adjust(self.hops, self.times, self._elapsed, self._strict)
            self._timebase = self._now

    def decrement_hops(self) -> None:
        """Spend one hop of everything: done once before every transmission. O(m)."""
        _decrement(self.hops, self.times, self._strict)

    def rebase(self, now: float) -> None:
        """Take over a received filter: its times count from `now` on the receiver's clock. O(m).

        This is what makes synchronised clocks unnecessary; only the time in flight is lost ([sptbf] 3). What had
        passed on the sender's clock is taken off first, in case the sender has not done it.
        """
        ticks = _ticks(require_time(now))
        self.adjust_time(self.now)
        self._timebase = self._now = ticks

    def _later(self, now: float) -> int:
        """`now` in ticks; refused when earlier than a time already given."""
        ticks = _ticks(require_time(now))
        if ticks < self._now:
            raise ClockError(f"the clock went backwards: now {now} is before {self.now}")
        return ticks

    @property
    def _elapsed(self) -> int:
        return self._now - self._timebase

    @property
    def set_bits(self) -> int:
        return int(np.count_nonzero((self.hops > 0) & (self.times > self._elapsed)))

    def slots(self) -> list[tuple[int, float]]:
        """The slots as (hops, seconds left from the time base), for looking at."""
        return [(int(h), int(t) / TICKS_PER_SECOND) for h, t in zip(self.hops, self.times, strict=True)]

    def _require_same_family(self, other: Filter) -> None:
        super()._require_same_family(other)
        assert isinstance(other, SpTBF)
        if (self._hop_bits, self._time_bits) != (other._hop_bits, other._time_bits):
            raise MismatchError(
                f"filters of different widths cannot be combined: {self._hop_bits}+{self._time_bits} bits "
                f"and {other._hop_bits}+{other._time_bits} bits per slot"
            )
        if self._strict != other._strict:
            raise MismatchError(
                "a filter that keeps dead twins (strict_equations) does not combine with one that clears them"
            )

    def _content(self) -> tuple[Any, ...]:
        return (self.hops, self.times, self._hop_bits, self._time_bits, self._strict, self._timebase, self._now)

    def __repr__(self) -> str:
        return f"SpTBF({self._repr_shape()}, timebase={self.timebase:g}, now={self.now:g}, live slots={self.set_bits})"

    def _check(self) -> None:
        assert self.hops.shape == self.times.shape == (self._hashing.m,)
        assert int(self.hops.max()) <= self.max_hops
        assert int(self.times.min()) >= 0
        assert self._timebase <= self._now
        assert int(self.times.max()) - self._elapsed <= self.max_lifetime * TICKS_PER_SECOND
        if not self._strict:
            assert np.array_equal(self.hops > 0, self.times > 0), "half-dead slot"


def _ticks(seconds: float) -> int:
    return math.floor(seconds * TICKS_PER_SECOND + 0.5)
