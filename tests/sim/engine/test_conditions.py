"""Conditions that change what a protocol meets with: clocks that differ, and full buffers that are fair to authors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from hunet.model.errors import InvalidValueError
from hunet.protocols import PROTOCOLS, Protocol, make_settings
from hunet.protocols.push import PUSH, PushSettings
from hunet.sim.engine.content_ids import content_ids
from tests.naive.simulator import Message, Story, wanted
from tests.sim.compare import assert_same, simulate
from tests.sim.stories import NAIVE, random_conditions, random_story, run_naively, tag_names, variants_of
from tests.slow import ALL
from tests.twin.network import TwinNetwork

STORIES = 6 if ALL else 2

each_protocol = pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)


def clocks_of(seed: int, nodes: int) -> tuple[float, ...]:
    """Up to three days ahead, in whole seconds."""
    return tuple(np.random.default_rng([seed, 2]).integers(0, 259_200, nodes).astype(float).tolist())


def settings_of(protocol: Protocol, seed: int) -> Any:
    variants = variants_of(protocol)
    return make_settings(protocol, variants[seed % len(variants)])


@pytest.mark.interpreted
@pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])
@each_protocol
def test_with_clocks_days_apart_engine_oracle_and_devices_agree(protocol: Protocol, continuous: bool) -> None:
    forwards = 0
    for seed in range(4000, 4000 + STORIES):
        story, settings = random_story(seed), settings_of(protocol, seed)
        conditions = random_conditions(seed) | {"clocks": clocks_of(seed, story.nodes), "continuous": continuous}
        outcome = simulate(story, protocol, settings, **conditions)
        if protocol.name in NAIVE:
            assert_same(outcome, run_naively(story, protocol.name, settings, **conditions)[0])
        twin = TwinNetwork(story, protocol, settings, tag_names(story), **conditions).run()
        assert outcome.copies.tolist() == twin.copies
        assert outcome.control_bytes == sum(node.control_bytes for node in twin.nodes)
        forwards += outcome.forwards
    assert forwards > 5 * STORIES


@pytest.mark.interpreted
def test_clocks_matter_to_a_protocol_that_counts_ticks_of_its_own_clock() -> None:
    differs = 0
    for seed in range(4000, 4012):
        story = random_story(seed)
        for protocol in (p for p in PROTOCOLS if p.name == "bsub10"):
            settings = settings_of(protocol, 0)
            together, apart = (
                simulate(story, protocol, settings, continuous=False, clocks=clocks)
                for clocks in (None, clocks_of(seed, story.nodes))
            )
            differs += together.copies.tolist() != apart.copies.tolist()
    assert differs > 0


def test_clocks_are_one_for_each_node_and_never_behind() -> None:
    story = random_story(1)
    for clocks in ((0.0,), (-1.0,) * story.nodes, (float("nan"),) * story.nodes):
        with pytest.raises(InvalidValueError, match="0 or more seconds ahead"):
            simulate(story, PUSH, PushSettings(), continuous=False, clocks=clocks)


@pytest.mark.interpreted
@pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])
@each_protocol
def test_eviction_that_is_fair_is_the_same_for_engine_oracle_and_devices(protocol: Protocol, continuous: bool) -> None:
    differs = 0
    for seed in range(5000, 5000 + STORIES):
        story, settings = random_story(seed), settings_of(protocol, seed)
        conditions: dict[str, Any] = {"buffer": 3, "bytes_per_second": np.inf, "continuous": continuous}
        fair = simulate(story, protocol, settings, eviction="fair", **conditions)
        if protocol.name in NAIVE:
            assert_same(fair, run_naively(story, protocol.name, settings, eviction="fair", **conditions)[0])
        twin = TwinNetwork(story, protocol, settings, tag_names(story), eviction="fair", **conditions).run()
        assert fair.copies.tolist() == twin.copies
        assert fair.drops_per_node.tolist() == [node.drops for node in twin.nodes]
        differs += fair.dropped.tolist() != simulate(story, protocol, settings, **conditions).dropped.tolist()
    assert differs > 0 or protocol.name == "pull"  # what PULL carries is its own


@pytest.mark.interpreted
@pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])
@each_protocol
def test_where_own_messages_lie_is_the_same_for_engine_oracle_and_devices(protocol: Protocol, continuous: bool) -> None:
    differs = 0
    for seed in range(5100, 5100 + STORIES):
        story, settings = random_story(seed), settings_of(protocol, seed)
        conditions: dict[str, Any] = {"buffer": 2, "bytes_per_second": np.inf, "continuous": continuous}
        dropped = []
        for outside in (False, True):
            found = simulate(story, protocol, settings, own_outside=outside, **conditions)
            if protocol.name in NAIVE:
                assert_same(found, run_naively(story, protocol.name, settings, own_outside=outside, **conditions)[0])
            twin = TwinNetwork(story, protocol, settings, tag_names(story), own_outside=outside, **conditions).run()
            assert found.copies.tolist() == twin.copies
            assert found.drops_per_node.tolist() == [node.drops for node in twin.nodes]
            dropped.append(found.dropped.tolist())
        by_paper = simulate(story, protocol, settings, **conditions)
        assert by_paper.dropped.tolist() == dropped[protocol.own_outside]
        differs += dropped[0] != dropped[1]
    assert differs > 0


@pytest.mark.interpreted
def test_a_flood_evicts_itself() -> None:
    """Node 0 publishes ten messages after 1 published one; 2 has room for three."""
    published = [Message(0, 1.0, np.inf, 1, 1, (0,))] + [Message(i, 1.0 + i, np.inf, 0, 1, (0,)) for i in range(1, 11)]
    contacts = [(1, 2, 20.0, 21.0), (0, 2, 30.0, 31.0), (2, 3, 40.0, 41.0)]
    story = Story(4, contacts, published, [], wanted((), (), (), (0,)), 1)
    got = {
        eviction: simulate(story, PUSH, PushSettings(), continuous=False, buffer=3, eviction=eviction)
        .deliveries["message"]
        .to_pylist()
        for eviction in ("oldest", "fair")
    }
    assert sorted(got["oldest"]) == [8, 9, 10]
    assert sorted(got["fair"]) == [0, 9, 10]


@pytest.mark.interpreted
@pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])
@each_protocol
def test_messages_with_one_id_are_one_to_everybody(protocol: Protocol, continuous: bool) -> None:
    if protocol.name not in NAIVE or protocol.errands:
        return
    mistaken = 0
    for seed in range(4100, 4100 + STORIES):
        story, settings = random_story(seed), settings_of(protocol, seed)
        conditions = random_conditions(seed) | {"continuous": continuous, "buffer": None, "bytes_per_second": math.inf}
        ids = content_ids(len(story.messages), 3, seed=1)
        outcome = simulate(story, protocol, settings, id_bits=3, **conditions)
        naive, _ = run_naively(story, protocol.name, settings, ids=ids.tolist(), **conditions)
        assert_same(outcome, naive)
        assert outcome.extras["mistaken_for_seen"] == naive.mistaken
        assert outcome.extras["messages_alike"] == sum(count for count in np.bincount(ids).tolist() if count > 1)
        mistaken += naive.mistaken
    assert mistaken


@pytest.mark.interpreted
def test_ids_of_many_bits_change_nothing_and_of_a_few_lose_messages() -> None:
    story = random_story(4200)
    exact, many, few = (simulate(story, PUSH, PushSettings(), continuous=False, id_bits=bits) for bits in (None, 63, 1))
    assert many.copies.tolist() == exact.copies.tolist()
    assert many.extras["messages_alike"] == many.extras["mistaken_for_seen"] == 0
    assert few.copies.sum() < exact.copies.sum()
    assert few.extras["messages_alike"] == len(story.messages)
    for bits in (0, 64):
        with pytest.raises(InvalidValueError, match=r"id_bits must lie in 1\.\.63"):
            simulate(story, PUSH, PushSettings(), continuous=False, id_bits=bits)
