"""Contacts that last: what is new goes over at once, digests are told anew, and whoever leaves says so."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from hunet.node.clock import VirtualClock
from hunet.node.host import Host
from hunet.node.link import memory_links
from hunet.node.session import Outcome, session
from hunet.protocols import make_settings, protocol_named
from tests.node.lives import Lives, in_milliseconds, quiet
from tests.node.meetings import a_host, inbox, meet
from tests.sim.compare import deliveries_of, simulate
from tests.sim.stories import random_story

pytestmark = pytest.mark.interpreted


def together(*hosts: Host, **how: Any) -> list[asyncio.Task[Outcome]]:
    links = memory_links(hosts[0].me, hosts[1].me, bytes(32))
    return [asyncio.create_task(session(host, link, **how)) for host, link in zip(hosts, links, strict=True)]


def test_what_is_published_during_a_contact_goes_over_at_once_and_on() -> None:
    async def live() -> None:
        a, b, c = (a_host(i) for i in range(3))
        c.subscribe("jazz")
        ends = together(a, b) + together(b, c)
        await quiet()
        mid = a.publish(b"text", ["jazz"])
        await quiet()
        assert inbox(c) == [mid]
        for host in (a, b, c):
            host.leave()
        outcomes = await asyncio.gather(*ends)
        assert [one.given for one in outcomes] == [1, 0, 1, 0]

    asyncio.run(live())


def test_two_who_offer_the_same_message_send_it_once() -> None:
    async def live() -> None:
        a, b, c = (a_host(i) for i in range(3))
        mid = a.publish(b"text", ["jazz"])
        await meet(a, b)
        c.subscribe("jazz")
        ends = together(a, c) + together(b, c)
        await quiet()
        assert inbox(c) == [mid]
        for host in (a, b, c):
            host.leave()
        outcomes = await asyncio.gather(*ends)
        assert sum(one.given for one in outcomes) == 1

    asyncio.run(live())


def test_a_contact_that_is_renewed_in_between_is_two_contacts() -> None:
    """What nodes know afterwards is the same as after two contacts at these times."""

    async def live(renew: bool) -> Any:
        clock = VirtualClock(0)
        a, b = (a_host(i, "bsub13", clock=clock) for i in range(2))
        a.subscribe("jazz")
        b.subscribe("go")
        if renew:
            ends = together(a, b, renew=0.2)
            await asyncio.sleep(0.05)
            clock.now += 120_000
            await asyncio.sleep(0.25)
            a.leave()
            b.leave()
            outcomes = await asyncio.gather(*ends)
            assert [one.rounds for one in outcomes] == [2, 2]
        else:
            await meet(a, b)
            clock.now += 120_000
            await meet(a, b)
        return [host.rows[0].state.relay.copy() for host in (a, b)]

    for one, other in zip(asyncio.run(live(True)), asyncio.run(live(False)), strict=True):
        assert one.any()
        assert np.array_equal(one, other)


@pytest.mark.parametrize("name", ["push", "pull", "bsub13", "spray"])
def test_lasting_contacts_deliver_as_the_continuous_model(name: str) -> None:
    """Where all that is decided does not depend on who is first: for push and pull exactly; else nearly."""
    protocol = protocol_named(name)
    settings = make_settings(protocol, {"m": 64, "k": 2} if "m" in protocol.settings._fields else {})
    lived, simulated = set(), set()
    for seed in range(2200, 2204):
        story = in_milliseconds(random_story(seed))
        outcome = simulate(story, protocol, settings, hops=True, continuous=True)
        lives = asyncio.run(Lives(story, protocol, settings, continuous=True).live())
        simulated |= {(seed, *row[:3]) for row in deliveries_of(outcome)}
        lived |= {(seed, *row[:3]) for row in lives.deliveries}
    assert len(simulated) > 20
    if name in ("push", "pull"):
        assert lived == simulated
    assert len(lived ^ simulated) <= 0.1 * len(simulated)
