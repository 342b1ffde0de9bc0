"""What is special about Envoy: copies go where they promise something, digests are short, buffers keep the best."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from hunet.model.errors import DecodeError, InvalidValueError
from hunet.protocols.envoy import DIGEST, ENVOY, EnvoySettings
from hunet.protocols.envoy_places import MOST_TOLD, TOP, either, keep_best, level_at, place_of, set_level
from hunet.protocols.protocol import World
from tests.naive.simulator import Message, Story, wanted
from tests.sim.compare import simulate

pytestmark = pytest.mark.interpreted

DAY = 86400.0


def story(contacts: list[tuple[int, int]], messages: list[Message], *interests: tuple[int, ...]) -> Story:
    """Contacts of a second, a minute apart, in this order."""
    met = [(min(pair), max(pair), 60.0 * i, 60.0 * i + 1) for i, pair in enumerate(contacts, 1)]
    return Story(len(interests), met, messages, [], wanted(*interests), 2)


def published(number: int, minute: float, source: int, tag: int = 0) -> Message:
    return Message(number, 60.0 * minute, math.inf, source, 100, (tag,))


def forwards(of: Story, **conditions: Any) -> Any:
    return simulate(of, ENVOY, conditions.pop("settings", EnvoySettings()), continuous=False, **conditions)


def test_a_copy_goes_to_who_is_likely_to_meet_those_who_want_it_and_to_nobody_else() -> None:
    """1 knows 3, who wants the tag; 2 knows nobody. 0 publishes and meets both, then 1 meets 3."""
    contacts = [(1, 3), (1, 3), (0, 2), (0, 1), (1, 3)]
    found = forwards(
        story(contacts, [published(0, 2.5, 0)], (), (), (), (0,)), settings=EnvoySettings(worth=0.3, horizon=DAY)
    )
    assert found.copies.tolist() == [3]  # 0, 1 and 3
    assert found.deliveries["node"].to_pylist() == [3]


def test_whom_a_copy_covers_needs_no_second_one() -> None:
    """1 and 2 know 3 alike. 0 gives a copy to the first of them alone."""
    known = [(1, 3), (2, 3)] * 8
    message = published(0, len(known) + 0.5, 0)
    settings = EnvoySettings(worth=0.3)
    assert forwards(story([*known, (0, 1)], [message], (), (), (), (0,)), settings=settings).forwards == 1
    assert forwards(story([*known, (0, 2)], [message], (), (), (), (0,)), settings=settings).forwards == 1
    assert forwards(story([*known, (0, 1), (0, 2)], [message], (), (), (), (0,)), settings=settings).forwards == 1


def test_the_price_doubles_with_every_copy() -> None:
    """1 to 4 each know somebody else who wants the tag: alike, but 0 gives only as many copies as they are worth."""
    known = [(1, 5), (2, 6), (3, 7), (4, 8)] * 6
    interests: list[tuple[int, ...]] = [(), (), (), (), (), (0,), (0,), (0,), (0,)]
    message = published(0, len(known) + 0.5, 0)
    given = [
        forwards(
            story([*known, (0, 1), (0, 2), (0, 3), (0, 4)], [message], *interests), settings=EnvoySettings(worth=worth)
        ).forwards
        for worth in (0.05, 0.15, 0.3, 0.6, 1.5)
    ]
    assert given == sorted(given, reverse=True)
    assert given[0] == 4
    assert given[-1] == 0
    assert len(set(given)) >= 4


def test_a_full_buffer_keeps_what_promises_more() -> None:
    """2, which has room for one, knows somebody who wants tag 0 and nobody who wants tag 1: the newer leaves."""
    contacts = [(2, 3), (2, 3), (0, 2), (2, 3)]
    messages = [published(0, 2.4, 0, 0), published(1, 2.5, 0, 1)]
    settings = EnvoySettings(worth=0.0)
    found = forwards(story(contacts, messages, (), (), (), (0,)), buffer=1, own_outside=True, settings=settings)
    assert found.deliveries["message"].to_pylist() == [0]


def digest_of(acquaintances: int, now: float = 10.0) -> tuple[Any, Any, World]:
    """What a node tells that just met so many, each of whom wants two things."""
    world = World(1, ("a", "b"), 4, peer_start=np.array([0, acquaintances]))
    params = ENVOY.prepare(EnvoySettings(), world)
    state = ENVOY.new_state(params, world)
    random = np.random.default_rng(1)
    for peer in range(acquaintances):
        told = DIGEST.new(params, world)
        told.place[0] = place_of(peer)
        for position in random.integers(0, params.m, 2).tolist():
            told.genuine[position >> 6] |= np.uint64(1) << np.uint64(position & 63)
        ENVOY.meet(params, state, 0, peer, None, now)
        ENVOY.hear(params, state, 0, told, peer, now)
    digest = DIGEST.new(params, world)
    state.bar[0], state.dropped[0] = 1e9, now
    ENVOY.tell(params, state, 0, now, None, 0, digest)
    return params, digest, world


@pytest.mark.parametrize("acquaintances", [0, 1, 40, 5000])
def test_a_digest_takes_at_most_200_bytes_whomever_one_met(acquaintances: int) -> None:
    params, digest, world = digest_of(acquaintances)
    data = DIGEST.encode(params, digest)
    assert len(data) == DIGEST.size(params, digest) <= 200
    arrived = DIGEST.new(params, world)
    DIGEST.decode(params, data, arrived)
    assert np.array_equal(arrived.reach, digest.reach)
    assert (np.count_nonzero(digest.reach) == 0) == (acquaintances == 0)


def test_cells_that_are_told_twice_or_say_nothing_are_refused() -> None:
    params, digest, world = digest_of(1)
    data = DIGEST.encode(params, digest)
    with pytest.raises(DecodeError):
        DIGEST.decode(params, data[:-1] + bytes([data[-1] | 1]), DIGEST.new(params, world))
    with pytest.raises(DecodeError):
        DIGEST.decode(params, data + b"\0", DIGEST.new(params, world))


def test_of_too_many_cells_the_likeliest_stay() -> None:
    words = np.zeros(64, np.uint64)
    random = np.random.default_rng(2)
    levels = random.integers(0, TOP + 1, 512)
    for cell, level in enumerate(levels.tolist()):
        set_level(words, 0, cell, level)
    keep_best(words)
    kept = np.array([level_at(words, 0, cell) for cell in range(512)])
    assert np.count_nonzero(kept) == MOST_TOLD
    assert (kept[kept > 0] == levels[kept > 0]).all()
    assert kept[kept > 0].min() >= levels[kept == 0].max()


def test_levels_are_likelihoods_of_independent_things() -> None:
    assert either(0, 7) == 7
    assert either(TOP, 7) == TOP
    assert all(abs(either(a, b) / 15 - (1 - (1 - a / 15) * (1 - b / 15))) < 0.04 for a in range(16) for b in range(16))
    assert len({place_of(node) for node in range(200)}) == 32
    assert 0 <= place_of(2**63 - 1) < 32


@pytest.mark.parametrize(
    "settings", [{"m": 0}, {"worth": -1.0}, {"worth": math.nan}, {"horizon": 0.0}, {"horizon": -5.0}]
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidValueError):
        ENVOY.prepare(EnvoySettings(**settings), World(2, ("a",), 1))
