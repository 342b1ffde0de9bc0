"""What people may try who are members and mean ill, each with what it costs the others."""

from __future__ import annotations

import asyncio
import os
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hunet.model.errors import DecodeError
from hunet.node.answers import NO_THANKS, PLEASE
from hunet.node.budget import HOUR, NO_LIMITS, Limits, Quota
from hunet.node.clock import VirtualClock
from hunet.node.host import Host, Line
from hunet.node.message import Author, Copy, Envelope
from hunet.node.row import Side
from hunet.node.store import Store
from hunet.node.tables import MOST_PEERS, MOST_TAGS
from hunet.protocols import protocol_named
from hunet.protocols.bsub13 import BSUB13
from hunet.protocols.envoy import ENVOY
from hunet.protocols.envoy_places import keep_best
from hunet.protocols.protocol import NO
from tests.node.lives import key_of
from tests.node.meetings import a_host, inbox, meet

pytestmark = pytest.mark.interpreted

SECOND = 1000


# ------------------------------------------------------------------ a flooder


FLOODED = replace(NO_LIMITS, messages=80, fair=True, store=400_000, from_author=Quota(40, 0.01))


async def flooded(rate: int) -> tuple[int, list[Host], bytes]:
    """Ten nodes publish and meet; the last one publishes `rate` messages a second. How many honest deliveries?"""
    chance, clock = random.Random(1), VirtualClock(0)
    hosts = [a_host(i, clock=clock, limits=FLOODED) for i in range(10)]
    for i, host in enumerate(hosts):
        host.subscribe(f"tag {i % 3}")
    honest: set[bytes] = set()
    for turn in range(60):
        clock.now = SECOND * turn
        for _ in range(rate):
            clock.now += 1
            hosts[9].publish(os.urandom(50), [f"tag {turn % 3}"], lifetime=HOUR)
        clock.now = SECOND * turn + SECOND // 2
        honest.add(hosts[turn % 9].publish(b"%d" % turn, [f"tag {turn % 3}"], lifetime=HOUR))
        for _ in range(3):
            a, b = chance.sample(range(10), 2)
            await meet(hosts[a], hosts[b])
    deliveries = sum(mid in honest for host in hosts[:9] for mid in inbox(host))
    return deliveries, hosts, hosts[9].author.public


def test_a_flood_takes_its_share_and_nobody_elses() -> None:
    """100 messages a second: others deliver at least 95 % of what they would, and the quota holds everywhere."""
    before, _, _ = asyncio.run(flooded(0))
    after, hosts, flooder = asyncio.run(flooded(100))
    assert before > 40
    assert after >= 0.95 * before
    flood = {mid for (mid,) in hosts[9].store.rows("SELECT id FROM seen")} - honest_ids(hosts)
    for host in hosts[:9]:
        came = {mid for (mid,) in host.store.rows("SELECT id FROM seen")}
        assert len(came & flood) <= FLOODED.from_author.most + 60 * FLOODED.from_author.per_second
        assert sum(one.length for one in host.shelf.held.values() if one.author == flooder) <= 0.1 * FLOODED.store


def honest_ids(hosts: list[Host]) -> set[bytes]:
    """What others published, as the flooder knows it."""
    return {mid for host in hosts[:9] for mid in host.shelf.held if host.shelf.held[mid].own}


def test_an_author_over_his_quota_is_refused_until_time_has_passed() -> None:
    clock = VirtualClock(0)
    limits = replace(NO_LIMITS, from_author=Quota(5, 0.5))
    a, b = a_host(1, clock=clock, limits=limits), a_host(2, clock=clock)
    a.subscribe("jazz")
    for i in range(20):
        clock.now += 1
        b.publish(b"%d" % i, ["jazz"])
    asyncio.run(meet(a, b))
    assert len(inbox(a)) == 5
    clock.now += 10 * SECOND
    b.publish(b"more", ["jazz"])
    asyncio.run(meet(a, a_host(3, clock=clock)))
    assert len(inbox(a)) == 5


