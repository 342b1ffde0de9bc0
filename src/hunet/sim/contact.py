"""A contact, from both ends' greeting to both ends' hearing: what every contact model begins with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hunet.kernels import leaf
from hunet.protocols.protocol import STAY, Protocol, silent
from hunet.sim.audit import make_audit
from hunet.sim.entries import entry_functions
from hunet.sim.events import ELECTION, note_event
from hunet.sim.exchange import Exchange, Options, fit
from hunet.sim.workspace import BIRTH, CHOSEN, CONTROL_BYTES, EXCHANGE, LEAVING, OLDEST, TOLD

__all__ = ["make_contact"]


def make_contact(
    protocol: Protocol, options: Options, exchange: Exchange, forget: Callable[..., None]
) -> Callable[..., None]:
    """The function that runs a contact's exchange, built around the protocol's functions."""
    age, tell, hear = protocol.age, protocol.tell, protocol.hear
    size, hello_size = protocol.size, protocol.hello_size
    greet, meet, obey = protocol.greet or silent, protocol.meet, protocol.obey
    greets = protocol.greet is not None
    mapped, log = options.mapped, options.log
    select, transfer = exchange.select, exchange.transfer
    leave = entry_functions(mapped).leave
    audited = options.auditor is not None
    numbered = greets or (options.auditor is not None and options.auditor.greet is not None)
    _, audit_tell, audit_judge, audit_hear = make_audit(protocol, options.auditor or protocol)

    @leaf
    def run_contact(
        params: Any,
        state: Any,
        hello_a: Any,
        hello_b: Any,
        digest_a: Any,
        digest_b: Any,
        contacts: Any,
        contact: Any,
        messages: Any,
        tags: Any,
        wants: Any,
        buffers: Any,
        lifetimes: Any,
        entries: Any,
        desk: Any,
        notes: Any,
        limits: Any,
        audit: Any,
    ) -> None:
        """Both ends age, greet, tell; both directions are chosen, then moved; both ends hear."""
        cursor = desk.cursor
        now = contacts.start[contact]
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
        if audited:
            number_a = contacts.number_at_a[contact] if numbered else 0
            number_b = contacts.number_at_b[contact] if numbered else 0
            audit_tell(audit, a, b, number_a, number_b, now)
        tell(params, state, a, now, digest_a)
        tell(params, state, b, now, digest_b)
        oldest = cursor[OLDEST]
        # Both directions alike, in a loop: written out twice, they would be compiled twice.
        for side in range(2):
            me, peer = (a, b) if side == 0 else (b, a)
            theirs = digest_b if side == 0 else digest_a
            told = size(params, digest_a if side == 0 else digest_b)
            cursor[TOLD + side] = told
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
            cursor[CHOSEN + side] = count
            if audited:
                audit_judge(
                    audit,
                    params,
                    state,
                    theirs,
                    side,
                    me,
                    peer,
                    desk.chosen[side],
                    count,
                    messages,
                    tags,
                    wants,
                )
        for side in range(2):
            me, peer = (a, b) if side == 0 else (b, a)
            for i in range(cursor[CHOSEN + side]):
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
                    limits.room,
                    oldest,
                    side == 0,
                )
        if mapped:
            for i in range(cursor[LEAVING]):
                leave(entries, b, desk.leaving[i])
            cursor[LEAVING] = 0
        if audited:
            audit_hear(audit, a, b, now)
        hear(params, state, a, digest_b, now)
        hear(params, state, b, digest_a, now)

    return run_contact
