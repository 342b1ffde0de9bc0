"""Boxes to cells: what each transformation promises, and what its errors are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hunet.content import Category, Number, Schema, z_order
from hunet.content.grid import unit_grid
from hunet.content.transform import Approximation, inclusive, inner, nearest, optimal, refine
from hunet.model.errors import InvalidValueError
from tests.content.boxes import Floats, some_boxes, some_points
from tests.naive.content import holds, touched

GRID = unit_grid(z_order(2, 3))


def has(cells: Approximation, box: int, point: Floats) -> bool:
    cell = GRID.cells(point[None, :])[0]
    return bool(np.all((cells.first[box] <= cell) & (cell <= cells.last[box])))


@given(st.integers(0, 2**32))
def test_inclusive_never_misses_and_inner_never_matches_falsely(seed: int) -> None:
    chance = np.random.default_rng(seed)
    lows, highs = some_boxes(chance, 8, 2)
    outer, inside = inclusive(GRID, lows, highs), inner(GRID, lows, highs)
    for point in some_points(chance, 20, lows, highs):
        for box in range(8):
            truth = holds(lows[box].tolist(), highs[box].tolist(), point.tolist())
            assert has(outer, box, point) or not truth
            assert truth or not has(inside, box, point) or point.max() == 1.0  # cells are half-open but the last


@given(st.integers(0, 2**32))
def test_inclusive_takes_just_the_cells_that_are_touched(seed: int) -> None:
    lows, highs = some_boxes(np.random.default_rng(seed), 5, 2)
    outer = inclusive(GRID, lows, highs)
    for box in range(5):
        for d in range(2):
            low, high = max(lows[box, d], 0.0), min(highs[box, d], 1.0)
            taken = set(range(int(outer.first[box, d]), int(outer.last[box, d]) + 1))
            assert taken == touched(low, high, 8)


@given(st.integers(0, 2**32))
def test_the_second_level_never_matches_more_and_never_misses(seed: int) -> None:
    chance = np.random.default_rng(seed)
    lows, highs = some_boxes(chance, 6, 2)
    coarse = inclusive(GRID, lows, highs)
    fine = refine(coarse, 4)
    points = some_points(chance, 30, lows, highs)
    for box in range(6):
        local = fine.local_cells(GRID.scaled(points), np.full(30, box))
        both = ((fine.fine.first[box] <= local) & (local <= fine.fine.last[box])).all(axis=1)
        for i, point in enumerate(points):
            matched = bool(both[i]) and has(coarse, box, point)
            assert matched <= has(coarse, box, point)
            assert matched or not holds(lows[box].tolist(), highs[box].tolist(), point.tolist())
    assert np.all(fine.p_t <= coarse.p_t + 1e-12)


def box(*sides: tuple[float, float]) -> tuple[Floats, Floats]:
    return np.array([[low / 8 for low, _ in sides]]), np.array([[high / 8 for _, high in sides]])


def test_errors_of_a_box_that_is_drawn_by_hand() -> None:
    """From 1.5 to 3.75 cells in both dimensions: 9 outer cells, 1 inner, size 2.25^2."""
    lows, highs = box((1.5, 3.75), (1.5, 3.75))
    outer, inside, near = (way(GRID, lows, highs) for way in (inclusive, inner, nearest))
    size = 2.25**2
    assert (outer.cells[0], inside.cells[0], near.cells[0]) == (9, 1, 4)
    assert outer.excess[0] == pytest.approx(9 / size - 1)
    assert outer.p_t[0] == pytest.approx(1 - size / 9)
    assert outer.missed[0] == pytest.approx(0)
    assert inside.missed[0] == pytest.approx(1 - 1 / size)
    assert inside.p_t[0] == pytest.approx(0)
    assert (near.first[0].tolist(), near.last[0].tolist()) == ([2, 2], [3, 3])
    assert near.missed[0] == pytest.approx(1 - 1.75**2 / size)
    assert near.p_t[0] == pytest.approx(1 - 1.75**2 / 4)


@pytest.mark.parametrize(
    ("side", "alpha", "beta", "takes_inner"),
    [
        ((0.1, 6.95), 0.2, 1.0, False),  # misses 0.27
        ((0.1, 6.95), 0.3, 1.0, False),  # Eq. 2: the outer cells err less, 0.04
        ((0.9, 7.1), 0.1, 1.0, True),  # misses 0.06, and the outer cells have an excess of 0.66
        ((0.9, 7.1), 0.05, 1.0, False),  # more is missed than alpha allows
        ((0.9, 7.1), 0.1, 20.0, False),  # RBF about 10 is not above beta
        ((2.0, 6.0), 0.1, 1e9, True),  # nothing is missed: RBF is infinite
        ((2.2, 2.3), 1.0, 0.0, False),  # inside one cell: no inner cells, everything would be missed
        ((2.5, 2.5), 1.0, 0.0, False),  # a single point
    ],
)
def test_the_gate_of_the_optimal_transformation(
    side: tuple[float, float], alpha: float, beta: float, takes_inner: bool
) -> None:
    lows, highs = box(side, side)
    outer, inside, chosen = (
        inclusive(GRID, lows, highs),
        inner(GRID, lows, highs),
        optimal(GRID, lows, highs, alpha, beta),
    )
    wanted = inside if takes_inner else outer
    assert np.array_equal(chosen.first, wanted.first)
    assert np.array_equal(chosen.last, wanted.last)


@given(st.integers(0, 2**32), st.floats(0, 1), st.floats(0, 10))
def test_the_optimal_transformation_keeps_its_promises(seed: int, alpha: float, beta: float) -> None:
    lows, highs = some_boxes(np.random.default_rng(seed), 10, 2)
    outer, chosen = inclusive(GRID, lows, highs), optimal(GRID, lows, highs, alpha, beta)
    assert np.all((chosen.missed == 0) | (chosen.missed < alpha) | (outer.cells == chosen.cells))
    assert np.all(chosen.cells >= 1)
    wrong = np.where(chosen.cells < outer.cells, chosen.missed, chosen.excess)
    assert np.all(wrong <= outer.excess), "Eq. 2: never worse than inclusive"


@given(st.integers(0, 2**32))
def test_nearest_has_at_least_one_cell_and_faces_at_most_half_a_cell_away(seed: int) -> None:
    lows, highs = some_boxes(np.random.default_rng(seed), 10, 2)
    near = nearest(GRID, lows, highs)
    assert np.all(near.first <= near.last)
    wide = near.highs - near.lows > 1
    assert np.all(np.abs(near.first - near.lows)[wide] <= 0.5)
    assert np.all(np.abs(near.last + 1 - near.highs)[wide] <= 0.5)


def test_a_category_is_one_cell_exactly() -> None:
    schema = Schema(brand=Category(("Canon", "Nikon", "Sony")), focal=Number(0, 8))
    grid = schema.grid(z_order(2, 3))
    nikon = schema.box("brand = Nikon and 2 <= focal <= 3.5")
    for way in (inclusive, nearest, inner):
        cells = way(grid, nikon.lows[None, :], nikon.highs[None, :])
        assert (cells.first[0, 0], cells.last[0, 0]) == (1, 1)
    outer = inclusive(grid, nikon.lows[None, :], nikon.highs[None, :])
    assert outer.size[0] == pytest.approx(1.5)
    anything = schema.box("focal >= 2")
    assert inclusive(grid, anything.lows[None, :], anything.highs[None, :]).last[0].tolist() == [7, 7]
    with pytest.raises(InvalidValueError, match="brand has 3 values, more than 2 cells"):
        schema.grid(z_order(2, 1))


def test_bad_settings_are_refused() -> None:
    lows, highs = box((1, 2), (1, 2))
    with pytest.raises(InvalidValueError, match="alpha"):
        optimal(GRID, lows, highs, alpha=1.5)
    with pytest.raises(InvalidValueError, match="beta"):
        optimal(GRID, lows, highs, beta=math.nan)
    with pytest.raises(InvalidValueError, match="power of two, got 6"):
        refine(inclusive(GRID, lows, highs), 6)
