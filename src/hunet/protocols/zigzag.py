"""ZigZag: messages climb to those whose matching subscription is fresher ([zigzag] IV, Algorithm 1).

A subscription is a Bloom filter of the cells it covers. It is handed from node to node with the time it has left to
live; each node keeps those it heard in a table until they expire, and hearing one again sets its time to the new value,
as printed. When two nodes meet, a message goes over if it matches a subscription at the peer that lives longer than one
it matches at the holder, the largest difference first. A query on the AND of two filters is the query on both.

Readings: the largest difference of all pairs counts (AMB-75), and messages are sorted after the loop over them
(AMB-74). A holder without a matching subscription counts as one with no time left, and a peer gets what it wants itself
before all else (AMB-76); what I want myself is no reason to keep a message from others. Copies are kept, and as many go
over as the contact carries (AMB-77). Filters are of one size (AMB-78), lifetimes of one length (AMB-79). With
`summary` a node tells all its subscriptions as one filter, their OR, which saves bytes.

Where subscriptions are ranges (`World.ranges`) a tag is one point of content and its filter position that of its cell;
elsewhere tags are cells.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.bits import matches, set_bits, set_bits_of, words_for
from hunet.filters.checks import require_int
from hunet.filters.hashing import Hashing
from hunet.kernels import at_once, leaf, rare
from hunet.model.errors import DecodeError
from hunet.protocols.interests import copy_row, name_tag, new_blooms, require_shape, shape
from hunet.protocols.layout import bloom, layout, number, repeat
from hunet.protocols.protocol import BOTH, NO, Protocol, Wants, World
from hunet.protocols.quantities import Digest, Face, Hello, Now, Reading, Row, Tag
from hunet.protocols.settings import require_choice

__all__ = ["ZIGZAG", "ZigZagSettings"]

_TIME_BITS = 31
_MOST_SECONDS = 2**_TIME_BITS - 1


class ZigZagSettings(NamedTuple):
    """Parameters of ZigZag's routing; the paper prints none."""

    m: int = 1024
    """Positions of the filters (AMB-78)."""
    k: int = 3
    """Hash functions."""
    lifetime: int = 36000
    """Seconds that a subscription lives away from its owner: the initial TTL (AMB-79)."""
    subscriptions: int = 8
    """Of a node: so many are told one by one, and any more as the OR of the last."""
    summary: bool = False
    """Whether they are all told as one filter, their OR."""
    renew: str = "newest"
    """What hearing a subscription again makes of its time left: the `newest` value, as printed, or the `largest`."""
    table: int = 128
    """Subscriptions of others that a node keeps; beyond that, the one with the least time left goes."""
    aggregate: int = 0
    """Subscriptions that expire within the same so many seconds are kept as one filter, their OR; 0 for never."""


class ZigZagParams(NamedTuple):
    m: int
    table: npt.NDArray[Any]
    """Positions of every tag."""
    ranges: npt.NDArray[np.uint64]
    """[node, subscription, word]: filters where subscriptions are ranges; otherwise no rows."""
    ranges_used: npt.NDArray[np.int64]
    """[node]: how many there are."""
    subscriptions: int
    newest: bool
    lifetime: int
    slots: int
    aggregate: int


class ZigZagState(NamedTuple):
    own: npt.NDArray[np.uint64]
    """[node, slot, word]: my own subscriptions."""
    own_used: npt.NDArray[np.int64]
    """Slots in use."""
    heard: npt.NDArray[np.uint64]
    """[node, slot, word]: subscriptions of others."""
    expires: npt.NDArray[np.int64]
    """[node, slot]: the second in which each is gone."""
    used: npt.NDArray[np.int64]
    """Slots in use."""
    second: npt.NDArray[np.int64]
    """The present one."""


