"""MOPS: communities that share their interests, and brokers between them who collect by weight ([mops] III, IV).

Before it starts, everybody has a community (`social.structure`, from the training part), and some are brokers. At a
meeting each says what it asks for, depending on who the peer is: a member of its own community gets what the node wants
itself and, of a broker, what it collects for others (Eq. 5); a broker of another community what the own one wants and
what is collected for third ones (Eq. 6); anybody else the own interests (AMB-53). Whoever has matching events sends
them, the largest weight first. Inside a community an event is also sent on its way to every member whose list asks for
it, over the best path, whether or not those on the path want it: an errand. The last hop needs none, as the destination
asks for itself.

Readings: Eq. 6 as printed, not the list of IV-B (ERR-18); lists travel among members hand to hand, newer generations
for older ones, or are known at once (AMB-55); everybody keeps what it got until it expires, and serves it on (II-C).
Differs: a list has the number of its generation instead of the time, so that clocks need not agree; a broker's list
carries S and E side by side, since fellow brokers add up S alone (the example of Eq. 2 does).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_int, require_real
from hunet.kernels import leaf, rare
from hunet.model.errors import InvalidValueError
from hunet.protocols.interests import copy_row
from hunet.protocols.mops_errands import NOBODY, NONE, look_for_errands
from hunet.protocols.mops_lists import (
    INTERNAL_LISTS,
    MEMBER_LISTS,
    RELAY_LISTS,
    MopsParams,
    MopsState,
    add_up_internal,
    add_up_with_relay,
    external_by_community,
    know_at_once,
    new_state,
    refresh_external,
    replace,
    weight_of,
)
from hunet.protocols.mops_surroundings import Surroundings, surroundings_of
from hunet.protocols.mops_wire import ABROAD, DIGEST, FELLOWS, HELLO, MEMBERS, STRANGERS
from hunet.protocols.protocol import STAY, Message, Needs, Protocol, Wants, World
from hunet.protocols.quantities import Digest, Entry, Face, Hello, Note, Now, Peer, Reading, Row, Score, Tag
from hunet.protocols.settings import require_choice
from hunet.social.weights import combine

__all__ = ["MOPS", "MopsSettings"]

_KINDS = 4
"""Of meetings: a face is a place and a kind."""


class MopsSettings(NamedTuple):
    """Parameters of MOPS, with the paper's defaults."""

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
    lists: str = "gossip"
    """How lists are known: by `gossip`, or those of the beginning `at_once` and only changes by gossip (AMB-55)."""
    exclude_peer_community: bool = False
    """Whether a broker leaves out of ER what the peer's own community asked for (AMB-50)."""
    gateway_size: int = 1
    """Communities smaller than this have no gateways, and none lead there (AMB-82); 1 as printed."""
    broadcast: str = "interests"
    """When a broker's list is sent through its community anew (AMB-83): when its `interests` change, its own or those
    that it collects for, or whenever one of their computed `weights` does."""


def _prepare(settings: MopsSettings, world: World) -> MopsParams:
    require_int("k", settings.k, 1, 255)
    require_real("a", settings.a, 0.0, 1.0)
    require_int("gateway_size", settings.gateway_size, 1, 2**31)
    require_real("default_weight", settings.default_weight, 0.0, 1.0)
    require_choice("lists", settings.lists, ("gossip", "at_once"))
    require_choice("broadcast", settings.broadcast, ("interests", "weights"))
    around = _around(settings, world, world.first_node, world.nodes)
    tags, near = world.places, around.near.shape[1]
    return MopsParams(
        tags,
        settings.threshold,
        settings.k,
        settings.betweenness,
        settings.gateway_size,
        settings.a,
        settings.default_weight,
        settings.exclude_peer_community,
        settings.broadcast == "weights",
        world.first_node,
        settings.lists == "at_once",
        around,
        np.zeros((near, tags)),
        np.zeros((near, tags)),
        np.zeros((2, tags)),
        np.zeros(around.route_to.shape[1], np.uint64),
    )


