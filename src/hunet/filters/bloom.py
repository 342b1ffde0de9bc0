"""The Bloom filter: a set of keys in m bits."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hunet.filters.base import Filter
from hunet.filters.bits import has_keys, matches, set_bits_of, words_for
from hunet.filters.hashing import Hashing
from hunet.filters.keys import Keys

__all__ = ["BloomFilter", "bloom_of"]


class BloomFilter(Filter):
    """A set of keys in m bits ([bsub10] III). Behaves like a `set` that can add but not remove.

    >>> f = BloomFilter(Hashing(m=256, k=4))
    >>> f.add("jazz")
    >>> "jazz" in f, "opera" in f
    (True, False)
    >>> f
    BloomFilter(m=256, k=4, set_bits=4, about 1 key)
    """

    __slots__ = ("words",)
    words: npt.NDArray[np.uint64]
    """The bits, 64 to a word, position p in bit p % 64 of word p // 64: what kernels work on."""

    def __init__(self, hashing: Hashing, keys: Keys = ()) -> None:
        super().__init__(hashing)
        self.words = np.zeros(words_for(hashing.m), np.uint64)
        self.update(keys)

    def add(self, key: str | bytes) -> None:
        """Add one key. O(k)."""
        set_bits_of(self.words, self._hashing.column(key))

    def update(self, keys: Keys) -> None:
        """Add many keys; fastest from an Arrow string array. A bad key raises before anything is added."""
        for table in self._hashing.tables(keys):
            set_bits_of(self.words, table)

    def __contains__(self, key: str | bytes) -> bool:
        return bool(matches(self.words, self._hashing.column(key), 0))

    def contains(self, keys: Keys) -> npt.NDArray[np.bool_]:
        """Which of many keys are in; fastest from an Arrow string array."""
        answers = [np.zeros(0, np.bool_)]
        for table in self._hashing.tables(keys):
            answer = np.empty(table.shape[1], np.bool_)
            has_keys(self.words, table, answer)
            answers.append(answer)
        return np.concatenate(answers)

    @property
    def set_bits(self) -> int:
        return int(np.bitwise_count(self.words).sum())

    def __or__(self, other: BloomFilter) -> Self:
        """Union: confirms every key that either confirms. O(m / 64)."""
        return self._combined(other, np.bitwise_or)

    def __and__(self, other: BloomFilter) -> Self:
        """Bitwise AND: confirms exactly the keys that both confirm. O(m / 64)."""
        return self._combined(other, np.bitwise_and)

    def _combined(self, other: object, operation: np.ufunc) -> Self:
        if not isinstance(other, BloomFilter):
            return NotImplemented  # type: ignore[no-any-return]
        self._require_same_family(other)
        result = self.copy()
        operation(self.words, other.words, out=result.words)
        return result

    def clear(self) -> None:
        """Remove everything."""
        self.words[:] = 0

    def _content(self) -> tuple[Any, ...]:
        return (self.words,)

    def __repr__(self) -> str:
        keys = len(self)
        return f"BloomFilter({self._repr_shape()}, set_bits={self.set_bits}, about {keys} key{'s' * (keys != 1)})"

    def _check(self) -> None:
        m = self._hashing.m
        assert self.words.dtype == np.uint64
        assert self.words.size == words_for(m)
        if m % 64:
            assert int(self.words[-1]) >> (m % 64) == 0, "a bit beyond m is set"


def bloom_of(hashing: Hashing, counters: npt.NDArray[Any]) -> BloomFilter:
    """The plain Bloom filter of the positions whose counters are set."""
    result = BloomFilter(hashing)
    packed = np.packbits(counters != 0, bitorder="little")
    result.words.view(np.uint8)[: packed.size] = packed
    return result
