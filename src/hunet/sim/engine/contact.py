"""A contact, from both ends' greeting to both ends' hearing: what every contact model begins with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hunet.kernels import rare
from hunet.protocols.order import fit
from hunet.protocols.protocol import STAY, Protocol, anything, unspoken
from hunet.protocols.quantities import Digest, Hello
from hunet.sim.engine.arrays import BIRTH, CHOSEN, CONTROL_BYTES, OLDEST, TOLD
from hunet.sim.engine.audit import make_audit
from hunet.sim.engine.buffers import words_lacking
from hunet.sim.engine.event_log import ELECTION, log_event
from hunet.sim.engine.exchange import Exchange, Options

__all__ = ["make_contact"]


@rare
def keep_what_fits(host: Any, capacity: Any) -> None:
    """Of the chosen messages, keep those that a contact has time for."""
    cursor, limits = host.scratch.cursor, host.limits
    for side in range(1 if limits.shared else 2):
        used = cursor[TOLD + side] if limits.charge_digests else 0
        if limits.shared and limits.charge_digests:
            used += cursor[TOLD + 1]
        fit(host.scratch.chosen, host.scratch.counts, -1 if limits.shared else side, used, capacity)


def make_contact(
    protocol: Protocol, options: Options, exchange: Exchange, forget: Callable[..., None]
) -> Callable[..., None]:
    """The function that runs a contact's exchange, built around the protocol's functions."""
    age, tell, hear = protocol.age, protocol.tell, protocol.hear
    size, hello_size = protocol.digest.size, protocol.hello.size
    greet, meet, obey = protocol.greet or unspoken, protocol.meet, protocol.obey
    greets, log = protocol.greet is not None, options.log
    weigh, select, trim = exchange.weigh, exchange.select, exchange.trim
    transfer, pass_errand, on_clock = exchange.transfer, exchange.pass_errand, exchange.on_clock
    errands = protocol.errands
    can_weigh = protocol.want is not anything
    account: Callable[..., None] = protocol.digest.account or unspoken
    accounted = options.accounts
    audited = options.auditor is not None
    numbered = greets or (options.auditor is not None and options.auditor.greet is not None)
    _, audit_tell, audit_judge, audit_hear = make_audit(protocol, options.auditor or protocol)

    @rare
    def run_contact(
        params: Any,
        state: Any,
        host: Any,
        hello_a: Hello,
        hello_b: Hello,
        digest_a: Digest,
        digest_b: Digest,
        contact: Any,
    ) -> None:
        """Both ends age, greet and tell; both directions are chosen, then moved; both ends hear."""
        contacts, scratch, results, limits = host.contacts, host.scratch, host.results, host.limits
        cursor = scratch.cursor
        now = contacts.start[contact]
        a, b = contacts.a[contact], contacts.b[contact]
        for side in range(2):
            me = a if side == 0 else b
            forget(params, state, host, me)
            age(params, state, me, on_clock(host, me, now))
        face_a, face_b = np.int64(0), np.int64(0)
        if greets:
            greet(params, state, a, on_clock(host, a, now), hello_a)
            greet(params, state, b, on_clock(host, b, now), hello_b)
            for side in range(2):
                me, peer = (a, b) if side == 0 else (b, a)
                number = contacts.number_at_a[contact] if side == 0 else contacts.number_at_b[contact]
                hello = hello_b if side == 0 else hello_a
                results.totals[CONTROL_BYTES] += hello_size(params, hello)
                verdict, face = meet(params, state, me, number, hello, on_clock(host, me, now))
                if side == 0:
                    face_a = face
                else:
                    face_b = face
                obey(params, state, peer, verdict, on_clock(host, peer, now))
                if log and verdict != STAY:
                    log_event(results, now, ELECTION, verdict, me, peer)
        if audited:
            number_a = contacts.number_at_a[contact] if numbered else 0
            number_b = contacts.number_at_b[contact] if numbered else 0
            audit_tell(host.audit, a, b, number_a, number_b, on_clock(host, a, now), on_clock(host, b, now))
        # Both directions alike, in a loop: written out twice, they would be compiled twice.
        lacking = 0
        for side in range(2):
            me, peer = (a, b) if side == 0 else (b, a)
            digest = digest_a if side == 0 else digest_b
            hello, face = (hello_b, face_a) if side == 0 else (hello_a, face_b)
            tell(params, state, me, on_clock(host, me, now), hello, face, digest)
            cursor[TOLD + side] = size(params, digest)
            results.totals[CONTROL_BYTES] += cursor[TOLD + side]
            if accounted:
                account(params, digest, host.accounts.tag_bytes, host.accounts.out)
            words, messages = words_lacking(
                host.buffers, me, peer, cursor[OLDEST], cursor[BIRTH], scratch.words[side], errands
            )
            cursor[CHOSEN + side] = words
            lacking += messages
        by_tag = False
        if can_weigh:  # to weigh tags pays where there are fewer of them than messages
            by_tag = 0 < scratch.tagged.shape[1] <= lacking
            if by_tag:
                weigh(params, digest_a, digest_b, scratch)
        for side in range(2):
            me, peer = (a, b) if side == 0 else (b, a)
            told, heard = (digest_a, digest_b) if side == 0 else (digest_b, digest_a)
            words = cursor[CHOSEN + side]
            cursor[CHOSEN + side] = select(params, state, host, me, peer, told, heard, side, words, by_tag)
        if limits.bytes_per_second != np.inf:
            keep_what_fits(host, limits.bytes_per_second * (contacts.end[contact] - now))
        if audited:
            for side in range(2):
                me, peer = (a, b) if side == 0 else (b, a)
                audit_judge(host, params, digest_b if side == 0 else digest_a, side, me, peer, cursor[CHOSEN + side])
        for side in range(2):
            me, peer = (a, b) if side == 0 else (b, a)
            heard = digest_b if side == 0 else digest_a
            for i in range(cursor[CHOSEN + side]):
                choice = scratch.chosen[side, i]
                if errands and choice.known:
                    pass_errand(params, state, host, me, peer, choice.message, choice.score, heard)
                else:
                    transfer(params, state, host, me, peer, choice.message, choice.score, heard, now)
        for side in range(2):
            trim(params, state, host, a if side == 0 else b, now)
        if audited:
            audit_hear(host.audit, a, b, on_clock(host, a, now), on_clock(host, b, now))
        hear(params, state, a, digest_b, face_a, on_clock(host, a, now))
        hear(params, state, b, digest_a, face_b, on_clock(host, b, now))

    return run_contact
