"""One direction of a contact: what to send, in which order, and sending it.

`make_exchange` builds these functions around a protocol's functions, so that everything is compiled into one loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hunet.kernels import highest_bit, leaf
from hunet.protocols.protocol import NO, Message, Protocol, anything, as_wanted
from hunet.sim.buffers import let_go, newest_word, put
from hunet.sim.scene import DELIVERIES, DROPS, FORWARDS

__all__ = ["Exchange", "make_exchange"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Exchange(NamedTuple):
    """The functions of one direction of a contact."""

    select: Callable[..., Any]
    fit: Callable[..., Any]
    send: Callable[..., Any]
    publish: Callable[..., Any]


@leaf
def _better(score: Any, chosen: Any, i: Any, j: Any) -> Any:
    """Does i go before j? Higher scores first, newer messages first among equals."""
    return score[i] > score[j] or (score[i] == score[j] and chosen[i] > chosen[j])


@leaf
def _sift(score: Any, chosen: Any, root: Any, count: Any) -> None:
    """Let one entry sink to its place in a heap whose first entry is the worst."""
    while True:
        child = 2 * root + 1
        if child >= count:
            return
        if child + 1 < count and _better(score, chosen, child, child + 1):
            child += 1
        if not _better(score, chosen, root, child):
            return
        score[root], score[child] = score[child], score[root]
        chosen[root], chosen[child] = chosen[child], chosen[root]
        root = child


@leaf
def _sort_best_first(score: Any, chosen: Any, count: Any) -> None:
    """Heap sort, in place."""
    for root in range(count // 2 - 1, -1, -1):
        _sift(score, chosen, root, count)
    for last in range(count - 1, 0, -1):
        score[0], score[last] = score[last], score[0]
        chosen[0], chosen[last] = chosen[last], chosen[0]
        _sift(score, chosen, 0, last)


@leaf
def _wanted(scene: Any, node: Any, message: Any) -> Any:
    """Is the node, at present, interested in any tag of the message?"""
    for i in range(scene.tag_start[message], scene.tag_start[message + 1]):
        if scene.wants[node, scene.tag[i]]:
            return True
    return False


@leaf
def _fit(scene: Any, chosen: Any, score: Any, count: Any, capacity: Any) -> Any:
    """How many of the chosen messages fit into so many bytes, best first; the rest is cut off."""
    needed = 0
    for i in range(count):
        needed += scene.size[chosen[i]]
    if needed <= capacity:
        return count
    _sort_best_first(score, chosen, count)
    used = 0
    for i in range(count):
        used += scene.size[chosen[i]]
        if used > capacity:
            return i
    return count


def make_exchange(protocol: Protocol) -> Exchange:
    """The functions of an exchange, built around the protocol's."""
    want, give, gave, take = protocol.want, protocol.give, protocol.gave, protocol.take
    takes_all = want is anything and give is as_wanted
    own_outside = protocol.own_outside

    @leaf
    def message_of(scene: Any, m: Any, me: Any) -> Any:
        return Message(m, scene.created[m], scene.size[m], scene.source[m] == me)

    @leaf
    def tag_score(params: Any, state: Any, me: Any, digest: Any, desk: Any, exchange: Any, tag: Any, own: Any) -> Any:
        """What `want` says, asked once per exchange, tag and ownership."""
        row = np.uint64(own)
        if desk.asked[row, tag] != exchange:
            desk.asked[row, tag] = exchange
            desk.tag_score[row, tag] = want(params, state, me, digest, tag, own)
        return desk.tag_score[row, tag]

    @leaf
    def select(
        params: Any,
        state: Any,
        me: Any,
        peer: Any,
        digest: Any,
        scene: Any,
        buffers: Any,
        desk: Any,
        side: Any,
        exchange: Any,
        oldest: Any,
        newest: Any,
    ) -> Any:
        """Choose the messages of mine that the peer lacks and should get; newest first. Returns how many."""
        held, seen = buffers.held, buffers.seen
        last = held.shape[1] - 1
        ring = (held.shape[1] << 6) - 1
        count = 0
        first = oldest >> 6
        word = newest_word(buffers, me, (newest - 1) >> 6, first)
        while word >= first:
            place = np.uint64(word & last)
            bits = held[me, place] & ~seen[peer, place]
            while bits != _ZERO:
                bit = highest_bit(bits)
                bits ^= _ONE << np.uint64(bit)
                m = (word << 6) + bit
                score = np.float32(1.0)
                if not takes_all:
                    own = scene.source[m] == me
                    score = NO
                    for i in range(scene.tag_start[m], scene.tag_start[m + 1]):
                        score = max(score, tag_score(params, state, me, digest, desk, exchange, scene.tag[i], own))
                    if score > NO:
                        score = give(params, state, me, np.uint64(m & ring), message_of(scene, m, me), score)
                if score > NO:
                    desk.chosen[side, count] = m
                    desk.score[side, count] = score
                    count += 1
            word = newest_word(buffers, me, word - 1, first)
        return count

    @leaf
    def keep(
        params: Any,
        state: Any,
        node: Any,
        m: Any,
        note: Any,
        scene: Any,
        buffers: Any,
        notes: Any,
        oldest: Any,
        room: Any,
    ) -> Any:  # noqa: E501
        """Ask the protocol whether to carry a message that arrived or was born, and do so. Returns whether it stays."""
        ring = (buffers.held.shape[1] << 6) - 1
        message = message_of(scene, m, node)
        if not take(params, state, node, np.uint64(m & ring), message, note):
            return False
        limit = room
        if own_outside and message.own:
            limit = np.int64(2**62)
        dropped = put(buffers, node, m, oldest, limit)
        if dropped >= 0:
            notes.dropped[dropped] += 1
            notes.totals[DROPS] += 1
        return dropped != m

    @leaf
    def send(
        params: Any,
        state: Any,
        me: Any,
        peer: Any,
        m: Any,
        score: Any,
        now: Any,
        scene: Any,
        buffers: Any,
        notes: Any,
        oldest: Any,
        room: Any,
    ) -> Any:
        """One message goes over. Returns whether the peer carries it."""
        place = np.uint64((m >> 6) & (buffers.held.shape[1] - 1))
        bit = _ONE << np.uint64(m & 63)
        ring = (buffers.held.shape[1] << 6) - 1
        buffers.seen[peer, place] |= bit
        notes.copies[m] += 1
        notes.totals[FORWARDS] += 1
        if _wanted(scene, peer, m):
            i = notes.totals[DELIVERIES]
            notes.totals[DELIVERIES] = i + 1
            if i < notes.delivered_at.size:
                notes.delivered_message[i] = m
                notes.delivered_node[i] = peer
                notes.delivered_at[i] = now
        stays, note = gave(params, state, me, np.uint64(m & ring), message_of(scene, m, me), score)
        if not stays and buffers.held[me, place] & bit != _ZERO:
            let_go(buffers, me, m)
        return keep(params, state, peer, m, note, scene, buffers, notes, oldest, room)

    @leaf
    def publish(params: Any, state: Any, m: Any, scene: Any, buffers: Any, notes: Any, oldest: Any, room: Any) -> Any:
        """A message is born at its source. Returns whether it is carried."""
        source = scene.source[m]
        place = np.uint64((m >> 6) & (buffers.held.shape[1] - 1))
        buffers.seen[source, place] |= _ONE << np.uint64(m & 63)
        notes.copies[m] += 1
        return keep(params, state, source, m, 0, scene, buffers, notes, oldest, room)

    return Exchange(select, _fit, send, publish)
