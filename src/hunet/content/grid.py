"""The content space cut into cells ([zigzag] III-A): where points and the faces of boxes lie, counted in cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from hunet.content.curves import Cells, Curve

__all__ = ["Grid", "Points", "unit_grid"]

Points: TypeAlias = npt.NDArray[np.float64]
"""Coordinates of points, or of the lower or upper corners of boxes: one row each, one column per dimension."""


@dataclass(frozen=True, slots=True)
class Grid:
    """2^bits equal cells per dimension, half-open but for the last, numbered by a curve."""

    curve: Curve
    origin: npt.NDArray[np.float64]
    span: npt.NDArray[np.float64]
    discrete: npt.NDArray[np.bool_]
    """Dimensions of categories: a value fills its cell."""

    @property
    def side(self) -> float:
        """Cells per dimension."""
        return 2.0**self.curve.bits

    def scaled(self, coordinates: Points) -> Points:
        """Coordinates counted in cells, cut off at the limits. Never turns the order of two numbers around."""
        result: Points = np.clip((coordinates - self.origin) / self.span * self.side, 0.0, self.side)
        return result

    def cells(self, points: Points) -> Cells:
        """The cells in which points lie."""
        last = min(self.side - 1.0, np.nextafter(self.side, 0.0))  # the second where floats are coarser than cells
        cells: Cells = np.minimum(np.floor(self.scaled(points)), last).astype(np.uint64)
        return cells

    def faces(self, lows: Points, highs: Points) -> tuple[Points, Points]:
        """Lower and upper faces of boxes, counted in cells; a category reaches to the end of its cell."""
        return self.scaled(lows), np.minimum(self.scaled(highs) + self.discrete, self.side)


def unit_grid(curve: Curve) -> Grid:
    """The grid over [0, 1] in every dimension, which the experiments use."""
    d = curve.dimensions
    return Grid(curve, np.zeros(d), np.ones(d), np.zeros(d, np.bool_))
