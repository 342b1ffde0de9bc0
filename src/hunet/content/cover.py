"""Boxes of cells to intervals of cell numbers, by splitting: a cube that lies inside the box is one run of numbers.

The splitting walks down in the order of the curve, halves one dimension per step, and only goes where the box is. It
never looks at single cells unless they are intervals by themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.content.turns import next_turn
from hunet.kernels import leaf, loop
from hunet.model.errors import InvalidValueError

__all__ = ["MOST_INTERVALS", "Intervals", "cover_boxes"]

MOST_INTERVALS = 2**22
"""Of one box: where there are more, the grid is too fine for so wide a box."""


@dataclass(frozen=True, slots=True)
class Intervals:
    """The intervals of several boxes, one box after the other: sorted, disjoint, not adjacent; both ends included."""

    starts: npt.NDArray[np.uint64]
    stops: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.int64]
    """Those of box i lie at offsets[i]:offsets[i + 1]."""

    def __len__(self) -> int:
        return self.offsets.size - 1

    def of(self, box: int) -> list[tuple[int, int]]:
        """The intervals of one box."""
        part = slice(self.offsets[box], self.offsets[box + 1])
        return list(zip(self.starts[part].tolist(), self.stops[part].tolist(), strict=True))

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How many intervals each box has."""
        return np.diff(self.offsets)

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """How many cells each box has; as floats, because 2^64 of them are possible."""
        lengths = (self.stops - self.starts).astype(np.float64) + 1.0
        return np.add.reduceat(np.append(lengths, 0.0), self.offsets[:-1]) * (self.counts > 0)

    def numbers(self) -> npt.NDArray[np.uint64]:
        """Every cell of every box, one after the other: for what needs them one by one, such as a Bloom filter."""
        lengths = (self.stops - self.starts).astype(np.int64) + 1
        begins = np.cumsum(lengths) - lengths
        inside = np.arange(int(lengths.sum())) - np.repeat(begins, lengths)
        return np.repeat(self.starts, lengths) + inside.astype(np.uint64)


class _Path(NamedTuple):
    """Cubes still to be looked at, one row each."""

    corner: npt.NDArray[np.uint64]
    number: npt.NDArray[np.uint64]
    depth: npt.NDArray[np.uint64]
    inside: npt.NDArray[np.uint64]
    entry: npt.NDArray[np.uint64]
    direction: npt.NDArray[np.uint64]
    digit: npt.NDArray[np.uint64]


def cover_boxes(is_hilbert: bool, bits: int, first: npt.NDArray[np.uint64], last: npt.NDArray[np.uint64]) -> Intervals:
    """The intervals of boxes from `first` to `last` (rows of cell coordinates)."""
    boxes, dimensions = first.shape
    rows = dimensions * bits + 2
    path = _Path(np.zeros((rows, dimensions), np.uint64), *(np.zeros(rows, np.uint64) for _ in range(6)))
    offsets = np.zeros(boxes + 1, np.int64)
    starts, stops = (np.empty(16 * boxes + 256, np.uint64) for _ in range(2))
    done = 0
    while True:
        done = _cover(is_hilbert, bits, first, last, path, done, MOST_INTERVALS, starts, stops, offsets)
        used = offsets[done]
        if done == boxes:
            return Intervals(starts[:used].copy(), stops[:used].copy(), offsets)
        if starts.size - used > MOST_INTERVALS:
            raise InvalidValueError(
                f"box {done}, {first[done].tolist()} to {last[done].tolist()}, takes more than {MOST_INTERVALS:,} "
                "intervals; use fewer bits per dimension"
            )
        more = np.empty(2 * starts.size, np.uint64)
        starts, stops = np.concatenate([starts[:used], more]), np.concatenate([stops[:used], more])


@leaf
def _ones(count: Any) -> Any:
    return np.uint64(0) if count == np.uint64(0) else ~np.uint64(0) >> (np.uint64(64) - count)


