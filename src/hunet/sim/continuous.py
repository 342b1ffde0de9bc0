"""The contact model `continuous`: what is born or received while a contact lasts moves at once over it.

A contact begins as in the model `start`. From then on every message that one end gets is offered to the other, decided
by the digest of the contact's start: as The ONE does, and as a live node does. A message spreads over all that is
open, breadth first and over older contacts first, before the next one does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hunet.kernels import leaf, loop, rare
from hunet.protocols.protocol import NO, Message, Protocol
from hunet.sim.contact import make_contact
from hunet.sim.entries import entry_functions
from hunet.sim.exchange import Options, make_exchange
from hunet.sim.happenings import make_happenings, next_birth, next_change
from hunet.sim.links import CLOSED, close_link, open_link
from hunet.sim.workspace import BIRTH, CHOSEN, CONTACT, OLDEST, TOLD

__all__ = ["make_continuous_loop"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


def make_continuous_loop(protocol: Protocol, options: Options) -> Callable[..., None]:
    """The compiled event loop for one protocol."""
    exchange = make_exchange(protocol, options)
    advance, forget, change, publish = make_happenings(protocol, options, exchange.keep)
    run_contact = make_contact(protocol, options, exchange, forget)
    log = options.log

    age, want, give = protocol.age, protocol.want, protocol.give
    transfer, find = exchange.transfer, entry_functions(options.mapped).find

    @leaf
    def next_end(links: Any, contacts: Any) -> Any:
        """When the next contact ends."""
        i = links.passed[1]
        return contacts.end[links.ending[i]] if i < links.ending.size else np.inf

    @rare
    def spread(
        params: Any,
        state: Any,
        digest: Any,
        row: Any,
        links: Any,
        node: Any,
        m: Any,
        now: Any,
        messages: Any,
        tags: Any,
        wants: Any,
        buffers: Any,
        lifetimes: Any,
        entries: Any,
        desk: Any,
        notes: Any,
        room: Any,
    ) -> None:
        """A node got a message: over its open contacts, and on from there. `digest` and `row` are scratch."""
        place = np.uint64((m >> 6) & (buffers.held.shape[1] - 1))
        bit = _ONE << np.uint64(m & 63)
        record = messages[m]
        links.queue[0] = node
        waiting, done = 1, 0
        while done < waiting:
            me = links.queue[done]
            done += 1
            end = links.first[me]
            while end != CLOSED:
                other = end ^ 1
                peer = links.node[other]
                if buffers.held[me, place] & bit == _ZERO:
                    break
                forget(buffers, lifetimes, entries, messages, notes, peer, desk.cursor)
                if buffers.seen[peer, place] & bit == _ZERO:
                    age(params, state, me, now)
                    for i in range(row.size):
                        row[i] = links.told[other, i]
                    own = record.source == me
                    score = NO
                    for i in range(record.tag_start, record.tag_stop):
                        score = max(score, want(params, state, me, digest, np.uint64(tags[i]), own))
                    if score > NO:
                        message = Message(m, record.created, record.length, own)
                        score = give(params, state, me, find(entries, me, m), message, score)
                    if score > NO and links.used[end] + record.length <= links.left[end]:
                        links.used[end] += record.length
                        if transfer(
                            params,
                            state,
                            me,
                            peer,
                            m,
                            score,
                            now,
                            messages,
                            tags,
                            wants,
                            buffers,
                            entries,
                            desk,
                            notes,
                            room,
                            desk.cursor[OLDEST],
                            False,
                        ):
                            links.queue[waiting] = peer
                            waiting += 1
                end = links.newer[end]

    @rare
    def until(
        params: Any,
        state: Any,
        digest: Any,
        row: Any,
        links: Any,
        contacts: Any,
        messages: Any,
        tags: Any,
        changes: Any,
        wants: Any,
        buffers: Any,
        lifetimes: Any,
        entries: Any,
        desk: Any,
        notes: Any,
        room: Any,
        now: Any,
        audit: Any,
    ) -> None:
        """Everything before the contacts of `now`: changes of interest first, then births, then ends of contacts."""
        cursor = desk.cursor
        while True:
            changed = next_change(changes, cursor)
            born = next_birth(messages, cursor)
            ended = next_end(links, contacts)
            if changed <= now and changed <= min(born, ended):
                change(params, state, changes, wants, cursor, audit)
            elif born <= now and born <= ended:
                publish(params, state, messages, tags, buffers, lifetimes, entries, desk, notes, room)
                m = cursor[BIRTH] - 1
                spread(
                    params,
                    state,
                    digest,
                    row,
                    links,
                    messages[m].source,
                    m,
                    born,
                    messages,
                    tags,
                    wants,
                    buffers,
                    lifetimes,
                    entries,
                    desk,
                    notes,
                    room,
                )
            elif ended < now:
                close_link(links)
            else:
                return

    @loop
    def run(
        params: Any,
        state: Any,
        hello_a: Any,
        hello_b: Any,
        digest_a: Any,
        digest_b: Any,
        row_a: Any,
        row_b: Any,
        links: Any,
        contacts: Any,
        messages: Any,
        tags: Any,
        changes: Any,
        wants: Any,
        buffers: Any,
        lifetimes: Any,
        entries: Any,
        desk: Any,
        notes: Any,
        limits: Any,
        stop: Any,
        horizon: Any,
        audit: Any,
    ) -> None:
        """Simulate contacts up to, not including, number `stop`; after the last, all that happens until `horizon`."""
        cursor = desk.cursor
        room = limits.room
        for contact in range(cursor[CONTACT], stop):
            now = contacts.start[contact]
            if min(next_change(changes, cursor), min(next_birth(messages, cursor), next_end(links, contacts))) <= now:
                until(
                    params,
                    state,
                    digest_a,
                    row_a,
                    links,
                    contacts,
                    messages,
                    tags,
                    changes,
                    wants,
                    buffers,
                    lifetimes,
                    entries,
                    desk,
                    notes,
                    room,
                    now,
                    audit,
                )
            advance(messages, lifetimes, cursor, now)
            run_contact(
                params,
                state,
                hello_a,
                hello_b,
                digest_a,
                digest_b,
                contacts,
                contact,
                messages,
                tags,
                wants,
                buffers,
                lifetimes,
                entries,
                desk,
                notes,
                limits,
                audit,
            )
            a, b = contacts.a[contact], contacts.b[contact]
            capacity = np.inf
            if limits.bytes_per_second != np.inf:
                capacity = limits.bytes_per_second * (contacts.end[contact] - now)
            link = open_link(links, contact, a, b, capacity)
            for side in range(2):
                end = 2 * link + side
                links.used[end] = cursor[TOLD + side] if limits.charge_digests else 0
                for i in range(cursor[CHOSEN + side]):
                    links.used[end] += messages[desk.chosen[side, i].message].length
                for i in range(row_a.size):
                    links.told[end, i] = row_a[i] if side == 0 else row_b[i]
            for side in range(2):
                for i in range(cursor[CHOSEN + side]):
                    spread(
                        params,
                        state,
                        digest_a,
                        row_a,
                        links,
                        b if side == 0 else a,
                        desk.chosen[side, i].message,
                        now,
                        messages,
                        tags,
                        wants,
                        buffers,
                        lifetimes,
                        entries,
                        desk,
                        notes,
                        room,
                    )
        cursor[CONTACT] = max(cursor[CONTACT], stop)
        if stop == contacts.start.size:
            until(
                params,
                state,
                digest_a,
                row_a,
                links,
                contacts,
                messages,
                tags,
                changes,
                wants,
                buffers,
                lifetimes,
                entries,
                desk,
                notes,
                room,
                horizon,
                audit,
            )
            if log:
                advance(messages, lifetimes, cursor, horizon)
                for node in range(wants.shape[0]):
                    forget(buffers, lifetimes, entries, messages, notes, np.uint32(node), cursor)

    return run
