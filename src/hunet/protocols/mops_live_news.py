"""What nodes of MOPS that learn by themselves tell each other, and what they keep of it ([mops] IV-B).

To everybody go the cards of people that the peer lacks; to a member also the lists of members, to a fellow broker what
one collects for each other community, to a broker of another one what the own community wants.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.kernels import leaf, rare
from hunet.protocols.interests import copy_row
from hunet.protocols.mops_lists import INTERNAL_LISTS, MEMBER_LISTS, RELAY_LISTS, replace
from hunet.protocols.mops_live_lists import (
    LiveParams,
    add_up_internal,
    add_up_with_relay,
    external_by_community,
    is_member,
    refresh_external,
)
from hunet.protocols.mops_live_wire import APART, NAME, work_out_asks, worth_to
from hunet.protocols.mops_people import NOBODY, LiveState, Name, Place, find, introduce
from hunet.protocols.mops_wire import ABROAD, FELLOWS, MEMBERS, STRANGERS
from hunet.protocols.protocol import NO
from hunet.protocols.quantities import Digest, Face, Hello, Now, Peer, Row

__all__ = ["face_of", "hear", "leave_former_fellows", "tell"]

_KINDS = 4
"""Of meetings: a face is a peer and a kind."""


@leaf
def face_of(peer: Peer, kind: Any) -> Any:
    """Whom I face, and what meeting it is."""
    return np.int64((peer + 1) * _KINDS + kind)


@leaf
def _name_of(params: LiveParams, state: LiveState, me: Row, face: Face) -> Any:
    """Whom I face."""
    peer = face // _KINDS - 1
    return state.history[params.peer_start[me] + peer].name if peer >= 0 else np.int64(NOBODY)


@rare
def tell(params: LiveParams, state: LiveState, me: Row, now: Now, hello: Hello, face: Face, digest: Digest) -> None:
    """What is news to the peer, and what I ask of it."""
    kind, mine = face % _KINDS, state.person[me, 0]
    digest.kind[0], digest.broker[0] = kind, mine.broker
    digest.cards[0] = digest.lists[0] = digest.relays[0] = 0
    _say_through(params, state, me, _name_of(params, state, me, face), digest)
    of_my_own = MEMBERS <= kind <= FELLOWS
    if of_my_own:
        _add_list(state, me, 0, digest)
    at = 0
    for i in range(state.node[me].people):
        place = state.order[me, i]
        person = state.person[me, place]
        while at < hello.people[0] and hello.known[at] < person.name:
            at += 1
        known = at < hello.people[0] and hello.known[at] == person.name
        if person.told > (hello.told[at] if known else 0):
            _add_card(state, me, place, digest)
        others = of_my_own and place > 0 and person.name != hello.name[0] and is_member(state, me, place)
        if others and person.listed > (hello.listed[at] if known else 0):
            _add_list(state, me, place, digest)
    if kind == ABROAD:
        add_up_internal(params, state, me)
        replace(digest.internal, 0, params.total, 0)
        add_up_with_relay(params, state, me)
        replace(digest.collects, 0, params.total, 1)
    if kind == STRANGERS:
        copy_row(state.level[me, 0], digest.asks[0])
    work_out_asks(params, digest)
    if kind == FELLOWS:
        count = external_by_community(params, state, me)
        for row in range(min(count, params.people)):
            digest.towards[row] = params.near[row]
            replace(digest.relay, row, params.external, row)
        digest.relays[0] = min(count, params.people)


@leaf
def _say_through(params: LiveParams, state: LiveState, me: Row, peer: Peer, digest: Digest) -> None:
    """What members ask for whom I reach over the peer, and not at once (III-B)."""
    for tag in range(params.tags):
        digest.through[tag] = NO
    for place in range(1, state.node[me].people):
        person = state.person[me, place]
        if person.via == peer and peer != NOBODY and is_member(state, me, place):
            for tag in range(params.tags):
                level, outside = state.level[me, place, tag], state.outside[me, place, tag]
                digest.through[tag] = max(digest.through[tag], worth_to(params, person.broker, level, outside))


@leaf
def _add_card(state: LiveState, me: Row, place: Place, digest: Digest) -> None:
    i, count, person = digest.cards[0], 0, state.person[me, place]
    digest.whose[i], digest.card[i], digest.label[i] = person.name, person.told, person.label
    digest.trades[i] = person.broker
    for j in range(state.node[me].people):
        other = state.order[me, j]
        if state.apart[me, place, other] > 0:
            digest.edges[i, count, NAME] = state.person[me, other].name
            digest.edges[i, count, APART] = state.apart[me, place, other]
            count += 1
    for j in range(count, digest.edges.shape[1]):
        digest.edges[i, j, APART] = 0
    digest.cards[0] = i + 1


@leaf
def _add_list(state: LiveState, me: Row, place: Place, digest: Digest) -> None:
    i = digest.lists[0]
    digest.owner[i], digest.version[i] = state.person[me, place].name, state.person[me, place].listed
    copy_row(state.level[me, place], digest.level[i])
    copy_row(state.outside[me, place], digest.outside[i])
    digest.lists[0] = i + 1


@rare
def hear(params: LiveParams, state: LiveState, me: Row, digest: Digest, face: Face, now: Now) -> None:
    """Keep what is newer: cards, members' lists, a fellow's relay lists, the internal list of a broker abroad."""
    kind, name = face % _KINDS, _name_of(params, state, me, face)
    for i in range(digest.cards[0]):
        _take_card(state, me, digest, i)
    peer = find(state, me, name)
    if digest.kind[0] != kind or peer <= 0:
        return
    for i in range(digest.lists[0]):
        owner = find(state, me, digest.owner[i])
        if owner > 0 and digest.version[i] > state.person[me, owner].listed:
            state.person[me, owner].listed = digest.version[i]
            copy_row(digest.level[i], state.level[me, owner])
            copy_row(digest.outside[i], state.outside[me, owner])
            state.lists[me, MEMBER_LISTS] += 1
    if kind == FELLOWS:
        _take_relays(state, me, name, digest)
    if kind == ABROAD and replace(state.internal[me], peer, digest.internal, 0):
        state.lists[me, INTERNAL_LISTS] += 1
        refresh_external(params, state, me)


@leaf
def _take_card(state: LiveState, me: Row, digest: Digest, i: Any) -> None:
    place = introduce(state, me, digest.whose[i])
    if place <= 0 or digest.card[i] <= state.person[me, place].told:
        return
    person = state.person[me, place]
    person.told, person.label, person.broker = digest.card[i], digest.label[i], digest.trades[i] != 0
    for other in range(state.node[me].people):
        state.apart[me, place, other] = 0
    for j in range(digest.edges.shape[1]):
        if digest.edges[i, j, APART] == 0:
            break
        other = introduce(state, me, digest.edges[i, j, NAME])
        if other != NOBODY and other != place:
            state.apart[me, place, other] = digest.edges[i, j, APART]


@leaf
def _take_relays(state: LiveState, me: Row, fellow: Name, digest: Digest) -> None:
    """What it tells takes the place of all that it told before."""
    for i in range(state.node[me].relays - 1, -1, -1):
        if state.relay_of[me, i].fellow == fellow:
            told = False
            for j in range(digest.relays[0]):
                told |= digest.towards[j] == state.relay_of[me, i].towards
            if not told:
                _drop_relay(state, me, i)
    for j in range(digest.relays[0]):
        i, count, towards = 0, state.node[me].relays, digest.towards[j]
        while i < count and (state.relay_of[me, i].fellow != fellow or state.relay_of[me, i].towards != towards):
            i += 1
        if i == state.relay.shape[1]:
            continue
        if i == count:
            state.relay_of[me, i].fellow, state.relay_of[me, i].towards = fellow, towards
            for tag in range(state.relay.shape[2]):
                state.relay[me, i, tag] = 0.0
            state.node[me].relays = count + 1
        state.lists[me, RELAY_LISTS] += replace(state.relay[me], i, digest.relay, j)


@leaf
def _drop_relay(state: LiveState, me: Row, i: Any) -> None:
    last = state.node[me].relays - 1
    state.relay_of[me, i] = state.relay_of[me, last]
    copy_row(state.relay[me, last], state.relay[me, i])
    state.node[me].relays = last


@leaf
def leave_former_fellows(state: LiveState, me: Row) -> None:
    """Relay lists of who is of my community no more are of no use."""
    for i in range(state.node[me].relays - 1, -1, -1):
        fellow = find(state, me, state.relay_of[me, i].fellow)
        if fellow == NOBODY or not is_member(state, me, fellow):
            _drop_relay(state, me, i)
