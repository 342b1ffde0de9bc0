"""The engine equals the naive simulator, exactly."""

from __future__ import annotations

from typing import Any

import pytest

from hunet.protocols import PROTOCOLS, Protocol, make_settings
from tests.naive.simulator import NaiveSimulator, Story
from tests.sim.compare import assert_same, assert_same_memory, simulate
from tests.sim.infocom05 import infocom05
from tests.sim.stories import NAIVE, random_conditions, random_story, run_naively, variants_of
from tests.slow import ALL, slow

STORIES = 300 if ALL else 20

WITH_ORACLE = [protocol for protocol in PROTOCOLS if protocol.name in NAIVE]
each_protocol = pytest.mark.parametrize("protocol", WITH_ORACLE, ids=lambda protocol: protocol.name)
both_contact_models = pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])


def check(story: Story, protocol: Protocol, settings: Any, **conditions: Any) -> NaiveSimulator:
    outcome = simulate(story, protocol, settings, **conditions)
    naive, behaviour = run_naively(story, protocol.name, settings, **conditions)
    assert_same(outcome, naive)
    assert_same_memory(protocol, settings, outcome.state, behaviour, story)
    return naive


PAIRS = [(protocol, continuous) for protocol in WITH_ORACLE for continuous in (False, True)]
QUICK = {("bsub13", False), ("spray", True)}
"""Compiled in `make test` too, one for each contact model."""


@pytest.mark.parametrize(
    ("protocol", "continuous"),
    [
        pytest.param(
            protocol,
            continuous,
            marks=[] if (protocol.name, continuous) in QUICK else slow,
            id=f"{protocol.name}-{'continuous' if continuous else 'start'}",
        )
        for protocol, continuous in PAIRS
    ],
)
def test_engine_and_naive_simulator_agree_on_random_stories(protocol: Protocol, continuous: bool) -> None:
    variants = [make_settings(protocol, variant) for variant in variants_of(protocol)]
    deliveries = drops = 0
    for seed in range(STORIES):
        settings = variants[seed % len(variants)]
        naive = check(random_story(seed), protocol, settings, continuous=continuous, **random_conditions(seed))
        deliveries += len(naive.deliveries)
        drops += sum(naive.dropped)
    assert deliveries > STORIES
    assert drops > STORIES / 20


@slow
@both_contact_models
@each_protocol
def test_engine_and_naive_simulator_agree_on_infocom05(protocol: Protocol, continuous: bool) -> None:
    story = infocom05(hours=20, messages=200)
    naive = check(story, protocol, protocol.settings(), continuous=continuous, buffer=8, bytes_per_second=5.0)
    assert len(story.contacts) > 4000
    assert len(naive.deliveries) > 20
    assert sum(naive.dropped) > 0 or protocol.name == "pull"
