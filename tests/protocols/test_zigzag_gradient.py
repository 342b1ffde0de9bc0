"""ZigZag's gradient on devices that meet one after the other: uphill, downhill, refreshed and expired."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hunet.protocols.zigzag import ZIGZAG, ZigZagSettings
from tests.naive.simulator import Message, Story, wanted
from tests.twin.network import TwinNetwork

NOTHING: set[int] = set()


def play(
    contacts: Sequence[tuple[int, int, float]],
    interests: list[set[int]],
    messages: Sequence[tuple[float, int, int]],
    lifetime: int = 1000,
    bytes_per_second: float = math.inf,
    renew: str = "newest",
) -> TwinNetwork:
    """Devices that meet for 1 s; messages are (created, source, tag) of 10 bytes."""
    met = [(a, b, at, at + 1.0) for a, b, at in contacts]
    published = [Message(i, at, math.inf, source, 10, (tag,)) for i, (at, source, tag) in enumerate(messages)]
    story = Story(len(interests), met, published, [], wanted(*interests), 2)
    settings = ZigZagSettings(lifetime=lifetime, renew=renew)
    tags = ["jazz", "chess"]
    network = TwinNetwork(
        story, ZIGZAG, settings, tags, continuous=False, buffer=None, bytes_per_second=bytes_per_second
    )
    return network.run()


def holders(network: TwinNetwork, message: int) -> list[int]:
    return [node.name for node in network.nodes if message in node.held]


def time_left(network: TwinNetwork, node: int) -> list[int]:
    """Of what a node heard, counted from its last meeting."""
    state = network.nodes[node].state
    return sorted((state.expires[0, : state.used[0]] - state.second[0]).tolist())


def test_messages_go_to_nodes_whose_matching_subscription_is_fresher_the_best_first() -> None:
    """Node 0 wants jazz; 1 to 3 heard so at 10, 20 and 30; 4 and 5 publish and heard nothing."""
    heard = [(0, 1, 10.0), (0, 2, 20.0), (0, 3, 30.0)]
    interests = [{0}, *[NOTHING] * 5]
    uphill = play([*heard, (2, 4, 50.0), (2, 3, 60.0), (1, 3, 70.0)], interests, [(40.0, 4, 0)])
    assert holders(uphill, 0) == [
        2,
        3,
        4,
    ]  # from one who knows nothing (AMB-76) to 2, from 2 to 3; copies stay (AMB-77)
    downhill = play([*heard, (3, 4, 50.0), (2, 3, 60.0), (1, 3, 70.0)], interests, [(40.0, 4, 0)])
    # 2 and 1 heard of jazz anew from 3, at their meeting, but what was told at its start decides.
    assert holders(downhill, 0) == [3, 4]
    delivered = play([*heard, (3, 4, 50.0), (0, 3, 60.0)], interests, [(40.0, 4, 0)])
    assert [row[:3] for row in delivered.nodes[0].delivered] == [(0, 0, 60.0)]
    not_matching = play([*heard, (3, 4, 50.0)], interests, [(40.0, 4, 1)])
    assert holders(not_matching, 0) == [4]
    # 1 wants chess, and 2 met 0 before 1: of two messages, only the one with the larger difference fits.
    interests = [{0}, {1}, NOTHING, NOTHING]
    both = [(35.0, 3, 0), (36.0, 3, 1)]
    assert holders(play([(0, 2, 10.0), (1, 2, 20.0), (2, 3, 40.0)], interests, both, 1000, 10.0), 1) == [2, 3]
    assert holders(play([(1, 2, 10.0), (0, 2, 20.0), (2, 3, 40.0)], interests, both, 1000, 10.0), 0) == [2, 3]
    assert holders(play([(1, 2, 10.0), (0, 2, 20.0), (2, 3, 40.0)], interests, both, 1000, 10.0), 1) == [3]


def test_expired_subscriptions_vanish_and_hearing_one_again_refreshes_it() -> None:
    interests = [{0}, NOTHING, NOTHING]
    assert time_left(play([(0, 1, 10.0)], interests, [], lifetime=100), 1) == [100]
    passed_on = play([(0, 1, 10.0), (1, 2, 40.0)], interests, [], lifetime=100)
    assert time_left(passed_on, 2) == [70]  # with the time it had left, not with a new life
    meetings = [(0, 1, 10.0), (0, 2, 50.0), (1, 2, 60.0)]
    as_printed = play(meetings, interests, [], lifetime=100)
    assert (time_left(as_printed, 1), time_left(as_printed, 2)) == ([90], [50])  # set to what was heard last
    larger = play(meetings, interests, [], lifetime=100, renew="largest")
    assert time_left(larger, 1) == time_left(larger, 2) == [90]  # an older copy changes nothing
    message = [(5.0, 2, 0)]
    for at, got_it in ((109.0, True), (110.0, False)):
        network = play([(0, 1, 10.0), (1, 2, at)], interests, message, lifetime=100)
        assert (1 in holders(network, 0)) is got_it
        assert (time_left(network, 2) == [1]) is got_it
