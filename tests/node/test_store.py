"""What is in the store is there after a restart; what is not a store, or too new, is refused with the way out."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from hunet.model.errors import InvalidValueError, NodeError
from hunet.node import store as stores
from hunet.node.clock import VirtualClock
from hunet.node.store import Store
from hunet.protocols import PROTOCOLS
from tests.node.meetings import a_host, inbox, meet

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize("protocol", [one.name for one in PROTOCOLS if one.deployable])
def test_a_host_that_starts_again_is_as_it_was(tmp_path: Path, protocol: str) -> None:
    clock = VirtualClock(10**6)
    a, b = a_host(1, protocol, clock=clock, path=tmp_path / "a.db"), a_host(2, protocol, clock=clock)
    for i in range(40):
        clock.now += 1000
        a.subscribe(f"tag {i}", level=0.5, hops=3, until=10**9)
        b.publish(b"%d" % i, [f"tag {i}", "all"], lifetime=10**8)
    asyncio.run(meet(a, b))
    again = a_host(1, protocol, clock=clock, path=tmp_path / "a.db")
    assert again.now == a.now
    assert again.shelf.held.keys() == a.shelf.held.keys()
    assert again.interests.all == a.interests.all
    assert inbox(again) == inbox(a)
    assert again.rows[0].tables.names == a.rows[0].tables.names
    for mine, kept in zip(a.rows[0].state, again.rows[0].state, strict=True):
        assert np.array_equal(mine, kept)
    assert sorted(again.rows[0].tables.free) == sorted(a.rows[0].tables.free)
    assert again.store.check() == []


def test_a_node_that_changes_its_protocol_keeps_its_messages(tmp_path: Path) -> None:
    a = a_host(1, "bsub13", path=tmp_path / "a.db")
    mid = a.publish(b"text", ["jazz"], lifetime=10**6)
    assert mid in a_host(1, "push", path=tmp_path / "a.db").shelf.held
    assert mid in a_host(1, "push", path=tmp_path / "a.db").shelf.held


def test_what_was_seen_is_forgotten_after_twice_the_longest_lifetime() -> None:
    clock = VirtualClock(0)
    a = a_host(1, clock=clock)
    mid = a.publish(b"", ["jazz"], lifetime=1000)
    clock.now += 2 * 7 * 86_400_000 - 1
    a.publish(b"", ["go"], lifetime=1000)
    assert a.shelf.seen([mid])
    clock.now += 2 + 3_600_000
    a.publish(b"", ["chess"], lifetime=1000)
    assert not a.shelf.seen([mid])


def test_deliveries_are_read_on_from_a_cursor() -> None:
    a, b = a_host(1), a_host(2)
    a.subscribe("jazz")
    ids = []
    for i in range(3):
        ids.append(b.publish(b"%d" % i, ["jazz"], lifetime=10**6))
        asyncio.run(meet(a, b))
    first, second = a.store.deliveries(most=2)
    assert [first.id, second.id] == ids[:2]
    (third,) = a.store.deliveries(after=second.seq)
    assert third.id == ids[2]


def test_a_store_of_an_older_version_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "node.db"
    with monkeypatch.context() as old:
        old.setattr(stores, "MIGRATIONS", stores.MIGRATIONS[:1])
        old.setattr(stores, "VERSION", 1)
        before = Store(path)
        before.write("INSERT INTO delivery VALUES (7, ?, 5000, 2, ?, ?)", b"i" * 16, b"p" * 32, b"envelope")
        before.commit()
        before.close()
    after = Store(path)
    assert after.rows("PRAGMA user_version") == [(stores.VERSION,)]
    (found,) = after.deliveries()
    assert (found.seq, found.at, found.envelope) == (7, 5000, b"envelope")
    assert after.rows("SELECT born FROM delivery") == [(5000,)]
    assert after.check() == []


def test_a_store_is_its_owners_alone_in_whatever_folder_it_lies(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "node.db").touch(0o644)
    store = Store(tmp_path / "node.db")
    store.put("a", "b")
    store.commit()
    assert {file.name: oct(file.stat().st_mode & 0o777) for file in tmp_path.iterdir()} == dict.fromkeys(
        ("node.db", "node.db-shm", "node.db-wal"), "0o600"
    )


def test_a_store_of_a_newer_version_is_refused_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "node.db"
    Store(path).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(NodeError, match=r"newer hunet \(store version 99.*install that one, or start afresh"):
        Store(path)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database at all, but long enough to be looked at" * 20)
    with pytest.raises(NodeError, match="cannot be used as a node's store"):
        Store(tmp_path / "text.db")
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE message (id)")
    with pytest.raises(NodeError, match="a database of something else"):
        Store(tmp_path / "other.db")


def test_what_nobody_would_carry_is_refused_when_it_is_published() -> None:
    a = a_host(1)
    for payload, tags, lifetime in (
        (bytes(2**16 + 1), ["jazz"], 1000),
        (b"", [], 1000),
        (b"", ["jazz", "jazz"], 1000),
        (b"", ["x" * 256], 1000),
        (b"", ["jazz"], 8 * 86_400_000),
    ):
        with pytest.raises(InvalidValueError):
            a.publish(payload, tags, lifetime=lifetime)
    assert not a.shelf.held
