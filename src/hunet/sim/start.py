"""The contact model `start`: one exchange when a contact begins, as the papers have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hunet.kernels import loop, rare
from hunet.protocols.protocol import Protocol
from hunet.sim.contact import make_contact
from hunet.sim.exchange import Options, make_exchange
from hunet.sim.happenings import make_happenings, next_birth, next_change
from hunet.sim.workspace import CONTACT

__all__ = ["make_start_loop"]


def make_start_loop(protocol: Protocol, options: Options) -> Callable[..., None]:
    """The compiled event loop for one protocol."""
    exchange = make_exchange(protocol, options)
    advance, forget, change, publish = make_happenings(protocol, options, exchange.keep)
    run_contact = make_contact(protocol, options, exchange, forget)
    log = options.log

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
        audit: Any,
    ) -> None:
        """Everything that happens before the contacts of `now`: changes of interest first, then births."""
        cursor = desk.cursor
        while True:
            changed = next_change(changes, cursor)
            born = next_birth(messages, cursor)
            if changed <= now and changed <= born:
                change(params, state, changes, wants, cursor, audit)
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
        audit: Any,
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
                audit,
            )
            if log:
                advance(messages, lifetimes, cursor, horizon)
                for node in range(wants.shape[0]):
                    forget(buffers, lifetimes, entries, messages, notes, np.uint32(node), cursor)

    return run
