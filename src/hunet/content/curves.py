"""Curves that number the cells of a grid: Z-order ([zigzag] III-A) and Hilbert's (MICS, for comparison).

A grid of d dimensions with 2^b cells each has d x b bits of cell number, at most 64. Along both curves every cube
of half, quarter, ... the side is one run of numbers, which is what turns a box of cells into few intervals: each bit
of a number, from the highest, halves one dimension. For Z-order the dimensions take turns and the lower half comes
first. For Hilbert's curve which dimension and which half depends on where the curve entered the cube and in which
direction it leaves; neighbours on the curve are then neighbours on the grid.

The turns of Hilbert's curve follow C. Hamilton, "Compact Hilbert indices", Dalhousie University, CS-2006-07.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hunet.content.cover import Intervals, cover_boxes
from hunet.content.turns import gray, next_turn, rotate_left, rotate_right, ungray
from hunet.filters.checks import require_int
from hunet.kernels import loop
from hunet.model.errors import InvalidValueError

__all__ = ["Cells", "Curve", "Ids", "hilbert", "z_order"]

Cells = npt.NDArray[np.uint64]
"""Coordinates of cells: one row per cell, one column per dimension."""
Ids = npt.NDArray[np.uint64]

_MOST_BITS = 64


@dataclass(frozen=True, slots=True)
class Curve:
    """A way to number the cells of a grid. Made by `z_order` or `hilbert`.

    >>> z_order(dimensions=2, bits=2).ids([[2, 2]])
    array([12], dtype=uint64)
    """

    kind: Literal["z-order", "hilbert"]
    dimensions: int
    bits: int
    """Per dimension: 2^bits cells."""

    def __post_init__(self) -> None:
        if self.kind not in ("z-order", "hilbert"):
            raise InvalidValueError(f"a curve is 'z-order' or 'hilbert', got {self.kind!r}")
        require_int("dimensions", self.dimensions, 1, _MOST_BITS)
        require_int("bits", self.bits, 1, _MOST_BITS)
        if self.dimensions * self.bits > _MOST_BITS:
            raise InvalidValueError(
                f"{self.dimensions} dimensions x {self.bits} bits do not fit cell numbers of {_MOST_BITS} bits; "
                f"use at most {_MOST_BITS // self.dimensions} bits per dimension"
            )

    @property
    def id_bits(self) -> int:
        """Bits of a cell number: d x b (ERR-22: 40 for four dimensions of 1,024 cells, not 32)."""
        return self.dimensions * self.bits

    def ids(self, cells: npt.ArrayLike) -> Ids:
        """The numbers of cells given by their coordinates, one row each. AMB-70: dimension 0 gives the highest bit."""
        grid = self._cells(cells, "cells")
        ids = np.empty(len(grid), np.uint64)
        if self.kind == "z-order":
            _interleave(_spread_table(self.dimensions), self.bits, grid, ids)
        else:
            _hilbert_ids(self.bits, grid, ids)
        return ids

    def cells(self, ids: npt.ArrayLike) -> Cells:
        """The coordinates of cells given by their numbers: the inverse of `ids`."""
        numbers = np.ascontiguousarray(ids, np.uint64)
        if numbers.size and int(numbers.max()) >> self.id_bits:
            raise InvalidValueError(f"cell number {numbers.max()} is not below 2^{self.id_bits}")
        grid = np.zeros((numbers.size, self.dimensions), np.uint64)
        _cells_of(self.kind == "hilbert", self.bits, numbers, grid)
        return grid

    def cover(self, first: npt.ArrayLike, last: npt.ArrayLike) -> Intervals:
        """The maximal intervals of cell numbers of each box of cells: from `first` to `last`, both included, per row.

        The work is in proportion to the intervals that come out, however many cells they hold.

        >>> z_order(dimensions=2, bits=2).cover([[0, 0]], [[1, 2]]).of(0)
        [(0, 4), (6, 6)]
        """
        low, high = self._cells(first, "first"), self._cells(last, "last")
        if low.shape != high.shape:
            raise InvalidValueError(f"{len(low)} first cells and {len(high)} last cells: every box needs both")
        wrong = np.flatnonzero((low > high).any(axis=1))
        if wrong.size:
            row = int(wrong[0])
            raise InvalidValueError(f"box {row} ends before it begins: {low[row].tolist()} to {high[row].tolist()}")
        return cover_boxes(self.kind == "hilbert", self.bits, low, high)

    def _cells(self, cells: npt.ArrayLike, what: str) -> Cells:
        grid = np.ascontiguousarray(cells, np.uint64)
        if grid.ndim != 2 or grid.shape[1] != self.dimensions:
            raise InvalidValueError(f"{what}: one row per cell and {self.dimensions} columns, got shape {grid.shape}")
        if grid.size and int(grid.max()) >> self.bits:
            raise InvalidValueError(f"{what}: coordinate {grid.max()} is not below 2^{self.bits}")
        return grid


def z_order(dimensions: int, bits: int) -> Curve:
    """The Z-order curve: the bits of the coordinates, interleaved."""
    return Curve("z-order", dimensions, bits)


def hilbert(dimensions: int, bits: int) -> Curve:
    """Hilbert's curve: fewer intervals per box, more work per number."""
    return Curve("hilbert", dimensions, bits)