def _around(settings: Any, world: World, first: int, nodes: int) -> Surroundings:
    if world.social is None:
        raise InvalidValueError("MOPS needs to know who is close to whom, and no closeness was given")
    from hunet.social.structure import SocialSettings, structure_of  # reads tables, which a device cannot

    chosen = SocialSettings(settings.threshold, settings.k, settings.betweenness, settings.gateway_size)
    pairs = world.social.pairs
    return surroundings_of(structure_of(pairs, world.social.nodes, chosen), pairs, first, nodes)


def _new_state(params: MopsParams, world: World) -> MopsState:
    state = new_state(params, world.nodes, world.entries)
    if params.at_once and world.social is not None:
        everyone = params._replace(around=_around(params, world, 0, world.social.nodes), first_node=0)
        whole = new_state(everyone, world.social.nodes, 1)
        know_at_once(everyone, whole, world.social.levels)
        rows = slice(world.first_node, world.first_node + world.nodes)
        for name in ("level", "outside", "version", "internal", "relay"):
            getattr(state, name)[...] = getattr(whole, name)[rows]
    return state


@leaf
def _subscribe(params: MopsParams, state: MopsState, me: Row, wants: Wants) -> None:
    """My interests changed: my list is a new generation."""
    place = params.around.node[me].place
    for tag in range(params.tags):
        state.level[me, place, tag] = wants[tag].level
    state.version[me, place] += 1


# ------------------------------------------------------------------ who meets whom


@leaf
def _greet(params: MopsParams, state: MopsState, me: Row, now: Now, hello: Hello) -> None:
    mine = params.around.node[me]
    hello.name[0] = params.first_node + me
    hello.community[0], hello.broker[0], hello.members[0] = mine.community, mine.broker, mine.members
    copy_row(state.version[me], hello.version)


