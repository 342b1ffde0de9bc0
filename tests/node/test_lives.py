"""Hosts that meet over links, as devices do, end exactly as the simulator does."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from hunet.protocols import PROTOCOLS, Protocol, make_settings
from tests.naive.simulator import Story
from tests.node.lives import Lives, in_milliseconds, renewed
from tests.sim.compare import deliveries_of, simulate
from tests.sim.stories import random_conditions, random_story, variants_of

pytestmark = pytest.mark.interpreted

DEPLOYABLE = [protocol for protocol in PROTOCOLS if protocol.deployable]


def settings_of(protocol: Protocol, seed: int) -> Any:
    variants = [one for one in variants_of(protocol) if not one.get("shuffled")]  # coins depend on a node's number
    return make_settings(protocol, variants[seed % len(variants)])


def conditions_of(seed: int, nodes: int) -> dict[str, Any]:
    """Room, capacity and eviction as they come; and clocks that are days apart."""
    random = np.random.default_rng([seed, 2])
    conditions = random_conditions(seed) | {"shared": False, "eviction": ["oldest", "fair"][random.integers(2)]}
    clocks = tuple(random.integers(0, 10**6, nodes).astype(float).tolist())
    return conditions | {"clocks": clocks if random.integers(2) else None}


def assert_identical(story: Story, protocol: Protocol, seed: int) -> int:
    settings, conditions = settings_of(protocol, seed), conditions_of(seed, story.nodes)
    outcome = simulate(story, protocol, settings, hops=True, continuous=False, **conditions)
    conditions.pop("shared")
    lives = asyncio.run(Lives(story, protocol, settings, **conditions).live())
    assert lives.deliveries == deliveries_of(outcome), seed
    assert lives.copies == outcome.copies.tolist(), seed
    assert [host.drops for host in lives.hosts] == outcome.drops_per_node.tolist(), seed
    assert sum(host.forwards for host in lives.hosts) == outcome.forwards, seed
    if protocol.name not in (
        "prophet",
        "mops-live",
    ):  # there digests name tags by hashes of 8 bytes, in the simulator by their place
        assert sum(host.control_bytes for host in lives.hosts) == outcome.control_bytes, seed
    return outcome.forwards


@pytest.mark.parametrize("protocol", DEPLOYABLE, ids=lambda protocol: protocol.name)
def test_hosts_that_meet_over_links_end_as_the_simulation(protocol: Protocol) -> None:
    stories = range(2000, 2003)
    forwards = [assert_identical(in_milliseconds(random_story(seed)), protocol, seed) for seed in stories]
    assert sum(forwards) > 5 * len(stories)


@pytest.mark.parametrize("protocol", DEPLOYABLE, ids=lambda protocol: protocol.name)
def test_contacts_that_are_renewed_are_those_of_the_renewed_trace(protocol: Protocol) -> None:
    stories = range(2100, 2102)
    forwards = [
        assert_identical(renewed(in_milliseconds(random_story(seed)), 60.0), protocol, seed) for seed in stories
    ]
    assert sum(forwards) > 5 * len(stories)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", DEPLOYABLE, ids=lambda protocol: protocol.name)
def test_a_hundred_stories_end_as_the_simulation(protocol: Protocol) -> None:
    for seed in range(3000, 3100):
        story = in_milliseconds(random_story(seed))
        assert_identical(renewed(story, 60.0) if seed % 2 else story, protocol, seed)
