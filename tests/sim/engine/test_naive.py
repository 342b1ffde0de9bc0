"""The engine equals the naive simulator, exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hunet.protocols import PROTOCOLS, Protocol, make_settings
from tests.naive.simulator import NaiveSimulator, Story
from tests.sim.compare import assert_same, assert_same_memory, simulate
from tests.sim.infocom05 import infocom05
from tests.sim.stories import NAIVE, WIDE, random_conditions, random_story, run_naively, variants_of
from tests.slow import ALL

WITH_ORACLE = [protocol for protocol in PROTOCOLS if protocol.name in NAIVE]
each_protocol = pytest.mark.parametrize("protocol", WITH_ORACLE, ids=lambda protocol: protocol.name)
both_contact_models = pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])


def check(story: Story, protocol: Protocol, settings: Any, *, hops: bool = False, **conditions: Any) -> NaiveSimulator:
    outcome = simulate(story, protocol, settings, hops=hops, **conditions)
    naive, behaviour = run_naively(story, protocol.name, settings, **conditions)
    assert_same(outcome, naive)
    assert_same_memory(protocol, settings, outcome.state, behaviour, story)
    return naive


def check_random_stories(protocol: Protocol, continuous: bool, seeds: range) -> None:
    variants = [make_settings(protocol, variant) for variant in variants_of(protocol)]
    deliveries = drops = 0
    for seed in seeds:
        settings = variants[seed % len(variants)]
        naive = check(random_story(seed), protocol, settings, continuous=continuous, **random_conditions(seed))
        deliveries += len(naive.deliveries)
        drops += sum(naive.dropped)
    assert deliveries > len(seeds)
    assert drops > len(seeds) / 20


@both_contact_models
@each_protocol
def test_engine_and_naive_simulator_agree_on_random_stories(protocol: Protocol, continuous: bool) -> None:
    check_random_stories(protocol, continuous, range(300 if ALL else 20))


@pytest.mark.soak
@both_contact_models
@each_protocol
def test_engine_and_naive_simulator_agree_on_thousands_of_random_stories(protocol: Protocol, continuous: bool) -> None:
    check_random_stories(protocol, continuous, range(10_000, 15_000))


@pytest.mark.interpreted
@both_contact_models
@each_protocol
def test_they_agree_on_hops_and_on_counters_and_positions_of_more_than_a_byte(
    protocol: Protocol, continuous: bool
) -> None:
    """All of these would be further loops to compile."""
    settings = make_settings(protocol, WIDE.get(protocol.name, {}))
    for seed in range(3000, 3008 if ALL else 3002):
        check(random_story(seed), protocol, settings, continuous=continuous, hops=True, **random_conditions(seed))


@pytest.mark.slow
@both_contact_models
@pytest.mark.parametrize(
    "protocol",
    # What its nodes learn of communities is worked out naively at each contact, which takes ten minutes.
    [pytest.param(one, marks=pytest.mark.soak if one.name == "mops-live" else (), id=one.name) for one in WITH_ORACLE],
)
def test_engine_and_naive_simulator_agree_on_infocom05(trace_files: Path, protocol: Protocol, continuous: bool) -> None:
    story = infocom05(trace_files, hours=20, messages=200)
    naive = check(story, protocol, protocol.settings(), continuous=continuous, buffer=8, bytes_per_second=5.0)
    assert len(story.contacts) > 4000
    assert len(naive.deliveries) > 20
    assert sum(naive.dropped) > 0 or protocol.name == "pull"
