"""What happens besides contacts: births of messages and changes of interest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hunet.kernels import leaf
from hunet.protocols.protocol import Protocol
from hunet.sim.engine.arrays import BIRTH, CHANGE
from hunet.sim.engine.audit import make_audit
from hunet.sim.engine.entries import entry_functions
from hunet.sim.engine.event_log import CREATION, EXPIRY, note_event
from hunet.sim.engine.exchange import Exchange, Options
from hunet.sim.engine.lifetimes import lifetime_functions

__all__ = ["Happenings", "make_happenings", "next_birth", "next_change"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Happenings(NamedTuple):
    """The functions, built around a protocol's."""

    advance: Callable[..., None]
    forget: Callable[..., None]
    change: Callable[..., None]
    publish: Callable[..., None]


@leaf
def next_change(stage: Any) -> Any:
    """When interests change next; the interests at the beginning come before all."""
    changes, i = stage.changes, stage.desk.cursor[CHANGE]
    if i < 0:
        return -np.inf
    return changes[i].at if i < changes.size else np.inf


@leaf
def next_birth(stage: Any) -> Any:
    """When the next message is born."""
    messages, i = stage.messages, stage.desk.cursor[BIRTH]
    return messages[i].created if i < messages.size else np.inf


def make_happenings(protocol: Protocol, options: Options, exchange: Exchange) -> Happenings:
    """Build the functions; a message that is born is kept like one that arrives."""
    age, subscribe = protocol.age, protocol.subscribe
    masked, mapped, mixed, log = options.masked, options.mapped, options.mixed, options.log
    leave, keep, trim = entry_functions(mapped).leave, exchange.keep, exchange.trim
    audited = options.auditor is not None
    audit_subscribe = make_audit(protocol, options.auditor or protocol).subscribe

    @leaf
    def farewell(stage: Any, node: Any, message: Any) -> None:
        leave(stage.entries, node, message)
        if log:
            note_event(stage.notes, stage.messages[message].expires, EXPIRY, message, node, -1)

    advance, forget = lifetime_functions(mixed, protocol.own_outside, farewell if mapped or log else None)

    @leaf
    def change(params: Any, state: Any, stage: Any) -> None:
        """The next change of interest; the first time, everybody's interests at the beginning."""
        wants, interests, cursor = stage.wants, stage.desk.interests, stage.desk.cursor
        if cursor[CHANGE] < 0:
            first, stop, now = np.int64(0), np.int64(wants.shape[0]), 0.0
        else:
            record = stage.changes[cursor[CHANGE]]
            wants[record.node, record.tag] = record.to
            first, stop, now = np.int64(record.node), np.int64(record.node) + 1, record.at
        for i in range(first, stop):
            node = np.uint32(i)
            for tag in range(interests.size):
                interests[tag] = stage.interests[wants[node, tag]]
            age(params, state, node, now)
            subscribe(params, state, node, interests)
            if audited:
                audit_subscribe(stage.audit, node, interests, now)
        cursor[CHANGE] += 1

    @leaf
    def publish(params: Any, state: Any, stage: Any) -> None:
        """The next message is born."""
        desk, buffers, notes = stage.desk, stage.buffers, stage.notes
        m = desk.cursor[BIRTH]
        record = stage.messages[m]
        source, now = record.source, record.created
        advance(stage, now)
        place = np.uint64((m >> 6) & (buffers.held.shape[1] - 1))
        bit = _ONE << np.uint64(m & 63)
        if m & 63 == 0:  # the first of a word: whoever had the word before is over
            if mixed:
                stage.lifetimes.over[place] = _ZERO
            if masked:
                for tag in range(desk.tagged.shape[1]):
                    desk.tagged[place, tag] = _ZERO
        if masked:
            for i in range(record.tag_start, record.tag_stop):
                desk.tagged[place, stage.tags[i]] |= bit
        desk.cursor[BIRTH] = m + 1
        forget(stage, source)
        buffers.seen[source, place] |= bit
        notes.tally[m].copies += 1
        if log:
            note_event(notes, now, CREATION, m, source, -1)
        keep(params, state, stage, source, source, m, 0, 0)
        trim(stage, source, now)

    return Happenings(advance, forget, change, publish)
