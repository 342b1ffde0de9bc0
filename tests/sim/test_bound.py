"""What clairvoyance could do is what an epidemic without limits delivers, without its transfers in vain."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from hunet.protocols.push import PUSH, PushSettings
from hunet.sim.bound import EPIDEMIC_FORWARDS, clairvoyant
from hunet.sim.simulate import bound
from tests.naive.simulator import Message, NaiveSimulator, Story, wanted
from tests.naive.tag_protocols import Push
from tests.sim.compare import deliveries_of, simulate
from tests.sim.small_traces import TRIANGLE, workload
from tests.sim.stories import random_story, scene_of, tag_names

pytestmark = pytest.mark.interpreted


class Remembering(NaiveSimulator):
    """The naive simulator, which remembers who got every copy from whom."""

    parents: dict[tuple[int, int], int]

    def send(self, me: int, peer: int, side: int, link: object, choice: object, now: float) -> None:
        self.parents[choice.message.number, peer] = me  # type: ignore[attr-defined]
        super().send(me, peer, side, link, choice, now)  # type: ignore[arg-type]


def transfers_needed(story: Story, continuous: bool) -> list[int]:
    """Of each message: the different transfers on the ways back from those who wanted it, in PUSH's tree."""
    naive = Remembering(story, Push(story, []), continuous)
    naive.parents = {}
    naive.run()
    needed: set[tuple[int, int]] = set()
    for message, node, _, _ in naive.deliveries:
        at = node
        while at != story.messages[message].source:
            needed.add((message, at))
            at = naive.parents[message, at]
    return [sum(m == message.number for m, _ in needed) for message in story.messages]


@pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])
def test_it_delivers_what_push_does_without_limits_at_the_same_times_and_takes_no_transfer_in_vain(
    continuous: bool,
) -> None:
    spared = 0
    for seed in range(9000, 9012):
        story = random_story(seed)
        push = simulate(story, PUSH, PushSettings(), continuous=continuous)
        found = clairvoyant(scene_of(story), tuple(tag_names(story)), "continuous" if continuous else "start")
        assert deliveries_of(found) == deliveries_of(push)
        assert found.extras[EPIDEMIC_FORWARDS] == push.forwards
        assert (found.copies - 1).tolist() == transfers_needed(story, continuous)
        assert found.forwards == found.copies.sum() - len(story.messages)
        spared += push.forwards - found.forwards
    assert spared > 100


def test_a_branch_that_ends_at_nobody_who_wants_it_is_cut() -> None:
    """0 meets 1 and 2; 2 meets 3, who wants it; 1 meets 4, who does not."""
    contacts = [(0, 1, 1.0, 2.0), (0, 2, 2.0, 3.0), (2, 3, 4.0, 5.0), (1, 4, 6.0, 7.0)]
    story = Story(5, contacts, [Message(0, 0.0, math.inf, 0, 1, (0,))], [], wanted((), (), (), (0,), ()), 1)
    found = clairvoyant(scene_of(story), ("tag-0",))
    assert found.copies.tolist() == [3]  # 0, 2 and 3
    assert found.extras[EPIDEMIC_FORWARDS] == 4


def test_it_is_measured_like_a_protocol() -> None:
    load = workload([(0, 5.0, "x")], [(2, "x")])
    result = bound(TRIANGLE, load)
    assert result.protocol == "clairvoyant"
    assert result.measures["delivery_ratio"] == 1
    limited = bound(TRIANGLE, replace(load, buffer=1, bytes_per_second=0.0))
    assert limited.measures["delivered"] == result.measures["delivered"], "room and bandwidth do not count"