def test_an_author_gets_a_tenth_of_the_store_and_others_three_quarters() -> None:
    limits = replace(NO_LIMITS, store=100_000)
    clock = VirtualClock(0)
    a = a_host(1, clock=clock, limits=limits)
    for number in range(2, 16):
        other = a_host(number, clock=clock)
        for i in range(12):
            clock.now += 1
            other.publish(bytes(1000), [f"{number} {i}"])
        asyncio.run(meet(other, a))
        mine: dict[bytes, int] = {}
        for held in a.shelf.held.values():
            mine[held.author] = mine.get(held.author, 0) + held.length
        assert max(mine.values()) <= 10_000
        assert sum(mine.values()) <= 75_000
    assert sum(mine.values()) > 60_000


def test_many_small_messages_of_many_authors_are_limited_by_their_number_and_my_own_stay() -> None:
    clock = VirtualClock(10**9)
    a = a_host(1, clock=clock, limits=replace(Limits(), messages=50))
    mine = {a.publish(b"%d" % i, ["mine"]) for i in range(5)}
    line = a.open(b"p" * 32)
    for i in range(80):
        clock.now += 1
        envelope = Envelope.signed(Author.from_seed(bytes([i] * 32)), clock.now, HOUR, ("jazz",), b"")
        a._accept(line, envelope, Copy(envelope.encode(), 0, 1))
    a.close(line)
    assert len(a.shelf.held) == 50 + len(mine)
    assert mine <= set(a.shelf.held)
    assert Limits().messages == 10_000


# ------------------------------------------------------------------ a liar


def lying_tell(params: Any, state: Any, me: Any, now: Any, hello: Any, face: Any, digest: Any) -> None:
    """I know everybody who wants anything."""
    BSUB13.tell(params, state, me, now, hello, face, digest)
    digest.relay[:] = params.ceiling


def keep_all(params: Any, state: Any, me: Any, entry: Any, message: Any, score: Any, heard: Any) -> Any:
    return NO


LIAR = replace(BSUB13, tell=lying_tell, give=keep_all)


async def lied_to(liar: Any) -> int:
    """Twelve nodes meet; the first is a liar, or says the truth and passes on nothing. How many deliveries?"""
    chance, clock = random.Random(3), VirtualClock(0)
    hosts = [a_host(i, liar.name, clock=clock, limits=NO_LIMITS) for i in range(1, 12)]
    bad = Host(Store(":memory:"), key_of(0), Author.from_seed(key_of(0)), liar, liar.settings(), clock=clock,
               limits=NO_LIMITS)  # fmt: skip
    for i, host in enumerate(hosts):
        host.subscribe(f"tag {i}")
    everybody = [bad, *hosts]
    for turn in range(160):
        clock.now += 60 * SECOND
        hosts[turn % 11].publish(b"%d" % turn, [f"tag {chance.randrange(11)}"])
        await meet(*chance.sample(everybody, 2))
    return sum(len(inbox(host)) for host in hosts)


def test_a_liar_who_promises_everything_and_passes_on_nothing_costs_little() -> None:
    """Copies are kept, so a black hole swallows none that another peer would not get too."""
    truthful = asyncio.run(lied_to(replace(BSUB13, give=keep_all)))
    lying = asyncio.run(lied_to(LIAR))
    assert truthful > 20
    assert lying >= 0.95 * truthful


def lying_envoy(params: Any, state: Any, me: Any, now: Any, hello: Any, face: Any, digest: Any) -> None:
    """I shall meet everybody who wants anything, as surely as can be told."""
    ENVOY.tell(params, state, me, now, hello, face, digest)
    digest.reach[:] = np.uint64(2**64 - 1)
    keep_best(digest.reach)
    digest.strangers[0] = 255


def test_a_liar_costs_envoy_little_though_what_he_promises_counts_as_covered() -> None:
    truthful = asyncio.run(lied_to(replace(ENVOY, give=keep_all)))
    lying = asyncio.run(lied_to(replace(ENVOY, tell=lying_envoy, give=keep_all)))
    assert truthful > 20
    assert lying >= 0.95 * truthful


# ------------------------------------------------------------------ somebody who uses up numbers


