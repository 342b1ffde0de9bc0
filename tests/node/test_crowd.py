"""Everybody meets at once, over links that break, and nobody waits for anybody: what must hold whatever happens."""

from __future__ import annotations

import asyncio
import os
import random
import time
from typing import Any

import pytest

from hunet.model.errors import LinkError
from hunet.node.budget import NO_LIMITS
from hunet.node.host import Host
from hunet.node.link import PING, memory_links
from hunet.node.session import session
from tests.node.meetings import a_host, inbox, meet

pytestmark = pytest.mark.interpreted

NODES, MESSAGES, TAGS = 20, 4, 5
COPIES = 64


def clock() -> int:
    return time.monotonic_ns() // 1_000_000


def crowd(protocol: str) -> tuple[list[Host], dict[bytes, tuple[int, int]]]:
    """Hosts, and of every message its author and tag."""
    settings: dict[str, Any] = {"copies": COPIES} if protocol == "spray" else {}
    hosts = [a_host(i, protocol, clock=clock, limits=NO_LIMITS, **settings) for i in range(NODES)]
    about = {}
    for i, host in enumerate(hosts):
        host.subscribe(f"tag {i % TAGS}")
        for j in range(MESSAGES):
            mid = host.publish(os.urandom(100), [f"tag {(i + j) % TAGS}"], lifetime=10**8)
            about[mid] = i, (i + j) % TAGS
    return hosts, about


async def wander(hosts: list[Host], contacts: int, breaks: float) -> int:
    """Every node meets others at random, with three at a time; how many links broke."""
    chance, broken = random.Random(1), 0

    async def one(me: int) -> None:
        nonlocal broken
        for _ in range(contacts):
            peer = chance.choice([other for other in range(len(hosts)) if other != me])
            after = chance.randrange(12) if chance.random() < breaks else -1
            found = await meet(hosts[me], hosts[peer], breaks_after=after)
            broken += None in found

    await asyncio.gather(*(one(i) for i in range(len(hosts)) for _ in range(3)))
    return broken


@pytest.mark.parametrize("protocol", ["push", "spray", "bsub13", "bsub10"])
def test_nothing_is_lost_and_nothing_comes_twice_where_links_break(protocol: str) -> None:
    hosts, about = crowd(protocol)
    broken = asyncio.run(wander(hosts, 5, 0.7))  # of those that would, not all last long enough to break
    assert broken >= 0.3 * NODES * 3 * 5
    delivered = [(i, mid) for i, host in enumerate(hosts) for mid in inbox(host)]
    wanted = {(i, mid) for i in range(NODES) for mid, (author, tag) in about.items() if tag == i % TAGS and author != i}
    assert len(delivered) == len(set(delivered))
    assert set(delivered) <= wanted
    assert not any(host.flying or host.coming or host.lines for host in hosts)
    if protocol != "bsub10":  # where a broker's only copy goes to who wants it
        for mid in about:
            assert any(mid in host.shelf.held for host in hosts)
    if protocol == "push":
        assert set(delivered) == wanted
    if protocol == "spray":
        for mid in about:
            held = [(host, host.shelf.held[mid]) for host in hosts if mid in host.shelf.held]
            assert sum(int(host.rows[0].state.copies[0, one.entry]) for host, one in held) >= COPIES


def test_a_silent_peer_costs_the_others_nothing() -> None:
    """All have a contact with somebody who says hello and then nothing more; they meet as if there were none."""

    async def live(silent: bool) -> tuple[int, int]:
        hosts, _ = crowd("push")
        waiting = []
        for host in hosts if silent else []:
            mine, theirs = memory_links(host.me, b"s" * 32, os.urandom(32))
            waiting.append(asyncio.create_task(session(host, mine, silence=5.0)))
            await theirs.send(PING, b"\0" + host.fingerprint + b"\0")
        await wander(hosts, 2, 0.0)
        held = sum(len(host.shelf.held) for host in hosts)
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return held, sum(len(inbox(host)) for host in hosts)

    alone, disturbed = asyncio.run(live(False)), asyncio.run(live(True))
    assert disturbed[0] >= 0.95 * alone[0]
    assert disturbed[1] >= 0.95 * alone[1]


def test_who_says_nothing_or_talks_without_answering_is_left() -> None:
    async def live() -> None:
        host = a_host(1)
        host.publish(b"text", ["jazz"])
        mine, theirs = memory_links(host.me, b"s" * 32, bytes(32))
        with pytest.raises(LinkError, match="silent"):
            await session(host, mine, silence=0.05)
        mine, theirs = memory_links(host.me, b"s" * 32, bytes(32))

        async def talk() -> None:
            for _ in range(1000):
                await theirs.send(PING, b"\0" + host.fingerprint + b"\0")
                await asyncio.sleep(0.01)

        talking = asyncio.create_task(talk())
        with pytest.raises(LinkError, match="silent"):  # pings are no answers
            await session(host, mine, silence=0.2)
        talking.cancel()
        assert not host.lines

    asyncio.run(live())


def test_who_reads_nothing_is_left() -> None:
    async def live() -> None:
        host = a_host(1)
        mine, _ = memory_links(host.me, b"s" * 32, bytes(32), waiting=1)
        with pytest.raises(LinkError, match=r"took nothing|silent"):
            await session(host, mine, silence=0.05)

    asyncio.run(live())
