"""One direction of a contact: which messages are for the peer, and what happens to each that goes over.

The protocol's functions are compiled into these, one set per protocol and options.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hunet.kernels import highest_bit, leaf, lowest_bit, rare
from hunet.protocols.protocol import NO, YES, Message, Protocol, anything, as_wanted
from hunet.sim.engine.arrays import DELIVERIES, ERRANDS, FORWARDS, OLDEST
from hunet.sim.engine.buffers import buffer_functions
from hunet.sim.engine.entries import entry_functions
from hunet.sim.engine.event_log import DELIVERY, DROP, FORWARD, log_event

__all__ = ["Exchange", "Options", "bytes_of", "describe", "fit", "make_exchange"]

_ZERO, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)


@dataclass(frozen=True)
class Options:
    """What is compiled into a loop and what is left out."""

    masked: bool = True
    """Whether messages can be found by their tags; where there are very many tags, they cannot."""
    mapped: bool = False
    """Whether what a protocol remembers of messages is found through a hash table."""
    mixed: bool = False
    """Whether messages end in another order than they were born in."""
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
    keep: Callable[..., None]
    trim: Callable[..., None]


@leaf
def _better(chosen: Any, i: Any, j: Any) -> Any:
    """Does i go before j? Higher scores first, newer messages first among equals."""
    return chosen[i].score > chosen[j].score or (
        chosen[i].score == chosen[j].score and chosen[i].message > chosen[j].message
    )


@leaf
def _swap(chosen: Any, i: Any, j: Any) -> None:
    message, score, known = chosen[i].message, chosen[i].score, chosen[i].known
    chosen[i].message, chosen[i].score, chosen[i].known = chosen[j].message, chosen[j].score, chosen[j].known
    chosen[j].message, chosen[j].score, chosen[j].known = message, score, known


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


@leaf
def bytes_of(messages: Any, choice: Any) -> Any:
    """What a chosen message takes of a contact's capacity."""
    return 0 if choice.known else messages[choice.message].length


