"""Boxes to intervals: exactly the cells of the box, maximal, sorted, and never by looking at cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hunet.content.cover
from hunet.content import hilbert, z_order
from hunet.content.cover import Intervals
from hunet.content.covering import lies_within, merged, summarise
from hunet.model.errors import InvalidValueError
from tests.naive.content import cells_between, runs

SHAPES = [(1, 6), (2, 4), (3, 3), (4, 2), (6, 1)]


def cells_in(intervals: Intervals, box: int) -> set[int]:
    return {number for start, stop in intervals.of(box) for number in range(start, stop + 1)}


@st.composite
def some_covers(draw: st.DrawFn) -> tuple[Intervals, list[list[int]]]:
    """Covers of a few boxes, and the numbers of the cells of each, one by one."""
    dimensions, bits = draw(st.sampled_from(SHAPES))
    curve = draw(st.sampled_from([z_order, hilbert]))(dimensions, bits)
    corner = st.lists(st.integers(0, 2**bits - 1), min_size=dimensions, max_size=dimensions)
    corners = np.array(draw(st.lists(st.tuples(corner, corner), min_size=1, max_size=5)))
    first, last = corners.min(axis=1), corners.max(axis=1)
    cells = [curve.ids(cells_between(a, b)).tolist() for a, b in zip(first.tolist(), last.tolist(), strict=True)]
    return curve.cover(first, last), cells


@given(some_covers())
def test_intervals_are_the_maximal_runs_of_the_cells_of_the_box(drawn: tuple[Intervals, list[list[int]]]) -> None:
    intervals, cells = drawn
    assert [intervals.of(box) for box in range(len(intervals))] == [runs(numbers) for numbers in cells]
    assert intervals.points.tolist() == [len(numbers) for numbers in cells]
    assert intervals.counts.tolist() == [len(runs(numbers)) for numbers in cells]


def test_the_work_does_not_grow_with_the_cells() -> None:
    """Half of the space at 64 bits: 2^63 cells, one interval."""
    for curve in (z_order(2, 32), hilbert(2, 32), z_order(4, 16)):
        side = 2**curve.bits
        half = curve.cover([[0] * curve.dimensions], [[side // 2 - 1] + [side - 1] * (curve.dimensions - 1)])
        assert half.points[0] == 2.0**63
        assert half.counts[0] <= 2
        everything = curve.cover([[0] * curve.dimensions], [[side - 1] * curve.dimensions])
        assert everything.of(0) == [(0, 2**64 - 1)]


def test_many_boxes_at_once_are_the_same_as_one_by_one() -> None:
    """More intervals than the first room allows for."""
    chance = np.random.default_rng(2)
    first = chance.integers(0, 900, (40, 3))
    last = first + chance.integers(5, 100, (40, 3))
    curve = z_order(3, 10)
    together = curve.cover(first, last)
    assert [together.of(i) for i in range(40)] == [curve.cover(first[[i]], last[[i]]).of(0) for i in range(40)]
    assert len(curve.cover(np.zeros((0, 3)), np.zeros((0, 3)))) == 0


def test_a_box_with_too_many_intervals_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hunet.content.cover, "MOST_INTERVALS", 100)
    with pytest.raises(InvalidValueError, match=r"box 1, .* takes more than 100 intervals; use fewer bits"):
        z_order(2, 20).cover([[0, 0], [1, 1]], [[1, 1], [2**19, 2**19]])


@given(some_covers())
def test_a_summary_holds_the_same_cells_in_fewer_boxes(drawn: tuple[Intervals, list[list[int]]]) -> None:
    intervals, cells = drawn
    everything = set().union(*map(set, cells))
    assert merged(intervals).of(0) == runs(everything)
    assert summarise(intervals) is intervals, "off by default"
    covering = summarise(intervals, covering=True)
    sets = [frozenset(cells_in(covering, box)) for box in range(len(covering))]
    assert set(sets) == {frozenset(a) for a in cells if not any(set(a) < set(b) for b in cells)}
    assert len(set(sets)) == len(sets)
    subsumption = summarise(intervals, subsumption=True)
    kept = [cells_in(subsumption, box) for box in range(len(subsumption))]
    assert set().union(*kept) == everything
    for box, own in enumerate(kept):
        assert not own <= set().union(set(), *(other for i, other in enumerate(kept) if i != box)) or len(kept) == 1
    assert summarise(intervals, True, True, True).of(0) == runs(everything)


@given(some_covers())
def test_a_box_lies_within_others_when_all_its_cells_do(drawn: tuple[Intervals, list[list[int]]]) -> None:
    intervals, cells = drawn
    last = intervals.offsets[-2]
    outer = Intervals(intervals.starts[last:], intervals.stops[last:], np.array([0, intervals.starts.size - last]))
    assert lies_within(intervals, outer).tolist() == [set(numbers) <= set(cells[-1]) for numbers in cells]
