"""The index that finds the boxes of a point, with and without its tree."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hunet.content.stabbing
from hunet.content.stab_tree import Boxes, build_tree
from hunet.content.stabbing import Found, StabIndex
from tests.content.boxes import Floats, some_boxes, some_points

ALL = np.ones(0, np.uint8)


def brute_force(lows: Floats, highs: Floats, points: Floats) -> list[list[int]]:
    inside = np.all((lows <= points[:, None]) & (points[:, None] <= highs), axis=2)
    return [np.flatnonzero(row).tolist() for row in inside]


def lists(found: Found) -> list[list[int]]:
    offsets, owners = found
    return [owners[a:b].tolist() for a, b in itertools.pairwise(offsets)]


@pytest.fixture(params=["list", "tree"])
def eagerness(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Never build the tree, or build it at every query."""
    monkeypatch.setattr(hunet.content.stabbing, "_WORTH", 10**12 if request.param == "list" else -1)
    monkeypatch.setattr(hunet.content.stabbing, "_FEW", 0)
    return str(request.param)


@pytest.mark.usefixtures("eagerness")
@pytest.mark.parametrize("dimensions", [1, 2, 4])
def test_it_finds_what_brute_force_finds(dimensions: int) -> None:
    for seed, widest in enumerate((0.02, 0.3, 1.0)):
        chance = np.random.default_rng(seed)
        index = StabIndex(dimensions)
        lows, highs = some_boxes(chance, 1200, dimensions, widest)
        points = some_points(chance, 150, lows, highs)
        for part in (slice(0, 700), slice(700, 701), slice(701, 1200)):
            index.add(lows[part], highs[part], np.arange(1200, dtype=np.int32)[part])
            assert lists(index.stab(points, ALL)) == brute_force(lows[: part.stop], highs[: part.stop], points)
        alive = (chance.random(1200) < 0.5).astype(np.uint8)
        expected = [[i for i in row if alive[i]] for row in brute_force(lows, highs, points)]
        assert lists(index.stab(points, alive)) == expected


@pytest.mark.usefixtures("eagerness")
def test_numbers_of_64_bits_are_compared_exactly() -> None:
    """Neighbouring cell numbers near 2^64 are one and the same float."""
    top = 2**64 - 1
    starts = np.array([[0], [top - 5], [top - 1], [2**53], [2**53 + 1], [top]] * 20, np.uint64)
    stops = np.array([[top], [top - 2], [top], [2**53], [2**53 + 1], [top]] * 20, np.uint64)
    index = StabIndex(1, np.uint64)
    index.add(starts, stops, np.arange(120, dtype=np.int32))
    asked = [0, 2**53, 2**53 + 1, top - 6, top - 2, top - 1, top]
    expected = [[i for i in range(120) if int(starts[i, 0]) <= x <= int(stops[i, 0])] for x in asked]
    assert lists(index.stab(np.array(asked, np.uint64)[:, None], ALL)) == expected


@given(st.integers(0, 2**32), st.sampled_from([1, 2, 3]))
@settings(max_examples=30)
def test_a_tree_bounds_its_memory_and_keeps_the_order(seed: int, dimensions: int) -> None:
    chance = np.random.default_rng(seed)
    lows, highs = some_boxes(chance, 500, dimensions, chance.choice([0.01, 0.2, 1.0]))
    tree = build_tree(Boxes(lows.T.copy(), highs.T.copy(), np.arange(500, dtype=np.int32)))
    assert set(tree.owner.tolist()) == set(range(500)), "no box is lost"
    assert tree.owner.size <= 8 * 500 + 32
    leaves = tree.dimension < 0
    assert tree.held[leaves].sum() == tree.owner.size
    for first, count in zip(tree.right[leaves], tree.held[leaves], strict=True):
        assert np.all(np.diff(tree.owner[first : first + count]) > 0)


def test_boxes_open_in_all_but_one_dimension_are_split_along_that_one() -> None:
    """As many subscriptions are: one brand, and no word about the rest."""
    lows, highs = np.full((3, 2000), -np.inf), np.full((3, 2000), np.inf)
    lows[1] = highs[1] = np.arange(2000) % 100
    tree = build_tree(Boxes(lows, highs, np.arange(2000, dtype=np.int32)))
    assert set(tree.dimension.tolist()) == {-1, 1}
    assert tree.held.max() <= 40
    assert tree.owner.size == 2000, "no box lies on two sides"


def test_the_tree_is_built_when_scanning_has_cost_as_much() -> None:
    chance = np.random.default_rng(0)
    lows, highs = some_boxes(chance, 1000, 2, 0.1)
    index = StabIndex(2)
    index.add(lows, highs, np.arange(1000, dtype=np.int32))
    index.stab(chance.random((400, 2)), ALL)
    assert index._waiting == 1000
    index.stab(chance.random((101, 2)), ALL)
    assert index._waiting == 0
