"""One direction of a contact: what to send, in which order, and sending it.

`make_exchange` builds these functions around a protocol's functions, so that everything is compiled into one loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hunet.kernels import highest_bit, leaf, rare
from hunet.protocols.protocol import NO, YES, Message, Protocol, anything, as_wanted
from hunet.sim.buffers import buffer_functions, newest_word
from hunet.sim.entries import entry_functions
from hunet.sim.events import DELIVERY, DROP, FORWARD, note_event
from hunet.sim.workspace import DELIVERIES, DROPS, EXCHANGE, FORWARDS, LEAVING

__all__ = ["Exchange", "Options", "fit", "make_exchange"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@dataclass(frozen=True)
class Options:
    """What is compiled into a loop and what is left out."""

    masked: bool = True
    """Whether messages are found by their tags; where there are very many tags, tags are found by the messages."""
    mapped: bool = False
    """Whether what a protocol remembers of messages is found through a hash table."""
    mixed: bool = False
    """Whether messages end in another order than they were born in."""
    log: bool = False
    hops: bool = False
    auditor: Protocol | None = None
    """A protocol that judges what this one does."""


class Exchange(NamedTuple):
    """The functions of one direction of a contact."""

    select: Callable[..., Any]
    transfer: Callable[..., None]
    keep: Callable[..., Any]


@leaf
def _better(chosen: Any, i: Any, j: Any) -> Any:
    """Does i go before j? Higher scores first, newer messages first among equals."""
    return chosen[i].score > chosen[j].score or (
        chosen[i].score == chosen[j].score and chosen[i].message > chosen[j].message
    )


@leaf
def _swap(chosen: Any, i: Any, j: Any) -> None:
    message, score = chosen[i].message, chosen[i].score
    chosen[i].message, chosen[i].score = chosen[j].message, chosen[j].score
    chosen[j].message, chosen[j].score = message, score


@rare
def _sift(chosen: Any, root: Any, count: Any) -> None:
    """Let one entry sink to its place in a heap whose first entry is the worst."""
    while True:
        child = 2 * root + 1
        if child >= count:
            return
        if child + 1 < count and _better(chosen, child, child + 1):
            child += 1
        if not _better(chosen, root, child):
            return
        _swap(chosen, root, child)
        root = child


@rare
def fit(messages: Any, chosen: Any, count: Any, used: Any, capacity: Any) -> Any:
    """How many of the chosen messages still fit into a capacity, best first; the rest is cut off."""
    needed = used
    for i in range(count):
        needed += messages[chosen[i].message].length
    if needed <= capacity:
        return count
    for root in range(count // 2 - 1, -1, -1):  # heap sort, in place
        _sift(chosen, root, count)
    for last in range(count - 1, 0, -1):
        _swap(chosen, 0, last)
        _sift(chosen, 0, last)
    for i in range(count):
        used += messages[chosen[i].message].length
        if used > capacity:
            return i
    return count


def make_exchange(protocol: Protocol, options: Options) -> Exchange:
    """The functions of an exchange, built around the protocol's."""
    want, give, gave, take = protocol.want, protocol.give, protocol.gave, protocol.take
    takes_all = want is anything and give is as_wanted
    masked, mapped, log, count_hops = options.masked, options.mapped, options.log, options.hops
    own_matters = protocol.own_matters
    find, enter, leave = entry_functions(mapped)
    _, _, let_go, put = buffer_functions(protocol.own_outside)

    @leaf
    def ask_all(params: Any, state: Any, me: Any, digest: Any, desk: Any, words: Any, last: Any) -> Any:
        """Ask what every tag of the words' messages is worth; returns how many are worth something."""
        for i in range(desk.present.size):
            desk.present[i] = _ZERO
        for i in range(words):
            place, mask = np.uint64(desk.words[i].number & last), desk.words[i].mask
            for j in range(desk.present.size):
                desk.present[j] |= desk.tagged[place, j] & mask
        active = 0
        for i in range(desk.present.size):
            if desk.present[i] == _ZERO:
                continue
            tag = np.uint64(i)
            score = want(params, state, me, digest, tag, False)
            desk.tag[tag].score = score
            if own_matters:
                own_score = want(params, state, me, digest, tag, True)
                desk.tag[tag].own_score = own_score
                score = max(score, own_score)
            desk.tag[active].active = tag
            active += score > NO
        return active

    @leaf
    def ask(params: Any, state: Any, me: Any, digest: Any, desk: Any, tag: Any, own: Any) -> Any:
        """What a tag is worth: asked once per exchange and ownership, where it was not asked with all others."""
        if own_matters and own:
            if not masked and desk.tag[tag].own_asked != desk.cursor[EXCHANGE]:
                desk.tag[tag].own_asked = desk.cursor[EXCHANGE]
                desk.tag[tag].own_score = want(params, state, me, digest, tag, own)
            return desk.tag[tag].own_score
        if not masked and desk.tag[tag].asked != desk.cursor[EXCHANGE]:
            desk.tag[tag].asked = desk.cursor[EXCHANGE]
            desk.tag[tag].score = want(params, state, me, digest, tag, own)
        return desk.tag[tag].score

    @leaf
    def select(
        params: Any,
        state: Any,
        me: Any,
        peer: Any,
        digest: Any,
        messages: Any,
        tags: Any,
        buffers: Any,
        entries: Any,
        desk: Any,
        side: Any,
        oldest: Any,
        newest: Any,
    ) -> Any:
        """Choose the messages of mine that the peer lacks and should get; newest first. Returns how many."""
        last = buffers.held.shape[1] - 1
        first = oldest >> 6
        words = 0
        word = newest_word(buffers, me, (newest - 1) >> 6, first)
        while word >= first:
            place = np.uint64(word & last)
            bits = buffers.held[me, place] & ~buffers.seen[peer, place]
            desk.words[words].number = word
            desk.words[words].mask = bits
            words += bits != _ZERO
            word = newest_word(buffers, me, word - 1, first)
        if words == 0:
            return 0
        if masked and not takes_all:
            active = ask_all(params, state, me, digest, desk, words, last)
            if active == 0:
                return 0
            for i in range(words):
                place = np.uint64(desk.words[i].number & last)
                bits = _ZERO
                for j in range(active):
                    bits |= desk.tagged[place, desk.tag[j].active]
                desk.words[i].mask &= bits
        count = 0
        for i in range(words):
            bits = desk.words[i].mask
            base = desk.words[i].number << 6
            while bits != _ZERO:
                bit = highest_bit(bits)
                bits ^= _ONE << np.uint64(bit)
                m = base + bit
                score = YES
                if not takes_all:
                    record = messages[m]
                    own = record.source == me
                    score = NO
                    for j in range(record.tag_start, record.tag_stop):
                        score = max(score, ask(params, state, me, digest, desk, np.uint64(tags[j]), own))
                    if score > NO and give is not as_wanted:
                        message = Message(m, record.created, record.length, own)
                        score = give(params, state, me, find(entries, me, m), message, score)
                if score > NO:
                    desk.chosen[side, count].message = m
                    desk.chosen[side, count].score = score
                    count += 1
        return count

    @leaf
    def keep(
        params: Any,
        state: Any,
        node: Any,
        m: Any,
        note: Any,
        hops: Any,
        now: Any,
        messages: Any,
        buffers: Any,
        entries: Any,
        desk: Any,
        notes: Any,
        room: Any,
        oldest: Any,
        in_flight: Any,
    ) -> Any:
        """Ask the protocol whether to carry a message that arrived or was born, and do so. Returns whether it stays.

        `in_flight`: the node may yet have to send what it drops here, so its memory of that is freed later.
        """
        record = messages[m]
        own = record.source == node
        entry = enter(entries, node, m)
        if count_hops:
            entries.hops[node, entry] = hops
        if not take(params, state, node, entry, Message(m, record.created, record.length, own), note):
            leave(entries, node, m)
            return False
        dropped = put(buffers, node, m, oldest, room, own)
        if dropped >= 0:
            notes.tally[dropped].dropped += 1
            buffers.node[node].drops += 1
            notes.totals[DROPS] += 1
            if log:
                note_event(notes, now, DROP, dropped, node, -1)
            if mapped:
                if in_flight and dropped != m:
                    desk.leaving[desk.cursor[LEAVING]] = dropped
                    desk.cursor[LEAVING] += 1
                else:
                    leave(entries, node, dropped)
        return dropped != m

    @leaf
    def transfer(
        params: Any,
        state: Any,
        me: Any,
        peer: Any,
        m: Any,
        score: Any,
        now: Any,
        messages: Any,
        tags: Any,
        wants: Any,
        buffers: Any,
        entries: Any,
        desk: Any,
        notes: Any,
        room: Any,
        oldest: Any,
        in_flight: Any,
    ) -> Any:
        """One message goes over. Returns whether the peer carries it."""
        place = np.uint64((m >> 6) & (buffers.held.shape[1] - 1))
        bit = _ONE << np.uint64(m & 63)
        record = messages[m]
        entry = find(entries, me, m)
        buffers.seen[peer, place] |= bit
        notes.tally[m].copies += 1
        notes.totals[FORWARDS] += 1
        if log:
            note_event(notes, now, FORWARD, m, me, peer)
        hops = 0
        if count_hops:
            hops = entries.hops[me, entry] + 1
        wanted = False
        for i in range(record.tag_start, record.tag_stop):
            wanted |= wants[peer, tags[i]]
        if wanted:
            i = notes.totals[DELIVERIES]
            notes.totals[DELIVERIES] = i + 1
            if i < notes.deliveries.size:
                delivery = notes.deliveries[i]
                delivery.at = now
                delivery.message = m
                delivery.node = peer
                delivery.hops = hops
            if log:
                note_event(notes, now, DELIVERY, m, me, peer)
        own = record.source == me
        stays, note = gave(params, state, me, entry, Message(m, record.created, record.length, own), score)
        if not stays and buffers.held[me, place] & bit != _ZERO:
            let_go(buffers, me, m)
            leave(entries, me, m)
        return keep(
            params, state, peer, m, note, hops, now, messages, buffers, entries, desk, notes, room, oldest, in_flight
        )

    return Exchange(select, transfer, keep)