@leaf
def _find(row: Any, count: Any, name: Any) -> Any:
    """The place of a name in a rising row."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if row[middle].name < name:
            low = middle + 1
        else:
            high = middle
    return low if low < count and row[low].name == name else NOBODY


@rare
def _meet(params: MopsParams, state: MopsState, me: Row, peer: Peer, hello: Hello, now: Now) -> Any:
    """Which of the meetings of IV-B is this, and which place has the peer among members or brokers abroad?"""
    around, mine = params.around, params.around.node[me]
    brokers = mine.broker and hello.broker[0] != 0
    kind, place = STRANGERS, NOBODY
    if hello.community[0] == mine.community:
        place = _find(around.member[me], mine.members, hello.name[0])
        kind = FELLOWS if brokers else MEMBERS
    elif brokers:
        place = _find(around.abroad[me], mine.abroad, hello.name[0])
        kind = ABROAD
    return STAY, np.int64((place + 1) * _KINDS + kind)


@leaf
def _kind_of(face: Face) -> Any:
    return face % _KINDS


@leaf
def _place_of(face: Face) -> Any:
    return face // _KINDS - 1


# ------------------------------------------------------------------ IV-B: interest propagation


@rare
def _tell(params: MopsParams, state: MopsState, me: Row, now: Now, hello: Hello, face: Face, digest: Digest) -> None:
    around, kind = params.around, _kind_of(face)
    place, broker = around.node[me].place, around.node[me].broker
    digest.kind[0], digest.broker[0], digest.lists[0], digest.relays[0] = kind, broker, 0, 0
    if kind == ABROAD:
        add_up_internal(params, state, me)
        replace(digest.internal, 0, params.total, 0)
        add_up_with_relay(params, state, me, hello.community[0])
        for tag in range(params.tags):
            digest.asks[0, tag] = combine(params.a, params.total[0, tag], params.total[1, tag])
        return
    is_member = kind != STRANGERS
    for tag in range(params.tags):
        level, outside = state.level[me, place, tag], state.outside[me, place, tag]
        digest.asks[0, tag] = weight_of(params, is_member and broker, level, outside)
    if is_member:
        _add_list(state, me, place, digest)
        for other in range(around.node[me].members):
            if other != place and state.version[me, other] > hello.version[other]:
                _add_list(state, me, other, digest)
    if kind == FELLOWS:
        external_by_community(params, state, me)
        for i in range(around.member[me, place].first_relay, around.member[me, place].last_relay):
            replace(digest.relay, digest.relays[0], params.external, around.relay_near[me, i])
            digest.relays[0] += 1


@leaf
def _add_list(state: MopsState, me: Row, place: Any, digest: Digest) -> None:
    i = digest.lists[0]
    digest.owner[i], digest.version[i] = place, state.version[me, place]
    copy_row(state.level[me, place], digest.level[i])
    copy_row(state.outside[me, place], digest.outside[i])
    digest.lists[0] = i + 1


@rare
def _hear(params: MopsParams, state: MopsState, me: Row, digest: Digest, face: Face, now: Now) -> None:
    """Keep what is newer: members' lists, a fellow's relay lists, the internal list of a broker abroad."""
    around, kind, peer = params.around, _kind_of(face), _place_of(face)
    if digest.kind[0] != kind or peer == NOBODY:
        return
    for i in range(digest.lists[0]):
        owner = digest.owner[i]
        if owner != around.node[me].place and digest.version[i] > state.version[me, owner]:
            state.version[me, owner] = digest.version[i]
            copy_row(digest.level[i], state.level[me, owner])
            copy_row(digest.outside[i], state.outside[me, owner])
            state.lists[me, MEMBER_LISTS] += 1
    if kind == FELLOWS:
        first, last = around.member[me, peer].first_relay, around.member[me, peer].last_relay
        for i in range(min(digest.relays[0], last - first)):
            state.lists[me, RELAY_LISTS] += replace(state.relay[me], first + i, digest.relay, i)
    if kind == ABROAD and replace(state.internal[me], peer, digest.internal, 0):
        state.lists[me, INTERNAL_LISTS] += 1
        refresh_external(params, state, me)


# ------------------------------------------------------------------ II-C, III-B: events


@leaf
def _read(params: MopsParams, digest: Digest, tag: Tag) -> Any:
    """The weight, bit by bit."""
    return np.int64(np.float32(digest.asks[0, tag]).view(np.int32))


@leaf
def _want(params: MopsParams, mine: Reading, theirs: Reading, own: bool) -> Any:
    """As much as the peer asks for it."""
    return np.int32(theirs).view(np.float32)


@leaf
def _give(
    params: MopsParams, state: MopsState, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    return max(score, look_for_errands(params, state, me, entry, message))


@leaf
def _note(
    params: MopsParams, state: MopsState, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    """In the parcel are the errands that go on through the peer."""
    look_for_errands(params, state, me, entry, message)
    return 0


def _parcel(params: MopsParams) -> npt.NDArray[np.uint64]:
    return params.parcel


@leaf
def _take(params: MopsParams, state: MopsState, me: Row, entry: Entry, message: Message, note: Note) -> Any:
    """Everybody keeps what it gets; errands come on top of those it has."""
    for word in range(params.parcel.size):
        before = state.errands[me, entry, word] if message.known else NONE
        state.errands[me, entry, word] = NONE if message.own else before | params.parcel[word]
    return True


@leaf
def _gave(
    params: MopsParams,
    state: MopsState,
    me: Row,
    entry: Entry,
    message: Message,
    score: Score,
    note: Note,
    heard: Digest,
) -> Any:
    """The errands in the parcel are the peer's from now on."""
    for word in range(params.parcel.size):
        if message.own:
            state.errands[me, entry, word] |= params.parcel[word]
        else:
            state.errands[me, entry, word] &= ~params.parcel[word]
    return True


MOPS = Protocol(
    name="mops",
    title="MOPS: communities, and brokers who collect by weight",
    settings=MopsSettings,
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
    gave=_gave,
    needs=Needs(social=True),
    deployable=False,  # until nodes form communities themselves
    inspect={"lists": lambda state: state.lists},
    errands=True,
    parcel=_parcel,
    heeds=frozenset({"level"}),
    independent=True,
)
