"""Rows of bits or counters as bytes: the encodings E0 to E6, their sizes, and strict decoding.

With P = ceil(log2 m) bits per position, C bits per counter (8 for a ceiling of 255), alpha set positions and V
distinct counter values:

    E0  bit vector, no counters                                m
    E1  positions, no counters                                 alpha P
    E2  one shared counter, then positions                     C + alpha P
    E3  position and counter, one after the other              alpha (P + C)
    E4  bit vector, then a counter per set bit                 m + alpha C
    E5  per value: the value, how many, their positions        alpha P + V (C + P)
    E6  bit vector, value table, an index per set bit          m + V C + alpha ceil(log2 V)

Bits are written most significant first and filled up with zeros to whole bytes. Positions ascend strictly. Lengths
are not written: each is implied by the number of bytes. (The fill bits cannot be mistaken for a position, because
position 0 can only come first; V in E6 follows from the length, which grows by at least a byte with V.)

References: [bsub10] VI-C, [bsub13] 3.2; the printed sizes mix bits and bytes (ERR-03). Differs from the usual table
in E5: the count takes P bits, which is 8 for m = 256 and enough for any m.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.filters.quantities import Count
from hunet.filters.sizing import position_bits
from hunet.kernels import highest_bit, leaf
from hunet.model.errors import DecodeError, InvalidValueError

__all__ = [
    "COUNTER_ENCODINGS",
    "PLAIN_ENCODINGS",
    "Encoding",
    "encoded_bits",
    "from_bits",
    "pack_row",
    "smallest",
    "to_bits",
    "unpack_row",
]

Bits = npt.NDArray[np.uint8]
Row = npt.NDArray[Any]


class Encoding(IntEnum):
    """The codes; see the table above."""

    E0 = 0
    E1 = 1
    E2 = 2
    E3 = 3
    E4 = 4
    E5 = 5
    E6 = 6


PLAIN_ENCODINGS = (Encoding.E0, Encoding.E1)
COUNTER_ENCODINGS = (Encoding.E2, Encoding.E3, Encoding.E4, Encoding.E5, Encoding.E6)


# ------------------------------------------------------------------ sizes


@leaf
def index_bits(choices: Count) -> Any:
    """ceil(log2 choices): bits that name one of so many; 0 for a single one."""
    return highest_bit(np.uint64(choices - 1)) + 1 if choices > 1 else 0


@leaf
def encoded_bits(encoding: int, m: Count, set_count: Count, distinct: Count, counter_bits: Count) -> Any:
    """Size in bits of a row with so many set positions and distinct counter values; -1 where it cannot be used.

    E2 needs exactly one counter value. Callable from compiled code, to count bytes without encoding.
    """
    position = max(1, index_bits(m))
    if encoding == 0:
        return m
    if encoding == 1:
        return set_count * position
    if encoding == 2:
        return counter_bits + set_count * position if distinct == 1 else -1
    if encoding == 3:
        return set_count * (position + counter_bits)
    if encoding == 4:
        return m + set_count * counter_bits
    if encoding == 5:
        return set_count * position + distinct * (counter_bits + position)
    return m + distinct * counter_bits + set_count * index_bits(distinct)


@leaf
def smallest(counters: bool, m: Count, set_count: Count, distinct: Count, counter_bits: Count) -> Any:
    """The code that needs the fewest bits (the lowest of equals), and its size in bits.

    `counters` says whether counters must be kept (E2 to E6) or not (E0, E1).
    """
    first = 2 if counters else 0
    last = 6 if counters else 1
    best = -1
    best_bits = -1
    for encoding in range(first, last + 1):
        bits = encoded_bits(encoding, m, set_count, distinct, counter_bits)
        if bits >= 0 and (best < 0 or bits < best_bits):
            best = encoding
            best_bits = bits
    return best, best_bits


# ------------------------------------------------------------------ numbers and bits


def to_bits(numbers: Any, width: int) -> Bits:
    """Each number as `width` bits, most significant first; a bit takes one byte of memory, not eight."""
    needed = -(-width // 8)
    column = np.asarray(numbers, ">u8").reshape(-1, 1)
    every_bit = np.unpackbits(column.view(np.uint8)[:, 8 - needed :], axis=1)
    return every_bit[:, 8 * needed - width :].ravel()


def from_bits(bits: Bits, count: int, width: int) -> npt.NDArray[np.uint64]:
    """The numbers that `to_bits` wrote."""
    needed = -(-width // 8)
    every_bit = np.zeros((count, 8 * needed), np.uint8)
    every_bit[:, 8 * needed - width :] = bits.reshape(count, width)
    column = np.zeros((count, 8), np.uint8)
    column[:, 8 - needed :] = np.packbits(every_bit, axis=1)
    return column.view(">u8").astype(np.uint64).ravel()


# ------------------------------------------------------------------ writing


def pack_row(row: Row, encoding: Encoding) -> bytes:
    """A row of counters (E2 to E6) or of anything whose non-zero entries count as set (E0, E1), as bytes."""
    m = row.size
    width, counter_width = position_bits(m), 8 * row.itemsize
    positions = np.flatnonzero(row)
    counters = row[positions]
    values, index = np.unique(counters, return_inverse=True)
    if encoding == Encoding.E2 and values.size != 1:
        raise InvalidValueError(f"E2 keeps one shared counter, but the row has {values.size} values")
    vector = (row != 0).astype(np.uint8)
    match encoding:
        case Encoding.E0:
            parts = [vector]
        case Encoding.E1:
            parts = [to_bits(positions, width)]
        case Encoding.E2:
            parts = [to_bits(values, counter_width), to_bits(positions, width)]
        case Encoding.E3:
            both = positions.astype(np.uint64) << np.uint64(counter_width) | counters.astype(np.uint64)
            parts = [to_bits(both, width + counter_width)]
        case Encoding.E4:
            parts = [vector, to_bits(counters, counter_width)]
        case Encoding.E5:
            parts = []
            for i, value in enumerate(values):
                group = positions[index == i]
                parts += [to_bits(value, counter_width), to_bits(group.size - 1, width), to_bits(group, width)]
        case _:  # E6
            parts = [vector, to_bits(values, counter_width), to_bits(index, int(index_bits(values.size)))]
    return np.packbits(np.concatenate([np.zeros(0, np.uint8), *parts])).tobytes()


# ------------------------------------------------------------------ reading


class _BitReader:
    """Reads numbers off a byte string; asking for more than there is raises `DecodeError`."""

    def __init__(self, data: bytes) -> None:
        self._bits = np.unpackbits(np.frombuffer(data, np.uint8))
        self._at = 0

    @property
    def left(self) -> int:
        return self._bits.size - self._at

    def bits(self, count: int) -> Bits:
        if count > self.left:
            raise DecodeError(f"truncated: {count} more bits expected, {self.left} left")
        taken = self._bits[self._at : self._at + count]
        self._at += count
        return taken

    def numbers(self, count: int, width: int) -> npt.NDArray[np.uint64]:
        return from_bits(self.bits(count * width), count, width)

    def number(self, width: int) -> int:
        return int(self.numbers(1, width)[0])

    def finish(self) -> None:
        """Nothing may follow but the zeros that fill up the last byte."""
        if self.left >= 8:
            raise DecodeError(f"trailing: {self.left // 8} bytes too many")
        if self._bits[self._at :].any():
            raise DecodeError("the bits that fill up the last byte are not zero")


def unpack_row(data: bytes, encoding: Encoding, m: int, dtype: npt.DTypeLike, ceiling: int) -> Row:
    """The row that `pack_row` wrote. Anything else raises `DecodeError`; nothing larger than m is ever allocated.

    For E0 and E1, which have no counters, set positions become 1.
    """
    row = np.zeros(m, dtype)
    width, counter_width = position_bits(m), 8 * row.itemsize
    # No encoding of m positions is longer than E5 with every counter different.
    if 8 * len(data) > m * (2 * width + counter_width) + 7:
        raise DecodeError(f"oversized: {len(data)} bytes for {m} positions")
    reader = _BitReader(data)
    match encoding:
        case Encoding.E0 | Encoding.E4 | Encoding.E6:
            positions = np.flatnonzero(reader.bits(m))
        case Encoding.E1:
            positions = _position_list(reader, width)
        case Encoding.E2:
            shared = reader.number(counter_width)
            positions = _position_list(reader, width)
        case Encoding.E3:
            both = reader.numbers(reader.left // (width + counter_width), width + counter_width)
            positions = (both >> np.uint64(counter_width)).astype(np.int64)
        case _:  # E5
            return _read_groups(reader, row, ceiling)
    if encoding is Encoding.E2 and positions.size == 0:
        raise DecodeError("truncated: E2 has a counter but no position")
    _require_positions(positions, m)
    counters: Any = 1
    match encoding:
        case Encoding.E2:
            counters = np.array([shared], np.uint64)
        case Encoding.E3:
            counters = both & np.uint64(2**counter_width - 1)
        case Encoding.E4:
            counters = reader.numbers(positions.size, counter_width)
        case Encoding.E6:
            counters = _indexed_counters(reader, positions.size, counter_width)
    reader.finish()
    if encoding in COUNTER_ENCODINGS:
        _require_counters(counters, ceiling)
    row[positions] = counters
    return row


def _position_list(reader: _BitReader, width: int) -> npt.NDArray[np.int64]:
    """All positions to the end of the data, without the zeros that fill up the last byte."""
    taken = reader.numbers(reader.left // width, width).astype(np.int64)
    count = taken.size
    while count > 1 and taken[count - 1] == 0 and (taken.size - count + 1) * width + reader.left < 8:
        count -= 1
    return taken[:count]


def _indexed_counters(reader: _BitReader, set_count: int, counter_width: int) -> npt.NDArray[np.uint64]:
    """The value table and the indices of E6; how long the table is follows from how much is left."""
    distinct = 0
    while distinct < set_count and _index_table_bits(distinct + 1, set_count, counter_width) <= reader.left:
        distinct += 1
    if set_count and not distinct:
        raise DecodeError("truncated: E6 has set bits but no counter")
    values = reader.numbers(distinct, counter_width)
    index = reader.numbers(set_count, int(index_bits(distinct))).astype(np.int64)
    if np.any(values[1:] <= values[:-1]):
        raise DecodeError("the counter values of E6 do not ascend")
    if np.any(index >= distinct) or np.unique(index).size != distinct:
        raise DecodeError("the indices of E6 do not fit its value table")
    return values[index]


def _index_table_bits(distinct: int, set_count: int, counter_width: int) -> int:
    return distinct * counter_width + set_count * int(index_bits(distinct))


def _read_groups(reader: _BitReader, row: Row, ceiling: int) -> Row:
    """The groups of E5, each a value, a count and its positions."""
    width, counter_width = position_bits(row.size), 8 * row.itemsize
    last = 0
    while reader.left >= 8:
        value = reader.number(counter_width)
        if value <= last:
            raise DecodeError("the counter values of E5 do not ascend")
        _require_counters(np.array([value], np.uint64), ceiling)
        positions = reader.numbers(reader.number(width) + 1, width).astype(np.int64)
        _require_positions(positions, row.size)
        if row[positions].any():
            raise DecodeError("a position stands in two groups of E5")
        row[positions] = value
        last = value
    reader.finish()
    return row


def _require_positions(positions: npt.NDArray[np.int64], m: int) -> None:
    if positions.size and int(positions.max()) >= m:
        raise DecodeError(f"position {int(positions.max())} is out of range for m = {m}")
    if np.any(positions[1:] <= positions[:-1]):
        raise DecodeError("positions do not ascend")


def _require_counters(counters: npt.NDArray[np.uint64], ceiling: int) -> None:
    if counters.size and (int(counters.min()) == 0 or int(counters.max()) > ceiling):
        raise DecodeError(f"a counter is {int(counters.min())}..{int(counters.max())}, outside 1..{ceiling}")
