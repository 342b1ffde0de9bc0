"""What a node keeps of what its protocol knew when it runs other settings from now on."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hunet.node.choice import permitted
from hunet.node.clock import VirtualClock
from hunet.node.host import Host
from hunet.node.message import Author
from hunet.node.row import Row
from hunet.protocols import PROTOCOLS, Protocol, make_settings, protocol_named
from hunet.studies.tuning.search import Effort, candidates
from tests.node.meetings import a_host, inbox, meet

pytestmark = pytest.mark.interpreted

HOLDER = Author.from_seed(b"h" * 32)
ADAPTING = [protocol for protocol in PROTOCOLS if protocol.adopt is not None]
MINUTE = 60_000
TAGS = "jazz", "rock", "paris"


def lived(protocol: str, clock: VirtualClock, minutes: int = 60, nodes: int = 5, **settings: Any) -> list[Host]:
    """Nodes that met one another and wrote, with what they learned of it."""
    hosts = [a_host(number, protocol, clock=clock, holder=HOLDER.public, **settings) for number in range(1, nodes + 1)]
    for number, host in enumerate(hosts):
        host.subscribe(TAGS[number % 3])
    go_on(hosts, clock, minutes, random.Random(3))
    return hosts


def go_on(hosts: list[Host], clock: VirtualClock, minutes: int, chance: random.Random) -> None:
    for minute in range(minutes):
        clock.now += MINUTE
        if minute % 10 == 0:
            chance.choice(hosts).publish(b"text", [chance.choice(TAGS)])
        assert None not in asyncio.run(meet(*chance.sample(hosts, 2)))  # nobody leaves with an error


def change(hosts: list[Host], protocol: str, settings: Mapping[str, Any]) -> None:
    choice = permitted(protocol, settings)
    for host in hosts:
        host.agreement.announce(HOLDER, choice, 0, host.now, host.now)
        host.wake()
        assert host.runs.name == choice.name


def kept(row: Row) -> tuple[str, bytes, bytes]:
    return row.kept_as, row.tables.encode(), row.encode_state()


def test_what_can_be_sent_to_nodes_can_be_taken_over_with_what_they_know() -> None:
    for protocol in PROTOCOLS:
        assert (protocol.adopt is not None) == bool(protocol.deployable and protocol.searched), protocol.name


@pytest.mark.parametrize("protocol", ADAPTING, ids=lambda one: one.name)
def test_after_whatever_change_nodes_go_on_and_understand_each_other(protocol: Protocol) -> None:
    clock = VirtualClock(50_000_000)
    hosts, chance = lived(protocol.name, clock, 30), random.Random(1)
    for settings in candidates(protocol, Effort(candidates=5), 1):
        if permitted(protocol.name, settings).name == hosts[0].runs.name:
            continue
        carried = [set(host.shelf.held) for host in hosts]
        peers = [dict(host.rows[0].tables.peers) for host in hosts]
        clock.now += 20 * MINUTE
        change(hosts, protocol.name, settings)
        assert all(host.shelf.resumed for host in hosts)
        assert [set(host.shelf.held) for host in hosts] == carried
        assert [host.rows[0].tables.peers for host in hosts] == peers
        go_on(hosts, clock, 8, chance)


@pytest.mark.parametrize("protocol", ADAPTING, ids=lambda one: one.name)
def test_taking_over_the_settings_that_run_leaves_what_is_told_as_it_is(protocol: Protocol) -> None:
    clock = VirtualClock(50_000_000)
    for host in lived(protocol.name, clock, 30):
        row, now = host.rows[0], clock.now / 1000 + 77
        row.age(now)
        told = row.peek(now)
        row.protocol.adopt(row.params, row.state, np.uint64(0), row.params, now)  # type: ignore[misc]
        assert row.peek(now) == told


@pytest.mark.parametrize("anew", [False, True])
def test_what_was_passed_on_under_other_settings_is_not_spread_once_more(
    anew: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten nodes, 41 transfers before; after it 5 of what they carry by then, and 40 if they knew nothing any more."""
    if anew:
        monkeypatch.setattr(Row, "resume", lambda *_: False)
    clock = VirtualClock(50_000_000)
    hosts = lived("envoy", clock, 90, nodes=10, worth=0.3)
    clock.now += 20 * MINUTE
    change(hosts, "envoy", {"worth": 0.31})
    carried = [set(host.shelf.held) for host in hosts]
    go_on(hosts, clock, 90, random.Random(4))
    old = set().union(*carried)
    again = sum(len(old & set(host.shelf.held) - before) for host, before in zip(hosts, carried, strict=True))
    assert again > 20 if anew else again < 10