@loop
def _cover(
    is_hilbert: bool,
    bits: int,
    first: npt.NDArray[np.uint64],
    last: npt.NDArray[np.uint64],
    path: _Path,
    begin: int,
    most: int,
    starts: npt.NDArray[np.uint64],
    stops: npt.NDArray[np.uint64],
    offsets: npt.NDArray[np.int64],
) -> Any:
    """Cover boxes from `begin` on; returns the first that was not finished because the room or `most` ran out."""
    one = np.uint64(1)
    dimensions = np.uint64(first.shape[1])
    total = dimensions * np.uint64(bits)
    everywhere = _ones(dimensions)
    room = np.uint64(starts.size)
    for box in range(np.uint64(begin), np.uint64(first.shape[0])):
        n = np.uint64(offsets[box])
        limit = min(room, n + np.uint64(most))
        top = np.uint64(1)
        _start_at_root(is_hilbert, path, first, last, box, bits)
        while top > np.uint64(0):
            top -= one
            number = path.number[top]
            depth = path.depth[top]
            inside = path.inside[top]
            entry = path.entry[top]
            direction = path.direction[top]
            digit = path.digit[top]
            turn = depth % dimensions
            half = one << (np.uint64(bits) - one - depth // dimensions)
            while inside != everywhere:
                place = dimensions - one - turn
                flip = np.uint64(0)
                if is_hilbert:
                    place = (place + direction + one) % dimensions
                    flip = ((entry >> place) ^ digit) & one
                dimension = dimensions - one - place
                corner = path.corner[top, dimension]
                middle = corner + half
                low_inside = inside
                high_inside = inside
                low = True
                high = True
                if (inside >> dimension) & one == np.uint64(0):
                    begins = first[box, dimension]
                    ends = last[box, dimension]
                    low = begins < middle
                    high = ends >= middle
                    if begins <= corner and ends >= middle - one:
                        low_inside |= one << dimension
                    if begins <= middle and ends >= middle + (half - one):
                        high_inside |= one << dimension
                depth += one
                bit = one << (total - depth)
                second = flip  # the half that comes second is the lower one where the curve is flipped
                if low and high:
                    _put_aside(path, top, dimensions)
                    path.corner[top, dimension] = corner if second else middle
                    path.number[top] = number | bit
                    path.depth[top] = depth
                    path.inside[top] = low_inside if second else high_inside
                    path.entry[top] = entry
                    path.direction[top] = direction
                    path.digit[top] = (digit << one) | one
                    if is_hilbert and turn + one == dimensions:
                        path.entry[top], path.direction[top] = next_turn(entry, direction, path.digit[top], dimensions)
                        path.digit[top] = np.uint64(0)
                    top += one
                    goes_high = flip
                else:
                    goes_high = one if high else np.uint64(0)
                now = goes_high ^ flip
                path.corner[top, dimension] = middle if goes_high else corner
                inside = high_inside if goes_high else low_inside
                if now:
                    number |= bit
                digit = (digit << one) | now
                turn += one
                if turn == dimensions:
                    turn = np.uint64(0)
                    half >>= one
                    if is_hilbert:
                        entry, direction = next_turn(entry, direction, digit, dimensions)
                    digit = np.uint64(0)
            if n > np.uint64(offsets[box]) and stops[n - one] + one == number:
                stops[n - one] = number | _ones(total - depth)
            else:
                if n >= limit:
                    return np.int64(box)
                starts[n] = number
                stops[n] = number | _ones(total - depth)
                n += one
        offsets[box + one] = n
    return np.int64(first.shape[0])


@leaf
def _start_at_root(
    is_hilbert: bool, path: _Path, first: npt.NDArray[np.uint64], last: npt.NDArray[np.uint64], box: int, bits: int
) -> None:
    """The first cube to look at: the whole grid or, along the Z-order curve, the smallest cube that holds the box."""
    one = np.uint64(1)
    dimensions = np.uint64(first.shape[1])
    level = np.uint64(bits)
    number = np.uint64(0)
    same = not is_hilbert
    while same and level > np.uint64(0):
        shift = level - one
        for dimension in range(dimensions):
            same &= first[box, dimension] >> shift == last[box, dimension] >> shift
        if same:
            for dimension in range(dimensions):
                bit = (first[box, dimension] >> shift) & one
                number |= bit << (shift * dimensions + dimensions - one - dimension)
            level = shift
    inside = np.uint64(0)
    for dimension in range(dimensions):
        corner = first[box, dimension] & ~_ones(level)
        path.corner[0, dimension] = corner
        if first[box, dimension] == corner and last[box, dimension] == corner | _ones(level):
            inside |= one << dimension
    path.number[0] = number
    path.depth[0] = (np.uint64(bits) - level) * dimensions
    path.inside[0] = inside
    path.entry[0] = 0
    path.direction[0] = 0
    path.digit[0] = 0


@leaf
def _put_aside(path: _Path, top: np.uint64, dimensions: np.uint64) -> None:
    """Go on with a copy of the corner, one row up."""
    for dimension in range(dimensions):
        path.corner[top + np.uint64(1), dimension] = path.corner[top, dimension]
