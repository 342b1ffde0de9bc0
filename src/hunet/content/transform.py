"""Boxes to cells: the transformations of [zigzag] III-A, what each gets wrong, and the second level of III-B.

All functions take many boxes at once: lower and upper corners, one row per box. [zigzag] calls two things the
false-positive rate (ERR-23); here they are `excess` (Eq. 1, a ratio without bound) and `p_t` (Eq. 4, a probability).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.content.curves import Cells
from hunet.content.grid import Grid, Points
from hunet.filters.checks import require_int, require_real
from hunet.model.errors import InvalidValueError

__all__ = ["Approximation", "Refinement", "inclusive", "inner", "nearest", "optimal", "refine"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Approximation:
    """Boxes of cells that stand for boxes: `first` to `last`, both included; without any cell where first > last.

    Volumes are counted in cells.
    """

    first: Floats
    last: Floats
    lows: Floats
    """Faces of the boxes themselves, in cells."""
    highs: Floats

    @cached_property
    def cells(self) -> Floats:
        """How many cells: the sum of c_i."""
        return _volume(self.last + 1.0 - self.first)

    @cached_property
    def size(self) -> Floats:
        """The volume of the box, s."""
        return _volume(self.highs - self.lows)

    @cached_property
    def shared(self) -> Floats:
        """The volume that box and cells have in common."""
        return _volume(np.minimum(self.last + 1.0, self.highs) - np.maximum(self.first, self.lows))

    @property
    def excess(self) -> Floats:
        """Relative excess, C / s - 1 (Eq. 1, [zigzag]); infinite for a box without volume."""
        with np.errstate(divide="ignore"):
            return self.cells / self.size - 1.0

    @property
    def p_t(self) -> Floats:
        """Probability that a point of the cells is not in the box (Eq. 4, [zigzag]): 1 - s / C.

        Eq. 4 is 1 - prod(1 - p_i); it is the same for p_i = 1 - (width of the box / width of the cells).
        """
        with np.errstate(invalid="ignore"):
            return np.where(self.cells > 0, 1.0 - self.shared / self.cells, 0.0)

    @property
    def missed(self) -> Floats:
        """Share of the box that the cells miss, FN; 1 where no cell is left, also for a box without volume."""
        with np.errstate(invalid="ignore"):
            return np.where(self.size > 0, 1.0 - self.shared / self.size, np.where(self.cells > 0, 0.0, 1.0))

    def boxes(self) -> tuple[Cells, Cells]:
        """First and last cells, as a curve's `cover` takes them. Every box must have cells."""
        return self.first.astype(np.uint64), self.last.astype(np.uint64)


def _volume(sides: Floats) -> Floats:
    volume: Floats = np.prod(np.maximum(sides, 0.0), axis=1)
    return volume


def inclusive(grid: Grid, lows: Points, highs: Points) -> Approximation:
    """All cells that a box touches: nothing is missed (Eq. 1, [zigzag]).

    >>> from hunet.content.curves import z_order
    >>> from hunet.content.grid import unit_grid
    >>> small = inclusive(unit_grid(z_order(2, 2)), np.array([[0.2, 0.2]]), np.array([[0.3, 0.3]]))
    >>> small.cells, small.p_t.round(2), small.excess.round(1)
    (array([4.]), array([0.96]), array([24.]))
    """
    first, last = (grid.cells(corner).astype(np.float64) for corner in (lows, highs))
    return Approximation(first, last, *grid.faces(lows, highs))


def inner(grid: Grid, lows: Points, highs: Points) -> Approximation:
    """Only cells that lie inside the box (second term of Eq. 2, [zigzag]): nothing false, perhaps no cell at all."""
    low, high = grid.faces(lows, highs)
    return Approximation(np.ceil(low), np.floor(high) - 1.0, low, high)


def nearest(grid: Grid, lows: Points, highs: Points) -> Approximation:
    """Every face moved to the nearest cell boundary, at least one cell wide (AMB-72: the sentence, not Eq. 2)."""
    low, high = grid.faces(lows, highs)
    first, last = np.round(low), np.round(high) - 1.0
    middle = np.minimum(np.floor((low + high) / 2), grid.side - 1.0)
    thin = first > last
    return Approximation(np.where(thin, middle, first), np.where(thin, middle, last), low, high)


def optimal(grid: Grid, lows: Points, highs: Points, alpha: float = 0.1, beta: float = 1.0) -> Approximation:
    """Outer or inner cells, whichever errs less (Eq. 2, [zigzag]), behind the gate of III-A.

    The inner cells are taken only if they miss less than alpha of the box and RBF = FP / FN (Eq. 3) is above beta,
    with FP the excess of the outer cells. RBF is infinite where nothing is missed. AMB-71: no defaults are printed.
    A box inside one cell has no inner cells and misses everything; alpha, at most 1, keeps it.
    """
    require_real("alpha", alpha, 0.0, 1.0)
    require_real("beta", beta, 0.0)
    outer, inside = inclusive(grid, lows, highs), inner(grid, lows, highs)
    missed, excess = inside.missed, outer.excess
    with np.errstate(divide="ignore", invalid="ignore"):
        benefit = np.where(missed > 0, excess / missed, np.inf)
    second = (missed < excess) & (missed < alpha) & (benefit > beta)
    first, last = (
        np.where(second[:, None], one, other) for one, other in ((inside.first, outer.first), (inside.last, outer.last))
    )
    return Approximation(first, last, outer.lows, outer.highs)


@dataclass(frozen=True)
class Refinement:
    """The second level of ZigZagH: a fine grid of its own over the cells of every box (AMB-73 a).

    Like a coarse one, a fine cell range is given by its first and last cell, here of `side` cells per dimension.
    """

    coarse: Approximation
    fine: Approximation
    side: int

    def local_cells(self, scaled: Points, box: npt.NDArray[np.integer[Any]]) -> Floats:
        """The fine cells of points (in coarse cells), each within the grid of its box."""
        first, last = self.coarse.first[box], self.coarse.last[box]
        fine = np.floor((scaled - first) / (last + 1.0 - first) * self.side)
        cells: Floats = np.clip(fine, 0.0, self.side - 1.0)
        return cells

    @property
    def p_t(self) -> Floats:
        """Probability that a point which matches both levels is not in the box."""
        return self.fine.p_t


def refine(coarse: Approximation, side: int) -> Refinement:
    """Cut the cells of every box anew into `side` (a power of two) per dimension, and keep those that it touches.

    Nothing in the box is lost: where a point of the box lies in the cells, its fine cell is kept.
    """
    if require_int("cells of the second level", side, 2, 2**16) & (side - 1):
        raise InvalidValueError(f"cells of the second level must be a power of two, got {side}")
    widths = coarse.last + 1.0 - coarse.first
    low, high = (np.clip((face - coarse.first) / widths * side, 0.0, side) for face in (coarse.lows, coarse.highs))
    first, last = (np.minimum(np.floor(face), side - 1.0) for face in (low, high))
    return Refinement(coarse, Approximation(first, last, low, high), side)
