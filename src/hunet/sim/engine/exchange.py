"""One direction of a contact: which messages are for the peer, and what happens to each that goes over.

The protocol's functions are compiled into these, one set per protocol and options.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hunet.kernels import highest_bit, leaf, lowest_bit, rare
from hunet.protocols.order import mark_leaving
from hunet.protocols.protocol import DIRECT, NO, YES, Message, Protocol, anything, as_wanted, carry, no_note
from hunet.protocols.quantities import Digest, Now, Row, Score
from hunet.protocols.wire import number_bytes
from hunet.sim.engine.arrays import DELIVERIES, ERRANDS, FORWARDS, MISTAKEN, NOTE_BYTES, OLDEST
from hunet.sim.engine.buffers import buffer_functions
from hunet.sim.engine.content_ids import seems_seen
from hunet.sim.engine.entries import entry_functions
from hunet.sim.engine.event_log import DELIVERY, DROP, FORWARD, RELEASE, log_event

__all__ = ["Exchange", "Options", "make_exchange"]

_ZERO, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)


@dataclass(frozen=True)
class Options:
    """What is compiled into a loop and what is left out."""

    mapped: bool = False
    """Whether what a protocol remembers of messages is found through a hash table."""
    skewed: bool = False
    """Whether clocks differ."""
    fair: bool = False
    """Whether a full buffer looks first for the author with most messages in it."""
    own_outside: bool = False
    """Whether a node's own messages lie outside its buffer."""
    hashed: bool = False
    """Whether messages are told apart by hashes of their content."""
    lasting: bool = False
    """Whether messages move over contacts while they last (contact model `continuous`)."""
    log: bool = False
    hops: bool = False
    accounts: bool = False
    """Whether to add up what digests would cost in every encoding."""
    auditor: Protocol | None = None
    """A protocol that judges what this one does."""


class Exchange(NamedTuple):
    """The functions of one direction of a contact."""

    weigh: Callable[..., None]
    score: Callable[..., Any]
    select: Callable[..., Any]
    transfer: Callable[..., None]
    pass_errand: Callable[..., None]
    describe: Callable[..., Any]
    on_clock: Callable[..., Any]
    keep: Callable[..., None]
    trim: Callable[..., None]


class Times(NamedTuple):
    """How nodes see time."""

    on_clock: Callable[..., Any]
    """host, node, seconds -> the same on the node's own clock"""
    describe: Callable[..., Any]
    """host, node, message, peer, known -> the Message as a protocol sees it there"""


def times_of(skewed: bool) -> Times:
    """Whether every node has a clock of its own, or all have one."""

    @leaf
    def on_clock(host: Any, node: Row, seconds: Any) -> Any:
        return seconds + host.clocks[node] if skewed else seconds

    @leaf
    def describe(host: Any, me: Row, m: Any, peer: Row, known: Any) -> Any:
        record = host.messages[m]
        created, expires = on_clock(host, me, record.created), on_clock(host, me, record.expires)
        return _described(host, me, m, record, created, expires, peer, known)

    return Times(on_clock, describe)


@leaf
def _described(host: Any, me: Row, m: Any, record: Any, created: Any, expires: Any, peer: Row, known: Any) -> Any:
    return Message(
        m,
        created,
        expires,
        record.length,
        record.source == me,
        record.source,
        host.tags,
        record.tag_start,
        record.tag_stop,
        peer,
        known,
    )


@leaf
def tagged_with(scratch: Any, place: Any, tags: Any) -> Any:
    """Which messages of a word have one of these tags."""
    bits = _ZERO
    while tags != _ZERO:
        bits |= scratch.tagged[place, lowest_bit(tags)]
        tags &= tags - _ONE
    return bits


