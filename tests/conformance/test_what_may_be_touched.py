"""What functions of a protocol may change: so messages can move while other contacts go on, and links may break."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hunet.protocols import PROTOCOLS, Protocol, make_settings
from hunet.protocols.protocol import as_wanted
from hunet.sim.engine.buffers import ring_words
from tests.sim.compare import simulate
from tests.sim.stories import random_conditions, random_story, scene_of, variants_of
from tests.slow import ALL

pytestmark = pytest.mark.interpreted

SEEDS = range(7000, 7006 if ALL else 7002)


def copied(state: Any) -> list[Any]:
    return [part.copy() for part in state]


def pure(function: Callable[..., Any], calls: list[str]) -> Callable[..., Any]:
    """The same function, which must leave a state as it was."""

    def checked(params: Any, state: Any, me: Any, *rest: Any) -> Any:
        before = copied(state)
        answer = function(params, state, me, *rest)
        for name, was, part in zip(state._fields, before, state, strict=True):
            assert np.array_equal(was, part), f"{function.__name__} changed {name}"
        calls.append(function.__name__)
        return answer

    return checked


def touching_its_entry(function: Callable[..., Any], entries: int, calls: list[str]) -> Callable[..., Any]:
    """The same function, which may change what is remembered of its message and nothing else."""

    def checked(params: Any, state: Any, me: Any, entry: Any, *rest: Any) -> Any:
        before = copied(state)
        answer = function(params, state, me, entry, *rest)
        for name, was, part in zip(state._fields, before, state, strict=True):
            if part.ndim > 1 and part.shape[1] == entries:
                was[me, entry] = part[me, entry]
            assert np.array_equal(was, part), f"{function.__name__} changed {name}"
        calls.append(function.__name__)
        return answer

    return checked


@pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])
@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
def test_choosing_changes_nothing_and_moving_a_message_only_its_entry(protocol: Protocol, continuous: bool) -> None:
    calls: list[str] = []
    for seed in SEEDS:
        variants = variants_of(protocol)
        settings = make_settings(protocol, variants[seed % len(variants)])
        story, conditions = random_story(seed), random_conditions(seed)
        scene = scene_of(story)
        entries = 64 * ring_words(scene.created, scene.expires)
        watched = replace(
            protocol,
            give=protocol.give if protocol.give is as_wanted else pure(protocol.give, calls),
            note=pure(protocol.note, calls),
            rank=None if protocol.rank is None else pure(protocol.rank, calls),
            take=touching_its_entry(protocol.take, entries, calls),
            gave=touching_its_entry(protocol.gave, entries, calls),
        )
        story, conditions = random_story(seed), random_conditions(seed)
        plain = simulate(story, protocol, settings, continuous=continuous, **conditions)
        assert (
            simulate(story, watched, settings, continuous=continuous, **conditions).copies.tolist()
            == plain.copies.tolist()
        )
    assert len(calls) > 100
