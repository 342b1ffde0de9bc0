"""Beacons: found by members, noise to strangers, silent about who I am."""

from __future__ import annotations

import asyncio
import random

import pytest

from hunet.node import beacon
from hunet.node.beacon import Beacon, Sighting, decode, encode
from tests.ports import free_port

KEY, OTHER = b"k" * 32, b"o" * 32
NAME = b"12345678"


def test_a_beacon_has_19_bytes_and_says_who_and_where_to_members_only() -> None:
    data = encode(b"h", NAME, 4747, KEY)
    assert len(data) == 19
    assert decode(data, [OTHER, KEY]) == (b"h", NAME, 4747, KEY)
    assert decode(data, [OTHER]) is None


def test_anything_else_is_none() -> None:
    chance = random.Random(1)
    data = encode(b"h", NAME, 4747, KEY)
    for _ in range(2000):
        damaged = bytearray(data)
        damaged[chance.randrange(19)] ^= 1 << chance.randrange(8)
        assert decode(bytes(damaged), [KEY]) is None
        assert decode(chance.randbytes(chance.randrange(40)), [KEY]) is None
    assert decode(encode(b"h", NAME, 0, KEY), [KEY]) is None


def test_a_name_changes_with_time_and_says_nothing_of_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    mine = Beacon(lambda: [KEY], ("", 1), lambda _: None)
    names = set()
    for now[0] in (0.0, 899.0, 900.0, 1799.0, 1800.0):
        names.add(mine.name)
    assert len(names) == 3


async def heard(*, probe: bool, keys: tuple[bytes, bytes]) -> tuple[list[Sighting], list[Sighting]]:
    """What two nodes see of each other within a second."""
    port = free_port()
    seen: tuple[list[Sighting], list[Sighting]] = [], []
    ends = [
        Beacon(lambda i=i: [keys[i]], ("", 1000 + i), seen[i].append, every=0.1, at=port)  # type: ignore[misc]
        for i in range(2)
    ]
    if probe:  # nothing goes to the group
        for end in ends:
            end._join_cards = lambda: None  # type: ignore[method-assign]
    for end in ends:
        await end.start()
    if probe:
        ends[0].probe("127.0.0.1")
    async with asyncio.timeout(3):
        for _ in range(10 if keys[0] != keys[1] else 100):
            await asyncio.sleep(0.02)
            if all(seen):
                break
    for end in ends:
        await end.stop()
    return seen


def test_two_nodes_on_one_network_find_each_other() -> None:
    first, second = asyncio.run(heard(probe=False, keys=(KEY, KEY)))
    assert {sighting.port for sighting in first} == {1001}
    assert {sighting.port for sighting in second} == {1000}


def test_nodes_of_another_network_are_not_seen() -> None:
    assert asyncio.run(heard(probe=False, keys=(KEY, OTHER))) == ([], [])


def test_where_groups_are_dropped_a_probe_finds_a_node_and_is_answered() -> None:
    """Both sockets of the port are on this machine, and the last one bound gets what is sent to the address."""
    first, second = asyncio.run(heard(probe=True, keys=(KEY, KEY)))
    assert [sighting.port for sighting in first] == [1001]
    assert [sighting.port for sighting in second] == [1000]


def test_a_node_cannot_be_made_to_shout() -> None:
    mine = Beacon(lambda: [KEY], ("", 1), lambda _: None)
    assert sum(mine._may_answer() for _ in range(1000)) == beacon._MOST_ANSWERS
