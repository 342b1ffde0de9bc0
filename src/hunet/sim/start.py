"""The contact model `start`: one exchange when a contact begins, as the papers have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hunet.kernels import leaf, loop, rare
from hunet.protocols.protocol import STAY, Protocol
from hunet.sim.entries import entry_functions
from hunet.sim.events import CREATION, ELECTION, EXPIRY, note_event
from hunet.sim.exchange import Options, fit, make_exchange
from hunet.sim.lifetimes import advance, make_forget
from hunet.sim.workspace import BIRTH, CHANGE, CONTACT, CONTROL_BYTES, EXCHANGE, LEAVING, OLDEST

__all__ = ["make_start_loop"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


def make_start_loop(protocol: Protocol, options: Options) -> Callable[..., None]:
    """The compiled event loop for one protocol."""
    age, tell, hear = protocol.age, protocol.tell, protocol.hear
    subscribe, size, hello_size = protocol.subscribe, protocol.size, protocol.hello_size
    greet, meet, obey = protocol.greet, protocol.meet, protocol.obey
    greets = greet is not None
    masked, mapped, log = options.masked, options.mapped, options.log
    select, transfer, keep = make_exchange(protocol, options)
    leave = entry_functions(mapped).leave

    @leaf
    def farewell(entries: Any, messages: Any, notes: Any, node: Any, message: Any) -> None:
        leave(entries, node, message)
        if log:
            note_event(notes, messages[message].expires, EXPIRY, message, node, -1)

    forget = make_forget(farewell if mapped or log else None)

    @rare
    def change_interests(params: Any, state: Any, changes: Any, wants: Any, cursor: Any, now: Any) -> None:
        """Everybody's interests at the beginning, and all changes up to now."""
        if cursor[CHANGE] < 0:
            for node in range(wants.shape[0]):
                subscribe(params, state, np.uint64(node), wants[node])
            cursor[CHANGE] = 0
        while cursor[CHANGE] < changes.size and changes[cursor[CHANGE]].at <= now:
            change = changes[cursor[CHANGE]]
            wants[change.node, change.tag] = change.on
            age(params, state, change.node, change.at)
            subscribe(params, state, change.node, wants[change.node])
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
        now: Any,
    ) -> None:
        """All births up to now."""
        cursor = desk.cursor
        while cursor[BIRTH] < messages.size and messages[cursor[BIRTH]].created <= now:
            m = cursor[BIRTH]
            record = messages[m]
            source = record.source
            advance(messages, lifetimes, cursor, record.created)
            place = np.uint64((m >> 6) & (buffers.held.shape[1] - 1))
            bit = _ONE << np.uint64(m & 63)
            if m & 63 == 0 and lifetimes.over.size > 0:
                lifetimes.over[place] = _ZERO
            if masked:
                if m & 63 == 0:
                    for tag in range(desk.tagged.shape[1]):
                        desk.tagged[place, tag] = _ZERO
                for i in range(record.tag_start, record.tag_stop):
                    desk.tagged[place, tags[i]] |= bit
            cursor[BIRTH] = m + 1
            forget(buffers, lifetimes, entries, messages, notes, source, cursor)
            buffers.seen[source, place] |= bit
            notes.copies[m] += 1
            if log:
                note_event(notes, record.created, CREATION, m, source, -1)
            keep(
                params,
                state,
                source,
                m,
                0,
                0,
                record.created,
                messages,
                buffers,
                entries,
                desk,
                notes,
                room,
                cursor[OLDEST],
                False,
            )

    @loop
    def run(
        params: Any,
        state: Any,
        hello_a: Any,
        hello_b: Any,
        digest_a: Any,
        digest_b: Any,
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
    ) -> None:
        """Simulate contacts from the cursor up to, not including, number `stop`, and after the last all until `horizon`."""
        cursor = desk.cursor
        room = limits.room
        for contact in range(cursor[CONTACT], stop):
            now = contacts.start[contact]
            if cursor[CHANGE] < changes.size and (cursor[CHANGE] < 0 or changes[cursor[CHANGE]].at <= now):
                change_interests(params, state, changes, wants, cursor, now)
            if cursor[BIRTH] < messages.size and messages[cursor[BIRTH]].created <= now:
                publish(params, state, messages, tags, buffers, lifetimes, entries, desk, notes, room, now)
            advance(messages, lifetimes, cursor, now)
            a, b = contacts.a[contact], contacts.b[contact]
            for side in range(2):
                me = a if side == 0 else b
                forget(buffers, lifetimes, entries, messages, notes, me, cursor)
                age(params, state, me, now)
            if greets:
                greet(params, state, a, now, hello_a)
                greet(params, state, b, now, hello_b)
                for side in range(2):
                    me, peer = (a, b) if side == 0 else (b, a)
                    number = contacts.number_at_a[contact] if side == 0 else contacts.number_at_b[contact]
                    hello = hello_b if side == 0 else hello_a
                    notes.totals[CONTROL_BYTES] += hello_size(params, hello)
                    verdict = meet(params, state, me, number, hello, now)
                    obey(params, state, peer, verdict, now)
                    if log and verdict != STAY:
                        note_event(notes, now, ELECTION, verdict, me, peer)
            tell(params, state, a, now, digest_a)
            tell(params, state, b, now, digest_b)
            oldest = cursor[OLDEST]
            # Both directions alike, in a loop: written out twice, they would be compiled twice.
            for side in range(2):
                me, peer = (a, b) if side == 0 else (b, a)
                theirs = digest_b if side == 0 else digest_a
                told = size(params, theirs)
                notes.totals[CONTROL_BYTES] += told
                cursor[EXCHANGE] += 1
                count = select(
                    params,
                    state,
                    me,
                    peer,
                    theirs,
                    messages,
                    tags,
                    buffers,
                    entries,
                    desk,
                    side,
                    oldest,
                    cursor[BIRTH],
                )
                if count > 0 and limits.bytes_per_second != np.inf:
                    capacity = limits.bytes_per_second * (contacts.end[contact] - now)
                    if limits.charge_digests:
                        capacity -= size(params, digest_a if side == 0 else digest_b)
                    count = fit(messages, desk.chosen[side], count, capacity)
                desk.count[side] = count
            for side in range(2):
                me, peer = (a, b) if side == 0 else (b, a)
                for i in range(desk.count[side]):
                    choice = desk.chosen[side, i]
                    transfer(
                        params,
                        state,
                        me,
                        peer,
                        choice.message,
                        choice.score,
                        now,
                        messages,
                        tags,
                        wants,
                        buffers,
                        entries,
                        desk,
                        notes,
                        room,
                        oldest,
                        side == 0,
                    )
            if mapped:
                for i in range(cursor[LEAVING]):
                    leave(entries, b, desk.leaving[i])
                cursor[LEAVING] = 0
            hear(params, state, a, digest_b, now)
            hear(params, state, b, digest_a, now)
        cursor[CONTACT] = max(cursor[CONTACT], stop)
        if stop == contacts.start.size:
            change_interests(params, state, changes, wants, cursor, horizon)
            publish(params, state, messages, tags, buffers, lifetimes, entries, desk, notes, room, horizon)
            if log:
                advance(messages, lifetimes, cursor, horizon)
                for node in range(wants.shape[0]):
                    forget(buffers, lifetimes, entries, messages, notes, np.uint64(node), cursor)

    return run
