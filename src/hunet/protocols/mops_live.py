"""MOPS whose nodes learn by themselves: closeness from their own contacts, communities from what they were told.

The same protocol as `mops`, without a training part and without anybody who knows all. A node notes when it meets whom
and when they part; at a meeting both tell the cards of people that the other lacks (`mops_people`), and now and then
each looks at what it knows and finds its community, its paths and its role in that (`mops_view`). So communities change
while events are under way, and nodes may disagree for a while. What counts is what a person says of itself: two are
members of one community while both say so, and a list counts while its owner does.

Differs from `mops`: no parcel of destinations goes with an event. A publisher's own digest says, to itself, what events
are worth to members whom it reaches over the peer; a relay passes them on over its own best paths, for at most k - 2
hops more. Events that the peer knows already are not sent on errands: it serves the destination anyway.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_int, require_real
from hunet.kernels import leaf, rare
from hunet.protocols.interests import copy_row
from hunet.protocols.mops_lists import (
    INTERNAL_LISTS,
    MEMBER_LISTS,
    RELAY_LISTS,
    clear,
    replace,
)
from hunet.protocols.mops_live_wire import APART, DIGEST, HELLO, NAME, work_out_asks, worth_to
from hunet.protocols.mops_people import (
    NOBODY,
    LiveState,
    find,
    in_milliseconds,
    introduce,
    new_live_state,
    note_meeting,
    note_parting,
)
from hunet.protocols.mops_view import View, look, new_view
from hunet.protocols.mops_wire import ABROAD, FELLOWS, MEMBERS, STRANGERS
from hunet.protocols.protocol import NO, STAY, Message, Needs, Peers, Protocol, World
from hunet.protocols.quantities import Digest, Entry, Face, Hello, Note, Now, Peer, Reading, Row, Score, Tag
from hunet.protocols.settings import require_choice
from hunet.protocols.tag_ids import TagIds
from hunet.social.weights import add_decayed, keep_best_decayed, sum_of_best

__all__ = ["MOPS_LIVE", "MopsLiveSettings"]

_KINDS = 4
"""Of meetings: a face is a peer and a kind."""
_ASKS = np.int64(2**31 - 1)
"""The part of a reading that says what is asked for; above it, what my events are worth beyond the peer."""
_MOST_PEOPLE = 1024


class MopsLiveSettings(NamedTuple):
    """Parameters of MOPS where nodes learn by themselves, with the paper's defaults."""

    threshold: float = 0.5
    """T: the least closeness of two members of a community."""
    k: int = 2
    """The most hops between them."""
    betweenness: float = 0.8
    """B: gateways drop out once those above them have this share of the betweenness."""
    a: float = 0.99
    """What the own side weighs, S or I; other communities weigh b = 1 - a (Eq. 5 and 6)."""
    default_weight: float = 1e-5
    """What a broker's external list says at least of every tag; 0 to collect only what somebody asked for (AMB-52)."""
    gateway_size: int = 1
    """Communities smaller than this have no gateways, and none lead there (AMB-82); 1 as printed."""
    boundary: str = "both"
    """Which separations count: those between contacts (`inner`), also the last (`tail`), also the first (AMB-40)."""
    people: int = 64
    """How many nodes one knows of, itself among them: memory grows with the square."""
    every: float = 3600.0
    """Seconds between two looks at who is close and which community this makes."""


class LiveParams(NamedTuple):
    tags: int
    tag_ids: TagIds
    """By which digests name tags; empty where all have the same list."""
    tag_bytes: int
    people: int
    k: int
    a: float
    default_weight: float
    every: int
    """In milliseconds."""
    peer_start: Peers
    first_node: int
    view: View
    near: npt.NDArray[np.int64]
    """Scratch: labels of communities, as rows of the next two."""
    external: npt.NDArray[np.float64]
    """[community, tag]: scratch for E(A)."""
    relay: npt.NDArray[np.float64]
    """[community, tag]: scratch for R(A)."""
    total: npt.NDArray[np.float64]
    """Scratch for two lists: I, and a sum over communities."""


