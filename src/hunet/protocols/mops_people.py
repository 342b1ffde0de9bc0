"""Whom a node of MOPS has met or heard of, when it learns by itself: its own contacts, and what others told.

A person has a card: its community, whether it is a broker, and how long it is apart, on average, from each it has met.
Everybody tells the cards it has to everybody it meets, newer ones for older ones, so that a card travels as far as
hellos do in the Appendix of [mops]. A node keeps `people` of them, itself first; whoever is not within 2k hops is
forgotten, and when there is little room left, who is least close.

Names are numbers of 63 bits. Separations are whole milliseconds, one more than they are: 0 says that two never met.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, rare
from hunet.protocols.protocol import World
from hunet.protocols.quantities import Millis, Now, Row

__all__ = [
    "NOBODY",
    "LiveState",
    "Name",
    "Place",
    "find",
    "forget",
    "in_milliseconds",
    "introduce",
    "mean_separation",
    "new_live_state",
    "note_meeting",
    "note_parting",
]

Place: TypeAlias = "int | np.integer[Any]"
"""Where what is known of somebody lies."""
Name: TypeAlias = "int | np.integer[Any]"
"""A person's, or that of a community, which is called after one."""

NOBODY = -1

_NODE = np.dtype(
    [
        ("people", np.int64),  # that I know, myself among them
        ("relays", np.int64),  # relay lists that I have
        ("begun", np.int64),  # the time of my first contact, in milliseconds; -1 before
        ("due", np.int64),  # when I next look at whom I am close to
    ],
    align=True,
)
_PERSON = np.dtype(
    [
        ("name", np.int64),
        ("told", np.int64),  # the generation of its card; 0 where I have none
        ("listed", np.int64),  # the generation of its interest list; 0 where I have none
        ("label", np.int64),  # its community, as it says; NOBODY where I do not know
        ("via", np.int64),  # the first on my best path to it, where that has several hops; else NOBODY
        ("close", np.float64),  # over at most k hops; I am 1 (AMB-47)
        ("direct", np.float64),  # over one
        ("broker", np.bool_),
    ],
    align=True,
)
_ACQUAINTANCE = np.dtype(
    [
        ("name", np.int64),
        ("first", np.int64),  # when we met first, in milliseconds
        ("since", np.int64),  # when we parted last
        ("apart", np.int64),  # all separations that are over, in milliseconds
        ("gaps", np.int64),  # how many these are
        ("met", np.bool_),
        ("together", np.bool_),
    ],
    align=True,
)
_RELAY = np.dtype([("fellow", np.int64), ("towards", np.int64)])


class LiveState(NamedTuple):
    node: npt.NDArray[Any]
    person: npt.NDArray[Any]
    """[node, place]: those it knows, itself at place 0."""
    order: npt.NDArray[np.int64]
    """[node, i]: their places by rising name."""
    apart: npt.NDArray[np.int64]
    """[node, place, place]: how long the first is apart from the second, on average, as the first says."""
    history: npt.NDArray[Any]
    """Flat by acquaintance: its own contacts."""
    level: npt.NDArray[np.float32]
    """[node, place, tag]: what one wants itself, S."""
    outside: npt.NDArray[np.float32]
    """[node, place, tag]: what one collects for other communities, E; of brokers."""
    internal: npt.NDArray[np.float32]
    """[node, place, tag]: what the community of a broker abroad wants, I."""
    relay: npt.NDArray[np.float32]
    """[node, i, tag]: what a fellow broker collects for a community, E(A)."""
    relay_of: npt.NDArray[Any]
    """[node, i]: who told it, and for which community."""
    errand: npt.NDArray[np.uint8]
    """[node, entry]: hops that a message may still go towards members that it is on its way to."""
    lists: npt.NDArray[np.int64]
    """[node, kind]: lists that I got and that were news (AMB-61)."""


def new_live_state(people: int, tags: int, first_node: int, world: World) -> LiveState:
    """Everybody knows itself, and is a community of its own."""
    nodes = world.nodes
    acquaintances = int(world.peers_from[-1])
    level, outside, internal, relay = (np.zeros((nodes, people, tags), np.float32) for _ in range(4))
    state = LiveState(
        np.zeros(nodes, _NODE).view(np.recarray),
        np.zeros((nodes, people), _PERSON).view(np.recarray),
        np.zeros((nodes, people), np.int64),
        np.zeros((nodes, people, people), np.int64),
        np.zeros(acquaintances, _ACQUAINTANCE).view(np.recarray),
        level,
        outside,
        internal,
        relay,
        np.zeros((nodes, people), _RELAY).view(np.recarray),
        np.zeros((nodes, world.entries), np.uint8),
        np.zeros((nodes, 3), np.int64),
    )
    me = state.person[:, 0]
    me["name"] = me["label"] = first_node + np.arange(nodes)
    me["via"], me["close"], me["listed"] = NOBODY, 1.0, 1
    state.node["people"], state.node["begun"] = 1, -1
    return state


