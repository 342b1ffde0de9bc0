"""Neighbors: everybody collects for its closest few. Two hops, from the source to a collector to its neighbour.

A node remembers what its k nearest neighbours, by closeness, want; how many of them want a tag is that tag's weight. A
source gives a message to those who want it and to those with a weight for it, heaviest first; whoever got it from the
source gives it only to those who want it. Baseline of [mops] V after Carreras et al.; k is not printed (AMB-39). That
it is limited to two hops is what the paper says of it; "collect events according to the weights" could also mean from
everybody who holds one (`any_holder`).

The weights travel as a counting filter: the sum of the neighbours' Bloom filters.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_int
from hunet.filters.counters import value
from hunet.kernels import leaf
from hunet.model.errors import InvalidValueError
from hunet.protocols.interests import (
    add_interests,
    copy_row,
    is_interested,
    name_tag,
    new_blooms,
    require_shape,
    shape,
    subscribe,
    tell_interests,
)
from hunet.protocols.layout import bloom, counters, layout
from hunet.protocols.protocol import BOTH, DIRECT, NO, STAY, Message, Needs, Protocol, World
from hunet.protocols.quantities import Digest, Entry, Face, Hello, Note, Now, Peer, Reading, Row, Score, Tag
from hunet.protocols.search import Span

__all__ = ["NEIGHBORS", "NeighborsSettings"]

_STRANGER = -1


class NeighborsSettings(NamedTuple):
    """Parameters of Neighbors."""

    m: int = 256
    """Positions of the filters."""
    k: int = 3
    """Hash functions."""
    neighbors: int = 5
    """How many nearest neighbours a node collects for."""
    any_holder: bool = False
    """Whether it collects from everybody who holds a message, and not from its source alone (AMB-39)."""


class NeighborsParams(NamedTuple):
    m: int
    table: npt.NDArray[Any]
    neighbors: int
    any_holder: bool
    peer_start: npt.NDArray[np.int64]
    rank: npt.NDArray[np.int16]
    """Per peer, as in `World.closeness`: 0 for the nearest, 1 for the next; -1 for one that is not among them."""


class NeighborsState(NamedTuple):
    genuine: npt.NDArray[np.uint64]
    answers: npt.NDArray[np.uint64]
    heard: npt.NDArray[np.uint64]
    """[node, neighbour, word]: the interests of each neighbour when last met."""
    weights: npt.NDArray[np.uint8]
    """[node, position]: how many of them have it; told far more often than it changes."""


DIGEST = layout(bloom("genuine", answers="answers"), counters("weights", ceiling=255))


def _prepare(settings: NeighborsSettings, world: World) -> NeighborsParams:
    require_shape(settings.m, settings.k)
    require_int("neighbors", settings.neighbors, 1, 255)
    if world.closeness is None or world.peer_start is None:
        raise InvalidValueError("Neighbors needs to know who is close to whom, and no closeness was given")
    m, table = shape(settings.m, settings.k, world)
    rank = np.full(world.closeness.size, _STRANGER, np.int16)
    for first, last in zip(world.peer_start[:-1], world.peer_start[1:], strict=True):
        row = world.closeness[first:last]
        nearest = np.argsort(-row, kind="stable")[: settings.neighbors]  # of equals, the older acquaintance
        nearest = nearest[row[nearest] > 0.0]
        rank[first + nearest] = np.arange(nearest.size)
    return NeighborsParams(m, table, settings.neighbors, settings.any_holder, world.peer_start, rank)


def _new_state(params: NeighborsParams, world: World) -> NeighborsState:
    heard = new_blooms(params.m, world.nodes * params.neighbors).reshape(world.nodes, params.neighbors, -1)
    return NeighborsState(
        new_blooms(params.m, world.nodes),
        new_blooms(world.places, world.nodes),
        heard,
        np.zeros((world.nodes, params.m), np.uint8),
    )


@leaf
def _greet(params: NeighborsParams, state: NeighborsState, me: Row, now: Now, hello: Hello) -> None:
    """My name is enough, and that my peer knows."""


@leaf
def _meet(params: NeighborsParams, state: NeighborsState, me: Row, peer: Peer, hello: Hello, now: Now) -> Any:
    """I face my n-th nearest neighbour, or a stranger."""
    return STAY, np.int64(params.rank[params.peer_start[me] + peer])


@leaf
def _tell(
    params: NeighborsParams, state: NeighborsState, me: Row, now: Now, hello: Hello, face: Face, digest: Digest
) -> None:
    """What I want, and how many of my neighbours want what."""
    tell_interests(params, state, me, now, hello, face, digest)
    copy_row(state.weights[me], digest.weights)


@leaf
def _read(params: NeighborsParams, digest: Digest, tag: Tag) -> Any:
    """The weight, and in the lowest bit whether the tag is wanted."""
    weight = np.int64(value(digest.weights, params.table, tag))
    return (weight << 1) | is_interested(params, digest, tag)


@leaf
def _want(params: NeighborsParams, mine: Reading, theirs: Reading, own: bool) -> Any:
    """From its source by weight, what the peer wants itself before all; from others only the latter."""
    collected = own or params.any_holder
    if theirs & 1:
        return BOTH if collected else DIRECT
    return np.float32(theirs >> 1) if collected else NO


@leaf
def _note(
    params: NeighborsParams, state: NeighborsState, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    """Only what comes from where it is collected is carried on."""
    return 1 if message.own or params.any_holder else 0


def _most_note(params: NeighborsParams) -> int:
    return 1


@leaf
def _take(params: NeighborsParams, state: NeighborsState, me: Row, entry: Entry, message: Message, note: Note) -> Any:
    return message.own or note != 0


@leaf
def _waits(params: NeighborsParams, state: NeighborsState, me: Row, entry: Entry, message: Message) -> Any:
    return not (message.own or params.any_holder)


@leaf
def _hear(params: NeighborsParams, state: NeighborsState, me: Row, digest: Digest, face: Face, now: Now) -> None:
    if face == _STRANGER or _are_same(digest.genuine, state.heard[me, face]):
        return
    copy_row(digest.genuine, state.heard[me, face])
    for i in range(params.m):
        state.weights[me, i] = 0
    for i in range(params.neighbors):
        add_interests(state.weights[me], state.heard[me, i], 1, 255)


@leaf
def _are_same(words: Any, others: Any) -> Any:
    """Whether two filters have the same bits."""
    different = np.uint64(0)
    for i in range(words.size):
        different |= words[i] ^ others[i]
    return different == np.uint64(0)


NEIGHBORS = Protocol(
    name="neighbors",
    title="Neighbors: collect for the closest few",
    settings=NeighborsSettings,
    prepare=_prepare,
    new_state=_new_state,
    digest=DIGEST,
    subscribe=subscribe,
    greet=_greet,
    meet=_meet,
    tell=_tell,
    read=_read,
    want=_want,
    hear=_hear,
    note=_note,
    take=_take,
    waits=_waits,
    most_note=_most_note,
    name_tag=name_tag,
    needs=Needs(closeness=True),
    deployable=False,  # until a node measures closeness itself
    searched={"neighbors": Span(1, 255)},
    independent=True,
)
