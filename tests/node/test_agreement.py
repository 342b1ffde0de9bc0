"""Settings that nodes take over: who may send them, how they spread, when nodes change, and back."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hunet.model.errors import DecodeError, InvalidValueError, NodeError
from hunet.node.agreement import APART
from hunet.node.budget import HOUR, SECOND
from hunet.node.choice import Choice, permitted
from hunet.node.clock import VirtualClock
from hunet.node.host import Host
from hunet.node.link import SETTINGS, memory_links
from hunet.node.message import Author, Envelope
from hunet.node.notice import MOST_WAIT, TAG, Notice
from hunet.node.session import session
from hunet.protocols import PROTOCOLS
from tests.node.meetings import a_host, inbox, meet
from tests.node.test_attacks import offered

pytestmark = pytest.mark.interpreted

HOLDER = Author.from_seed(b"h" * 32)
TUNED = permitted("bsub13", {"decay_cycle": 64.0, "initial": 9})
OTHER = permitted("pull", {"any_holder": True})


def member(number: int, clock: VirtualClock, **more: Any) -> Host:
    return a_host(number, more.pop("protocol", "bsub13"), clock=clock, holder=HOLDER.public, **more)


def village(count: int, clock: VirtualClock) -> list[Host]:
    return [member(number, clock) for number in range(1, count + 1)]


def runs(hosts: Sequence[Host]) -> set[str]:
    for host in hosts:
        host.wake()
    return {host.runs.name for host in hosts}


def told(host: Host, notice: Notice, age: int = 0) -> None:
    host.learn(notice.envelope, age)


# ------------------------------------------------------------------ spreading and changing


def test_settings_spread_by_contacts_and_all_change_at_one_moment_though_clocks_differ() -> None:
    clocks = [VirtualClock(1_000_000 + HOUR * (7 * i % 50)) for i in range(8)]
    hosts = [member(i + 1, clock) for i, clock in enumerate(clocks)]
    chance = random.Random(2)
    for host in hosts:
        host.subscribe("jazz")
    hosts[3].publish(b"kept", ["jazz"])
    before = hosts[0].runs.name
    hosts[0].announce(HOLDER, TUNED, HOUR)
    for minute in range(1, 60):
        for clock in clocks:
            clock.now += 60 * SECOND
        asyncio.run(meet(*chance.sample(hosts, 2)))
        assert runs(hosts) == {before}, minute
    assert {host.agreement.serial for host in hosts} == {hosts[0].agreement.serial}
    assert {host.agreement.at - clock.now for host, clock in zip(hosts, clocks, strict=True)} == {60 * SECOND}
    for clock in clocks:
        clock.now += 60 * SECOND
    assert runs(hosts) == {TUNED.name}
    assert all(host.agreement.previous is not None and host.agreement.previous.name == before for host in hosts)
    assert {len(inbox(host)) for host in hosts} == {0, 1}
    assert sum(len(inbox(host)) for host in hosts) == 7
    hosts[5].publish(b"new", ["jazz"])
    asyncio.run(meet(hosts[5], hosts[6]))
    assert len(inbox(hosts[6])) == 2


def test_a_change_keeps_messages_interests_and_what_was_seen() -> None:
    clock = VirtualClock(0)
    a, b, c = village(3, clock)
    a.subscribe("jazz", level=0.5, hops=3)
    b.publish(b"one", ["rock"])
    b.subscribe("rock")
    mid = b.publish(b"two", ["jazz"])
    asyncio.run(meet(a, b))
    assert inbox(a) == [mid]
    for host in (a, b, c):
        host.agreement.announce(HOLDER, OTHER, 0, host.now, 1)
        host.wake()
    assert runs([a, b, c]) == {OTHER.name}
    assert [one.text for one in a.interests.all.values()] == ["jazz"]
    assert mid in b.shelf.held
    assert a.shelf.seen([mid]) == {mid}
    asyncio.run(meet(a, b))
    assert inbox(a) == [mid]
    c.subscribe("jazz")
    asyncio.run(meet(b, c))
    assert inbox(c) == [mid]


def test_who_comes_late_is_told_before_settings_are_compared() -> None:
    clock = VirtualClock(0)
    early, late = village(2, clock)
    early.announce(HOLDER, OTHER, HOUR)
    clock.now += 2 * HOUR
    late.subscribe("jazz")
    early.publish(b"text", ["jazz"])
    assert runs([early]) == {OTHER.name}
    assert asyncio.run(meet(early, late)) == (None, None)  # they cannot talk, but the news went over
    assert runs([late]) == {OTHER.name}
    asyncio.run(meet(late, early))
    assert len(inbox(late)) == 1


def test_a_node_changes_with_the_first_that_did() -> None:
    """Clocks run apart, and a carrier may lie about an age: nobody is left alone for that."""
    clock = VirtualClock(0)
    a, b = village(2, clock)
    a.announce(HOLDER, OTHER, 5 * HOUR)
    assert a.agreement.notice is not None
    told(b, a.agreement.notice, age=10 * HOUR)  # a lie
    assert runs([b]) == {OTHER.name}
    assert asyncio.run(meet(a, b)) == (None, None)
    assert runs([a, b]) == {OTHER.name}
    assert asyncio.run(meet(a, b)) != (None, None)


def test_in_a_contact_that_lasts_news_goes_on_at_once_and_the_contact_ends_for_the_change() -> None:
    async def run() -> None:
        clock = VirtualClock(0)
        a, b, c = village(3, clock)
        ends = []
        for one, other in ((a, b), (b, c)):
            links = memory_links(one.me, other.me, bytes(32))
            ends += [asyncio.create_task(session(h, link)) for h, link in zip((one, other), links, strict=True)]
        await asyncio.sleep(0.05)
        a.announce(HOLDER, OTHER, HOUR)
        await asyncio.sleep(0.05)
        assert c.agreement.serial == a.agreement.serial
        clock.now += HOUR
        for host in (a, b, c):
            host.wake()
            assert host.changing
            assert host.runs.name != OTHER.name
        for host in (a, b, c):
            for line in list(host.lines):
                line.kick()
        await asyncio.gather(*ends)
        assert runs([a, b, c]) == {OTHER.name}

    asyncio.run(run())


def test_what_was_taken_over_is_there_after_a_restart(tmp_path: Path) -> None:
    clock, file = VirtualClock(0), tmp_path / "node.db"
    a = member(1, clock, path=file)
    before = a.runs.name
    a.announce(HOLDER, TUNED, HOUR)
    a.store.close()
    a = member(1, clock, path=file)
    assert a.agreement.next is not None
    assert a.agreement.at == HOUR
    clock.now += HOUR
    assert runs([a]) == {TUNED.name}
    a.store.close()
    a = member(1, clock, path=file)
    assert runs([a]) == {TUNED.name}
    assert a.agreement.previous is not None
    assert a.agreement.previous.name == before
    a.store.close()
    pinned = member(1, clock, path=file, protocol="spray", pinned=True)
    assert pinned.runs.protocol.name == "spray"
    pinned.store.close()
    assert runs([member(1, clock, path=file)]) == {TUNED.name}


# ------------------------------------------------------------------ back, and never


def test_going_back_withdraws_what_is_next_or_returns_to_what_ran() -> None:
    clock = VirtualClock(0)
    (a,) = village(1, clock)
    first = a.runs.name
    with pytest.raises(NodeError, match="no earlier settings"):
        a.go_back()
    a.announce(HOLDER, TUNED, HOUR)
    assert a.go_back().name == first
    clock.now += 2 * HOUR
    assert runs([a]) == {first}
    a.announce(HOLDER, TUNED, 0)
    assert runs([a]) == {TUNED.name}
    assert a.go_back().name == first
    assert runs([a]) == {first}
    assert a.go_back().name == TUNED.name
    clock.now += APART
    a.announce(HOLDER, OTHER, 0)
    assert runs([a]) == {OTHER.name}


def test_a_pinned_node_passes_settings_on_and_keeps_its_own() -> None:
    clock = VirtualClock(0)
    a, b = village(2, clock)
    pinned = member(9, clock, pinned=True)
    a.announce(HOLDER, TUNED, HOUR)
    asyncio.run(meet(a, pinned))
    asyncio.run(meet(pinned, b))
    assert b.agreement.serial == a.agreement.serial
    clock.now += HOUR
    assert runs([a, b]) == {TUNED.name}
    assert runs([pinned]) == {"bsub13 " + pinned.runs.name.partition(" ")[2]}
    assert "started with --settings" in pinned.agreement.refusal
    with pytest.raises(NodeError, match="started with --settings"):
        pinned.go_back()


def test_without_a_settings_key_in_the_invitation_nothing_is_ever_taken_over() -> None:
    clock = VirtualClock(0)
    a, old = member(1, clock), a_host(2, "bsub13", clock=clock)
    a.announce(HOLDER, TUNED, HOUR)
    assert asyncio.run(meet(a, old))[1] is None
    assert old.agreement.serial == 0
    with pytest.raises(NodeError, match="not that of its network"):
        old.announce(HOLDER, TUNED, 0)


# ------------------------------------------------------------------ attacks


def test_a_member_without_the_settings_key_cannot_send_any() -> None:
    clock = VirtualClock(0)
    a, b = village(2, clock)
    forger = Author.from_seed(b"f" * 32)
    with pytest.raises(NodeError, match="not that of its network"):
        a.announce(forger, TUNED, 0)
    good = Notice.signed(HOLDER, 5, TUNED, 0).envelope
    bad = Notice.signed(forger, 5, TUNED, 0).envelope
    for forged in (
        bad,
        Envelope(HOLDER.public, 5, 0, 0, bad.tags, bad.payload, bad.signature),
        Envelope(good.author, 6, 0, 0, good.tags, good.payload, good.signature),
        Envelope(good.author, 5, 0, 0, good.tags, good.payload.replace(b"64", b"65"), good.signature),
        Envelope.signed(HOLDER, 5, 0, ("jazz",), good.payload),
        Envelope.signed(HOLDER, 5, HOUR, (TAG,), good.payload),
        Envelope.signed(HOLDER, 5, 0, (TAG,), b"\xff"),
        Envelope.signed(HOLDER, 5, 0, (TAG,), b"[" * 3000),
        Envelope.signed(HOLDER, 5, 0, (TAG,), b" " * 5000 + good.payload),
        Envelope.signed(HOLDER, 5, 0, (TAG,), b'{"protocol":"pull","settings":{},"wait":-1}'),
        Envelope.signed(HOLDER, 5, 0, (TAG,), b'{"protocol":"pull","settings":{},"wait":%d}' % (MOST_WAIT + 1)),
        Envelope.signed(HOLDER, 5, 0, (TAG,), b'{"protocol":"pull","settings":[],"wait":1}'),
        Envelope.signed(HOLDER, 5, 0, (TAG,), b'{"protocol":"pull","settings":{}}'),
    ):
        with pytest.raises(DecodeError):
            b.learn(forged, 0)
    assert b.agreement.serial == 0
    told(b, Notice.signed(HOLDER, 5, TUNED, 0))
    assert runs([b]) == {TUNED.name}


def test_a_forgers_contact_ends_and_leaves_nothing() -> None:
    async def run() -> None:
        clock = VirtualClock(0)
        a, b = village(2, clock)
        links = memory_links(a.me, b.me, bytes(32))
        forged = Notice.signed(Author.from_seed(b"f" * 32), 5, TUNED, 0).told(0)
        lying = asyncio.create_task(session(a, links[0]))
        honest = asyncio.create_task(session(b, links[1]))
        await asyncio.sleep(0.05)
        await links[0].send(SETTINGS, forged)
        results = await asyncio.gather(lying, honest, return_exceptions=True)
        assert "somebody who may not send any" in str(results[1])
        assert b.agreement.serial == 0
        assert not b.lines

    asyncio.run(run())


def test_an_older_serial_loses_whenever_it_is_replayed() -> None:
    clock = VirtualClock(0)
    (a,) = village(1, clock)
    old, new = Notice.signed(HOLDER, 5, OTHER, 0), Notice.signed(HOLDER, 6, TUNED, 0)
    told(a, new)
    assert runs([a]) == {TUNED.name}
    for _ in range(3):
        clock.now += HOUR
        told(a, old)
        told(a, new)
        assert runs([a]) == {TUNED.name}
    a.go_back()
    clock.now += HOUR
    told(a, new)
    assert runs([a]) != {TUNED.name}


@pytest.mark.parametrize(
    ("protocol", "settings", "why"),
    [
        ("bsub13", {"m": 2**40}, "256 only"),
        ("bsub13", {"k": 10**9}, "3 only"),
        ("bsub13", {"decay_cycle": 0.0001}, "1 to 8192"),
        ("bsub13", {"decay_cycle": 1e308}, "1 to 8192"),
        ("bsub13", {"initial": 200, "ceiling": 100}, "initial"),
        ("bsub13", {"preference": "worst"}, "ratio or raw"),
        ("bsub13", {"speed": 1}, "speed"),
        ("zigzag", {"table": 10**12}, "128 only"),
        ("spray", {"copies": 129}, "1 to 128"),
        ("mops", {}, "does not run on devices"),
        ("flood", {}, "there is no protocol 'flood'"),
    ],
)
def test_absurd_settings_are_passed_on_but_never_taken_over_and_the_node_says_why(
    protocol: str, settings: dict[str, Any], why: str
) -> None:
    with pytest.raises(InvalidValueError, match=why):
        permitted(protocol, settings)
    clock = VirtualClock(0)
    a, b = village(2, clock)
    before = a.runs.name
    facts = {"protocol": protocol, "settings": settings, "wait": 0}
    told(a, _signed(5, facts))
    asyncio.run(meet(a, b))
    assert runs([a, b]) == {before}
    assert why in a.agreement.refusal
    assert b.agreement.serial == 5
    told(b, Notice.signed(HOLDER, 6, TUNED, 0))
    assert runs([b]) == {TUNED.name}


def _signed(serial: int, facts: dict[str, Any]) -> Notice:
    import json

    payload = json.dumps(facts).encode()
    return Notice.read(Envelope.signed(HOLDER, serial, 0, (TAG,), payload), HOLDER.public)


def test_what_tune_looks_for_is_what_nodes_take_over() -> None:
    from hunet.studies.tuning.search import Effort, candidates

    for protocol in PROTOCOLS:
        if protocol.deployable:
            permitted(protocol.name, {})
            for one in candidates(protocol, Effort(candidates=60), 1) if protocol.searched else ():
                permitted(protocol.name, one)


def test_a_storm_of_signed_settings_changes_a_node_once_in_ten_minutes() -> None:
    clock = VirtualClock(0)
    (a,) = village(1, clock)
    changes = 0

    def count() -> None:
        nonlocal changes
        changes += 1

    a.on_change = count
    taken = set()
    for serial in range(1, 3601):
        clock.now += SECOND
        told(a, Notice.signed(HOLDER, serial, (TUNED, OTHER)[serial % 2], 0))
        a.wake()
        taken.add(a.agreement.serial)
    assert 2 <= changes <= 6
    assert len(taken) <= 8 + 6


def test_a_peer_that_floods_settings_is_left() -> None:
    async def run() -> None:
        clock = VirtualClock(0)
        a, b = village(2, clock)
        links = memory_links(a.me, b.me, bytes(32))
        ends = [asyncio.create_task(session(h, link)) for h, link in zip((a, b), links, strict=True)]
        await asyncio.sleep(0.05)
        for serial in range(1, 30):
            await links[0].send(SETTINGS, Notice.signed(HOLDER, serial, TUNED, HOUR).told(0))
            await asyncio.sleep(0.01)
            if ends[1].done():
                break
        results = await asyncio.gather(*ends, return_exceptions=True)
        assert "in so short a time" in str(results[1])

    asyncio.run(run())


def test_nobody_publishes_under_the_reserved_tag_and_such_messages_are_not_taken() -> None:
    clock = VirtualClock(0)
    (a,) = village(1, clock)
    with pytest.raises(InvalidValueError, match="hunet tune NAME --send"):
        a.publish(b"x", ["jazz", TAG])
    a.subscribe("jazz")
    line, _, body = offered(a, Envelope.signed(HOLDER, 5, HOUR, ("jazz", TAG), b"x"))
    a.receive(line, body)
    a.done(line)
    assert a.gone["a reserved tag"] == 1
    assert not inbox(a)


def test_a_choice_knows_its_name() -> None:
    assert Choice(*TUNED).name == 'bsub13 1 {"decay_cycle": 64.0, "initial": 9}'
    assert permitted("bsub13", {"initial": 5}).name == "bsub13 1 {}"
