"""The numbers of cells along both curves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hunet.content import Curve, hilbert, z_order
from hunet.model.errors import InvalidValueError
from tests.naive.content import cells_between, interleaved

SMALL = [(1, 5), (2, 1), (2, 3), (3, 2), (4, 2), (5, 1)]
WIDE = [(1, 64), (2, 32), (3, 21), (4, 10), (4, 16), (7, 9), (64, 1)]


@pytest.mark.parametrize(("dimensions", "bits"), SMALL)
@pytest.mark.parametrize("make", [z_order, hilbert])
def test_every_cell_has_a_number_of_its_own(make: Callable[[int, int], Curve], dimensions: int, bits: int) -> None:
    curve = make(dimensions, bits)
    cells = np.array(cells_between([0] * dimensions, [2**bits - 1] * dimensions), np.uint64)
    ids = curve.ids(cells)
    assert sorted(ids.tolist()) == list(range(len(cells)))
    assert np.array_equal(curve.cells(ids), cells)


@pytest.mark.parametrize(("dimensions", "bits"), SMALL)
def test_neighbours_on_hilberts_curve_are_neighbours_on_the_grid(dimensions: int, bits: int) -> None:
    path = hilbert(dimensions, bits).cells(np.arange(2 ** (dimensions * bits))).astype(np.int64)
    assert np.all(np.abs(np.diff(path, axis=0)).sum(axis=1) == 1)
    assert not path[0].any()


@given(st.data())
def test_z_order_interleaves_the_bits(data: st.DataObject) -> None:
    dimensions, bits = data.draw(st.sampled_from(SMALL + WIDE))
    cell = data.draw(st.lists(st.integers(0, 2**bits - 1), min_size=dimensions, max_size=dimensions))
    assert z_order(dimensions, bits).ids([cell]).tolist() == [interleaved(cell, bits)]


@given(st.data())
def test_wide_grids_come_back_from_their_numbers(data: st.DataObject) -> None:
    dimensions, bits = data.draw(st.sampled_from(WIDE))
    cell = np.array(
        [data.draw(st.lists(st.integers(0, 2**bits - 1), min_size=dimensions, max_size=dimensions))], np.uint64
    )
    for curve in (z_order(dimensions, bits), hilbert(dimensions, bits)):
        assert np.array_equal(curve.cells(curve.ids(cell)), cell)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InvalidValueError, match=r"5 dimensions x 13 bits do not fit .* at most 12 bits"):
        z_order(5, 13)
    with pytest.raises(InvalidValueError, match="'z-order' or 'hilbert'"):
        Curve("zorder", 2, 2)  # type: ignore[arg-type]
    curve = z_order(2, 2)
    with pytest.raises(InvalidValueError, match="coordinate 4 is not below"):
        curve.ids([[0, 4]])
    with pytest.raises(InvalidValueError, match="2 columns"):
        curve.ids([[0, 1, 2]])
    with pytest.raises(InvalidValueError, match="cell number 16"):
        curve.cells([16])
    with pytest.raises(InvalidValueError, match=r"box 1 ends before it begins: \[2, 0\] to \[1, 3\]"):
        curve.cover([[0, 0], [2, 0]], [[1, 1], [1, 3]])
    with pytest.raises(InvalidValueError, match="every box needs both"):
        curve.cover([[0, 0]], [[1, 1], [2, 2]])
