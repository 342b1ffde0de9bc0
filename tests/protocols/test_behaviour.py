"""Each protocol does what its description says, on stories small enough to follow by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from hunet.protocols import make_settings, protocol_named
from hunet.protocols.push import PUSH
from hunet.sim.engine.run import Outcome
from tests.naive.simulator import Message, Story, wanted
from tests.sim.compare import deliveries_of, simulate
from tests.sim.stories import random_story

pytestmark = pytest.mark.interpreted


def story(contacts: list[tuple[int, int, float]], interests: list[set[int]], *messages: tuple[float, int]) -> Story:
    """Contacts without length; messages of tag 0 that never end, each (created, source)."""
    met = [(a, b, at, at) for a, b, at in contacts]
    published = [Message(i, at, math.inf, source, 10, (0,)) for i, (at, source) in enumerate(messages)]
    closeness = {(a, b): 0.5 for a, b, _ in contacts}
    return Story(len(interests), met, published, [], wanted(*interests), 2, closeness)


def play(told: Story, protocol: str, **given: Any) -> Outcome:
    chosen = protocol_named(protocol)
    return simulate(told, chosen, make_settings(chosen, given), continuous=False, hops=True)


NOBODY: set[int] = set()


def test_of_two_users_who_lack_brokers_the_lower_makes_the_other_one() -> None:
    outcome = play(story([(0, 1, 10.0)], [NOBODY, NOBODY]), "bsub10")
    assert outcome.state.node["broker"].tolist() == [False, True]


def test_a_user_who_met_enough_brokers_makes_no_more() -> None:
    contacts = [(0, 1, 10.0), (0, 2, 20.0), (0, 3, 30.0)]
    outcome = play(story(contacts, [NOBODY] * 4), "bsub10", low=2, up=9)
    # The last, who has met none, makes him one instead.
    assert outcome.state.node["broker"].tolist() == [True, True, True, False]


def test_a_user_who_met_too_many_brokers_unmakes_one_of_low_degree_and_it_forgets_its_relay_filters() -> None:
    # Node 0 makes 1 and 2 brokers; 1 meets 4 and 5 and so has the higher degree; then 0 meets 2 again.
    contacts = [(0, 1, 10.0), (0, 2, 20.0), (1, 4, 30.0), (1, 5, 40.0), (0, 1, 50.0), (0, 2, 60.0)]
    interests = [{1}, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY]
    many = play(story(contacts, interests), "bsub10", low=1, up=1)
    assert many.state.node["broker"][1:3].tolist() == [True, False]
    assert many.state.relay[1].any()
    assert not many.state.relay[2].any()
    few = play(story(contacts, interests), "bsub10", low=2, up=2)  # two are not too many
    assert few.state.node["broker"][1:3].tolist() == [True, True]
    assert few.state.relay[2].any()


def test_a_producer_gives_a_message_to_no_more_brokers_than_it_has_copies() -> None:
    # 1, 2 and 3 become brokers by meeting 0 (who wants the tag); then the producer 4 meets them, and who wants it.
    making = [(0, 1, 10.0), (0, 2, 20.0), (0, 3, 30.0)]
    contacts = [*making, (1, 4, 50.0), (2, 4, 60.0), (3, 4, 70.0), (0, 4, 80.0)]
    told = story(contacts, [{0}, NOBODY, NOBODY, NOBODY, NOBODY], (40.0, 4))
    gone = play(told, "bsub10", copies=2)
    assert gone.forwards == 2  # deleted with the second copy, so that the consumer itself gets nothing
    kept = play(told, "bsub10", copies=2, producer_keeps_for_direct=True)
    assert kept.forwards == 3
    assert deliveries_of(kept) == [(0, 0, 80.0, 1)]


def test_a_broker_delivers_and_keeps_but_hands_on_and_forgets() -> None:
    making = [(0, 1, 10.0), (0, 2, 20.0), (0, 2, 25.0)]
    # 3 publishes, gives to broker 1; 1 meets broker 2, who met the consumer more often; 1 then meets the consumer.
    contacts = [*making, (1, 3, 50.0), (1, 2, 60.0), (0, 1, 70.0), (0, 2, 80.0)]
    outcome = play(story(contacts, [{0}, NOBODY, NOBODY, NOBODY], (40.0, 3)), "bsub10", copies=1, low=2)
    assert deliveries_of(outcome) == [(0, 0, 80.0, 3)]


@pytest.mark.parametrize(("protocol", "most"), [("pull", 1), ("neighbors", 2)])
def test_pull_reaches_one_hop_and_neighbors_two(protocol: str, most: int) -> None:
    hops = [row[3] for seed in range(30) for row in deliveries_of(play(random_story(seed), protocol))]
    assert set(hops) == set(range(1, most + 1))


def test_a_collector_gets_a_message_for_its_neighbour() -> None:
    contacts = [(1, 2, 10.0), (0, 1, 30.0), (1, 2, 50.0)]
    outcome = play(story(contacts, [NOBODY, NOBODY, {0}], (20.0, 0)), "neighbors")
    assert deliveries_of(outcome) == [(0, 2, 50.0, 2)]
    far = story(contacts, [NOBODY, NOBODY, {0}], (20.0, 0))
    far.closeness[1, 2] = 0.0
    assert deliveries_of(play(far, "neighbors")) == []


@pytest.mark.parametrize("copies", [1, 2, 5, 8])
def test_copies_of_spray_and_wait_are_halved_and_none_is_lost(copies: int) -> None:
    for seed in range(10):
        told = random_story(seed)
        told.messages = [Message(m.number, m.created, math.inf, m.source, 1, m.tags) for m in told.messages]
        outcome = play(told, "spray", copies=copies)
        assert (outcome.state.copies.sum(axis=0)[: len(told.messages)] == copies).all()


def test_predictabilities_rise_by_meetings_pass_through_others_and_fade() -> None:
    contacts = [(0, 1, 0.0), (1, 2, 10.0), (1, 2, 100.0)]
    outcome = play(story(contacts, [{0}, NOBODY, NOBODY]), "prophet", aging=0.5, aging_unit=100.0)
    one = 32768
    met = 0.75 * one
    heard = met * 0.75 * 0.25
    assert outcome.state.predictability[1, 0] == pytest.approx(
        met / 2 + (one - met / 2) * heard / one / 2 * 0.1875, abs=2
    )
    half = heard / 2
    assert outcome.state.predictability[2, 0] == pytest.approx(half + (one - half) * (met / 2 * 0.1875) / one, abs=2)


def test_pull_from_any_holder_reaches_further() -> None:
    contacts = [(0, 1, 20.0), (1, 2, 30.0)]
    told = story(contacts, [NOBODY, {0}, {0}], (10.0, 0))
    assert deliveries_of(play(told, "pull")) == [(0, 1, 20.0, 1)]
    assert deliveries_of(play(told, "pull", any_holder=True)) == [(0, 1, 20.0, 1), (0, 2, 30.0, 2)]


def test_b_sub_goes_to_a_better_peer_than_any_before() -> None:
    # 1 and 2 meet the consumer 0, once and twice; the producer 3 meets the better and then the other.
    consumer = [(0, 1, 1.0), (0, 2, 2.0), (0, 2, 3.0)]
    interests = [{0}, NOBODY, NOBODY, NOBODY]
    down = story([*consumer, (2, 3, 5.0), (1, 3, 6.0)], interests, (4.0, 3))
    up = story([*consumer, (1, 3, 5.0), (2, 3, 6.0)], interests, (4.0, 3))
    assert [play(told, "bsub13", preference="raw").copies[0] for told in (down, up)] == [2, 3]
    # The first preference is a counter, 5, the second a ratio, (10 - 5) / 5: the scale breaks (AMB-24).
    assert [play(told, "bsub13").copies[0] for told in (down, up)] == [2, 2]


def test_b_sub_p_tells_own_and_relayed_interests_alike() -> None:
    wanted = story([(0, 1, 1.0)], [{0}, NOBODY], (0.0, 1))
    assert deliveries_of(play(wanted, "bsubp")) == [(0, 0, 1.0, 1)]
    # A holder that itself wants the tag, and counts that in its own side, sees nothing better in the peer.
    both = story([(0, 1, 1.0)], [{0}, {0}], (0.0, 1))
    assert deliveries_of(play(both, "bsubp")) == [(0, 0, 1.0, 1)]
    assert deliveries_of(play(both, "bsubp", reference="mixed")) == []


def test_a_shared_contact_carries_one_message_each_way_in_turn_until_the_time_is_over() -> None:
    # Five messages of 10 bytes at one end and one at the other, 35 bytes in all: the newest, the other's, the next.
    told = story([(0, 1, 10.0)], [NOBODY, NOBODY], *((float(i), 0) for i in range(5)), (5.0, 1))
    told.contacts[0] = (0, 1, 10.0, 45.0)
    for shared, copies in ((True, [1, 1, 1, 2, 2, 2]), (False, [1, 1, 2, 2, 2, 2])):
        outcome = simulate(told, PUSH, PUSH.settings(), continuous=False, bytes_per_second=1.0, shared=shared)
        assert outcome.copies.tolist() == copies


def test_push_sends_in_an_order_that_depends_on_seed_and_node_where_it_is_told_to_shuffle() -> None:
    told = story([(0, 1, 10.0)], [NOBODY, NOBODY], *((float(i), 0) for i in range(8)))
    told.contacts[0] = (0, 1, 10.0, 50.0)
    shuffled = make_settings(PUSH, {"shuffled": True})
    got = [simulate(told, PUSH, shuffled, continuous=False, bytes_per_second=1.0).copies.tolist() for _ in range(2)]
    assert got[0] == got[1]
    assert sum(got[0]) == 12
    assert got[0] != [1, 1, 1, 1, 2, 2, 2, 2]