def _prepare(settings: MopsLiveSettings, world: World) -> LiveParams:
    require_int("k", settings.k, 1, 16)
    require_int("people", settings.people, 2, _MOST_PEOPLE)
    require_int("gateway_size", settings.gateway_size, 1, 2**31)
    for name in ("threshold", "betweenness", "a", "default_weight"):
        require_real(name, getattr(settings, name), 0.0, 1.0)
    require_choice("boundary", settings.boundary, ("both", "inner", "tail"))
    require_real("every", settings.every, 0.001)
    tags, people = world.places, settings.people
    return LiveParams(
        tags,
        np.zeros(0, np.uint64) if world.tag_ids is None else world.tag_ids,
        0 if world.tag_ids is None else 8,
        people,
        settings.k,
        settings.a,
        settings.default_weight,
        round(1000 * settings.every),
        np.zeros(world.nodes + 1, np.int64) if world.peer_start is None else world.peer_start,
        world.first_node,
        new_view(
            people,
            settings.k,
            settings.threshold,
            settings.betweenness,
            settings.gateway_size,
            settings.boundary == "both",
            settings.boundary != "inner",
        ),
        np.zeros(2 * people, np.int64),
        np.zeros((2 * people, tags)),
        np.zeros((2 * people, tags)),
        np.zeros((2, tags)),
    )


def _new_state(params: LiveParams, world: World) -> LiveState:
    return new_live_state(params.people, params.tags, params.first_node, world)


@leaf
def _subscribe(params: LiveParams, state: LiveState, me: Row, wants: Any) -> None:
    """Where my interests changed, my list is a new generation."""
    changed = False
    for tag in range(params.tags):
        changed |= state.level[me, 0, tag] != wants[tag].level
        state.level[me, 0, tag] = wants[tag].level
    if changed:
        state.person[me, 0].listed += 1


# ------------------------------------------------------------------ who meets whom


