"""Cells, intervals and matches one by one, written from [zigzag] III and not from the code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

Cell = tuple[int, ...]


def interleaved(cell: Sequence[int], bits: int) -> int:
    """The Z-order number of a cell: bit by bit, from the highest, dimension 0 first (AMB-70)."""
    number = 0
    for bit in reversed(range(bits)):
        for coordinate in cell:
            number = 2 * number + (coordinate >> bit) % 2
    return number


def cells_between(first: Sequence[int], last: Sequence[int]) -> list[Cell]:
    """Every cell of a box of cells."""
    return list(product(*(range(a, b + 1) for a, b in zip(first, last, strict=True))))


def runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Maximal runs of consecutive numbers, both ends included."""
    result: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if result and result[-1][1] == number - 1:
            result[-1] = (result[-1][0], number)
        else:
            result.append((number, number))
    return result


def touched(low: float, high: float, cells: int) -> set[int]:
    """The cells of [0, 1] cut into so many, half-open but for the last, that the closed range touches."""
    return {
        i for i in range(cells) if i <= high * cells and (low * cells < i + 1 or (i == cells - 1 and low * cells >= i))
    }


def holds(lows: Iterable[float], highs: Iterable[float], point: Iterable[float]) -> bool:
    """Is the point in the closed box?"""
    return all(low <= x <= high for low, x, high in zip(lows, point, highs, strict=True))
