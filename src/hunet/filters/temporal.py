"""The temporal counting Bloom filter (TCBF): interests that fade unless they are renewed."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hunet.filters.base import Filter
from hunet.filters.bloom import BloomFilter, bloom_of
from hunet.filters.checks import require_int, require_later, require_real, require_time
from hunet.filters.counters import a_merge, decay, m_merge, preference, set_keys, ticks_between, value, values_of
from hunet.filters.hashing import Hashing
from hunet.filters.keys import Keys
from hunet.kernels import loop
from hunet.model.errors import InvalidValueError, MergedFilterError

__all__ = ["TCBF"]

_decay, _a_merge, _m_merge = loop(decay), loop(a_merge), loop(m_merge)
"""For Python; compiled code takes the kernels themselves."""

MAX_CEILING = 2**32 - 1
MIN_CYCLE = 1e-6
"""A microsecond: with it, all ticks up to the latest time can be counted in 64 bits."""


class TCBF(Filter):
    """A set of keys whose counters fall with time ([bsub10] IV, [bsub13] 3).

    A key is inserted with counter `initial` (the papers' I or ICV) and vanishes when one of its counters reaches 0,
    after about initial * decay_cycle seconds, unless merges renew it. Counters stop at `ceiling`. Speed of decay is
    given by `decay_cycle` (seconds per unit) or `decay_factor` (units per second), one being the other's inverse;
    without either nothing decays. Ticks fall on multiples of the cycle since time 0 (spec AMB-04), so a key inserted
    between two ticks loses its first unit early.

    Sums and maxima work as for a `collections.Counter`: `f + g` is the A-merge (renewal), `f | g` the M-merge (no
    renewal). A merged filter takes no more keys: insert into a fresh one and merge that.

    >>> mine = TCBF(Hashing(m=256, k=4), initial=10, decay_cycle=60.0, keys=["jazz"])
    >>> mine.decay(now=240.0)
    >>> mine["jazz"], "jazz" in mine
    (6, True)
    >>> yours = TCBF(Hashing(m=256, k=4), initial=10, decay_cycle=60.0, now=240.0, keys=["jazz"])
    >>> (mine + yours)["jazz"], (mine | yours)["jazz"]
    (16, 10)
    >>> mine.decay(now=600.0)
    >>> "jazz" in mine
    False
    """

    __slots__ = ("_ceiling", "_decay_cycle", "_initial", "_merged", "_now", "counters")
    counters: npt.NDArray[np.unsignedinteger[Any]]
    """One counter per position, 0 for a position not set: what kernels work on. uint8 up to a ceiling of 255."""

    def __init__(
        self,
        hashing: Hashing,
        initial: int,
        decay_cycle: float | None = None,
        *,
        decay_factor: float | None = None,
        ceiling: int = 255,
        now: float = 0.0,
        keys: Keys = (),
    ) -> None:
        super().__init__(hashing)
        self._ceiling = require_int("ceiling", ceiling, 1, MAX_CEILING)
        self._initial = require_int("initial", initial, 1, self._ceiling)
        self._now = require_time(now)
        self._merged = False
        self._decay_cycle = _cycle(decay_cycle, decay_factor)
        self.counters = np.zeros(hashing.m, counter_type(self._ceiling))
        self.update(keys)

    @property
    def initial(self) -> int:
        """The counter of a freshly inserted key."""
        return self._initial

    @property
    def ceiling(self) -> int:
        """The value at which counters stop growing."""
        return self._ceiling

    @property
    def decay_cycle(self) -> float:
        """Seconds in which every counter loses 1; infinite when nothing decays. May be changed while running."""
        return self._decay_cycle

    @decay_cycle.setter
    def decay_cycle(self, seconds: float) -> None:
        self._decay_cycle = _cycle(seconds, None)

    @property
    def decay_factor(self) -> float:
        """Units that every counter loses per second: 1 / decay_cycle."""
        return 1.0 / self._decay_cycle

    @property
    def now(self) -> float:
        """The time up to which decay was applied."""
        return self._now

    @property
    def merged(self) -> bool:
        """Whether something was merged into this filter, which forbids inserting."""
        return self._merged

    def add(self, key: str | bytes) -> None:
        """Insert one key: its counters at 0 become `initial`, others stay as they are. O(k)."""
        self._require_unmerged()
        set_keys(self.counters, self._hashing.column(key), self._counter(self._initial))

    def update(self, keys: Keys) -> None:
        """Insert many keys; fastest from an Arrow string array. A bad key raises before anything is inserted."""
        self._require_unmerged()
        for table in self._hashing.tables(keys):
            set_keys(self.counters, table, self._counter(self._initial))

    def decay(self, now: float) -> None:
        """Bring the filter to `now`: every counter loses one unit per tick since the last time. O(m)."""
        now = require_later(now, self._now)
        ticks = ticks_between(self._now, now, self._decay_cycle)
        if ticks:
            _decay(self.counters, ticks)
        self._now = now

    def a_merge(self, other: TCBF) -> None:
        """Add the other's counters to mine, up to the ceiling: hearing an interest again strengthens it. O(m).

        The filter that is behind in time is decayed first (AMB-05); the other is left as it is.
        """
        mine, theirs = self._aligned(other)
        _a_merge(mine, theirs, self._ceiling)
        self.counters, self._now, self._merged = mine, max(self._now, other._now), True

    def m_merge(self, other: TCBF) -> None:
        """Take the larger of each pair of counters: relayed interests do not strengthen each other. O(m)."""
        mine, theirs = self._aligned(other)
        _m_merge(mine, theirs)
        self.counters, self._now, self._merged = mine, max(self._now, other._now), True

    def __add__(self, other: TCBF) -> Self:
        """A-merge into a new filter."""
        if not isinstance(other, TCBF):
            return NotImplemented
        result = self.copy()
        result.a_merge(other)
        return result

    def __or__(self, other: TCBF) -> Self:
        """M-merge into a new filter."""
        if not isinstance(other, TCBF):
            return NotImplemented
        result = self.copy()
        result.m_merge(other)
        return result

    def __contains__(self, key: str | bytes) -> bool:
        """Existential query: are all counters of the key above 0? O(k)."""
        return self[key] > 0

    def __getitem__(self, key: str | bytes) -> int:
        """The smallest of the key's counters; 0 when it is not there. O(k)."""
        return int(value(self.counters, self._hashing.column(key), 0))

    def values(self, keys: Keys) -> npt.NDArray[np.unsignedinteger[Any]]:
        """`self[key]` for many keys; fastest from an Arrow string array."""
        answers = [np.zeros(0, self.counters.dtype)]
        for table in self._hashing.tables(keys):
            answer = np.empty(table.shape[1], self.counters.dtype)
            values_of(self.counters, table, answer)
            answers.append(answer)
        return np.concatenate(answers)

    def preference(self, key: str | bytes, than: TCBF) -> float:
        """Preferential query: how much better this filter knows the key than `than` does. O(k).

        PREF = (c_self - c_than) / c_than, or c_self where c_than is 0, c being the smallest counter of the key.
        Differs: the prose of [bsub10] says c_than for that case, its equation c_self (ERR-01).
        """
        self._require_same_family(than)
        column = self._hashing.column(key)
        return float(preference(value(than.counters, column, 0), value(self.counters, column, 0)))

    @property
    def set_bits(self) -> int:
        return int(np.count_nonzero(self.counters))

    def to_bloom(self) -> BloomFilter:
        """The keys without their counters: what is sent when only matching is needed."""
        return bloom_of(self._hashing, self.counters)

    def mark(self, merged: bool) -> None:
        """Say whether this filter counts as merged; for decoders, which restore filters made elsewhere."""
        self._merged = merged

    def _aligned(self, other: TCBF) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Copies of both rows at the later of the two times, in my counter type, cut at my ceiling."""
        self._require_same_family(other)
        now = max(self._now, other._now)
        mine, theirs = self.counters.copy(), other.counters.copy()
        _decay(mine, ticks_between(self._now, now, self._decay_cycle))
        _decay(theirs, ticks_between(other._now, now, other._decay_cycle))
        return mine, self.cut(theirs)

    def cut(self, counters: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Another filter's counters in my counter type, none above my ceiling."""
        highest = min(self._ceiling, int(np.iinfo(counters.dtype).max))
        narrowed: npt.NDArray[Any] = np.minimum(counters, highest).astype(self.counters.dtype)
        return narrowed

    def _counter(self, number: int) -> np.unsignedinteger[Any]:
        counter: np.unsignedinteger[Any] = self.counters.dtype.type(number)
        return counter

    def _require_unmerged(self) -> None:
        if self._merged:
            raise MergedFilterError(
                "a merged TCBF takes no keys (their counters would no longer be equal): "
                "insert into a fresh TCBF and merge that"
            )

    def _content(self) -> tuple[Any, ...]:
        return (self.counters, self._initial, self._ceiling, self._decay_cycle, self._now, self._merged)

    def __repr__(self) -> str:
        cycle = "no decay" if math.isinf(self._decay_cycle) else f"decay_cycle={self._decay_cycle:g}"
        return (
            f"TCBF({self._repr_shape()}, initial={self._initial}, {cycle}, now={self._now:g}, "
            f"set_bits={self.set_bits}, highest={self.counters.max()}{', merged' * self._merged})"
        )

    def _check(self) -> None:
        assert self.counters.dtype == counter_type(self._ceiling)
        assert self.counters.shape == (self._hashing.m,)
        assert int(self.counters.max()) <= self._ceiling
        if not self._merged:
            assert int(self.counters.max()) <= self._initial


def counter_type(ceiling: int) -> type[np.unsignedinteger[Any]]:
    """The smallest counter that can hold the ceiling."""
    return np.uint8 if ceiling < 2**8 else np.uint16 if ceiling < 2**16 else np.uint32


def _cycle(decay_cycle: float | None, decay_factor: float | None) -> float:
    if decay_cycle is not None and decay_factor is not None:
        raise InvalidValueError("give decay_cycle or decay_factor, not both: one is the inverse of the other")
    if decay_factor is not None:
        factor = require_real("decay_factor", decay_factor, 0, 1 / MIN_CYCLE)
        return 1.0 / factor if factor else math.inf
    if decay_cycle is not None:
        return require_real("decay_cycle", decay_cycle, MIN_CYCLE)
    return math.inf
