"""N devices that exchange encoded bytes end exactly as the simulator does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hunet.protocols import PROTOCOLS, Protocol, make_settings
from tests.naive.simulator import Story
from tests.sim.compare import bring_to, deliveries_of, end_of, params_of, simulate
from tests.sim.stories import random_conditions, random_story, tag_names, variants_of
from tests.slow import ALL
from tests.twin.network import TwinNetwork
from tests.twin.node import ENTRIES, TwinNode

pytestmark = pytest.mark.interpreted

STORIES, WITH_OPEN_TAGS = (16, 16) if ALL else (6, 3)


@pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])
@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
def test_devices_that_exchange_bytes_end_as_the_simulation(protocol: Protocol, continuous: bool) -> None:
    forwards = 0
    for seed in range(1000, 1000 + STORIES):
        variants = variants_of(protocol)
        settings = make_settings(protocol, variants[seed % len(variants)])
        story, conditions = random_story(seed), random_conditions(seed)
        outcome = simulate(story, protocol, settings, continuous=continuous, **conditions)
        twin = TwinNetwork(story, protocol, settings, tag_names(story), continuous=continuous, **conditions).run()
        delivered = [delivery for node in twin.nodes for delivery in node.delivered]
        assert [row[:3] for row in deliveries_of(outcome)] == sorted(row[:3] for row in delivered)
        assert outcome.copies.tolist() == twin.copies
        assert outcome.forwards == twin.forwards
        assert outcome.errands == twin.errands
        assert outcome.drops_per_node.tolist() == [node.drops for node in twin.nodes]
        assert outcome.control_bytes == sum(node.control_bytes for node in twin.nodes)
        assert outcome.note_bytes == sum(node.note_bytes for node in twin.nodes)
        assert_same_state(protocol, settings, outcome.state, twin.nodes, story)
        forwards += outcome.forwards
    assert forwards > 5 * STORIES  # much moved, also with PULL, which moves least


@pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])
@pytest.mark.parametrize("protocol", [p for p in PROTOCOLS if p.deployable], ids=lambda protocol: protocol.name)
def test_devices_that_number_tags_as_they_come_across_them_end_the_same(protocol: Protocol, continuous: bool) -> None:
    for seed in range(1100, 1100 + WITH_OPEN_TAGS):
        variants = variants_of(protocol)
        settings = make_settings(protocol, variants[seed % len(variants)])
        story, conditions = random_story(seed), random_conditions(seed) | {"continuous": continuous}
        outcome = simulate(story, protocol, settings, **conditions)
        twin = TwinNetwork(story, protocol, settings, tag_names(story), open_tags=True, **conditions).run()
        delivered = [delivery for node in twin.nodes for delivery in node.delivered]
        assert [row[:3] for row in deliveries_of(outcome)] == sorted(row[:3] for row in delivered)
        assert outcome.copies.tolist() == twin.copies
        assert outcome.drops_per_node.tolist() == [node.drops for node in twin.nodes]


def assert_same_state(protocol: Protocol, settings: Any, state: Any, nodes: list[TwinNode], story: Story) -> None:
    """Row i of the simulation is the only row of device i; where memory about peers lies, it begins elsewhere."""
    now = end_of(story)
    params = params_of(story, protocol, settings)
    bring_to(now, protocol, params, state)
    for i, node in enumerate(nodes):
        node.now = now  # what has expired since its last meeting, nobody has forgotten yet
        node.age()
        for name, rows, own in zip(state._fields, state, node.state, strict=True):
            if name in protocol.peer_memory:
                first, last = params.peer_start[i], params.peer_start[i + 1]
                assert np.array_equal(rows[first:last], own)
            elif own.shape[1:2] != (ENTRIES,):  # what is remembered of a message lies where each host put it
                assert np.array_equal(rows[i], own[0]), (name, i)
