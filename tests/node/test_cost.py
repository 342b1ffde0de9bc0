"""What a contact costs a device: nothing is compiled there, so loops over tags and messages are what counts."""

from __future__ import annotations

import asyncio
import time

import pytest

from hunet.node.choice import DEFAULT_PROTOCOL
from hunet.node.clock import VirtualClock
from hunet.node.host import Host
from tests.node.meetings import a_host, meet

pytestmark = pytest.mark.interpreted

TAGS, HELD, ACQUAINTANCES = 400, 100, 30


def crowded(protocol: str, own: int, clock: VirtualClock) -> tuple[Host, Host]:
    """Two who know hundreds of tags and some people, and have published so many messages each."""
    hosts = [a_host(number, protocol, clock=clock) for number in range(ACQUAINTANCES + 2)]
    a, b, *others = hosts
    for i, host in enumerate(hosts):
        for j in range(5):
            host.subscribe(f"tag {(7 * i + j) % 40}")
    for host in (a, b):
        host.rows[0].know(f"tag {i}" for i in range(TAGS))
        for other in others:
            clock.now += 1000
            asyncio.run(meet(host, other))
        for i in range(own):
            clock.now += 1
            host.publish(bytes(100), [f"tag {(i + 40 * (host is a)) % TAGS}"])
    return a, b


@pytest.mark.parametrize(("protocol", "own", "most"), [("bsub13", HELD, 0.005), (DEFAULT_PROTOCOL, HELD // 2, 0.010)])
def test_a_contact_with_400_tags_and_100_messages_costs_few_milliseconds(protocol: str, own: int, most: float) -> None:
    """Envoy gives each the other's in the first contact, B-SUB few of them; and looks closer at each message."""
    clock = VirtualClock(10**9)
    a, b = crowded(protocol, own, clock)
    asyncio.run(meet(a, b))  # what is for each other goes over
    assert min(len(host.shelf.held) for host in (a, b)) >= HELD
    assert len(a.rows[0].tables.names) >= TAGS

    async def again() -> float:
        used = time.process_time()
        await meet(a, b)
        return (time.process_time() - used) / 2

    costs = []
    for _ in range(40):
        clock.now += 70_000
        for host in (a, b):
            host._known.clear()  # as with somebody of whom nothing is known: every message is judged
        costs.append(asyncio.run(again()))
    print(f"{protocol}: {1000 * min(costs):.2f} ms of CPU per end, {len(a.shelf.held)} messages held")
    assert min(costs) < most  # a machine that is busy adds, and takes nothing away
