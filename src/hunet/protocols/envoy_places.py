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

from hunet.kernels import at_once, leaf, lowest_bit
from hunet.model.errors import DecodeError
from hunet.protocols.layout import Part, array
from hunet.protocols.quantities import Now
from hunet.protocols.wire import Reader, Writer, number_bytes

__all__ = [
    "MOST_TOLD",
    "PLACES",
    "TOP",
    "WORDS",
    "either",
    "expected",
    "fade",
    "keep_best",
    "level_at",
    "place_of",
    "places",
    "set_level",
    "sum_up",
]

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


def _as_one(row: Any) -> int:
    return int.from_bytes(row.astype("<u8", copy=False).tobytes(), "little")


def _expected(reach: Any, first: Any, covered: Any, mine: Any, beyond_me: Any) -> int:
    """Python's own numbers have as many bits as there are places, and are quicker than numpy's."""
    theirs, total = _as_one(reach[first : first + WORDS]), 0
    if theirs:
        taken, own = _as_one(covered), _as_one(mine[first : first + WORDS])
    while theirs:
        shift = ((theirs & -theirs).bit_length() - 1) & ~3
        level = (theirs >> shift) & TOP
        theirs ^= level << shift
        open_to = TOP - ((own >> shift) & TOP) if beyond_me else TOP
        total += level * (TOP - ((taken >> shift) & TOP)) * open_to
    return total


@at_once(_expected)
def expected(reach: Any, first: Any, covered: Any, mine: Any, beyond_me: Any) -> Any:
    """How many of those who want what falls at a position get it from who `reach`es them, in `TOP` to the third: as far
    as they are not covered, and, if asked, beyond what I bring myself."""
    total = np.int64(0)
    for word in range(WORDS):
        left = reach[first + word]
        while left != np.uint64(0):
            slot = lowest_bit(left) >> 2
            left &= ~(np.uint64(TOP) << np.uint64(slot << 2))
            place = (word << 4) + slot
            open_to = TOP - level_at(mine, first, place) if beyond_me else TOP
            total += level_at(reach, first, place) * (TOP - level_at(covered, 0, place)) * open_to
    return total


@leaf
def fade(horizon: float, since: Any, now: Now) -> Any:
    """What is left of a likelihood of that time: T / (T + t)."""
    return horizon / (horizon + max(0.0, now - since))


def _levels(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """[cell]"""
    shifts = np.arange(0, 64, 4, dtype=np.uint64)
    return ((words[:, None] >> shifts) & np.uint64(TOP)).ravel()


def _words(levels: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """The same back again."""
    shifts = np.arange(0, 64, 4, dtype=np.uint64)
    words: npt.NDArray[np.uint64] = np.bitwise_or.reduce(levels.astype(np.uint64).reshape(-1, 16) << shifts, axis=1)
    return words


def _sum_up(
    reach: Any, wanting: Any, place: Any, likely: Any, last: Any, wants: Any, horizon: float, now: float
) -> None:
    """Those who share a cell come one after the other, as in the loop; all cells take their next at once."""
    bits = np.unpackbits(wants.astype("<u8").view(np.uint8), axis=1, bitorder="little")
    wanting[:] = bits.sum(axis=0)[: wanting.size]
    levels = (TOP * likely * (horizon / (horizon + np.maximum(0.0, now - last))) + 0.5).astype(np.int64)
    who, position = np.nonzero(bits)
    cell = position * PLACES + place[who]
    order = np.argsort(cell, kind="stable")
    cell, level = cell[order], levels[who[order]]
    first = np.flatnonzero(np.diff(cell, prepend=-1))
    turn = np.arange(cell.size) - np.repeat(first, np.diff(first, append=cell.size))
    told = np.zeros(reach.size * 16, np.int64)
    by_turn = np.argsort(turn, kind="stable")
    for part in np.split(by_turn, np.cumsum(np.bincount(turn))[:-1]) if cell.size else []:
        told[cell[part]] = either(told[cell[part]], level[part])
    reach[:] = _words(told)


@at_once(_sum_up)
def sum_up(reach: Any, wanting: Any, place: Any, likely: Any, last: Any, wants: Any, horizon: float, now: Now) -> None:
    """Of acquaintances in order, by their places, how likely each was to be met again when it was last met, when that
    was, and what it wants: the rows of places at all positions, and how many want what falls there."""
    for i in range(reach.size):
        reach[i] = np.uint64(0)
    for i in range(wanting.size):
        wanting[i] = 0
    for at in range(place.size):
        level = np.int64(TOP * likely[at] * fade(horizon, last[at], now) + 0.5)
        where = np.int64(place[at])
        for word in range(wants.shape[1]):
            bits = wants[at, word]
            while bits != np.uint64(0):
                position = (word << 6) + lowest_bit(bits)
                bits &= bits - np.uint64(1)
                wanting[position] += 1
                row = position * WORDS
                set_level(reach, row, where, either(level_at(reach, row, where), level))


def _keep_best(words: Any) -> None:
    levels = _levels(words)
    least = 0
    while np.count_nonzero(levels > least) > MOST_TOLD:
        least += 1
    if least == 0:
        return
    last_ones = np.flatnonzero(levels == least)[MOST_TOLD - np.count_nonzero(levels > least) :]
    levels[levels < least] = 0
    levels[last_ones] = 0
    words[:] = _words(levels)


@at_once(_keep_best)
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