def _prepare(settings: ZigZagSettings, world: World) -> ZigZagParams:
    require_shape(settings.m, settings.k)
    require_int("lifetime", settings.lifetime, 1, _MOST_SECONDS)
    require_int("table", settings.table, 1, 2**16)
    require_int("aggregate", settings.aggregate, 0, _MOST_SECONDS)
    require_int("subscriptions", settings.subscriptions, 1, 2**16)
    require_choice("renew", settings.renew, ("newest", "largest"))
    m, table = shape(settings.m, settings.k, world)
    most = 1 if settings.summary else settings.subscriptions
    ranges, used = np.zeros((0, most, words_for(m)), np.uint64), np.zeros(0, np.int64)
    if world.ranges is not None and not world.exact:
        hashing = Hashing(m=m, k=settings.k, key=world.key)
        table = hashing.table(world.ranges.cell_of_tag).astype(table.dtype)
        ranges, used = new_blooms(m, world.nodes * most).reshape(world.nodes, most, -1), np.zeros(world.nodes, np.int64)
        for row, filters in enumerate(ranges):
            wanted = [cells for cells in world.ranges.cells_wanted.get(world.first_node + row, ()) if cells]
            used[row] = min(most, len(wanted))
            for i, cells in enumerate(wanted):
                set_bits_of(filters[min(i, most - 1)], hashing.table(cells))
    newest = settings.renew == "newest"
    return ZigZagParams(m, table, ranges, used, most, newest, settings.lifetime, settings.table, settings.aggregate)


def _new_state(params: ZigZagParams, world: World) -> ZigZagState:
    return ZigZagState(
        new_blooms(params.m, world.nodes * params.subscriptions).reshape(world.nodes, params.subscriptions, -1),
        np.zeros(world.nodes, np.int64),
        new_blooms(params.m, world.nodes * params.slots).reshape(world.nodes, params.slots, -1),
        np.zeros((world.nodes, params.slots), np.int64),
        np.zeros(world.nodes, np.int64),
        np.zeros(world.nodes, np.int64),
    )


@leaf
def _subscribe(params: ZigZagParams, state: ZigZagState, me: Row, wants: Wants) -> None:
    """Ranges are known beforehand; tags may change, and each is a subscription."""
    for i in range(params.subscriptions):
        for word in range(state.own.shape[2]):
            state.own[me, i, word] = params.ranges[me, i, word] if params.ranges.shape[0] > 0 else np.uint64(0)
    used = 0
    if params.ranges.shape[0] > 0:
        used = params.ranges_used[me]
    else:
        for tag in range(wants.size):
            if wants[tag].level > 0:
                place = _rank(params.table, wants, tag)
                set_bits(state.own[me, min(place, params.subscriptions - 1)], params.table, tag)
                used += 1
    state.own_used[me] = min(used, params.subscriptions)


@rare
def _rank(table: npt.NDArray[Any], wants: Wants, tag: int) -> Any:
    """The place of a tag among those I want, by positions: numbers of tags mean nothing to others."""
    rank = 0
    for other in range(wants.size):
        if wants[other].level > 0 and other != tag:
            i = 0
            while i < table.shape[0] - 1 and table[i, other] == table[i, tag]:
                i += 1
            rank += table[i, other] < table[i, tag] or (table[i, other] == table[i, tag] and other < tag)
    return rank


@leaf
def _age(params: ZigZagParams, state: ZigZagState, me: Row, now: Now) -> None:
    """Subscriptions without time left vanish."""
    state.second[me] = np.int64(now)
    kept = 0
    for i in range(state.used[me]):
        if state.expires[me, i] > state.second[me]:
            if kept < i:
                copy_row(state.heard[me, i], state.heard[me, kept])
                state.expires[me, kept] = state.expires[me, i]
            kept += 1
    state.used[me] = kept


@leaf
def _tell(
    params: ZigZagParams, state: ZigZagState, me: Row, now: Now, hello: Hello, face: Face, digest: Digest
) -> None:
    """My own subscriptions, which have all their time, and those I heard with the time they have left."""
    digest.own_used[0] = state.own_used[me]
    for i in range(state.own_used[me]):
        copy_row(state.own[me, i], digest.own[i])
    digest.used[0] = state.used[me]
    for i in range(state.used[me]):
        copy_row(state.heard[me, i], digest.heard[i])
        digest.left[i] = state.expires[me, i] - state.second[me]


