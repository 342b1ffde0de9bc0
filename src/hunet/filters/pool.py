"""Several TCBFs in place of one: a new one is opened when the current is too full ([bsub10] VI-D).

Whole filters are routed, since a received filter cannot be taken apart into keys (spec AMB-09): a filter whose
positions are all set already in one of mine reinforces that one, any other goes into the newest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.filters.base import Filter
from hunet.filters.checks import require_int, require_later, require_real
from hunet.filters.counters import a_merge, count_set, covers, decay, m_merge, ticks_between, value
from hunet.filters.quantities import Column, Count, Counter, Counters, Pool, Table
from hunet.filters.temporal import TCBF
from hunet.kernels import leaf, loop
from hunet.model.errors import InvalidValueError, MismatchError

__all__ = ["TCBFPool", "decay_rows", "m_merge_rows", "receive", "value_in_rows"]


@leaf
def _copy_row(rows: Pool, to: Count, others: Pool, i: Count) -> None:
    """`rows[to, :] = others[i]`, which numba would compile to an allocation."""
    for position in range(rows.shape[1]):
        rows[to, position] = others[i, position]


@leaf
def receive(rows: Pool, used: Count, other: Counters, ceiling: Counter, threshold: float) -> Any:
    """A-merge a received filter into the pool `rows[:used]`; returns the new `used`."""
    if count_set(other) == 0:
        return used
    for i in range(used):
        if covers(rows[i], other):
            a_merge(rows[i], other, ceiling)
            return used
    if used == 0 or (used < rows.shape[0] and count_set(rows[used - 1]) / rows.shape[1] > threshold):
        for position in range(rows.shape[1]):
            rows[used, position] = 0
        used += 1
    a_merge(rows[used - 1], other, ceiling)
    return used


@leaf
def decay_rows(rows: Pool, used: Count, ticks: Count) -> Any:
    """Decay every filter and close the ranks where one became empty; returns the new `used`."""
    kept = 0
    for i in range(used):
        decay(rows[i], ticks)
        if count_set(rows[i]) != 0:
            if kept != i:
                _copy_row(rows, kept, rows, i)
            kept += 1
    return kept


@leaf
def m_merge_rows(rows: Pool, used: Count, others: Pool, others_used: Count) -> Any:
    """M-merge two pools filter by filter; what exceeds the room goes into the last; returns the new `used`."""
    for i in range(others_used):
        if i >= used and used < rows.shape[0]:
            _copy_row(rows, used, others, i)
            used += 1
        else:
            m_merge(rows[min(i, used - 1)], others[i])
    return used


@leaf
def value_in_rows(rows: Pool, used: Count, table: Table, column: Column) -> Any:
    """The largest, over the filters, of the key's smallest counter."""
    best = rows.dtype.type(0)
    for i in range(used):
        best = max(best, value(rows[i], table, column))
    return best


_receive, _decay_rows, _m_merge_rows = loop(receive), loop(decay_rows), loop(m_merge_rows)
"""For Python; compiled code takes the kernels themselves."""


