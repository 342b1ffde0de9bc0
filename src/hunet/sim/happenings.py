"""What happens besides contacts: births of messages and changes of interest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hunet.kernels import leaf, rare
from hunet.protocols.protocol import Protocol
from hunet.sim.audit import make_audit
from hunet.sim.entries import entry_functions
from hunet.sim.events import CREATION, EXPIRY, note_event
from hunet.sim.exchange import Options
from hunet.sim.lifetimes import lifetime_functions
from hunet.sim.workspace import BIRTH, CHANGE, OLDEST

__all__ = ["Happenings", "make_happenings", "next_birth", "next_change"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Happenings(NamedTuple):
    """The functions, built around a protocol's."""

    advance: Callable[..., None]
    forget: Callable[..., None]
    change: Callable[..., None]
    publish: Callable[..., None]


@leaf
def next_change(changes: Any, cursor: Any) -> Any:
    """When interests change next; the interests at the beginning come before all."""
    i = cursor[CHANGE]
    if i < 0:
        return -np.inf
    return changes[i].at if i < changes.size else np.inf


@leaf
def next_birth(messages: Any, cursor: Any) -> Any:
    """When the next message is born."""
    i = cursor[BIRTH]
    return messages[i].created if i < messages.size else np.inf


def make_happenings(protocol: Protocol, options: Options, keep: Callable[..., Any]) -> Happenings:
    """Build the functions; `keep` is what a node does with a message that it got."""
    age, subscribe = protocol.age, protocol.subscribe
    masked, mapped, mixed, log = options.masked, options.mapped, options.mixed, options.log
    leave = entry_functions(mapped).leave
    audited = options.auditor is not None
    audit_subscribe = make_audit(protocol, options.auditor or protocol).subscribe

    @leaf
    def farewell(entries: Any, messages: Any, notes: Any, node: Any, message: Any) -> None:
        leave(entries, node, message)
        if log:
            note_event(notes, messages[message].expires, EXPIRY, message, node, -1)

    advance, forget = lifetime_functions(mixed, protocol.own_outside, farewell if mapped or log else None)

    @rare
    def change(params: Any, state: Any, changes: Any, wants: Any, cursor: Any, audit: Any) -> None:
        """The next change of interest; the first time, everybody's interests at the beginning."""
        if cursor[CHANGE] < 0:
            for i in range(wants.shape[0]):
                subscribe(params, state, np.uint32(i), wants[i])
                if audited:
                    audit_subscribe(audit, np.uint32(i), wants[i], 0.0)
        else:
            record = changes[cursor[CHANGE]]
            wants[record.node, record.tag] = record.on
            age(params, state, record.node, record.at)
            subscribe(params, state, record.node, wants[record.node])
            if audited:
                audit_subscribe(audit, record.node, wants[record.node], record.at)
        cursor[CHANGE] += 1

    @rare
    def publish(
        params: Any,
        state: Any,
        messages: Any,
        tags: Any,
        buffers: Any,
        lifetimes: Any,
        entries: Any,
        desk: Any,
        notes: Any,
        room: Any,
    ) -> None:
        """The next message is born."""
        cursor = desk.cursor
        m = cursor[BIRTH]
        record = messages[m]
        source, now = record.source, record.created
        advance(messages, lifetimes, cursor, now)
        place = np.uint64((m >> 6) & (buffers.held.shape[1] - 1))
        bit = _ONE << np.uint64(m & 63)
        if m & 63 == 0:  # the first of a word: whoever had the word before is over
            if mixed:
                lifetimes.over[place] = _ZERO
            if masked:
                for tag in range(desk.tagged.shape[1]):
                    desk.tagged[place, tag] = _ZERO
        if masked:
            for i in range(record.tag_start, record.tag_stop):
                desk.tagged[place, tags[i]] |= bit
        cursor[BIRTH] = m + 1
        forget(buffers, lifetimes, entries, messages, notes, source, cursor)
        buffers.seen[source, place] |= bit
        notes.tally[m].copies += 1
        if log:
            note_event(notes, now, CREATION, m, source, -1)
        oldest = cursor[OLDEST]
        keep(params, state, source, m, 0, 0, now, messages, buffers, entries, desk, notes, room, oldest, False)

    return Happenings(advance, forget, change, publish)
