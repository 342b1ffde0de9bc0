"""ZigZag's approximate matching ([zigzag] III): cells instead of boxes, in an interval index or in Bloom filters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from hunet.content.compressed import CompressedIndex, Sizing
from hunet.content.grid import Grid, Points
from hunet.content.rows import Rows
from hunet.content.stabbing import Found, StabIndex
from hunet.content.transform import Approximation, Refinement, inclusive, nearest, optimal, refine
from hunet.filters.hashing import PUBLIC_KEY
from hunet.model.errors import InvalidValueError

__all__ = ["CellIndex", "ZigZag"]


@dataclass(frozen=True, slots=True)
class ZigZag:
    """How subscriptions become cells. The default misses nothing and matches a little too much."""

    bits: int = 10
    """Per dimension: 2^bits cells."""
    curve: Literal["z-order", "hilbert"] = "z-order"
    transformation: Literal["inclusive", "optimal", "nearest"] = "inclusive"
    alpha: float = 0.1
    """Of `optimal`: the largest share of a subscription that may be missed."""
    beta: float = 1.0
    """Of `optimal`: the least relative benefit, RBF, of missing it."""
    second_level: int | None = None
    """ZigZagH: cells per dimension of the fine grid over each subscription's cells, such as 4 or 8."""
    filters: Sizing | None = None
    """Bloom filters instead of intervals, sized `literal` or `safe`."""
    hashes: int = 3
    key: bytes = PUBLIC_KEY

    def approximate(self, grid: Grid, lows: Points, highs: Points) -> Approximation:
        """Boxes to cells, by the chosen transformation."""
        ways: dict[str, Callable[[Grid, Points, Points], Approximation]] = {
            "inclusive": inclusive,
            "optimal": partial(optimal, alpha=self.alpha, beta=self.beta),
            "nearest": nearest,
        }
        if self.transformation not in ways:
            raise InvalidValueError(f"there is no transformation {self.transformation!r}; there are {', '.join(ways)}")
        return ways[self.transformation](grid, lows, highs)


class CellIndex:
    """Subscriptions as cells, and which of them an event matches.

    The second level compares fine cells with the range of a subscription, which is the same as looking for their
    number in its intervals: intervals cover exactly the cells of the range.
    """

    def __init__(self, grid: Grid, how: ZigZag) -> None:
        self._grid, self._how = grid, how
        self._intervals = StabIndex(1, np.uint64)
        self._filters = None if how.filters is None else CompressedIndex(how.filters, how.hashes, how.key)
        self._ranges = Rows((4, grid.curve.dimensions), np.float64)  # coarse first, last, fine first, last
        nothing = np.zeros((0, grid.curve.dimensions))
        self.add(nothing, nothing, np.zeros(0, np.int32))  # what is wrong with the settings is said now

    def add(self, lows: Points, highs: Points, owners: npt.NDArray[np.int32]) -> None:
        """Add boxes; owners are numbered in the order of addition, from 0."""
        coarse = self._how.approximate(self._grid, lows, highs)
        intervals = self._grid.curve.cover(*coarse.boxes())
        if self._filters is not None:
            self._filters.add(intervals, owners)
        else:
            whose = np.repeat(owners, intervals.counts)
            self._intervals.add(intervals.starts[:, None], intervals.stops[:, None], whose)
        if self._how.second_level is not None:
            fine = refine(coarse, self._how.second_level).fine
            self._ranges.append(np.stack([coarse.first, coarse.last, fine.first, fine.last], axis=1))

    def find(self, points: Points, alive: npt.NDArray[np.uint8]) -> Found:
        """The owners whose cells hold each point."""
        ids = self._grid.curve.ids(self._grid.cells(points))
        if self._filters is not None:
            found = self._filters.find(ids, alive)
        else:
            found = self._intervals.stab(ids[:, None], alive)
        return found if self._how.second_level is None else self._on_both_levels(points, found, self._how.second_level)

    def _on_both_levels(self, points: Points, found: Found, side: int) -> Found:
        offsets, owners = found
        event = np.repeat(np.arange(len(points)), np.diff(offsets))
        first, last, fine_first, fine_last = self._ranges.array.transpose(1, 0, 2)
        empty = np.zeros((0, points.shape[1]))
        level = Refinement(
            Approximation(first, last, empty, empty), Approximation(fine_first, fine_last, empty, empty), side
        )
        cells = level.local_cells(self._grid.scaled(points)[event], owners)
        return keep(found, ((cells >= fine_first[owners]) & (cells <= fine_last[owners])).all(axis=1))


def keep(found: Found, wanted: npt.NDArray[np.bool_]) -> Found:
    """Only some of the answers."""
    offsets, owners = found
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(wanted)])
    return before[offsets], owners[wanted]