@rare
def _greet(params: LiveParams, state: LiveState, me: Row, now: Now, hello: Hello) -> None:
    """Look at what I know, if it is time to; then say who I am, and whose cards and lists I have."""
    node, instant = state.node[me], in_milliseconds(now)
    if node.begun < 0:
        node.begun = instant
    if instant >= node.due:
        look(params.view, state, me, params.peer_start[me], params.peer_start[me + np.uint64(1)], instant)
        node.due = (instant // params.every + 1) * params.every
        _leave_former_fellows(state, me)
        _refresh_external(params, state, me)
    mine = state.person[me, 0]
    hello.name[0], hello.label[0], hello.broker[0] = mine.name, mine.label, mine.broker
    count = 0
    for i in range(node.people):
        person = state.person[me, state.order[me, i]]
        if person.told > 0 or person.listed > 0:
            hello.known[count], hello.told[count], hello.listed[count] = person.name, person.told, person.listed
            count += 1
    hello.people[0] = count


@rare
def _meet(params: LiveParams, state: LiveState, me: Row, peer: Peer, hello: Hello, now: Now) -> Any:
    """Which of the meetings of IV-B is this? And I note that we met."""
    note_meeting(state, params.peer_start[me] + peer, hello.name[0], in_milliseconds(now))
    mine, place = state.person[me, 0], introduce(state, me, hello.name[0])
    if place > 0:
        state.person[me, place].label, state.person[me, place].broker = hello.label[0], hello.broker[0] != 0
    brokers = mine.broker and hello.broker[0] != 0
    kind = STRANGERS
    if hello.label[0] == mine.label:
        kind = FELLOWS if brokers else MEMBERS
    elif brokers:
        kind = ABROAD
    return STAY, np.int64((peer + 1) * _KINDS + kind)


@leaf
def _parted(params: LiveParams, state: LiveState, me: Row, peer: Peer, now: Now) -> None:
    note_parting(state, params.peer_start[me] + peer, in_milliseconds(now))


@leaf
def _name_of(params: LiveParams, state: LiveState, me: Row, face: Face) -> Any:
    """Whom I face."""
    peer = face // _KINDS - 1
    return state.history[params.peer_start[me] + peer].name if peer >= 0 else np.int64(NOBODY)


@leaf
def _is_member(state: LiveState, me: Row, place: Any) -> Any:
    return state.person[me, place].label == state.person[me, 0].label


# ------------------------------------------------------------------ IV-A: weights


@leaf
def _row_of(params: LiveParams, label: Any, count: Any) -> Any:
    """The row of a community; the next one if it has none yet, which is empty then."""
    row = 0
    while row < count and params.near[row] != label:
        row += 1
    if row == count:
        params.near[row] = label
        for tag in range(params.tags):
            params.external[row, tag] = params.relay[row, tag] = 0.0
    return row


@rare
def _external_by_community(params: LiveParams, state: LiveState, me: Row) -> Any:
    """E_me(A) of every community A that I have met brokers of (Eq. 3); how many there are."""
    count = 0
    if state.person[me, 0].broker:
        for place in range(1, state.node[me].people):
            person = state.person[me, place]
            if person.broker and person.direct > 0.0 and not _is_member(state, me, place):
                row = _row_of(params, person.label, count)
                count = max(count, row + 1)
                keep_best_decayed(params.external, row, person.direct, state.internal[me], place)
    return count


@rare
def _add_up_with_relay(params: LiveParams, state: LiveState, me: Row) -> None:
    """ER_me (Eq. 4), into the second scratch list."""
    count = _external_by_community(params, state, me)
    for i in range(state.node[me].relays):
        fellow = find(state, me, state.relay_of[me, i].fellow)
        if fellow != NOBODY and _is_member(state, me, fellow):
            row = _row_of(params, state.relay_of[me, i].towards, count)
            count = max(count, row + 1)
            keep_best_decayed(params.relay, row, state.person[me, fellow].close, state.relay[me], i)
    sum_of_best(params.total, 1, params.external, params.relay, 0, count)


@rare
def _add_up_internal(params: LiveParams, state: LiveState, me: Row) -> None:
    """I_me (Eq. 2), into the first scratch list."""
    clear(params.total, 1)
    for place in range(state.node[me].people):
        if _is_member(state, me, place):
            add_decayed(params.total, 0, state.person[me, place].close, state.level[me], place)


@rare
def _refresh_external(params: LiveParams, state: LiveState, me: Row) -> None:
    """What I collect for other communities may have changed: my own list follows. It is a new generation where
    something is asked for that was not, or no longer is (AMB-83)."""
    count = _external_by_community(params, state, me)
    sum_of_best(params.total, 1, params.external, params.external, 0, count)
    default, news = np.float32(params.default_weight), False
    for tag in range(params.tags):
        news |= (state.outside[me, 0, tag] > default) != (np.float32(params.total[1, tag]) > default)
    replace(state.outside[me], 0, params.total, 1)
    if news:
        state.person[me, 0].listed += 1


# ------------------------------------------------------------------ IV-B: interest propagation


@rare
def _tell(params: LiveParams, state: LiveState, me: Row, now: Now, hello: Hello, face: Face, digest: Digest) -> None:
    kind, mine = face % _KINDS, state.person[me, 0]
    digest.kind[0], digest.broker[0] = kind, mine.broker
    digest.cards[0] = digest.lists[0] = digest.relays[0] = 0
    _say_through(params, state, me, _name_of(params, state, me, face), digest)
    is_member = MEMBERS <= kind <= FELLOWS
    if is_member:
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
        others = is_member and place > 0 and person.name != hello.name[0] and _is_member(state, me, place)
        if others and person.listed > (hello.listed[at] if known else 0):
            _add_list(state, me, place, digest)
    if kind == ABROAD:
        _add_up_internal(params, state, me)
        replace(digest.internal, 0, params.total, 0)
        _add_up_with_relay(params, state, me)
        replace(digest.collects, 0, params.total, 1)
    if kind == STRANGERS:
        copy_row(state.level[me, 0], digest.asks[0])
    work_out_asks(params, digest)
    if kind == FELLOWS:
        count = _external_by_community(params, state, me)
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
        if person.via == peer and peer != NOBODY and _is_member(state, me, place):
            for tag in range(params.tags):
                level, outside = state.level[me, place, tag], state.outside[me, place, tag]
                digest.through[tag] = max(digest.through[tag], worth_to(params, person.broker, level, outside))


@leaf
def _add_card(state: LiveState, me: Row, place: Any, digest: Digest) -> None:
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
def _add_list(state: LiveState, me: Row, place: Any, digest: Digest) -> None:
    i = digest.lists[0]
    digest.owner[i], digest.version[i] = state.person[me, place].name, state.person[me, place].listed
    copy_row(state.level[me, place], digest.level[i])
    copy_row(state.outside[me, place], digest.outside[i])
    digest.lists[0] = i + 1


@rare
def _hear(params: LiveParams, state: LiveState, me: Row, digest: Digest, face: Face, now: Now) -> None:
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
        _refresh_external(params, state, me)


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
def _take_relays(state: LiveState, me: Row, fellow: Any, digest: Digest) -> None:
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
def _leave_former_fellows(state: LiveState, me: Row) -> None:
    """Relay lists of who is of my community no more are of no use."""
    for i in range(state.node[me].relays - 1, -1, -1):
        fellow = find(state, me, state.relay_of[me, i].fellow)
        if fellow == NOBODY or not _is_member(state, me, fellow):
            _drop_relay(state, me, i)


# ------------------------------------------------------------------ numbers that are given to others


def _forget_tag(params: LiveParams, state: LiveState, me: Row, tag: Tag) -> None:
    for lists in (state.level, state.outside, state.internal, state.relay):
        lists[me, :, tag] = 0.0


def _forget_peer(params: LiveParams, state: LiveState, me: Row, peer: Peer) -> None:
    state.history[params.peer_start[me] + peer] = np.zeros(1, state.history.dtype)[0]


# ------------------------------------------------------------------ II-C, III-B: events


@leaf
def _bits(weight: Any) -> Any:
    return np.int64(np.float32(weight).view(np.int32))


@leaf
def _read(params: LiveParams, digest: Digest, tag: Tag) -> Any:
    """Two weights, bit by bit: what is asked for, and, in my own digest, what it is worth beyond the peer."""
    return (_bits(digest.through[tag]) << 31) + _bits(digest.asks[0, tag])


@leaf
def _want(params: LiveParams, mine: Reading, theirs: Reading, own: bool) -> Any:
    """As much as the peer asks for it; or those beyond it, of what I published or may pass on."""
    asked = np.int32(theirs & _ASKS).view(np.float32)
    beyond = np.int32(mine >> 31).view(np.float32)
    return max(asked, beyond) if own or params.k > 2 else asked


@leaf
def _give(
    params: LiveParams, state: LiveState, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    """Of others' events, those on an errand go beyond the peer, the rest to who asks for them."""
    if params.k <= 2 or message.own or state.errand[me, entry] > 0:
        return score
    asked = NO
    for i in range(message.first_tag, message.stop_tag):
        asked = max(asked, heard.asks[0, message.tags[i]])
    return asked


@leaf
def _note(
    params: LiveParams, state: LiveState, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    """How many hops it may go beyond those who ask, from the peer on."""
    return max(params.k - 2, 0) if message.own else max(np.int64(state.errand[me, entry]) - 1, 0)


@leaf
def _take(params: LiveParams, state: LiveState, me: Row, entry: Entry, message: Message, note: Note) -> Any:
    """Everybody keeps what it gets."""
    state.errand[me, entry] = note
    return True


def _most_note(params: LiveParams) -> int:
    return params.k


MOPS_LIVE = Protocol(
    name="mops-live",
    title="MOPS, communities learned by every node itself",
    settings=MopsLiveSettings,
    prepare=_prepare,
    new_state=_new_state,
    digest=DIGEST,
    hello=HELLO,
    subscribe=_subscribe,
    greet=_greet,
    meet=_meet,
    tell=_tell,
    read=_read,
    want=_want,
    give=_give,
    hear=_hear,
    note=_note,
    take=_take,
    parted=_parted,
    forget_tag=_forget_tag,
    forget_peer=_forget_peer,
    most_note=_most_note,
    needs=Needs(history=True),
    inspect={
        "lists": lambda state: state.lists,
        "broker": lambda state: state.person["broker"][:, 0],
        "community": lambda state: state.person["label"][:, 0],
    },
    peer_memory=("history",),
    heeds=frozenset({"level"}),
    independent=True,
)
