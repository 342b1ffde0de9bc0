"""MOPS: errands, lists that change, and surroundings in which there is nothing to know."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from hunet.model.errors import InvalidValueError
from hunet.protocols import make_settings
from hunet.protocols.mops import MOPS
from hunet.protocols.protocol import World
from hunet.sim.engine.run import Outcome
from tests.naive.simulator import Interest, Message, Story
from tests.sim.compare import deliveries_of, params_of, simulate

pytestmark = pytest.mark.interpreted

LINE = {(0, 1): 0.9, (1, 2): 0.9, (2, 3): 0.9}
"""With k = 3 one community: 0 reaches 3 through 1 and 2."""


def play(
    contacts: list[tuple[int, int]],
    interests: list[dict[int, float]],
    events: list[tuple[float, int, int]],
    closeness: dict[tuple[int, int], float],
    changes: list[tuple[float, int, int, Interest | None]] | None = None,
    **given: Any,
) -> Outcome:
    """Pairs meet at 10, 20, ... for 1 s; events are (time, source, tag)."""
    met = [(a, b, 10.0 * i, 10.0 * i + 1.0) for i, (a, b) in enumerate(contacts, 1)]
    published = [Message(i, at, math.inf, source, 10, (tag,)) for i, (at, source, tag) in enumerate(events)]
    wants = [{tag: Interest(level) for tag, level in one.items()} for one in interests]
    story = Story(len(interests), met, published, changes or [], wants, 2, closeness)
    return simulate(story, MOPS, make_settings(MOPS, {"default_weight": 0.0, **given}), continuous=False)


def got(outcome: Outcome) -> list[tuple[int, float]]:
    return [(node, at) for _, node, at, _ in deliveries_of(outcome)]


def test_that_a_relay_knows_an_event_does_not_end_an_errand_through_it() -> None:
    # 1 wants the event itself and has it at 20, before anybody knows that 3 wants it as well.
    contacts = [(0, 1), (0, 1), (2, 3), (1, 2), (0, 1), (0, 1), (1, 2), (2, 3)]
    outcome = play(contacts, [{}, {0: 1.0}, {}, {0: 1.0}], [(15.0, 0, 0)], LINE, k=3)
    assert got(outcome) == [(1, 20.0), (3, 80.0)]
    assert (outcome.forwards, outcome.errands) == (3, 1)  # at 60 only the errand goes to 1
    early = play(contacts[:5] + contacts[6:], [{}, {0: 1.0}, {}, {0: 1.0}], [(15.0, 0, 0)], LINE, k=3)
    assert got(early) == [(1, 20.0)]  # without the meeting at 60, 2 has no reason to get it


def test_lists_known_at_once_save_the_broadcast() -> None:
    contacts = [(0, 1), (1, 2), (2, 3)]
    interests: list[dict[int, float]] = [{}, {}, {}, {0: 1.0}]
    gossip, at_once = (
        play(contacts, interests, [(5.0, 0, 0)], LINE, k=3, lists=lists) for lists in ("gossip", "at_once")
    )
    assert (got(gossip), got(at_once)) == ([], [(3, 30.0)])
    assert gossip.state.lists.sum() > at_once.state.lists.sum() == 0


def test_a_list_that_changed_replaces_the_older_one_and_what_is_not_wanted_any_more_is_not_sent() -> None:
    changes = [(15.0, 1, 0, None), (15.0, 1, 1, Interest(0.5))]
    outcome = play([(0, 1), (0, 1)], [{}, {0: 1.0}], [(16.0, 0, 0), (17.0, 0, 1)], {(0, 1): 0.9}, changes)
    assert outcome.copies.tolist() == [1, 2]
    assert outcome.state.level[0, 1].tolist() == [0.0, 0.5]
    assert outcome.state.version[0, 1] == 3


def test_a_weight_that_changed_is_no_news_but_what_is_collected_for_others_is() -> None:
    # Two communities, {0, 1} and {2, 3}, with brokers 1 and 2; 3 and then 2 itself ask for tag 0.
    closeness = {(0, 1): 0.9, (2, 3): 0.9, (1, 2): 0.2}
    meetings = [(2, 3), (1, 2), (0, 1), (1, 2), (0, 1)]
    change: list[tuple[float, int, int, Interest | None]] = [(35.0, 2, 0, Interest(1.0))]
    lists = {
        how: play(meetings, [{}, {}, {}, {0: 1.0}], [], closeness, change, broadcast=how).state.lists[0, 0]
        for how in ("interests", "weights")
    }
    assert lists == {"interests": 1, "weights": 2}


def test_of_two_interests_the_stronger_comes_first() -> None:
    story = Story(
        2,
        [(0, 1, 10.0, 20.0)],
        [Message(i, 5.0 + i, math.inf, 0, 10, (i,)) for i in range(2)],
        [],
        [{}, {0: Interest(0.75), 1: Interest(0.25)}],
        2,
        {(0, 1): 0.9},
    )
    outcome = simulate(story, MOPS, MOPS.settings(), continuous=False, bytes_per_second=1.0)
    assert outcome.copies.tolist() == [2, 1]


def test_a_broker_may_leave_out_what_the_peers_own_community_asked_for() -> None:
    # 0 and 1 are brokers of two communities; 1 wants tag 0 and said so to 0, who has it in its external list.
    asked = []
    for exclude in (False, True):
        settings: dict[str, Any] = {"threshold": 0.6, "exclude_peer_community": exclude, "a": 0.5}
        outcome = play([(0, 1), (0, 1)], [{}, {0: 1.0}], [(15.0, 1, 0)], {(0, 1): 0.5}, **settings)
        asked.append(outcome.copies.tolist())
    assert asked == [[2], [1]]


def test_without_any_closeness_everybody_is_alone_and_serves_who_asks() -> None:
    outcome = play([(0, 1), (1, 2)], [{}, {0: 1.0}, {0: 1.0}], [(5.0, 0, 0)], {})
    assert got(outcome) == [(1, 10.0), (2, 20.0)]
    assert not outcome.state.lists.any()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"threshold": 1.5}, "threshold 1.5"),
        ({"threshold": -0.1}, "threshold -0.1"),
        ({"betweenness": 2.0}, "betweenness adds up to 1"),
        ({"k": 0}, "k must lie in 1..255, got 0"),
        ({"a": 1.5}, "a must lie in 0..1, got 1.5"),
        ({"default_weight": -1.0}, "default_weight must lie in 0..1"),
        ({"lists": "at-once"}, "did you mean 'at_once'"),
    ],
)
def test_settings_that_cannot_be_are_refused(given: dict[str, Any], said: str) -> None:
    story = Story(2, [(0, 1, 1.0, 2.0)], [], [], [{}, {}], 1, {(0, 1): 0.5})
    with pytest.raises(InvalidValueError, match=said):
        params_of(story, MOPS, make_settings(MOPS, given))


def test_it_needs_closeness() -> None:
    with pytest.raises(InvalidValueError, match="no closeness was given"):
        MOPS.prepare(MOPS.settings(), World(2, ["x"], 1, peer_start=np.arange(3)))
