"""What MOPS says about lists and events (III-B, III-C, IV-B): devices that exchange bytes play the paper's examples."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from hunet.protocols import make_settings
from hunet.protocols.mops import MOPS
from hunet.protocols.mops_lists import add_up_external, add_up_internal, add_up_with_relay
from hunet.studies.mops_example import EDGES
from tests.naive.simulator import Interest, Message, Story
from tests.twin.network import TwinNetwork
from tests.twin.node import ME

A, C, X = range(3)
TAGS = ["A", "C", "X"]


def play(
    contacts: Sequence[tuple[int, int]],
    wants: dict[int, dict[int, float]],
    events: Sequence[tuple[float, int, int]] = (),
    default_weight: float = 0.0,
    room: float = math.inf,
) -> TwinNetwork:
    """The nodes of Fig. 2 to 6 meet, one pair after the other, at 10, 20, ... for 1 s. Events: (time, source, tag)."""
    met = [(min(pair), max(pair), 10.0 * i, 10.0 * i + 1.0) for i, pair in enumerate(contacts, 1)]
    published = [Message(i, at, math.inf, source, 10, (tag,)) for i, (at, source, tag) in enumerate(events)]
    interests = [{tag: Interest(level) for tag, level in wants.get(node, {}).items()} for node in range(10)]
    story = Story(10, met, published, [], interests, len(TAGS), EDGES)
    settings = make_settings(MOPS, {"default_weight": default_weight})
    network = TwinNetwork(story, MOPS, settings, TAGS, continuous=False, buffer=None, bytes_per_second=room)
    return network.run()


def weight(network: TwinNetwork, node: int, of: str) -> float:
    """I, E or ER of a node for category C, by the protocol's own functions."""
    params, state = network.nodes[node].params, network.nodes[node].state
    if of == "I":
        add_up_internal(params, state, ME)
        return float(params.total[0, C])
    if of == "E":
        add_up_external(params, state, ME)
    else:
        add_up_with_relay(params, state, ME, -1)
    return float(params.total[1, C])


def got(network: TwinNetwork) -> list[tuple[int, int, float]]:
    return sorted(delivery[:3] for node in network.nodes for delivery in node.delivered)


def test_MOPS_17_an_interest_list_is_broadcast_and_the_publisher_sends_to_who_asks() -> None:
    """Fig. 5a: 1 broadcasts {(A,1),(C,1)}, 3 publishes C_1; and the same over 1 to 4, which 3 reaches by two hops."""
    near = play([(1, 3), (1, 3)], {1: {A: 1.0, C: 1.0}}, [(15.0, 3, C)])
    assert near.nodes[3].state.level[0, 0].tolist() == [1.0, 1.0, 0.0]  # member 1 has the first place
    assert got(near) == [(0, 1, 20.0)]
    # 4's list comes to 3 through 1; 1 does not want C, and takes it on its way to 4.
    far = play([(1, 4), (1, 3), (1, 3), (1, 4)], {4: {C: 1.0}}, [(25.0, 3, C)])
    assert got(far) == [(0, 4, 40.0)]
    assert far.copies == [3]
    unasked = play([(1, 3), (1, 3), (1, 4)], {4: {C: 1.0}}, [(15.0, 3, C)])  # the list has not come to 3
    assert got(unasked) == []
    assert unasked.copies == [1]


def test_MOPS_18_brokers_collect_for_neighbouring_communities_and_relay_for_each_other() -> None:
    """Fig. 6: 2 collects for community 1, and asks 7 to do so too; a relay list does not count in the own community."""
    wants = {node: {C: 1.0} for node in (1, 6, 8, 9)}
    lists = [(1, 5), (1, 8), (5, 8), (6, 9), (2, 5), (2, 8), (7, 8), (7, 9), (2, 7)]
    network = play(lists, wants)
    assert weight(network, 5, "I") == pytest.approx(1.5)
    assert weight(network, 2, "E") == pytest.approx(0.75)
    assert weight(network, 7, "ER") == pytest.approx(1.11)
    assert weight(network, 7, "E") == pytest.approx(0.3 * 1.8 + 0.3 * 1.7)  # what it asks its own community for
    relay = network.nodes[7].state.relay[0]
    assert np.isclose(relay[:, C], 0.75).sum() == 1  # E_2 towards community 1
    # An event of community 2 comes to 1 through 2 and 5.
    event = play([*lists, (2, 7), (2, 5), (1, 5)], wants, [(95.0, 7, C)])
    assert (0, 1, 120.0) in got(event)


def test_MOPS_21_only_events_with_weight_are_sent_and_the_largest_weight_first() -> None:
    """2 and 7 want A, 7 wants C, nobody X: broker 2 asks 5 for A (I = 1.8), then C (0.8), and X by default only."""
    wants = {2: {A: 1.0}, 7: {A: 1.0, C: 1.0}}
    events = [(12.0, 5, A), (13.0, 5, C), (14.0, 5, X)]

    def sent(room: float, default_weight: float = 0.0) -> set[str]:
        network = play([(2, 7), (2, 5)], wants, events, default_weight, room)
        return {TAGS[events[number][2]] for number in network.nodes[2].headers}

    assert [sent(room) for room in (9.0, 10.0, 20.0, 99.0)] == [set(), {"A"}, {"A", "C"}, {"A", "C"}]
    assert [sent(room, 1e-5) for room in (10.0, 20.0, 30.0)] == [{"A"}, {"A", "C"}, {"A", "C", "X"}]