def _spread_table(dimensions: int) -> npt.NDArray[np.uint64]:
    """For every byte, its bits with room for those of the other dimensions in between."""
    byte = np.arange(256, dtype=np.uint64)
    table = np.zeros(256, np.uint64)
    for bit in range(min(8, (_MOST_BITS - 1) // dimensions + 1)):
        table |= ((byte >> np.uint64(bit)) & np.uint64(1)) << np.uint64(bit * dimensions)
    return table


@loop
def _interleave(table: Any, bits: int, cells: Cells, ids: Ids) -> None:
    dimensions = np.uint64(cells.shape[1])
    for row in range(np.uint64(cells.shape[0])):
        number = np.uint64(0)
        for dimension in range(dimensions):
            for byte in range(np.uint64(bits + 7) >> np.uint64(3)):
                part = (cells[row, dimension] >> (byte << np.uint64(3))) & np.uint64(255)
                number |= table[part] << ((byte << np.uint64(3)) * dimensions + dimensions - np.uint64(1) - dimension)
        ids[row] = number


@loop
def _hilbert_ids(bits: int, cells: Cells, ids: Ids) -> None:
    dimensions = np.uint64(cells.shape[1])
    for row in range(np.uint64(cells.shape[0])):
        number = np.uint64(0)
        entry, direction = np.uint64(0), np.uint64(0)
        for level in range(bits - 1, -1, -1):
            label = np.uint64(0)
            for dimension in range(dimensions):
                label = (label << np.uint64(1)) | ((cells[row, dimension] >> np.uint64(level)) & np.uint64(1))
            digit = ungray(rotate_right(label ^ entry, direction + np.uint64(1), dimensions))
            number |= digit << (np.uint64(level) * dimensions)
            entry, direction = next_turn(entry, direction, digit, dimensions)
        ids[row] = number


@loop
def _cells_of(is_hilbert: bool, bits: int, ids: Ids, cells: Cells) -> None:
    dimensions = np.uint64(cells.shape[1])
    ones = ~np.uint64(0) >> (np.uint64(64) - dimensions)
    for row in range(np.uint64(ids.size)):
        entry, direction = np.uint64(0), np.uint64(0)
        for level in range(bits - 1, -1, -1):
            digit = (ids[row] >> (np.uint64(level) * dimensions)) & ones
            label = digit
            if is_hilbert:
                label = rotate_left(gray(digit), direction + np.uint64(1), dimensions) ^ entry
                entry, direction = next_turn(entry, direction, digit, dimensions)
            for dimension in range(dimensions):
                bit = (label >> (dimensions - np.uint64(1) - dimension)) & np.uint64(1)
                cells[row, dimension] |= bit << np.uint64(level)
