"""Whatever layout the engine takes for its size, and however it cuts a run, the results are the same."""

from __future__ import annotations

from typing import Any

import pytest

from hunet.protocols import PROTOCOLS, Protocol, make_settings
from hunet.sim.engine import run as engine
from tests.sim.compare import deliveries_of, simulate
from tests.sim.stories import random_conditions, random_story, variants_of
from tests.slow import slow

BY_NAME = {protocol.name: protocol for protocol in PROTOCOLS}


def _results(protocol: Protocol, seed: int, continuous: bool) -> tuple[Any, ...]:
    settings = make_settings(protocol, variants_of(protocol)[0])
    conditions = random_conditions(seed) | {"buffer": 1 + seed % 5}
    outcome = simulate(random_story(seed), protocol, settings, continuous=continuous, **conditions)
    totals = (outcome.forwards, outcome.control_bytes, outcome.drops_per_node.tolist(), outcome.dropped.tolist())
    return deliveries_of(outcome), outcome.copies.tolist(), totals


@slow
@pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])
def test_entries_in_a_hash_table_change_nothing(monkeypatch: pytest.MonkeyPatch, continuous: bool) -> None:
    protocol = BY_NAME["bsub13"]  # remembers a preference per message
    direct = [_results(protocol, seed, continuous) for seed in range(25)]
    monkeypatch.setattr(engine, "DIRECT_ENTRIES", 0)
    assert [_results(protocol, seed, continuous) for seed in range(25)] == direct


@slow
@pytest.mark.parametrize("name", ["pull", "bsub13"])
def test_asking_for_the_tags_of_messages_or_for_all_tags_gives_the_same(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    protocol = BY_NAME[name]
    masked = [_results(protocol, seed, False) for seed in range(25)]
    monkeypatch.setattr(engine, "MASKED_TAGS", 0)
    assert [_results(protocol, seed, False) for seed in range(25)] == masked


@slow
def test_chunks_and_arrays_that_were_too_short_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    protocol = BY_NAME["push"]
    whole = [_results(protocol, seed, False) for seed in range(20)]
    monkeypatch.setattr(engine, "CHUNK", 7)
    assert [_results(protocol, seed, False) for seed in range(20)] == whole
    monkeypatch.setattr(engine, "FIRST_DELIVERIES", 1)
    assert [_results(protocol, seed, False) for seed in range(20)] == whole
    monkeypatch.setattr(engine, "CHUNK", 10**6)
    assert [_results(protocol, seed, False) for seed in range(20)] == whole