def test_spray_never_has_more_copies_than_may_travel() -> None:
    clock = VirtualClock(50_000_000)
    hosts = lived("spray", clock, copies=64)
    assert max(host.rows[0].state.copies.max() for host in hosts) > 4
    change(hosts, "spray", {"copies": 4})
    assert max(host.rows[0].state.copies.max() for host in hosts) == 4


def test_bsub_counters_stand_for_as_many_fresh_interests_as_they_did() -> None:
    clock = VirtualClock(50_000_000)
    (a, b) = lived("bsub13", clock, 30)[:2]
    clock.now += MINUTE
    asyncio.run(meet(a, b))
    before = a.rows[0].state.relay[0].astype(int)
    change([a], "bsub13", {"initial": 10, "decay_cycle": 1000.0})
    assert a.rows[0].state.relay[0].tolist() == np.minimum(255, 2 * before).tolist()
    a.rows[0].age((clock.now + 1_000_000) / 1000)
    assert a.rows[0].state.relay[0].tolist() == np.maximum(0, np.minimum(255, 2 * before) - 1).tolist()


def test_where_preferences_are_compared_otherwise_what_was_passed_on_is_for_those_who_want_it() -> None:
    clock = VirtualClock(50_000_000)
    hosts = lived("bsub13", clock)
    passed_on = [host.rows[0].state.best[0] > 0 for host in hosts]
    assert any(some.any() for some in passed_on)
    change(hosts, "bsub13", {"preference": "raw"})
    for host, some in zip(hosts, passed_on, strict=True):
        assert (host.rows[0].state.best[0] >= np.finfo(np.float32).max).tolist() == some.tolist()


def test_another_protocol_begins_anew_and_what_i_passed_on_waits_for_those_who_want_it() -> None:
    clock = VirtualClock(50_000_000)
    a, b, c = (a_host(number, "envoy", clock=clock, holder=HOLDER.public) for number in (1, 2, 3))
    b.subscribe("jazz")
    taken, left = a.publish(b"one", ["jazz"]), a.publish(b"two", ["rock"])
    clock.now += MINUTE
    asyncio.run(meet(a, b))
    change([a, b, c], "spray", {})
    assert not a.shelf.resumed
    assert inbox(b) == [taken]
    asyncio.run(meet(a, c))
    assert set(c.shelf.held) == {left}
    c.subscribe("jazz")
    clock.now += MINUTE
    asyncio.run(meet(a, c))
    assert inbox(c) == [taken]


def test_a_restart_with_other_settings_keeps_what_the_protocol_knew(tmp_path: Path) -> None:
    clock, file = VirtualClock(50_000_000), tmp_path / "node.db"
    a, b = a_host(1, "envoy", clock=clock, path=file), a_host(2, "envoy", clock=clock)
    b.subscribe("jazz")
    asyncio.run(meet(a, b))
    told = a.rows[0].peek(clock.now / 1000)
    a.store.close()
    a = a_host(1, "envoy", clock=clock, path=file, worth=0.3)
    assert a.shelf.resumed
    assert a.rows[0].peek(clock.now / 1000) == told
    a.store.close()
    a = a_host(1, "envoy", clock=clock, path=file, m=128)  # a row of another shape
    assert not a.shelf.resumed
    assert a.rows[0].tables.peers == {}


def test_a_state_of_other_rules_or_parts_is_not_read(tmp_path: Path) -> None:
    clock = VirtualClock(50_000_000)
    row = lived("prophet", clock, 10)[0].rows[0]
    about, tables, state = kept(row)

    def fresh() -> Row:
        chosen = protocol_named("prophet")
        return Row(chosen, make_settings(chosen, {}), row.number, row.tables.key, row.room, 60_000.0)

    assert fresh().resume(about, tables, state, set())
    for other in (
        about.replace('"rules": 1', '"rules": 2'),
        about.replace("uint16", "uint32"),
        about.replace('"aging"', '"ageing"'),
        about.replace('"room": "10000"', '"room": "100"'),
        "prophet {}",
    ):
        assert other != about
        assert not fresh().resume(other, tables, state, set())
