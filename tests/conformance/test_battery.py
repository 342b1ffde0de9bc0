"""What every protocol must do, whatever else it does."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hunet.protocols import PROTOCOLS, Protocol, make_settings
from hunet.sim.engine.run import Outcome
from tests.conformance.as_python import loops_as_python
from tests.conformance.summary import summary
from tests.naive.simulator import Story
from tests.sim.compare import deliveries_of, simulate
from tests.sim.stories import random_conditions, random_story, variants_of
from tests.slow import ALL

each_protocol = pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
both_contact_models = pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])

SEEDS = range(2000, 2012 if ALL else 2004)


def settings_of(protocol: Protocol, seed: int) -> Any:
    variants = variants_of(protocol)
    return make_settings(protocol, variants[seed % len(variants)])


def run(story: Story, protocol: Protocol, seed: int, continuous: bool) -> Outcome:
    return simulate(story, protocol, settings_of(protocol, seed), continuous=continuous, **random_conditions(seed))


@both_contact_models
@each_protocol
def test_a_run_repeated_is_the_same_to_the_last_bit(protocol: Protocol, continuous: bool) -> None:
    for seed in SEEDS:
        one, two = (run(random_story(seed), protocol, seed, continuous) for _ in range(2))
        assert one.deliveries.equals(two.deliveries)
        assert summary(one) == summary(two)
        for mine, theirs in zip(one.state, two.state, strict=True):
            assert np.array_equal(mine, theirs)


@both_contact_models
@each_protocol
def test_nothing_is_delivered_or_passed_on_after_its_time_to_live(protocol: Protocol, continuous: bool) -> None:
    for seed in SEEDS:
        story = random_story(seed)
        outcome = run(story, protocol, seed, continuous)
        assert all(at <= story.messages[message].expires for message, _, at, _ in deliveries_of(outcome))
        # Where every message is over before the next contact, nothing moves at all.
        starts = sorted(start for _, _, start, _ in story.contacts)
        born = [replace(m, expires=m.created) for m in story.messages if m.created not in starts]
        born = [replace(m, number=i) for i, m in enumerate(born)]
        if not continuous:
            assert run(replace(story, messages=born), protocol, seed, continuous).forwards == 0


@both_contact_models
@each_protocol
def test_copies_are_conserved_and_nobody_gets_a_message_twice(protocol: Protocol, continuous: bool) -> None:
    for seed in SEEDS:
        story = random_story(seed)
        outcome = run(story, protocol, seed, continuous)
        assert outcome.copies.sum() == len(story.messages) + outcome.forwards
        assert outcome.copies.max(initial=0) <= story.nodes
        assert (outcome.dropped <= outcome.copies).all()
        delivered = Counter(row[:2] for row in deliveries_of(outcome))
        assert all(count == 1 for count in delivered.values())
        assert all(story.messages[message].source != node for message, node in delivered)
        assert len(delivered) <= outcome.forwards


@both_contact_models
@each_protocol
def test_compiled_and_as_python_a_run_is_the_same(protocol: Protocol, continuous: bool) -> None:
    for seed in SEEDS:
        compiled = summary(run(random_story(seed), protocol, seed, continuous))
        with loops_as_python():
            assert summary(run(random_story(seed), protocol, seed, continuous)) == compiled
