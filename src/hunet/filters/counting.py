"""The counting Bloom filter: a multiset of keys that can also remove."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hunet.filters.base import Filter
from hunet.filters.bloom import BloomFilter, bloom_of
from hunet.filters.counters import a_merge, value, values_of
from hunet.filters.hashing import Hashing
from hunet.filters.keys import Keys
from hunet.kernels import loop
from hunet.model.errors import AbsentKeyError

__all__ = ["CountingBloomFilter"]

_a_merge = loop(a_merge)
"""For Python; compiled code takes the kernels themselves."""

STUCK = 255
"""A counter that reached this has lost count; it is never lowered again, so that no key is denied."""


@loop
def _count_up(row: Any, table: Any) -> None:
    for column in range(table.shape[1]):
        for i in range(table.shape[0]):
            position = table[i, column]
            row[position] += np.uint8(row[position] != np.uint8(255))


@loop
def _count_down(row: Any, table: Any, column: Any) -> None:
    for i in range(table.shape[0]):
        position = table[i, column]
        row[position] -= np.uint8((row[position] != np.uint8(255)) & (row[position] != np.uint8(0)))


class CountingBloomFilter(Filter):
    """A multiset of keys in m one-byte counters ([bsub10] III). Behaves like a `collections.Counter`.

    Removing a key that is confirmed but was never added takes counts from others and can make the filter deny keys
    it holds: the known price of deletion.

    >>> f = CountingBloomFilter(Hashing(m=256, k=4), ["jazz", "jazz", "opera"])
    >>> f["jazz"], f["opera"], f["chess"]
    (2, 1, 0)
    >>> f.remove("jazz"); f.remove("jazz")
    >>> "jazz" in f, len(f)
    (False, 1)
    """

    __slots__ = ("counters",)
    counters: npt.NDArray[np.uint8]

    def __init__(self, hashing: Hashing, keys: Keys = ()) -> None:
        super().__init__(hashing)
        self.counters = np.zeros(hashing.m, np.uint8)
        self.update(keys)

    def add(self, key: str | bytes) -> None:
        """Add one occurrence of a key. O(k)."""
        _count_up(self.counters, self._hashing.column(key))

    def update(self, keys: Keys) -> None:
        """Add many keys; fastest from an Arrow string array. A bad key raises before anything is added."""
        for table in self._hashing.tables(keys):
            _count_up(self.counters, table)

    def remove(self, key: str | bytes) -> None:
        """Remove one occurrence of a key. O(k)."""
        column = self._hashing.column(key)
        if not value(self.counters, column, 0):
            raise AbsentKeyError(f"{key!r} is not in the filter, so it cannot be removed")
        _count_down(self.counters, column, 0)

    def __contains__(self, key: str | bytes) -> bool:
        return self[key] > 0

    def __getitem__(self, key: str | bytes) -> int:
        """How often the key was added: the smallest of its counters, never too low, at most 255."""
        return int(value(self.counters, self._hashing.column(key), 0))

    def counts(self, keys: Keys) -> npt.NDArray[np.uint8]:
        """`self[key]` for many keys; fastest from an Arrow string array."""
        answers = [np.zeros(0, np.uint8)]
        for table in self._hashing.tables(keys):
            answer = np.empty(table.shape[1], np.uint8)
            values_of(self.counters, table, answer)
            answers.append(answer)
        return np.concatenate(answers)

    @property
    def set_bits(self) -> int:
        return int(np.count_nonzero(self.counters))

    def __add__(self, other: CountingBloomFilter) -> Self:
        """The multiset sum: counters are added. O(m)."""
        if not isinstance(other, CountingBloomFilter):
            return NotImplemented
        self._require_same_family(other)
        result = self.copy()
        _a_merge(result.counters, other.counters, STUCK)
        return result

    def to_bloom(self) -> BloomFilter:
        """The set of keys without their counts."""
        return bloom_of(self._hashing, self.counters)

    def clear(self) -> None:
        """Remove everything."""
        self.counters[:] = 0

    def _content(self) -> tuple[Any, ...]:
        return (self.counters,)

    def __repr__(self) -> str:
        return f"CountingBloomFilter({self._repr_shape()}, set_bits={self.set_bits}, highest={self.counters.max()})"

    def _check(self) -> None:
        assert self.counters.dtype == np.uint8
        assert self.counters.shape == (self._hashing.m,)