class TCBFPool(Filter):
    """Up to `limit` TCBFs that together confirm fewer absent keys than one.

    `threshold` is the fill ratio above which the next filter is opened; `sizing.allocate_filters` gives both for an
    expected number of keys and a memory budget. The template fixes family, initial counter, ceiling and decay.

    >>> from hunet.filters import Hashing
    >>> pool = TCBFPool(TCBF(Hashing(m=256, k=4), initial=50), threshold=0.1, limit=4)
    >>> for tag in ("jazz", "opera", "chess", "go", "tango", "salsa", "polka", "samba"):
    ...     pool.add(tag)
    >>> pool
    TCBFPool(m=256, k=4, 2 of 4 filters, set_bits=31)
    >>> pool["jazz"], "fado" in pool
    (50, False)
    """

    __slots__ = ("_limit", "_template", "_threshold", "_used", "rows")
    rows: npt.NDArray[np.unsignedinteger[Any]]
    """One row of counters per filter; the first `filters` of them are in use."""

    def __init__(self, template: TCBF, threshold: float, limit: int) -> None:
        if not isinstance(template, TCBF):
            raise InvalidValueError(f"a pool is made from a TCBF, got {template!r}")
        super().__init__(template.hashing)
        self._threshold = require_real("threshold", threshold, 0, 1)
        self._limit = require_int("limit", limit, 1, 2**16)
        self._template = template.copy()
        self._template.counters[:] = 0
        self._template.mark(merged=False)
        self._used = 0
        self.rows = np.zeros((self._limit, self._hashing.m), template.counters.dtype)

    @property
    def template(self) -> TCBF:
        """An empty TCBF with this pool's initial counter, ceiling, decay and present time."""
        return self._template.copy()

    @property
    def filters(self) -> int:
        """How many filters are in use."""
        return self._used

    @property
    def limit(self) -> int:
        """How many filters there may be."""
        return self._limit

    @property
    def threshold(self) -> float:
        """The fill ratio above which the next filter is opened."""
        return self._threshold

    def add(self, key: str | bytes) -> None:
        """Insert a key as a fresh TCBF of its own, which is then A-merged."""
        single = TCBF(self._hashing, self._template.initial, ceiling=self._template.ceiling, now=self._template.now)
        single.add(key)
        self.a_merge(single)

    def a_merge(self, other: TCBF) -> None:
        """A-merge a received filter: into the first filter that covers it, else into the newest. O(limit * m)."""
        if not isinstance(other, TCBF):
            raise MismatchError(f"a pool takes in a TCBF, not {type(other).__name__}")
        _, theirs = self._template._aligned(other)
        self.decay(max(self._template.now, other.now))
        self._used = int(_receive(self.rows, self._used, theirs, self._template.ceiling, self._threshold))

    def m_merge(self, other: TCBFPool) -> None:
        """M-merge another pool filter by filter, in order. O(limit * m)."""
        self._require_same_family(other)
        now = max(self._template.now, other._template.now)
        theirs = other.copy()
        theirs.decay(now)
        self.decay(now)
        self._used = int(_m_merge_rows(self.rows, self._used, self._template.cut(theirs.rows), theirs._used))

    def decay(self, now: float) -> None:
        """Bring every filter to `now` and drop those that became empty. O(limit * m)."""
        now = require_later(now, self._template.now)
        ticks = ticks_between(self._template.now, now, self._template.decay_cycle)
        if ticks:
            self._used = int(_decay_rows(self.rows, self._used, ticks))
        self._template.decay(now)

    def __contains__(self, key: str | bytes) -> bool:
        return self[key] > 0

    def __getitem__(self, key: str | bytes) -> int:
        """The largest, over the filters, of the key's smallest counter; 0 when no filter has it."""
        return int(value_in_rows(self.rows, self._used, self._hashing.column(key), 0))

    @property
    def set_bits(self) -> int:
        return int(np.count_nonzero(self.rows[: self._used]))

    @property
    def fill_ratio(self) -> float:
        """The mean share of set positions of the filters in use."""
        return self.set_bits / (self._hashing.m * max(1, self._used))

    @property
    def false_positive_rate(self) -> float:
        """Joint rate from the positions set now: 1 - prod(1 - FR_i^k) (Eq. 7)."""
        ratios = np.count_nonzero(self.rows[: self._used], axis=1) / self._hashing.m
        return 1.0 - math.prod(1.0 - float(ratio) ** self._hashing.k for ratio in ratios)

    def to_filters(self) -> list[TCBF]:
        """The filters in use, as independent TCBFs."""
        filters = []
        for row in self.rows[: self._used]:
            single = self._template.copy()
            single.counters[:] = row
            single.mark(merged=True)
            filters.append(single)
        return filters

    def replace(self, filters: Sequence[TCBF]) -> None:
        """Put these filters in place of what is there, as they are; for decoders."""
        self.rows[:] = 0
        for row, single in zip(self.rows, filters, strict=False):
            row[:] = single.counters
        self._used = len(filters)

    def __len__(self) -> int:
        return sum(len(single) for single in self.to_filters())

    def _content(self) -> tuple[Any, ...]:
        return (self.rows[: self._used], self._template, self._threshold, self._limit)

    def __repr__(self) -> str:
        return f"TCBFPool({self._repr_shape()}, {self._used} of {self._limit} filters, set_bits={self.set_bits})"

    def _check(self) -> None:
        assert 0 <= self._used <= self._limit
        assert self.rows.shape == (self._limit, self._hashing.m)
        assert np.all(self.rows[: self._used].any(axis=1)), "an empty filter is in use"
        for single in self.to_filters():
            single._check()
