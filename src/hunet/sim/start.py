"""The contact model `start`: one exchange when a contact begins, as the papers have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hunet.kernels import loop, rare
from hunet.protocols.protocol import STAY, Protocol
from hunet.sim.entries import entry_functions
from hunet.sim.events import ELECTION, note_event
from hunet.sim.exchange import Options, fit, make_exchange
from hunet.sim.happenings import make_happenings, next_birth, next_change
from hunet.sim.lifetimes import advance
from hunet.sim.workspace import BIRTH, CONTACT, CONTROL_BYTES, EXCHANGE, LEAVING, OLDEST

__all__ = ["make_start_loop"]


def make_start_loop(protocol: Protocol, options: Options) -> Callable[..., None]:
    """The compiled event loop for one protocol."""
    age, tell, hear = protocol.age, protocol.tell, protocol.hear
    size, hello_size = protocol.size, protocol.hello_size
    greet, meet, obey = protocol.greet, protocol.meet, protocol.obey
    greets = greet is not None
    mapped, log = options.mapped, options.log
    select, transfer, keep = make_exchange(protocol, options)
    forget, change, publish = make_happenings(protocol, options, keep)
    leave = entry_functions(mapped).leave

    @rare
    def until(
        params: Any,
        state: Any,
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
    ) -> None:
        """Everything that happens before the contacts of `now`: changes of interest first, then births."""
        cursor = desk.cursor
        while True:
            changed = next_change(changes, cursor)
            born = next_birth(messages, cursor)
            if changed <= now and changed <= born:
                change(params, state, changes, wants, cursor)
            elif born <= now:
                publish(params, state, messages, tags, buffers, lifetimes, entries, desk, notes, room)
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
        """Simulate contacts up to, not including, number `stop`; after the last, all that happens until `horizon`."""
        cursor = desk.cursor
        room = limits.room
        for contact in range(cursor[CONTACT], stop):
            now = contacts.start[contact]
            if next_change(changes, cursor) <= now or next_birth(messages, cursor) <= now:
                until(
                    params,
                    state,
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
                )
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
                told = size(params, digest_a if side == 0 else digest_b)
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
                    used = told if limits.charge_digests else 0
                    count = fit(messages, desk.chosen[side], count, used, capacity)
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
            until(
                params,
                state,
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
            )
            if log:
                advance(messages, lifetimes, cursor, horizon)
                for node in range(wants.shape[0]):
                    forget(buffers, lifetimes, entries, messages, notes, np.uint32(node), cursor)

    return run
