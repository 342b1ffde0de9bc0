"""What happens besides contacts: messages are born, interests change, and what is over is forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hunet.kernels import leaf, rare
from hunet.protocols.protocol import Protocol
from hunet.protocols.quantities import Row
from hunet.sim.engine.arrays import BIRTH, CHANGE
from hunet.sim.engine.audit import make_audit
from hunet.sim.engine.entries import entry_functions
from hunet.sim.engine.event_log import CREATION, EXPIRY, log_event
from hunet.sim.engine.exchange import Exchange, Options, make_parting
from hunet.sim.engine.lifetimes import lifetime_functions

__all__ = ["Births", "make_births", "next_birth", "next_change"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Births(NamedTuple):
    """The functions, built around a protocol's."""

    advance: Callable[..., None]
    forget: Callable[..., None]
    change: Callable[..., None]
    publish: Callable[..., None]


@leaf
def next_change(host: Any) -> Any:
    """When interests change next; the interests at the beginning come before all."""
    changes, i = host.changes, host.scratch.cursor[CHANGE]
    if i < 0:
        return -np.inf
    return changes[i].at if i < changes.size else np.inf


@leaf
def next_birth(host: Any) -> Any:
    """When the next message is born."""
    messages, i = host.messages, host.scratch.cursor[BIRTH]
    return messages[i].created if i < messages.size else np.inf


def make_births(protocol: Protocol, options: Options, exchange: Exchange) -> Births:
    """Build the functions; a message that is born is kept like one that arrives."""
    age, subscribe = protocol.age, protocol.subscribe
    mapped, log = options.mapped, options.log
    keep, trim, on_clock = exchange.keep, exchange.trim, exchange.on_clock
    find, _, leave = entry_functions(mapped)
    part_with = make_parting(protocol, find, leave, exchange.describe)
    audited = options.auditor is not None
    audit_subscribe = make_audit(protocol, options.auditor or protocol).subscribe

    @leaf
    def farewell(params: Any, state: Any, host: Any, node: Row, message: Any) -> None:
        part_with(params, state, host, node, message, False)
        if log:
            log_event(host.results, host.messages[message].expires, EXPIRY, message, node, -1)

    told = protocol.lost is not None
    advance, forget = lifetime_functions(options.own_outside, farewell if mapped or log or told else None)

    @rare
    def change(params: Any, state: Any, host: Any) -> None:
        """The next change of interest; the first time, everybody's interests at the beginning."""
        wants, interests, cursor = host.wants, host.scratch.interests, host.scratch.cursor
        if cursor[CHANGE] < 0:
            first, stop, now = np.int64(0), np.int64(wants.shape[0]), 0.0
        else:
            record = host.changes[cursor[CHANGE]]
            wants[record.node, record.tag] = record.to
            first, stop, now = np.int64(record.node), np.int64(record.node) + 1, record.at
        for i in range(first, stop):
            node = np.uint32(i)
            for tag in range(interests.size):
                interests[tag] = host.interests[wants[node, tag]]
                interests[tag].until = on_clock(host, node, interests[tag].until)
            age(params, state, node, on_clock(host, node, now))
            subscribe(params, state, node, interests)
            if audited:
                audit_subscribe(host.audit, node, interests, on_clock(host, node, now))
        cursor[CHANGE] += 1

    @rare
    def publish(params: Any, state: Any, host: Any) -> None:
        """The next message is born."""
        scratch, buffers, results = host.scratch, host.buffers, host.results
        m = scratch.cursor[BIRTH]
        record = host.messages[m]
        source, now = record.source, record.created
        advance(host, now)
        place = np.uint64((m >> 6) & (buffers.held.shape[1] - 1))
        bit = _ONE << np.uint64(m & 63)
        if m & 63 == 0:  # the first of a word: whoever had the word before is over
            if host.lifetimes.over.size > 0:
                host.lifetimes.over[place] = _ZERO
            for tag in range(scratch.tagged.shape[1]):
                scratch.tagged[place, tag] = _ZERO
        if scratch.tagged.size > 0:
            for i in range(record.tag_start, record.tag_stop):
                scratch.tagged[place, host.tags[i]] |= bit
        scratch.cursor[BIRTH] = m + 1
        forget(params, state, host, source)
        buffers.seen[source, place] |= bit
        results.tally[m].copies += 1
        if log:
            log_event(results, now, CREATION, m, source, -1)
        keep(params, state, host, source, source, m, 0, 0, now)
        trim(params, state, host, source, now)

    return Births(advance, forget, change, publish)
