"""MOPS whose nodes learn by themselves: closeness from their own contacts, communities from what they were told.

The same protocol as `mops`, without a training part and without anybody who knows all. A node notes when it meets whom
and when they part (`mops_people`); at a meeting both tell the cards of people and the lists that the other lacks
(`mops_live_news`), and now and then each looks at what it knows and finds its community, its paths and its role in that
(`mops_view`). So communities change while events are under way, and nodes may disagree for a while. What counts is what
a person says of itself: two are members of one community while both say so, and a list counts while its owner does.

Differs from `mops`: no parcel of destinations goes with an event. A publisher's own digest says, to itself, what events
are worth to members whom it reaches over the peer; a relay passes them on over its own best paths, for at most k - 2
hops more. Events that the peer knows already are not sent on errands: it serves the destination anyway.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hunet.filters.checks import require_int, require_real
from hunet.kernels import leaf, rare
from hunet.protocols.mops_live_lists import LiveParams, refresh_external
from hunet.protocols.mops_live_news import face_of, hear, leave_former_fellows, tell
from hunet.protocols.mops_live_wire import DIGEST, HELLO
from hunet.protocols.mops_people import (
    LiveState,
    in_milliseconds,
    introduce,
    new_live_state,
    note_meeting,
    note_parting,
)
from hunet.protocols.mops_view import look, new_view
from hunet.protocols.mops_wire import ABROAD, FELLOWS, MEMBERS, STRANGERS
from hunet.protocols.protocol import NO, STAY, Message, Needs, Protocol, Wants, World
from hunet.protocols.quantities import Digest, Entry, Hello, Note, Now, Peer, Reading, Row, Score, Tag
from hunet.protocols.settings import require_choice

__all__ = ["MOPS_LIVE", "MopsLiveSettings"]

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
        world.peers_from,
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
def _subscribe(params: LiveParams, state: LiveState, me: Row, wants: Wants) -> None:
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
        leave_former_fellows(state, me)
        refresh_external(params, state, me)
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
    return STAY, face_of(peer, kind)


@leaf
def _parted(params: LiveParams, state: LiveState, me: Row, peer: Peer, now: Now) -> None:
    note_parting(state, params.peer_start[me] + peer, in_milliseconds(now))


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
    tell=tell,
    read=_read,
    want=_want,
    give=_give,
    hear=hear,
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
