"""A device has room for so many tags and acquaintances; whoever gets the number of a forgotten one is as new."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from hunet.node import tables
from hunet.node.clock import VirtualClock
from hunet.node.host import Host
from hunet.node.row import Side
from hunet.protocols import PROTOCOLS, Protocol
from hunet.protocols.window import NEVER, NOBODY
from tests.node.lives import key_of
from tests.node.meetings import a_host, meet

pytestmark = pytest.mark.interpreted

DEPLOYABLE = [protocol for protocol in PROTOCOLS if protocol.deployable]
ROOM, MORE = tables.FIRST_ROOM, 5
REMEMBERED: dict[str, list[tuple[str, list[str]]]] = {
    "bsub10": [("peer", ["at"])],
    "envoy": [(name, []) for name in ("place", "likely", "last", "wants")],
    "mops-live": [("history", ["name", "first", "since", "apart", "gaps", "met", "together"])],
}
"""By protocol, what it remembers of an acquaintance alone."""


def after_meeting(protocol: str, first: int) -> Host:
    """A node that met others from this one on, each at its time; the first of them twice."""
    clock = VirtualClock(50_000_000)
    me, others = a_host(99, protocol, clock=clock), [a_host(number, protocol) for number in range(ROOM + MORE)]
    for number in [*range(ROOM + MORE), MORE]:
        clock.now += 100_000
        if number >= first:
            others[number].clock = clock
            others[number].subscribe(f"tag {number}")
            asyncio.run(meet(me, others[number]))
    return me


def memory(host: Host, peer: int) -> list[Any]:
    row, number = host.rows[0], host.rows[0].tables.peers[key_of(peer)]
    found = []
    for field, names in REMEMBERED[row.protocol.name]:
        one = getattr(row.state, field)[number]
        found.append([one[name] for name in names] if names else np.asarray(one).tolist())
    return found


def test_everybody_who_numbers_acquaintances_can_forget_one() -> None:
    assert {one.name for one in DEPLOYABLE if one.greet is not None} == set(REMEMBERED)
    assert all(one.forget_peer is not None for one in DEPLOYABLE if one.greet is not None)


@pytest.mark.parametrize("protocol", REMEMBERED)
def test_where_room_runs_out_newcomers_are_remembered_as_if_the_forgotten_had_never_come(
    protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_PEERS", ROOM)
    crowded, calm = after_meeting(protocol, 0), after_meeting(protocol, MORE)
    assert set(crowded.rows[0].tables.peers) == {key_of(number) for number in range(MORE, ROOM + MORE)}
    for number in range(MORE, ROOM + MORE):
        assert memory(crowded, number) == memory(calm, number), number
    if protocol == "bsub10":
        check_window(crowded)


def check_window(host: Host) -> None:
    """What B-SUB 2010 counts is what its list has, from the oldest to the newest."""
    state = host.rows[0].state
    node, order = state.node[0], [int(state.node[0].oldest)]
    while (newer := int(state.peer[order[-1]].newer)) != NOBODY:
        assert state.peer[newer].older == order[-1]
        order.append(newer)
    peers = state.peer[order]
    assert order[-1] == node.newest
    assert len(order) == node.met == np.count_nonzero(state.peer["at"] != NEVER)
    assert peers["at"].tolist() == sorted(peers["at"].tolist())
    assert node.brokers == peers["broker"].sum()
    assert node.degrees == peers["degree"][peers["broker"]].sum()


@pytest.mark.parametrize("protocol", DEPLOYABLE, ids=lambda protocol: protocol.name)
def test_what_is_told_of_a_tag_with_the_number_of_a_forgotten_one_is_what_is_told_of_a_new_one(
    protocol: Protocol,
) -> None:
    names = [f"new {i}" for i in range(10)]
    readings = []
    for forgets in (False, True):
        me = after_meeting(protocol.name, 0)
        row, now, side = me.rows[0], me.clock() / 1000, Side()
        before = set(row.know(f"tag {i}" for i in range(ROOM + MORE)).values())
        if forgets:
            row.forget_tags([], [])
        places = row.know(names)
        assert forgets == (set(places.values()) <= before)
        row.age(now)
        row.tell(side, now)
        readings.append([int(protocol.read(row.params, side.telling, np.uint64(places[name]))) for name in names])
    assert readings[0] == readings[1]