@leaf
def _read(params: ZigZagParams, digest: Digest, tag: Tag) -> Any:
    """The most and the least time left of a matching subscription I heard, and in the lowest bit: is it wanted?"""
    most, least = np.int64(0), np.int64(0)
    for i in range(digest.used[0]):
        if matches(digest.heard[i], params.table, tag):
            left = digest.left[i]
            most = max(most, left)
            least = left if least == 0 else min(least, left)
    wanted = np.int64(0)
    for i in range(digest.own_used[0]):
        if matches(digest.own[i], params.table, tag):
            wanted = np.int64(1)
    return (((most << _TIME_BITS) | least) << 1) | wanted


@leaf
def _want(params: ZigZagParams, mine: Reading, theirs: Reading, own: bool) -> Any:
    """Algorithm 1: the largest difference of the peer's time left and mine, over all pairs that match."""
    if theirs & 1:
        return BOTH
    fresher = (theirs >> (_TIME_BITS + 1)) - ((mine >> 1) & _MOST_SECONDS)
    return np.float32(fresher) if fresher > 0 else NO


def _same_at_once(one: Any, other: Any) -> Any:
    return np.array_equal(one, other)


@at_once(_same_at_once)
def _same(one: Any, other: Any) -> Any:
    for i in range(one.size):
        if one[i] != other[i]:
            return False
    return True


def _is_empty_at_once(words: Any) -> Any:
    return not words.any()


@at_once(_is_empty_at_once)
def _is_empty(words: Any) -> Any:
    for i in range(words.size):
        if words[i] != np.uint64(0):
            return False
    return True


@leaf
def _collect(params: ZigZagParams, state: ZigZagState, me: Row, words: Any, expires: Any) -> None:
    """Keep a subscription, or refresh it; my own, coming back, is not news."""
    if _is_empty(words):
        return
    for i in range(state.own_used[me]):
        if _same(words, state.own[me, i]):
            return
    used = state.used[me]
    for i in range(used):
        if _same(words, state.heard[me, i]):
            state.expires[me, i] = expires if params.newest else max(expires, state.expires[me, i])
            return
    if params.aggregate > 0:
        for i in range(used):
            if state.expires[me, i] // params.aggregate == expires // params.aggregate:
                for word in range(words.size):
                    state.heard[me, i, word] |= words[word]
                state.expires[me, i] = min(expires, state.expires[me, i])  # none seems fresher than it is
                return
    place = used
    if used < params.slots:
        state.used[me] = used + 1
    else:
        place = 0
        for i in range(1, used):
            if state.expires[me, i] < state.expires[me, place]:
                place = i
        if state.expires[me, place] >= expires:
            return
    copy_row(words, state.heard[me, place])
    state.expires[me, place] = expires


@leaf
def _hear(params: ZigZagParams, state: ZigZagState, me: Row, digest: Digest, face: Face, now: Now) -> None:
    """Collect those that the peer heard, then its own: these have all their time, whatever it heard of them."""
    for i in range(digest.used[0]):
        _collect(params, state, me, digest.heard[i], state.second[me] + digest.left[i])
    for i in range(digest.own_used[0]):
        _collect(params, state, me, digest.own[i], state.second[me] + params.lifetime)


def _derive(params: ZigZagParams, digest: Digest) -> None:
    used = digest.used[0]
    if not digest.own[: digest.own_used[0]].any(axis=1).all():
        raise DecodeError("a subscription of one's own that matches nothing")
    if (digest.left[:used] == 0).any() or not digest.heard[:used].any(axis=1).all():
        raise DecodeError("a subscription that matches nothing, or has no time left to live")


DIGEST = layout(
    repeat("own_used", bloom("own"), most="subscriptions"),
    repeat("used", bloom("heard"), number("left", most="lifetime"), most="slots"),  # left: seconds to live
    derive=_derive,
)


ZIGZAG = Protocol(
    name="zigzag",
    title="ZigZag: towards fresher subscriptions",
    settings=ZigZagSettings,
    prepare=_prepare,
    new_state=_new_state,
    digest=DIGEST,
    subscribe=_subscribe,
    age=_age,
    tell=_tell,
    read=_read,
    want=_want,
    hear=_hear,
    name_tag=name_tag,
    independent=True,
)
