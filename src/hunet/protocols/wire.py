"""Hellos, digests and message headers as bytes, and back.

A layout says what a hello or a digest consists of (`layout/`); this file has a writer, and a reader that refuses
everything the writer would not have written. Peers of one network share m and k, so
none of these travel. Numbers are written seven bits at a time, least significant first, the high bit saying that more
follow. A filter is its length, one byte for the encoding (see `filters.encodings`), and its content:

* a plain Bloom filter as E0 or E1, whichever takes fewer bits (the lower number of equals);
* counters as the one of E2 to E6 that takes the fewest (the lowest number of equals): by their values, where few are
  shared by many ([bsub10] VI-C, [bsub13] 6.3). `..._bytes` know the size without encoding: it depends on nothing but
  how many counters are set and how many values they have, which a compiled loop counts in a pass or two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.filters.counters import count_set, tally
from hunet.filters.encodings import COUNTER_ENCODINGS, PLAIN_ENCODINGS, Encoding, pack_row, smallest, unpack_row
from hunet.kernels import count_ones, leaf
from hunet.model.errors import DecodeError

__all__ = [
    "MAX_HOPS",
    "MAX_TAGS",
    "MAX_TEXT",
    "Header",
    "Reader",
    "Writer",
    "bloom_bytes",
    "counter_bytes",
    "framed_bytes",
    "number_bytes",
    "position_bytes",
]

_MAX_NUMBER = 2**63 - 1
MAX_TEXT = 255
"""Bytes of a tag."""
MAX_TAGS = 64
"""Tags of a message."""
MAX_HOPS = 65535


# ------------------------------------------------------------------ sizes, for compiled loops


@leaf
def number_bytes(number: Any) -> Any:
    """Bytes of a number that is not negative."""
    length = 1
    while number >= 128:
        number >>= 7
        length += 1
    return length


@leaf
def framed_bytes(bits: Any) -> Any:
    """Bytes of a filter whose content has so many bits."""
    length = 1 + (bits + 7) // 8
    return number_bytes(length) + length


@leaf
def bloom_bytes(words: Any, m: Any) -> Any:
    """Bytes of a plain Bloom filter of m bits."""
    set_count = 0
    for i in range(words.size):
        set_count += count_ones(words[i])
    _, bits = smallest(False, m, set_count, 0, 8)
    return framed_bytes(bits)


@leaf
def position_bytes(row: Any, m: Any) -> Any:
    """Bytes of a row of m counters sent without its counters."""
    _, bits = smallest(False, m, count_set(row), 0, 8)
    return framed_bytes(bits)


@leaf
def counter_bytes(row: Any, m: Any) -> Any:
    """Bytes of a row of m counters."""
    set_count, distinct = tally(row)
    _, bits = smallest(True, m, set_count, distinct, 8 * row.itemsize)
    return framed_bytes(bits)


def _smallest_for(row: npt.NDArray[Any], among: Sequence[Encoding]) -> Encoding:
    """The encoding that is due for a row, with counters or without."""
    set_count, distinct = int(np.count_nonzero(row)), int(np.unique(row[row != 0]).size)
    code, _ = smallest(among is COUNTER_ENCODINGS, row.size, set_count, distinct, 8 * row.itemsize)
    return Encoding(code)


# ------------------------------------------------------------------ writing


class Writer:
    """Collects the parts of a hello, digest or header."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def number(self, number: int) -> None:
        """A number that is not negative."""
        number = int(number)
        assert 0 <= number <= _MAX_NUMBER
        out = bytearray()
        while number >= 128:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
        self._parts.append(bytes(out))

    def text(self, text: str) -> None:
        """Text of at most MAX_TEXT bytes, which are not empty."""
        data = text.encode()
        assert 1 <= len(data) <= MAX_TEXT
        self.number(len(data))
        self.raw(data)

    def raw(self, data: bytes) -> None:
        """Bytes of a length the reader knows."""
        self._parts.append(data)

    def bloom(self, words: npt.NDArray[np.uint64], m: int) -> None:
        """A plain Bloom filter of m bits."""
        self.positions(np.unpackbits(words.astype("<u8").view(np.uint8), count=m, bitorder="little"))

    def positions(self, row: npt.NDArray[Any]) -> None:
        """Which entries of a row are not 0."""
        self._filter(row, _smallest_for(row, PLAIN_ENCODINGS))

    def counters(self, row: npt.NDArray[Any]) -> None:
        """A row of counters."""
        self._filter(row, _smallest_for(row, COUNTER_ENCODINGS))

    def _filter(self, row: npt.NDArray[Any], encoding: Encoding) -> None:
        body = pack_row(row, encoding)
        self.number(1 + len(body))
        self._parts += [bytes([encoding]), body]

    def bytes(self) -> bytes:
        """Everything written so far."""
        return b"".join(self._parts)


