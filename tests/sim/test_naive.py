"""The engine equals the naive simulator, exactly."""

from __future__ import annotations

import pytest
from tests.sim.compare import assert_same, assert_same_memory, simulate
from tests.sim.stories import VARIANTS, random_conditions, random_story, run_naively

from hunet.protocols import PROTOCOLS, Protocol, make_settings

STORIES = 300


@pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])
@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
def test_engine_and_naive_simulator_agree_on_random_stories(protocol: Protocol, continuous: bool) -> None:
    for seed in range(STORIES):
        variants = VARIANTS[protocol.name]
        settings = make_settings(protocol, variants[seed % len(variants)])
        story, conditions = random_story(seed), random_conditions(seed)
        outcome = simulate(story, protocol, settings, continuous=continuous, **conditions)
        naive, behaviour = run_naively(story, protocol.name, settings, continuous=continuous, **conditions)
        assert_same(outcome, naive)
        assert_same_memory(protocol, settings, outcome.state, behaviour, story)