def test_nobody_uses_up_all_tags_and_what_i_want_always_has_room() -> None:
    """One member names thousands of tags, within his quota of messages; others are heard and carried as before."""
    clock = VirtualClock(10**9)
    bad, good, me = (a_host(number, clock=clock) for number in (1, 2, 3))
    for i in range(280):
        clock.now += 1
        bad.publish(b"x", [f"{i} {j}" for j in range(64)])
    asyncio.run(meet(bad, me))
    assert len(me.rows[0].tables.names) == MOST_TAGS // 2
    assert me.gone["too many tags of this author"] == 280 - MOST_TAGS // 2 // 64
    me.subscribe("jazz")
    mid = good.publish(b"text", ["jazz", "music"])
    asyncio.run(meet(good, me))
    assert inbox(me) == [mid]
    assert me.shelf.held[mid].tags == (me.rows[0].tables.names["jazz"], me.rows[0].tables.names["music"])


@pytest.mark.parametrize("protocol", ["push", "bsub13", "prophet"])
def test_tags_that_nothing_has_any_more_make_room(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while a contact lasts, whose digests were read by the old numbers."""
    monkeypatch.setattr("hunet.node.row.MOST_TAGS", 40)
    clock = VirtualClock(10**9)
    a, b = a_host(1, protocol, clock=clock), a_host(2, protocol, clock=clock)
    b.subscribe("jazz")
    line = a.open(b.me)
    a.judge(line, a_host(2, protocol).greet())
    a.tell(line)
    a.hear(line, b.tell(b.open(a.me)))
    for i in range(60):
        clock.now += 1
        a._accept(line, *foreign(f"tag {i}", clock.now))
        clock.now += 2 * HOUR
        a.wake()  # its time is over, and its tag free
    assert len(a.rows[0].tables.names) <= 40
    assert not a.offer(line)
    envelope, copy = foreign("jazz", clock.now)
    a._accept(line, envelope, copy)
    assert a.offer(line) == [envelope.id]


def foreign(tag: str, now: int) -> tuple[Envelope, Copy]:
    envelope = Envelope.signed(Author.from_seed(b"x" * 32), now, HOUR, (tag,), b"text")
    return envelope, Copy(envelope.encode(), 0, 1)


def test_who_was_met_longest_ago_is_forgotten_where_there_is_no_room_for_somebody_new() -> None:
    a = a_host(1, "envoy")
    row, side = a.rows[0], Side()
    for number in range(MOST_PEERS):
        row.judge(side, key_of(number), b"", 0.0)
    row.judge(side, key_of(0), b"", 1.0)  # met again, so the next one is the first to go
    row.state.likely[:] = 1.0
    row.judge(side, key_of(MOST_PEERS), b"", 2.0)
    assert side.face == 1
    assert row.state.likely[1] == 0.0
    assert row.state.likely[0] == 1.0
    assert len(row.tables.peers) == MOST_PEERS
    assert key_of(1) not in row.tables.peers
    other = a_host(1, "envoy").rows[0]
    assert other.resume(row.kept_as, row.tables.encode(), row.encode_state(), set())
    assert other.tables.peers == row.tables.peers


# ------------------------------------------------------------------ a replayer and a forger


def offered(host: Host, envelope: Envelope, age: int = 0) -> tuple[Line, list[int], bytes]:
    line = host.open(b"p" * 32)
    return line, host.answer(line, [envelope.id]), Copy(envelope.encode(), age, 1).encode(0)


def test_a_message_that_was_seen_is_never_taken_again_whatever_is_said_of_its_age() -> None:
    clock = VirtualClock(10**12)
    a = a_host(1, clock=clock, wall=clock)
    a.subscribe("jazz")
    envelope = Envelope.signed(Author.from_seed(b"x" * 32), clock.now, HOUR, ("jazz",), b"text")
    line, answers, body = offered(a, envelope)
    assert answers == [PLEASE]
    a.receive(line, body)
    assert a.done(line) == [PLEASE]
    a.close(line)
    for later in (1, HOUR + 1, 13 * 24 * HOUR):
        clock.now += later
        line, answers, _ = offered(a, envelope)
        assert answers == [NO_THANKS]
        a.close(line)
    clock.now += 30 * 24 * HOUR  # its id is forgotten by now; but the author signed when it was over
    a.publish(b"", ["go"])
    line, answers, body = offered(a, envelope)
    assert answers == [PLEASE]
    a.receive(line, body)
    assert a.done(line) == [NO_THANKS]
    assert len(inbox(a)) == 1


def test_what_was_changed_on_the_way_is_refused_and_leaves_nothing() -> None:
    a = a_host(1)
    a.subscribe("jazz")
    author, other = Author.from_seed(b"x" * 32), Author.from_seed(b"y" * 32)
    good = Envelope.signed(author, 5, HOUR, ("jazz",), b"text")
    forged = [
        replace(good, payload=b"lies"),
        replace(good, author=other.public),
        replace(good, lifetime=2 * HOUR),
        replace(good, tags=("go",)),
        replace(good, signature=other.sign(good.body)),
        replace(good, author=b"\xff" * 32),
    ]
    for envelope in forged:
        line, answers, body = offered(a, envelope)
        assert answers == [PLEASE]
        with pytest.raises(DecodeError, match="signature"):
            a.receive(line, body)
        a.close(line)
    assert not a.shelf.held
    assert not inbox(a)
    assert not a.coming


def test_a_message_that_nobody_asked_for_is_refused() -> None:
    a = a_host(1)
    line, _, _ = offered(a, Envelope.signed(Author.from_seed(b"x" * 32), 5, HOUR, ("jazz",), b"text"))
    other = Envelope.signed(Author.from_seed(b"x" * 32), 5, HOUR, ("jazz",), b"else")
    with pytest.raises(DecodeError, match="nobody asked for"):
        a.receive(line, Copy(other.encode(), 0, 1).encode(0))


def test_more_than_a_contact_may_bring_is_refused() -> None:
    limits = Limits(contact=1000)
    a = a_host(1, limits=limits)
    envelopes = [Envelope.signed(Author.from_seed(b"x" * 32), i, HOUR, ("jazz",), bytes(600)) for i in range(4)]
    line = a.open(b"p" * 32)
    a.answer(line, [one.id for one in envelopes])
    bodies = [Copy(one.encode(), 0, 1).encode(0) for one in envelopes]
    a.receive(line, bodies[0])
    a.receive(line, bodies[1])
    with pytest.raises(DecodeError, match="more than 1000 bytes"):
        a.receive(line, bodies[2])


def test_a_peer_that_comes_again_and_again_is_heard_once_in_a_while() -> None:
    """Links that flap would reinforce what a peer wants, and elect whom it likes."""
    clock = VirtualClock(0)
    a, b = a_host(1, "bsub13", clock=clock), a_host(2, "bsub13", clock=clock)
    b.subscribe("jazz")
    asyncio.run(meet(a, b))
    heard = a.rows[0].state.relay.copy()
    assert heard.any()
    for _ in range(5):
        clock.now += 5 * SECOND
        asyncio.run(meet(a, b))
    assert np.array_equal(a.rows[0].state.relay, heard)
    clock.now += 60 * SECOND
    asyncio.run(meet(a, b))
    assert a.rows[0].state.relay.max() > heard.max()


def test_all_deployable_protocols_bound_what_a_note_may_say() -> None:
    for name in ("spray", "sptbf", "bsub10", "envoy"):
        most, parcel = a_host(1, name).rows[0].sizes
        copy = Copy(b"", 0, 1, most + 1, bytes(parcel))
        with pytest.raises(DecodeError, match="at most"):
            Copy.decode(copy.encode(0), [(most, parcel)])
        assert protocol_named(name).deployable


def test_nodes_of_different_settings_leave_each_other() -> None:
    a, b = a_host(1, "bsub13"), a_host(2, "bsub13", decay_cycle=100.0)
    b.subscribe("jazz")
    a.publish(b"text", ["jazz"])
    assert asyncio.run(meet(a, b)) == (None, None)
    assert not a.rows[0].state.relay.any()
    assert not inbox(b)
