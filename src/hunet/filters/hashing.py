"""Keys to positions: the one hash family of every filter.

Position i of a key is the i-th 32-bit slice of SipHash-2-4-128 under the network's key, mapped to [0, m) by a
multiplication. The fifth and later positions come from further outputs, with a counter in the key. The slices are
independent, which double hashing is not: in filters as small as these it costs false positives (spec AMB-01).
The same key, m and k give the same positions on every machine.

SipHash is due to Aumasson and Bernstein (2012).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_int, require_real
from hunet.filters.keys import KeyBuffer, Keys, key_buffer, single_key_buffer
from hunet.filters.quantities import Column, Count
from hunet.kernels import for_little, leaf, loop
from hunet.model.errors import InvalidValueError

__all__ = ["MAX_HASHES", "MAX_POSITIONS", "PUBLIC_KEY", "Hashing", "Table"]

Table: TypeAlias = npt.NDArray[np.uint32]
"""Positions of several keys: one column per key, k rows."""

MAX_POSITIONS = 2**31
MAX_HASHES = 32
PUBLIC_KEY = b"hunet public key"
"""The key of a network that has not chosen its own. Filters are only as private as this key is secret."""

_CHUNK = 4096  # keys hashed at a time: their positions stay in the processor's cache
_FEW = 100
"""Up to so many keys a table is made before the kernel that makes large ones is compiled."""
_LOW_HALF = np.uint64(0xFFFFFFFF)


class HashRecord(NamedTuple):
    """What a kernel needs of a hash family."""

    m: np.uint64
    k: int
    key_low: np.uint64
    key_high: np.uint64
    distinct: bool


@leaf
def _rotate(word: np.uint64, bits: int) -> Any:
    return (word << np.uint64(bits)) | (word >> np.uint64(64 - bits))


@leaf
def _sip_round(v0: np.uint64, v1: np.uint64, v2: np.uint64, v3: np.uint64) -> tuple[Any, Any, Any, Any]:
    v0 = v0 + v1
    v1 = _rotate(v1, 13) ^ v0
    v0 = _rotate(v0, 32)
    v2 = v2 + v3
    v3 = _rotate(v3, 16) ^ v2
    v0 = v0 + v3
    v3 = _rotate(v3, 21) ^ v0
    v2 = v2 + v1
    v1 = _rotate(v1, 17) ^ v2
    v2 = _rotate(v2, 32)
    return v0, v1, v2, v3


@leaf
def _whole_word(data: npt.NDArray[np.uint8], at: Count) -> Any:
    """Eight bytes as a little-endian number, written so that the compiler makes one load of it."""
    return (
        np.uint64(data[at])
        | np.uint64(data[at + np.uint64(1)]) << np.uint64(8)
        | np.uint64(data[at + np.uint64(2)]) << np.uint64(16)
        | np.uint64(data[at + np.uint64(3)]) << np.uint64(24)
        | np.uint64(data[at + np.uint64(4)]) << np.uint64(32)
        | np.uint64(data[at + np.uint64(5)]) << np.uint64(40)
        | np.uint64(data[at + np.uint64(6)]) << np.uint64(48)
        | np.uint64(data[at + np.uint64(7)]) << np.uint64(56)
    )


@leaf
def _last_word(data: npt.NDArray[np.uint8], at: Count, stop: Count) -> Any:
    """The last zero to seven bytes of a key.

    Reading a whole word and cutting off the neighbour's bytes avoids a branch per byte, and with it most of the
    time that hashing a short key takes.
    """
    if at + np.uint64(8) <= np.uint64(data.size):
        return _whole_word(data, at) & ((np.uint64(1) << ((stop - at) * np.uint64(8))) - np.uint64(1))
    word = np.uint64(0)
    shift = np.uint64(0)
    while at < stop:
        word |= np.uint64(data[at]) << shift
        shift += np.uint64(8)
        at += np.uint64(1)
    return word


@leaf
def siphash128(
    data: npt.NDArray[np.uint8], start: Count, stop: Count, key_low: np.uint64, key_high: np.uint64
) -> tuple[Any, Any]:
    """SipHash-2-4 of data[start:stop] with its 128-bit output, as two 64-bit words (low, high)."""
    v0 = key_low ^ np.uint64(0x736F6D6570736575)
    v1 = key_high ^ np.uint64(0x646F72616E646F83)
    v2 = key_low ^ np.uint64(0x6C7967656E657261)
    v3 = key_high ^ np.uint64(0x7465646279746573)
    at = start
    while at + np.uint64(8) <= stop:
        word = _whole_word(data, at)
        v3 ^= word
        v0, v1, v2, v3 = _sip_round(v0, v1, v2, v3)
        v0, v1, v2, v3 = _sip_round(v0, v1, v2, v3)
        v0 ^= word
        at += np.uint64(8)
    word = ((stop - start) << np.uint64(56)) | _last_word(data, at, stop)
    v3 ^= word
    v0, v1, v2, v3 = _sip_round(v0, v1, v2, v3)
    v0, v1, v2, v3 = _sip_round(v0, v1, v2, v3)
    v0 ^= word
    v2 ^= np.uint64(0xEE)
    for _ in range(4):
        v0, v1, v2, v3 = _sip_round(v0, v1, v2, v3)
    low = v0 ^ v1 ^ v2 ^ v3
    v1 ^= np.uint64(0xDD)
    for _ in range(4):
        v0, v1, v2, v3 = _sip_round(v0, v1, v2, v3)
    return low, v0 ^ v1 ^ v2 ^ v3


@leaf
def _slice(low: np.uint64, high: np.uint64, part: Count, m: Count) -> Any:
    """The part-th 32-bit slice of the output, mapped to [0, m)."""
    word = low if part < np.uint64(2) else high
    return (((word >> ((part & np.uint64(1)) << np.uint64(5))) & _LOW_HALF) * m) >> np.uint64(32)


@leaf
def _stands_above(table: Table, row: Count, column: Column, position: Any) -> Any:
    for earlier in range(row):
        if table[earlier, column] == position:
            return True
    return False


@leaf
def _place(record: Any, data: npt.NDArray[np.uint8], start: Count, stop: Count, table: Table, column: Column) -> None:
    """Fill one column of the table with the positions of one key."""
    k = np.uint64(record.k)
    found = np.uint64(0)  # unsigned, as all indices here: negative ones would have to be tested for
    block = np.uint64(0)
    while found < k:
        low, high = siphash128(data, start, stop, record.key_low, record.key_high ^ block)
        for part in range(4):
            if found < k:
                position = _slice(low, high, np.uint64(part), record.m)
                if not record.distinct or not _stands_above(table, found, column, position):
                    table[found, column] = position
                    found += np.uint64(1)
        block += np.uint64(1)


@loop
def _place_keys(
    record: Any, data: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64], first: int, table: Table
) -> None:
    for column in range(table.shape[1]):
        start = np.uint64(offsets[first + column])
        stop = np.uint64(offsets[first + column + 1])
        _place(record, data, start, stop, table, np.uint64(column))


@dataclass(frozen=True, slots=True)
class Hashing:
    """How keys become positions: filters can be combined only when they share this.

    m is the number of positions, k the number of hash functions, key the network's 16 secret bytes. With `distinct`
    the k positions of a key all differ; without it they may coincide, as Eq. 1 of the papers assumes.

    >>> Hashing(m=256, k=4).positions("jazz")
    array([ 32,  70, 104,  74], dtype=uint32)
    """

    m: int
    k: int
    key: bytes = PUBLIC_KEY
    distinct: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "m", require_int("m", self.m, 1, MAX_POSITIONS))
        object.__setattr__(self, "k", require_int("k", self.k, 1, MAX_HASHES))
        object.__setattr__(self, "distinct", bool(self.distinct))
        if not isinstance(self.key, bytes) or len(self.key) != 16:
            raise InvalidValueError(f"the network key must be 16 bytes, got {self.key!r}")
        if self.distinct and self.k > self.m:
            raise InvalidValueError(f"k = {self.k} distinct positions do not exist among m = {self.m}")

    def __deepcopy__(self, _memo: dict[int, Any]) -> Hashing:
        return self  # it cannot change, so the copies of a filter share it

    @classmethod
    def for_keys(cls, keys: int, false_positive_rate: float, k: int | None = None, key: bytes = PUBLIC_KEY) -> Hashing:
        """The smallest m that holds so many keys at the given false-positive rate (Eq. 1, [bsub10]).

        Without k, the best k is taken but at most 4, which is one output of the PRF: hashing then costs half, and
        memory 10 % more at a rate of 1 %.

        >>> Hashing.for_keys(1_000_000, 0.01).m, Hashing.for_keys(1_000_000, 0.01, k=7).m
        (10522705, 9592955)
        """
        keys = require_int("keys", keys, 1, MAX_POSITIONS)
        rate = require_real("false_positive_rate", false_positive_rate, 1e-100, 0.999)
        if k is None:
            k = min(4, max(1, round(-math.log2(rate))))
        k = require_int("k", k, 1, MAX_HASHES)
        m = math.ceil(-keys * k / math.log1p(-(rate ** (1.0 / k))))
        return cls(m=m, k=k, key=key)

    @property
    def record(self) -> HashRecord:
        """The family as kernels take it."""
        low, high = self.key[:8], self.key[8:]
        return HashRecord(
            np.uint64(self.m),
            self.k,
            np.uint64(int.from_bytes(low, "little")),
            np.uint64(int.from_bytes(high, "little")),
            self.distinct,
        )

    def positions(self, key: str | bytes) -> Table:
        """The k positions of one key; text is hashed as UTF-8."""
        return self.column(key)[:, 0]

    def column(self, key: str | bytes) -> Table:
        """The positions of one key as a table of one column, which is what kernels take."""
        table = np.empty((self.k, 1), np.uint32)
        self._fill(single_key_buffer(key), 0, table)
        return table

    def table(self, keys: Keys) -> Table:
        """The positions of many keys, one column per key (k rows). Fastest from an Arrow string array."""
        buffer = key_buffer(keys)
        table = np.empty((self.k, buffer.count), np.uint32)
        place = for_little(_place_keys) if buffer.count <= _FEW else _place_keys
        place(self.record, buffer.data, buffer.offsets, 0, table)
        return table

    def tables(self, keys: Keys) -> Iterator[Table]:
        """The same in pieces of a few thousand keys, for filling filters without holding all positions.

        All keys are checked before the first piece is given. A piece is valid until the next one is asked for.
        """
        return self._pieces(key_buffer(keys))

    def _pieces(self, buffer: KeyBuffer) -> Iterator[Table]:
        piece = np.empty((self.k, min(_CHUNK, buffer.count)), np.uint32)
        for first in range(0, buffer.count, _CHUNK):
            if buffer.count - first < piece.shape[1]:  # a new array, not a view: kernels are compiled per layout
                piece = np.empty((self.k, buffer.count - first), np.uint32)
            self._fill(buffer, first, piece)
            yield piece

    def _fill(self, buffer: KeyBuffer, first: int, table: Table) -> None:
        _place_keys(self.record, buffer.data, buffer.offsets, first, table)
