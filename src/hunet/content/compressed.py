"""Subscriptions as Bloom filters of their cells ([zigzag] III-C): a filter per subscription, of its own size.

The positions are those of `BloomFilter(Hashing(m, k, key))` with the cell number, 8 bytes little-endian, as key. A
cell is hashed once, however many filters of different sizes are asked.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.content.cover import Intervals
from hunet.content.curves import Ids
from hunet.content.rows import Rows
from hunet.content.stabbing import Found
from hunet.filters.checks import require_int
from hunet.filters.hashing import MAX_HASHES, MAX_POSITIONS, PUBLIC_KEY, Hashing, siphash128
from hunet.kernels import leaf, loop
from hunet.model.errors import InvalidValueError

__all__ = ["MOST_POINTS", "CompressedIndex", "Sizing", "filter_sizes"]

Sizing = Literal["literal", "safe"]
MOST_POINTS = 2**24
"""Cells of one subscription: more would take long to insert, and a grid so fine helps nobody."""
_ANSWERS = 2**20  # at a time


def filter_sizes(intervals: Intervals, sizing: Sizing) -> npt.NDArray[np.int64]:
    """Bits per subscription: 64 per interval, the memory of an interval tree ([zigzag] III-C, the literal reading).

    Differs: `safe` gives at least 8 bits per cell as well, because one interval can hold many cells, and then 64 bits
    are soon all set (AMB-80).
    """
    literal = 64 * intervals.counts
    if sizing == "literal":
        return literal
    if sizing == "safe":
        return np.maximum(literal, 8 * intervals.points.astype(np.int64))
    raise InvalidValueError(f"filters are sized 'literal' or 'safe', got {sizing!r}")


class _Scratch(NamedTuple):
    """One cell number as a word and as bytes, and its hash slices."""

    word: npt.NDArray[np.uint64]
    bytes: npt.NDArray[np.uint8]
    slices: npt.NDArray[np.uint64]


class _Filters(NamedTuple):
    """All filters, as kernels take them: that of row i has bits[i] bits from words[begins[i]] on."""

    words: npt.NDArray[np.uint64]
    bits: npt.NDArray[np.uint64]
    begins: npt.NDArray[np.int64]
    owners: npt.NDArray[np.int32]
    scratch: _Scratch


class CompressedIndex:
    """Bloom filters of the cells of many subscriptions, and which of them confirm a cell."""

    def __init__(self, sizing: Sizing, hashes: int, key: bytes = PUBLIC_KEY) -> None:
        self._sizing: Sizing = sizing
        self._family = Hashing(m=1, k=require_int("hashes", hashes, 1, MAX_HASHES), key=key).record
        self._words = Rows((), np.uint64)
        self._bits = Rows((), np.uint64)
        self._begins = Rows((), np.int64)
        self._owners = Rows((), np.int32)

    def add(self, intervals: Intervals, owners: npt.NDArray[np.int32]) -> None:
        """Add a filter per owner with the cells of its intervals."""
        if len(intervals) and intervals.points.max() > MOST_POINTS:
            raise InvalidValueError(
                f"a subscription has {intervals.points.max():,.0f} cells, more than {MOST_POINTS:,} to put into a "
                "Bloom filter; use fewer bits per dimension"
            )
        bits = filter_sizes(intervals, self._sizing)
        if bits.size and bits.max() > MAX_POSITIONS:
            raise InvalidValueError(f"a filter of {bits.max():,} bits is larger than {MAX_POSITIONS:,}")
        lengths = -(-bits // 64)
        first = len(self._owners)
        self._begins.append(len(self._words) + np.cumsum(lengths) - lengths)
        self._words.append(np.zeros(int(lengths.sum()), np.uint64))
        self._bits.append(bits.astype(np.uint64))
        self._owners.append(owners)
        _insert(self._family, self._filters(), first, intervals.starts, intervals.stops, intervals.offsets)

    def find(self, ids: Ids, alive: npt.NDArray[np.uint8]) -> Found:
        """The owners whose filters confirm each cell, without those whose `alive` is 0; empty: all are."""
        counts = np.zeros(ids.size + 1, np.int64)
        step = max(1, _ANSWERS // max(1, len(self._owners)))
        out = np.empty(min(step, max(1, ids.size)) * len(self._owners), np.int32)
        parts = [np.empty(0, np.int32)]
        for begin in range(0, ids.size, step):
            found = _find(self._family, self._filters(), ids[begin : begin + step], alive, counts[begin + 1 :], out)
            parts.append(out[:found].copy())
        return np.cumsum(counts), np.concatenate(parts)

    def _filters(self) -> _Filters:
        word = np.zeros(1, np.uint64)
        scratch = _Scratch(word, word.view(np.uint8), np.zeros(self._family.k, np.uint64))
        return _Filters(self._words.array, self._bits.array, self._begins.array, self._owners.array, scratch)

    @property
    def bits(self) -> int:
        """Memory of all filters together."""
        return int(self._bits.array.sum())


@leaf
def _slice_up(family: Any, scratch: _Scratch, cell: np.uint64) -> None:
    """The k 32-bit slices of a cell's hash: the one thing that positions in filters of every size are made from."""
    scratch.word[0] = cell
    done = np.uint64(0)
    block = np.uint64(0)
    while done < np.uint64(family.k):
        words = siphash128(scratch.bytes, np.uint64(0), np.uint64(8), family.key_low, family.key_high ^ block)
        for part in range(4):
            if done < np.uint64(family.k):
                word = words[0] if part < 2 else words[1]
                scratch.slices[done] = (word >> np.uint64(32 * (part & 1))) & np.uint64(0xFFFFFFFF)
                done += np.uint64(1)
        block += np.uint64(1)


@loop
def _insert(
    family: Any, filters: _Filters, first: int, starts: Ids, stops: Ids, offsets: npt.NDArray[np.int64]
) -> None:
    for row in range(offsets.size - 1):
        bits = filters.bits[first + row]
        begin = np.uint64(filters.begins[first + row])
        for interval in range(offsets[row], offsets[row + 1]):
            cell = starts[interval]
            for _ in range(stops[interval] - starts[interval] + np.uint64(1)):
                _slice_up(family, filters.scratch, cell)
                for i in range(family.k):
                    position = (filters.scratch.slices[i] * bits) >> np.uint64(32)
                    filters.words[begin + (position >> np.uint64(6))] |= np.uint64(1) << (position & np.uint64(63))
                cell += np.uint64(1)


@loop
def _find(
    family: Any, filters: _Filters, ids: Ids, alive: npt.NDArray[Any], counts: npt.NDArray[Any], out: npt.NDArray[Any]
) -> Any:
    """Write the owners whose filters confirm each cell one after the other, and how many per cell."""
    n = np.uint64(0)
    for event in range(ids.size):
        _slice_up(family, filters.scratch, ids[event])
        before = n
        for row in range(np.uint64(filters.owners.size)):
            begin = np.uint64(filters.begins[row])
            confirmed = True
            for i in range(family.k):
                position = (filters.scratch.slices[i] * filters.bits[row]) >> np.uint64(32)
                word = filters.words[begin + (position >> np.uint64(6))]
                if (word >> (position & np.uint64(63))) & np.uint64(1) == np.uint64(0):
                    confirmed = False
                    break
            if confirmed and (alive.size == 0 or alive[np.uint64(filters.owners[row])]):
                out[n] = filters.owners[row]
                n += np.uint64(1)
        counts[event] = n - before
    return np.int64(n)