# ------------------------------------------------------------------ my own contacts


@leaf
def in_milliseconds(now: Now) -> Any:
    """Whole milliseconds, to the nearest."""
    return np.int64(now * 1000 + 0.5)


@leaf
def note_meeting(state: LiveState, at: Place, name: Name, now: Millis) -> None:
    """An acquaintance is here: what lies between is a separation. One that never ended by our knowledge is none."""
    one = state.history[at]
    if not one.met:
        one.met, one.first, one.name = True, now, name
    elif not one.together and now > one.since:
        one.gaps += 1
        one.apart += now - one.since
    one.together = True


@leaf
def note_parting(state: LiveState, at: Place, now: Millis) -> None:
    """It is gone."""
    one = state.history[at]
    one.together, one.since = False, now


@leaf
def mean_separation(one: Any, begun: Any, now: Millis, lead: bool, tail: bool) -> Any:
    """AVG(D) of Eq. 1, [mops], in whole milliseconds, and 1; 0 where this reading of it sees no separation (AMB-40).

    `lead` and `tail`: whether the time before the first meeting counts, and that after the last.
    """
    apart, gaps = one.apart, one.gaps
    if lead and one.first > begun:
        apart += one.first - begun
        gaps += 1
    if tail and not one.together and now > one.since:
        apart += now - one.since
        gaps += 1
    if gaps > 0:
        return 1 + apart // gaps
    never_apart = one.first <= begun and one.together
    return 1 if never_apart else 0


# ------------------------------------------------------------------ the table of people


@leaf
def _rank_of(state: LiveState, me: Row, name: Name) -> Any:
    """How many I know by a smaller name."""
    low, high = 0, state.node[me].people
    while low < high:
        middle = (low + high) // 2
        if state.person[me, state.order[me, middle]].name < name:
            low = middle + 1
        else:
            high = middle
    return low


@rare
def find(state: LiveState, me: Row, name: Name) -> Any:
    """The place of somebody; NOBODY if I do not know it."""
    rank = _rank_of(state, me, name)
    if rank < state.node[me].people:
        place = state.order[me, rank]
        if state.person[me, place].name == name:
            return place
    return np.int64(NOBODY)


@rare
def introduce(state: LiveState, me: Row, name: Name) -> Any:
    """The place of somebody, who gets one if there is any left; else NOBODY."""
    known, place = state.node[me].people, find(state, me, name)
    if place != NOBODY or known == state.person.shape[1]:
        return place
    rank = _rank_of(state, me, name)
    for i in range(known, rank, -1):
        state.order[me, i] = state.order[me, i - 1]
    state.order[me, rank] = known
    one = state.person[me, known]
    one.name, one.told, one.listed, one.label, one.via = name, 0, 0, NOBODY, NOBODY
    one.close, one.direct, one.broker = 0.0, 0.0, False
    for other in range(known + 1):
        state.apart[me, known, other] = state.apart[me, other, known] = 0
    for tag in range(state.level.shape[2]):
        state.level[me, known, tag] = state.outside[me, known, tag] = state.internal[me, known, tag] = 0.0
    state.node[me].people = known + 1
    return np.int64(known)


@rare
def forget(state: LiveState, me: Row, place: Place) -> None:
    """Somebody leaves the table, and the last takes its place."""
    last = state.node[me].people - 1
    rank = _rank_of(state, me, state.person[me, place].name)
    for i in range(rank, last):
        state.order[me, i] = state.order[me, i + 1]
    state.node[me].people = last
    if place == last:
        return
    for i in range(last):
        if state.order[me, i] == last:
            state.order[me, i] = place
    state.person[me, place] = state.person[me, last]
    for other in range(last + 1):
        state.apart[me, place, other] = state.apart[me, last, other]
    for other in range(last + 1):
        state.apart[me, other, place] = state.apart[me, other, last]
    state.apart[me, place, place] = 0
    for tag in range(state.level.shape[2]):
        state.level[me, place, tag] = state.level[me, last, tag]
        state.outside[me, place, tag] = state.outside[me, last, tag]
        state.internal[me, place, tag] = state.internal[me, last, tag]