def make_exchange(protocol: Protocol, options: Options) -> Exchange:
    """The functions of an exchange, built around the protocol's."""
    read, want, give = protocol.read, protocol.want, protocol.give
    note_of, take, gave = protocol.note, protocol.take, protocol.gave
    noted = note_of is not no_note
    all_alike, any_message = want is anything, give is as_wanted
    mapped, log, count_hops, hashed = options.mapped, options.log, options.hops, options.hashed
    own_matters, errands = asks_for_own(want), protocol.errands
    on_clock, describe = times_of(options.skewed)
    ranked, fair = protocol.rank is not None, options.fair
    rank: Callable[..., Any] = protocol.rank or carry
    can_wait = protocol.waits is not None
    waits: Callable[..., Any] = protocol.waits or carry
    find, enter, leave = entry_functions(mapped)
    _, _, oldest_word, remove, put = buffer_functions(options.own_outside)

    @rare
    def weigh(params: Any, digest_a: Digest, digest_b: Digest, scratch: Any) -> None:
        """What messages with each tag are worth, in both directions."""
        tags = scratch.tagged.shape[1]
        for side in range(2):
            for tag in range(tags):
                scratch.reading[side, tag] = read(params, digest_a if side == 0 else digest_b, np.uint64(tag))
        for side in range(2):
            worth_it, wanted = _ZERO, _ZERO
            for tag in range(tags):
                mine, theirs = scratch.reading[side, tag], scratch.reading[1 - side, tag]
                score = want(params, mine, theirs, False)
                scratch.score[side, tag] = score
                if own_matters:
                    own_score = want(params, mine, theirs, True)
                    scratch.own_score[side, tag] = own_score
                    score = max(score, own_score)
                worth_it |= np.uint64(score > NO) << np.uint64(tag)
                wanted |= np.uint64(score >= DIRECT) << np.uint64(tag)
            scratch.worth_it[side] = worth_it
            scratch.wanted[side] = wanted

    @leaf
    def weighed(scratch: Any, side: Any, tags: Any, record: Any, own: bool) -> Any:
        """What a message is worth, once tags are weighed."""
        score = NO
        for i in range(record.tag_start, record.tag_stop):
            tag = np.uint64(tags[i])
            if own_matters and own:
                score = max(score, scratch.own_score[side, tag])
            else:
                score = max(score, scratch.score[side, tag])
        return score

    @leaf
    def score(params: Any, told: Digest, heard: Digest, tags: Any, record: Any, own: bool) -> Any:
        """What a message is worth by what I told and what I heard: the most that any of its tags is."""
        best = NO
        for i in range(record.tag_start, record.tag_stop):
            tag = np.uint64(tags[i])
            best = max(best, want(params, read(params, told, tag), read(params, heard, tag), own))
        return best

    @rare
    def select(
        params: Any,
        state: Any,
        host: Any,
        me: Row,
        peer: Row,
        told: Digest,
        heard: Digest,
        side: Any,
        words: Any,
        by_tag: Any,
    ) -> Any:
        """Choose among the messages the peer lacks; newest first. Returns how many are chosen."""
        scratch, messages, tags = host.scratch, host.messages, host.tags
        if by_tag and not errands:
            worth_it = scratch.worth_it[side]
            if worth_it == _ZERO:
                return 0
            all_tags = worth_it == _ALL >> np.uint64(64 - scratch.tagged.shape[1])
            if can_wait or not all_tags:
                for i in range(words):
                    place = np.uint64(scratch.words[side, i].number & (scratch.tagged.shape[0] - 1))
                    bits = scratch.words[side, i].mask
                    if can_wait:
                        waiting = bits & host.buffers.waiting[me, place]
                        if waiting != _ZERO:
                            bits ^= waiting & ~tagged_with(scratch, place, scratch.wanted[side])
                    if not all_tags:
                        bits &= tagged_with(scratch, place, worth_it)
                    scratch.words[side, i].mask = bits
        count = 0
        for i in range(words):
            bits = scratch.words[side, i].mask
            base = scratch.words[side, i].number << 6
            known = _ZERO
            if errands:
                known = host.buffers.seen[
                    peer, np.uint64(scratch.words[side, i].number & (host.buffers.held.shape[1] - 1))
                ]
            while bits != _ZERO:
                bit = highest_bit(bits)
                bits ^= _ONE << np.uint64(bit)
                m = base + bit
                worth = YES
                record = messages[m]
                own = record.source == me
                if not all_alike:
                    if by_tag:
                        worth = weighed(scratch, side, tags, record, own)
                    else:
                        worth = score(params, told, heard, tags, record, own)
                is_known = (known >> np.uint64(bit)) & _ONE != _ZERO
                if errands and is_known:
                    worth = NO
                if not any_message and (errands or worth > NO):
                    message = describe(host, me, m, peer, is_known)
                    worth = give(params, state, me, find(host.entries, me, m), message, worth, heard)
                if worth > NO:
                    scratch.chosen[side, count].message = m
                    scratch.chosen[side, count].length = record.length
                    scratch.chosen[side, count].score = worth
                    if errands:
                        scratch.chosen[side, count].known = is_known
                        if is_known:  # no payload goes over
                            scratch.chosen[side, count].length = 0
                    count += 1
        return count

    @leaf
    def note_waiting(params: Any, state: Any, host: Any, node: Row, entry: Any, message: Any) -> None:
        """Ask the protocol whether a copy waits from now on."""
        waiting, m = host.buffers.waiting, message.number
        place = np.uint64((m >> 6) & (waiting.shape[1] - 1))
        bit = _ONE << np.uint64(m & 63)
        if waits(params, state, node, entry, message):
            waiting[node, place] |= bit
        else:
            waiting[node, place] &= ~bit

    @leaf
    def keep(params: Any, state: Any, host: Any, node: Row, peer: Row, m: Any, note: Any, hops: Any, now: Now) -> None:
        """Ask the protocol whether to carry a message that arrived or was born, and do so."""
        entry = enter(host.entries, node, m)
        if count_hops:
            host.entries.hops[node, entry] = hops
        message = describe(host, node, m, peer, False)
        if take(params, state, node, entry, message, note):
            put(host.buffers, node, m, message.own)
            if can_wait:
                note_waiting(params, state, host, node, entry, message)
        else:
            leave(host.entries, node, m)
            if log:
                log_event(host.results, now, RELEASE, m, node, -1)

    part_with = make_parting(protocol, find, leave, describe)

    @leaf
    def drop(params: Any, state: Any, host: Any, node: Row, m: Any, now: Now) -> None:
        """One message leaves a buffer that is too full; its bit is the caller's business."""
        part_with(params, state, host, node, m, True)
        host.results.tally[m].dropped += 1
        if log:
            log_event(host.results, now, DROP, m, node, -1)

    @rare
    def drop_oldest(params: Any, state: Any, host: Any, node: Row, excess: Any, now: Now) -> None:
        """The rule of `protocols.order` where nothing but age counts: messages lie in that order."""
        buffers = host.buffers
        word = np.int64(host.scratch.cursor[OLDEST] >> 6)
        while excess > 0:
            word, bits = oldest_word(buffers, node, word)
            gone = _ZERO
            while bits != _ZERO and excess > 0:
                drop(params, state, host, node, (word << 6) + lowest_bit(bits), now)
                gone |= bits & -bits
                bits &= bits - _ONE
                excess -= 1
            remove(buffers, node, np.uint64(word & (buffers.held.shape[1] - 1)), gone)

    @rare
    def drop_by_rank(params: Any, state: Any, host: Any, node: Row, excess: Any, now: Now) -> None:
        """The same by rank, or by author and rank."""
        buffers, held = host.buffers, host.scratch.held
        last = buffers.held.shape[1] - 1
        count, left = 0, buffers.node[node].count
        word = np.int64(host.scratch.cursor[OLDEST] >> 6)
        while left > 0:
            word, bits = oldest_word(buffers, node, word)
            while bits != _ZERO:
                m = (word << 6) + lowest_bit(bits)
                bits &= bits - _ONE
                left -= 1
                held[count].message, held[count].author, held[count].worth = m, host.messages[m].source, NO
                if ranked:
                    message = describe(host, node, m, node, False)
                    held[count].worth = rank(params, state, node, find(host.entries, node, m), message)
                count += 1
            word += 1
        mark_leaving(held, count, excess, fair)
        for i in range(count):
            if held[i].leaves:
                m = held[i].message
                drop(params, state, host, node, m, now)
                remove(buffers, node, np.uint64((m >> 6) & last), _ONE << np.uint64(m & 63))

    drop_excess = drop_by_rank if ranked or fair else drop_oldest

    @leaf
    def trim(params: Any, state: Any, host: Any, node: Row, now: Now) -> None:
        """A buffer that is too full drops what is due."""
        excess = host.buffers.node[node].count - host.limits.room
        if excess > 0:
            host.buffers.node[node].drops += excess
            drop_excess(params, state, host, node, excess, now)

    @leaf
    def transfer(
        params: Any, state: Any, host: Any, me: Row, peer: Row, m: Any, worth: Score, heard: Digest, now: Now
    ) -> None:
        """One message goes over, unless the peer takes it for one that it has seen."""
        buffers, results = host.buffers, host.results
        if hashed and seems_seen(host, peer, m):
            results.totals[MISTAKEN] += 1
            return
        place = np.uint64((m >> 6) & (buffers.held.shape[1] - 1))
        bit = _ONE << np.uint64(m & 63)
        record = host.messages[m]
        entry = find(host.entries, me, m)
        buffers.seen[peer, place] |= bit
        results.totals[FORWARDS] += 1
        results.tally[m].copies += 1
        if log:
            log_event(results, now, FORWARD, m, me, peer)
        hops = 0
        if count_hops:
            hops = host.entries.hops[me, entry] + 1
        wanted = False
        for i in range(record.tag_start, record.tag_stop):
            wanted |= host.wants[peer, host.tags[i]] != 0
        if wanted:
            i = results.totals[DELIVERIES]
            results.totals[DELIVERIES] = i + 1
            if i < results.deliveries.size:
                delivery = results.deliveries[i]
                delivery.at = now
                delivery.message = m
                delivery.node = peer
                delivery.hops = hops
            if log:
                log_event(results, now, DELIVERY, m, me, peer)
        message = describe(host, me, m, peer, False)
        note = note_of(params, state, me, entry, message, worth, heard)
        if noted:
            results.totals[NOTE_BYTES] += number_bytes(note)
        keep(params, state, host, peer, me, m, note, hops, now)
        if not gave(params, state, me, entry, message, worth, note, heard):
            remove(buffers, me, place, bit)
            leave(host.entries, me, m)
            if log:
                log_event(results, now, RELEASE, m, me, -1)
        elif can_wait:
            note_waiting(params, state, host, me, entry, message)

    @leaf
    def pass_errand(
        params: Any, state: Any, host: Any, me: Row, peer: Row, m: Any, worth: Score, heard: Digest
    ) -> None:
        """The peer holds the message already, and gets a further errand for it."""
        entry, peer_entry = find(host.entries, me, m), find(host.entries, peer, m)
        host.results.totals[ERRANDS] += 1
        message = describe(host, me, m, peer, True)
        note = note_of(params, state, me, entry, message, worth, heard)
        if noted:
            host.results.totals[NOTE_BYTES] += number_bytes(note)
        take(params, state, peer, peer_entry, describe(host, peer, m, me, True), note)
        gave(params, state, me, entry, message, worth, note, heard)

    return Exchange(weigh, score, select, transfer, pass_errand, describe, on_clock, keep, trim)


def make_parting(
    protocol: Protocol, find: Callable[..., Any], leave: Callable[..., None], describe: Callable[..., Any]
) -> Callable[..., None]:
    """What happens at a node that loses its copy: the protocol is told, and forgets it."""
    told, lost = protocol.lost is not None, protocol.lost or carry

    @leaf
    def part_with(params: Any, state: Any, host: Any, node: Row, m: Any, dropped: Any) -> None:
        if told:
            entry = find(host.entries, node, m)
            lost(params, state, node, entry, describe(host, node, m, node, False), dropped)
        leave(host.entries, node, m)

    return part_with


def asks_for_own(want: Callable[..., Any]) -> bool:
    """Whether a protocol's `want` looks at whose message it is; if not, it is asked half as often."""
    code = inspect.unwrap(want).__code__
    own = code.co_varnames[3]
    return any(own in np.atleast_1d(step.argval) for step in dis.get_instructions(code))
