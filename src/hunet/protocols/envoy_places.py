"""Likelihoods of meeting people, as Envoy tells them: 32 places for people, a level from 0 to 15 in each.

Somebody's place is a hash of its number. 16 levels of four bits lie in a word, so a row of places is two words: a
message carries one (whom its copies cover already), a node has one for every position of an interest filter (whom it is
likely to meet of those who want what falls there). Of the latter only what is not 0 travels: distances between cells as
Rice codes (a quotient in unary, six bits of remainder), each followed by its level.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, lowest_bit
from hunet.model.errors import DecodeError
from hunet.protocols.layout import Part, array
from hunet.protocols.wire import Reader, Writer, number_bytes

__all__ = ["MOST_TOLD", "PLACES", "TOP", "WORDS", "either", "keep_best", "level_at", "place_of", "places", "set_level"]

PLACES = 32
WORDS = PLACES // 16
TOP = 15
"""The level of what is certain."""
MOST_TOLD = 96
"""Cells that are told at most: a digest with 256 positions then takes at most 200 bytes, whatever happens."""

_REMAINDER = 6
_LEVEL = 4
_GOLDEN = 0x9E3779B1


@leaf
def place_of(node: Any) -> Any:
    """The place of the node with this number."""
    number = np.int64(node)
    folded = (number ^ (number >> 31)) & 0x7FFFFFFF
    return ((folded * _GOLDEN) & 0xFFFFFFFF) >> 27


@leaf
def level_at(words: Any, first: Any, place: Any) -> Any:
    """The level at a place of the row that begins with word `first`."""
    return np.int64((words[first + (place >> 4)] >> np.uint64((place & 15) << 2)) & np.uint64(TOP))


@leaf
def set_level(words: Any, first: Any, place: Any, level: Any) -> None:
    """Set it."""
    at, shift = first + (place >> 4), np.uint64((place & 15) << 2)
    words[at] = (words[at] & ~(np.uint64(TOP) << shift)) | (np.uint64(level) << shift)


@leaf
def either(one: Any, other: Any) -> Any:
    """That at least one of two independent things happens, as levels."""
    return one + ((TOP - one) * other + TOP // 2) // TOP


@leaf
def keep_best(words: Any) -> None:
    """Where more cells are set than can be told, the lowest levels go; of equals those in front stay."""
    least = 0
    while _count(words, least + 1) > MOST_TOLD:
        least += 1
    if least == 0:
        return
    room = MOST_TOLD - _count(words, least + 1)
    for at in range(words.size):
        left = words[at]
        while left != np.uint64(0):
            shift = np.uint64(lowest_bit(left) & ~3)
            level = np.int64((left >> shift) & np.uint64(TOP))
            left &= ~(np.uint64(TOP) << shift)
            if level == least and room > 0:
                room -= 1
            elif level <= least:
                words[at] &= ~(np.uint64(TOP) << shift)


@leaf
def _count(words: Any, least: Any) -> Any:
    """Cells of at least this level."""
    count = 0
    for at in range(words.size):
        left = words[at]
        while left != np.uint64(0):
            shift = np.uint64(lowest_bit(left) & ~3)
            count += np.int64((left >> shift) & np.uint64(TOP)) >= least
            left &= ~(np.uint64(TOP) << shift)
    return count


# ------------------------------------------------------------------ bytes


def places(name: str) -> Part:
    """[position * WORDS + word]: a row of places for each of `params.m` positions: how many cells are set, these."""
    return array(name, lambda params, world: (params.m * WORDS,), np.uint64, _bytes_of, _write, _read)


@leaf
def _bytes_of(words: Any, m: Any) -> Any:
    count, before, bits = 0, -1, 0
    for at in range(words.size):
        left = words[at]
        while left != np.uint64(0):
            slot = lowest_bit(left) >> 2
            left &= ~(np.uint64(TOP) << np.uint64(slot << 2))
            cell = (at << 4) + slot
            bits += ((cell - before - 1) >> _REMAINDER) + 1 + _REMAINDER + _LEVEL
            before = cell
            count += 1
    return number_bytes(count) + (bits + 7) // 8


def _levels(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """[cell]"""
    shifts = np.arange(0, 64, 4, dtype=np.uint64)
    return ((words[:, None] >> shifts) & np.uint64(TOP)).ravel()


def _write(out: Writer, params: Any, words: npt.NDArray[np.uint64]) -> None:
    levels = _levels(words)
    cells = np.flatnonzero(levels)
    out.number(cells.size)
    bits = ""
    for cell, before in zip(cells.tolist(), [-1, *cells.tolist()], strict=False):
        quotient, remainder = divmod(cell - before - 1, 1 << _REMAINDER)
        bits += "1" * quotient + "0" + f"{remainder:0{_REMAINDER}b}{int(levels[cell]):0{_LEVEL}b}"
    bits += "0" * (-len(bits) % 8)
    out.raw(int(bits, 2).to_bytes(len(bits) // 8, "big") if bits else b"")


def _read(reader: Reader, params: Any) -> npt.NDArray[np.uint64]:
    words = np.zeros(params.m * WORDS, np.uint64)
    cells = words.size * 16
    bits = _Bits(reader)
    cell = -1
    for _ in range(reader.number(MOST_TOLD)):
        quotient = 0
        while bits.take(1):
            quotient += 1
        cell += 1 + (quotient << _REMAINDER) + bits.take(_REMAINDER)
        level = bits.take(_LEVEL)
        if cell >= cells or level == 0:
            raise DecodeError(f"level {level} at cell {cell} of {cells}")
        words[cell >> 4] |= np.uint64(level << ((cell & 15) << 2))
    bits.finish()
    return words


class _Bits:
    """Bits of a reader's bytes, which are taken as they are needed."""

    def __init__(self, reader: Reader) -> None:
        self._reader, self._value, self._left = reader, 0, 0

    def take(self, count: int) -> int:
        """So many, the highest first."""
        while self._left < count:
            self._value = (self._value << 8) | self._reader.raw(1)[0]
            self._left += 8
        self._left -= count
        taken = self._value >> self._left
        self._value &= (1 << self._left) - 1
        return taken

    def finish(self) -> None:
        """What fills the last byte is 0."""
        if self._value:
            raise DecodeError("bits after the last level")