@rare
def _sort(chosen: Any, count: Any) -> None:
    """Best first: heap sort, in place."""
    for root in range(count // 2 - 1, -1, -1):
        _sift(chosen, root, count)
    for last in range(count - 1, 0, -1):
        _swap(chosen, 0, last)
        _sift(chosen, 0, last)


@rare
def fit(messages: Any, chosen: Any, counts: Any, only: Any, used: Any, capacity: Any) -> None:
    """Cut off what does not fit into a capacity: best first, one message each way in turn, until one fails.

    `counts` says how many messages are chosen in each direction, and then how many of these go over. With `only` a
    direction has the capacity to itself; -1: both share it. What takes no capacity always goes over.
    """
    needed = used
    for side in range(2):
        if only < 0 or side == only:
            for i in range(counts[side]):
                needed += bytes_of(messages, chosen[side, i])
    if needed <= capacity:
        return
    most = 0
    for side in range(2):
        if only < 0 or side == only:
            _sort(chosen[side], counts[side])
            most = max(most, counts[side])
    kept_a, kept_b = 0, 0
    for turn in range(2 * most):
        side, i = turn & 1, turn >> 1
        if i < counts[side] and (only < 0 or side == only):
            needed = bytes_of(messages, chosen[side, i])
            used += needed  # half a message is lost, and so is the time it took
            if needed == 0 or used <= capacity:
                _swap(chosen[side], kept_a if side == 0 else kept_b, i)
                kept_a, kept_b = kept_a + (1 - side), kept_b + side
    if only != 1:
        counts[0] = kept_a
    if only != 0:
        counts[1] = kept_b


@leaf
def describe(host: Any, me: Any, m: Any, peer: Any, known: Any) -> Any:
    """A message as a protocol sees it at one end."""
    record = host.messages[m]
    return Message(
        m,
        record.created,
        record.length,
        record.source == me,
        record.source,
        host.tags,
        record.tag_start,
        record.tag_stop,
        peer,
        known,
    )


def make_exchange(protocol: Protocol, options: Options) -> Exchange:
    """The functions of an exchange, built around the protocol's."""
    read, want, give, gave, take = protocol.read, protocol.want, protocol.give, protocol.gave, protocol.take
    all_alike, any_message = want is anything, give is as_wanted
    masked, mapped, log, count_hops = options.masked, options.mapped, options.log, options.hops
    own_matters, errands = protocol.own_matters, protocol.errands
    find, enter, leave = entry_functions(mapped)
    _, _, oldest_word, remove, put = buffer_functions(protocol.own_outside)

    @leaf
    def weigh(params: Any, digest_a: Any, digest_b: Any, scratch: Any) -> None:
        """What messages with each tag are worth, in both directions."""
        tags = scratch.tagged.shape[1]
        for side in range(2):
            for tag in range(tags):
                scratch.reading[side, tag] = read(params, digest_a if side == 0 else digest_b, np.uint64(tag))
        for side in range(2):
            worth_it = _ZERO
            for tag in range(tags):
                mine, theirs = scratch.reading[side, tag], scratch.reading[1 - side, tag]
                score = want(params, mine, theirs, False)
                scratch.score[side, tag] = score
                if own_matters:
                    own_score = want(params, mine, theirs, True)
                    scratch.own_score[side, tag] = own_score
                    score = max(score, own_score)
                worth_it |= np.uint64(score > NO) << np.uint64(tag)
            scratch.worth_it[side] = worth_it

    @leaf
    def weighed(scratch: Any, side: Any, tags: Any, record: Any, own: Any) -> Any:
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
    def score(params: Any, told: Any, heard: Any, tags: Any, record: Any, own: Any) -> Any:
        """What a message is worth by what I told and what I heard: the most that any of its tags is."""
        best = NO
        for i in range(record.tag_start, record.tag_stop):
            tag = np.uint64(tags[i])
            best = max(best, want(params, read(params, told, tag), read(params, heard, tag), own))
        return best

    @leaf
    def select(
        params: Any,
        state: Any,
        host: Any,
        me: Any,
        peer: Any,
        told: Any,
        heard: Any,
        side: Any,
        words: Any,
        by_tag: Any,
    ) -> Any:
        """Choose among the messages the peer lacks; newest first. Returns how many are chosen."""
        scratch, messages, tags = host.scratch, host.messages, host.tags
        if masked and by_tag and not errands:
            worth_it = scratch.worth_it[side]
            if worth_it == _ZERO:
                return 0
            if worth_it != _ALL >> np.uint64(64 - scratch.tagged.shape[1]):
                for i in range(words):
                    place = np.uint64(scratch.words[side, i].number & (scratch.tagged.shape[0] - 1))
                    bits, left = _ZERO, worth_it
                    while left != _ZERO:
                        bits |= scratch.tagged[place, lowest_bit(left)]
                        left &= left - _ONE
                    scratch.words[side, i].mask &= bits
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
                    if masked and by_tag:
                        worth = weighed(scratch, side, tags, record, own)
                    else:
                        worth = score(params, told, heard, tags, record, own)
                is_known = (known >> np.uint64(bit)) & _ONE != _ZERO
                if errands and is_known:
                    worth = NO
                if not any_message and (errands or worth > NO):
                    message = describe(host, me, m, peer, is_known)
                    worth = give(params, state, me, find(host.entries, me, m), message, worth)
                if worth > NO:
                    scratch.chosen[side, count].message = m
                    scratch.chosen[side, count].score = worth
                    if errands:
                        scratch.chosen[side, count].known = is_known
                    count += 1
        return count

    @leaf
    def keep(params: Any, state: Any, host: Any, node: Any, peer: Any, m: Any, note: Any, hops: Any) -> None:
        """Ask the protocol whether to carry a message that arrived or was born, and do so."""
        entry = enter(host.entries, node, m)
        if count_hops:
            host.entries.hops[node, entry] = hops
        message = describe(host, node, m, peer, False)
        if take(params, state, node, entry, message, note):
            put(host.buffers, node, m, message.own)
        else:
            leave(host.entries, node, m)

    @leaf
    def trim(host: Any, node: Any, now: Any) -> None:
        """A buffer that is too full drops its oldest."""
        buffers, results = host.buffers, host.results
        excess = buffers.node[node].count - host.limits.room
        if excess <= 0:
            return
        buffers.node[node].drops += excess
        word = np.int64(host.scratch.cursor[OLDEST] >> 6)
        while excess > 0:
            word, bits = oldest_word(buffers, node, word)
            gone = _ZERO
            while bits != _ZERO and excess > 0:
                dropped = (word << 6) + lowest_bit(bits)
                gone |= bits & -bits
                bits &= bits - _ONE
                excess -= 1
                leave(host.entries, node, dropped)
                results.tally[dropped].dropped += 1
                if log:
                    log_event(results, now, DROP, dropped, node, -1)
            remove(buffers, node, np.uint64(word & (buffers.held.shape[1] - 1)), gone)

    @leaf
    def transfer(params: Any, state: Any, host: Any, me: Any, peer: Any, m: Any, worth: Any, now: Any) -> None:
        """One message goes over."""
        buffers, results = host.buffers, host.results
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
        stays, note = gave(params, state, me, entry, describe(host, me, m, peer, False), worth)
        if not stays:
            remove(buffers, me, place, bit)
            leave(host.entries, me, m)
        keep(params, state, host, peer, me, m, note, hops)

    @leaf
    def pass_errand(params: Any, state: Any, host: Any, me: Any, peer: Any, m: Any, worth: Any) -> None:
        """The peer holds the message already, and gets a further errand for it."""
        entry, peer_entry = find(host.entries, me, m), find(host.entries, peer, m)
        host.results.totals[ERRANDS] += 1
        _, note = gave(params, state, me, entry, describe(host, me, m, peer, True), worth)
        take(params, state, peer, peer_entry, describe(host, peer, m, me, True), note)

    return Exchange(weigh, score, select, transfer, pass_errand, keep, trim)
