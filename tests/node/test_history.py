"""What a node remembers for its person, also one that was written by an older hunet."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hunet.node.budget import DAY
from hunet.node.clock import VirtualClock
from hunet.node.host import Host
from hunet.node.message import Author
from hunet.node.store import MIGRATIONS, Store
from hunet.protocols.push import PUSH
from tests.node.meetings import a_host, inbox, meet


def host_on(store: Store, clock: VirtualClock) -> Host:
    author = Author(Ed25519PrivateKey.from_private_bytes(bytes(32)))
    return Host(store, bytes(range(32)), author, PUSH, PUSH.settings(), clock=clock)


def test_the_same_may_be_said_twice_in_one_millisecond() -> None:
    host = host_on(Store(":memory:"), VirtualClock(1_000))
    ids = {host.publish(b"21.5", ["heat"], lifetime=DAY) for _ in range(3)}
    assert len(ids) == 3
    assert len(host.store.rows("SELECT seq FROM delivery WHERE hops = 0")) == 3
    assert host.store.deliveries() == []  # what came is something else


def test_publications_that_share_a_commit_are_there_after_it_and_not_before(tmp_path: Path) -> None:
    host = host_on(Store(tmp_path / "node.db"), VirtualClock(1_000))
    ids = [host.publish(b"%d" % i, ["heat"], lifetime=DAY, commit=False) for i in range(3)]
    with sqlite3.connect(tmp_path / "node.db") as other:
        assert other.execute("SELECT count(*) FROM message").fetchone() == (0,)
        host.commit()
        assert {row[0] for row in other.execute("SELECT id FROM message")} == set(ids)


def test_messages_that_came_to_an_end_or_found_no_room_are_counted_by_reason() -> None:
    clock = VirtualClock(1_000)
    host = host_on(Store(":memory:"), clock)
    host.publish(b"short", ["heat"], lifetime=10)
    clock.now += DAY
    host.wake()
    assert dict(host.gone) == {"its time was over": 1}


def test_who_subscribes_gets_what_he_carries_already_and_each_message_once() -> None:
    clock = VirtualClock(10**9)
    a, b = a_host(1, "push", clock=clock), a_host(2, "push", clock=clock)
    jazz, go = b.publish(b"tonight", ["jazz"]), b.publish(b"a game", ["go"])
    own = a.publish(b"mine", ["jazz"])
    asyncio.run(meet(a, b))
    assert inbox(a) == []
    for tag, expected in (("jazz", [jazz]), ("jazz", [jazz]), ("go", [jazz, go])):
        a.subscribe(tag)
        a.catch_up()
        assert inbox(a) == expected
    (found, _) = a.store.deliveries()
    assert (found.hops, found.peer) == (1, b.me)
    assert own in a.shelf.held


def test_a_store_of_the_first_version_keeps_its_messages(tmp_path: Path) -> None:
    path = tmp_path / "node.db"
    host = host_on(Store(path), VirtualClock(1_000))
    host.publish(b"old", ["heat"], lifetime=DAY)
    ((envelope,),) = host.store.rows("SELECT envelope FROM message")
    host.store.close()
    path.unlink()
    for left in tmp_path.iterdir():
        left.unlink()
    with sqlite3.connect(path) as old:
        old.executescript(MIGRATIONS[0])
        old.execute("INSERT INTO delivery (id, at, hops, peer, envelope) VALUES (x'01', 5, 2, x'02', ?)", (envelope,))
        old.execute("PRAGMA user_version = 1")
        old.execute(f"PRAGMA application_id = {0x68756E65}")
    old.close()
    store = Store(path)
    assert [(one.seq, one.at, one.hops) for one in store.deliveries()] == [(1, 5, 2)]
    assert store.rows("SELECT born, words FROM delivery") == [(5, "")]
    store.close()