# ------------------------------------------------------------------ reading


class Reader:
    """Takes apart what a `Writer` wrote; anything else raises `DecodeError`."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        """Bytes not read yet."""
        return len(self._data) - self._at

    def raw(self, length: int) -> bytes:
        """So many bytes."""
        if length > self.left:
            raise DecodeError(f"truncated: {length} more bytes expected, {self.left} left")
        self._at += length
        return self._data[self._at - length : self._at]

    def number(self, limit: int = _MAX_NUMBER) -> int:
        """A number of at most `limit`."""
        number = shift = 0
        while True:
            byte = self.raw(1)[0]
            number |= (byte & 127) << shift
            if number > limit:
                raise DecodeError(f"a number of at least {number}, at most {limit} is possible here")
            if byte < 128:
                break
            shift += 7
            if shift > 63:
                raise DecodeError("a number that does not end")
        if shift and byte == 0:
            raise DecodeError("a number with leading zeros")
        return number

    def text(self) -> str:
        """Text that is not empty."""
        length = self.number(MAX_TEXT)
        try:
            text = self.raw(length).decode()
        except UnicodeDecodeError:
            raise DecodeError("a text that is no UTF-8") from None
        if not text:
            raise DecodeError("a text that is empty")
        return text

    def bloom(self, m: int) -> npt.NDArray[np.uint64]:
        """The words of a plain Bloom filter of m bits."""
        words = np.zeros((m + 63) // 64, np.uint64)
        packed = np.packbits(self.positions(m, np.uint8), bitorder="little")
        words.view(np.uint8)[: packed.size] = packed
        return words.view("<u8").astype(np.uint64)

    def positions(self, m: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """A row with 1 where the sender's was not 0."""
        return self._filter(PLAIN_ENCODINGS, m, dtype, 1)

    def counters(self, m: int, dtype: npt.DTypeLike, ceiling: int) -> npt.NDArray[Any]:
        """A row of counters up to the ceiling."""
        return self._filter(COUNTER_ENCODINGS, m, dtype, ceiling)

    def _filter(self, allowed: Sequence[Encoding], m: int, dtype: npt.DTypeLike, ceiling: int) -> npt.NDArray[Any]:
        length = self.number()
        data = self.raw(length)
        if not data:
            raise DecodeError("truncated: a filter without its encoding")
        if data[0] not in allowed:
            raise DecodeError(f"encoding {data[0]} is not one of {', '.join(code.name for code in allowed)}")
        encoding = Encoding(data[0])
        row = unpack_row(data[1:], encoding, m, dtype, ceiling)
        if encoding != (due := _smallest_for(row, allowed)):
            raise DecodeError(f"{encoding.name} where {due.name} is due, which is shorter or the first of equals")
        return row

    def finish(self) -> None:
        """Nothing may be left."""
        if self.left:
            raise DecodeError(f"trailing: {self.left} bytes too many")


# ------------------------------------------------------------------ messages


@dataclass(frozen=True)
class Header:
    """What travels in front of a message's payload. Ages, not times: clocks differ."""

    number: int
    source: int
    age: int
    """Milliseconds since it was published, when this header was written."""
    lifetime: int | None
    """Milliseconds from its publication to its end; None for no end."""
    size: int
    """Bytes of payload."""
    tags: tuple[str, ...]
    """As text: every node has its own numbers for them."""
    hops: int
    """Transfers it took to get to the receiver of this header."""
    note: int
    """What the sender's protocol tells the receiver's about this copy."""
    parcel: bytes = b""
    """What it tells beside that: as many words of 8 bytes as the protocol says."""

    def encode(self) -> bytes:
        """The header as bytes."""
        out = Writer()
        out.number(self.number)
        out.number(self.source)
        out.number(self.age)
        out.number(0 if self.lifetime is None else self.lifetime + 1)
        out.number(self.size)
        out.number(self.hops)
        out.number(self.note)
        out.raw(self.parcel)
        for tag in self.tags:
            out.text(tag)
        return out.bytes()

    @classmethod
    def decode(cls, data: bytes, most_note: int = 0, parcel_bytes: int = 0) -> Header:
        """The header that `encode` wrote, by a protocol with notes and parcels of this size."""
        reader = Reader(data)
        number, source, age, ends = (reader.number() for _ in range(4))
        size, hops, note = reader.number(), reader.number(MAX_HOPS), reader.number(most_note)
        parcel = reader.raw(parcel_bytes)
        tags = []
        while reader.left:
            tags.append(reader.text())
        if not 1 <= len(tags) <= MAX_TAGS or len(set(tags)) != len(tags):
            raise DecodeError(f"{len(tags)} tags: a message has 1 to {MAX_TAGS} different ones")
        return cls(number, source, age, ends - 1 if ends else None, size, tuple(tags), hops, note, parcel)
