"""With all room and time, PUSH delivers as early as can be, and PULL when producer and consumer first meet."""

from __future__ import annotations

import heapq
import math
from dataclasses import replace
from pathlib import Path

import pytest

from hunet.protocols import protocol_named
from tests.naive.simulator import Message, Story
from tests.sim.compare import deliveries_of, simulate
from tests.sim.infocom05 import infocom05
from tests.sim.stories import random_story

Contacts = list[list[tuple[int, float, float]]]
"""Per node: peer, start, end."""


def earliest_arrivals(contacts: Contacts, message: Message) -> dict[int, float]:
    """When a message can reach each node: the shortest paths in time (Dijkstra)."""
    reached: dict[int, float] = {}
    waiting = [(message.created, message.source)]
    while waiting:
        now, node = heapq.heappop(waiting)
        if node in reached:
            continue
        reached[node] = now
        for peer, start, end in contacts[node]:
            if peer not in reached and end >= now and max(start, now) <= message.expires:
                heapq.heappush(waiting, (max(start, now), peer))
    del reached[message.source]
    return reached


def first_meetings(contacts: Contacts, message: Message) -> dict[int, float]:
    """When a message's producer first meets each node while the message lives."""
    met: dict[int, float] = {}
    for peer, start, end in contacts[message.source]:
        at = max(start, message.created)
        if end >= message.created and at <= message.expires:
            met[peer] = min(at, met.get(peer, math.inf))
    return met


ORACLES = {"push": earliest_arrivals, "pull": first_meetings}


def check(story: Story, name: str) -> int:
    protocol = protocol_named(name)
    outcome = simulate(story, protocol, protocol.settings(), continuous=True)
    contacts: Contacts = [[] for _ in range(story.nodes)]
    for a, b, start, end in story.contacts:
        contacts[a].append((b, start, end))
        contacts[b].append((a, start, end))
    expected = [
        (message.number, node, at)
        for message in story.messages
        for node, at in ORACLES[name](contacts, message).items()
        if story.interests[node].keys() & set(message.tags)
    ]
    assert [row[:3] for row in deliveries_of(outcome)] == sorted(expected)
    return len(expected)


@pytest.mark.parametrize("protocol", ["push", "pull"])
def test_deliveries_of_random_stories_are_as_early_as_can_be(protocol: str) -> None:
    delivered = sum(check(replace(random_story(seed), changes=[]), protocol) for seed in range(100))
    assert delivered > 300


@pytest.mark.parametrize("protocol", ["push", "pull"])
def test_deliveries_on_infocom05_are_as_early_as_can_be(trace_files: Path, protocol: str) -> None:
    assert check(infocom05(trace_files, hours=72, messages=40), protocol) > 50
