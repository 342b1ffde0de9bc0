"""ZigZag where subscriptions are ranges: the cells they cover travel, and every device makes its own filter of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from hunet.filters import Hashing
from hunet.protocols.protocol import Ranges, World
from hunet.protocols.zigzag import ZIGZAG, ZigZagSettings
from hunet.sim.engine.run import Conditions, run
from tests.naive.simulator import NaiveSimulator, Story
from tests.naive.tag_protocols import Positions
from tests.naive.zigzag import ZigZag
from tests.sim.compare import assert_same
from tests.sim.stories import random_story, scene_of, tag_names

pytestmark = pytest.mark.interpreted

SETTINGS = ZigZagSettings(m=64, k=2, lifetime=500)
CELLS = ("1", "1", "2", "3", "5", "5")
"""Of the six tags of a story."""


def positions_of(cells: tuple[str, ...]) -> list[tuple[int, ...]]:
    return [tuple(column.tolist()) for column in Hashing(m=SETTINGS.m, k=SETTINGS.k).table(cells).T]


def ranges_of(story: Story) -> Ranges:
    """Everybody covers the cells of the points it wants, one by one, and two more in which it wants nothing."""
    wanted = {
        node: [*([CELLS[tag]] for tag in sorted(tags)), ["7", "8"]] for node, tags in enumerate(story.interests) if tags
    }
    return Ranges(CELLS, wanted)


class ZigZagWithRanges(ZigZag):
    def __init__(self, story: Story, positions: Positions, **settings: Any) -> None:
        super().__init__(story, positions, **settings)
        self.ranges = ranges_of(story)

    def each(self, node: int) -> list[frozenset[int]]:
        wanted = self.ranges.cells_wanted.get(node, ())
        return [frozenset(place for column in positions_of(tuple(cells)) for place in column) for cells in wanted]


def test_engine_and_naive_simulator_agree_on_ranges() -> None:
    deliveries = 0
    for seed in range(30):
        story = random_story(seed)
        story.changes = []  # ranges stay
        naive = NaiveSimulator(story, ZigZagWithRanges(story, positions_of(CELLS), **SETTINGS._asdict())).run()
        outcome = run(
            ZIGZAG, SETTINGS, scene_of(story), tag_names(story), Conditions(), ranges=ranges_of(story), extras=("hops",)
        )
        assert_same(outcome, naive)
        deliveries += len(naive.deliveries)
    assert deliveries > 60


def test_a_device_makes_the_filter_that_the_simulator_has_for_it() -> None:
    ranges = Ranges(CELLS, {0: [["1"], ["1", "2"]], 2: [["5"]]})
    tags = [f"point-{i}" for i in range(len(CELLS))]
    all_nodes = ZIGZAG.prepare(SETTINGS, World(3, tags, 1, ranges=ranges))
    for node in range(3):
        device = ZIGZAG.prepare(SETTINGS, World(1, tags, 1, first_node=node, ranges=ranges))
        assert np.array_equal(device.ranges[0], all_nodes.ranges[node])
        assert device.ranges_used[0] == all_nodes.ranges_used[node]
        assert np.array_equal(device.table, all_nodes.table)
    assert all_nodes.ranges_used.tolist() == [2, 0, 1]
    assert np.array_equal(all_nodes.table[:, 0], all_nodes.table[:, 1])  # two points of one cell


def test_in_an_exact_world_points_are_told_apart() -> None:
    params = ZIGZAG.prepare(SETTINGS, World(2, tag_names(random_story(1)), 1, exact=True, ranges=Ranges(CELLS, {})))
    assert params.table.tolist() == [list(range(6))]
    assert params.ranges.shape[0] == 0


def test_what_was_told_of_a_subscription_is_never_fresher_than_it_is() -> None:
    """However filters are merged and passed on, nobody has more time left than the owner gave."""
    for aggregate in (0, 100, 400):
        settings = ZigZagSettings(m=64, k=2, lifetime=300, table=3, aggregate=aggregate)
        story = random_story(11, nodes=7, contacts=80)
        outcome = run(ZIGZAG, settings, scene_of(story), tag_names(story), Conditions(bytes_per_second=math.inf))
        state = outcome.state
        for node in range(story.nodes):
            left = state.expires[node, : state.used[node]] - state.second[node]
            assert ((left > 0) & (left <= 300)).all()
