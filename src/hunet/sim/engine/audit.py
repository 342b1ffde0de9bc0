"""A second protocol state that follows the same contacts and judges what the first one does.

With the same protocol in a world where filters never err, it tells false matches from true ones (ERR-11). With B-SUB in
the background of another protocol, it tells what B-SUB would have passed on (AMB-34). It moves no message.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, rare
from hunet.protocols.protocol import DIRECT, NO, Protocol, unspoken
from hunet.protocols.quantities import Digest, Hello, Now, Row

__all__ = ["Audit", "AuditFunctions", "false_rates", "make_audit"]

FORWARDED, FALSE_FORWARDED, DELIVERED, FALSE_DELIVERED, INJECTED, FALSE_INJECTED, ABSENT, FALSE_MATCHES = range(8)


class Audit(NamedTuple):
    """The second state, its digests, and what was counted."""

    blank: Any
    """What one who knows nothing would tell in the judged protocol, and in the auditor."""
    auditor_blank: Any

    params: Any
    state: Any
    hello_a: Hello
    hello_b: Hello
    digest_a: Digest
    digest_b: Digest
    faces: npt.NDArray[np.int64]
    """Whom a and b face."""
    counts: npt.NDArray[np.int64]


class AuditFunctions(NamedTuple):
    """What happens at a contact."""

    subscribe: Callable[..., None]
    tell: Callable[..., None]
    judge: Callable[..., None]
    hear: Callable[..., None]


def make_audit(protocol: Protocol, auditor: Protocol) -> AuditFunctions:
    """The functions. An auditor that is the protocol itself judges for a giver that knows nothing.

    What such a one would give its peer is what the peer's digest answers for, whatever the giver knows.
    """
    same = auditor is protocol
    read, want = protocol.read, protocol.want
    auditor_read, auditor_want = auditor.read, auditor.want
    auditor_age, auditor_tell, auditor_hear = auditor.age, auditor.tell, auditor.hear
    auditor_subscribe, meet, obey = auditor.subscribe, auditor.meet, auditor.obey
    greet, greets = auditor.greet or unspoken, auditor.greet is not None

    @rare
    def subscribe(audit: Any, node: Row, wants: Any, now: Now) -> None:
        auditor_age(audit.params, audit.state, node, now)
        auditor_subscribe(audit.params, audit.state, node, wants)

    @rare
    def tell(audit: Any, a: Any, b: Any, number_at_a: Any, number_at_b: Any, now_a: Any, now_b: Any) -> None:
        for side in range(2):
            auditor_age(audit.params, audit.state, a if side == 0 else b, now_a if side == 0 else now_b)
        face_a, face_b = np.int64(0), np.int64(0)
        if greets:
            greet(audit.params, audit.state, a, now_a, audit.hello_a)
            greet(audit.params, audit.state, b, now_b, audit.hello_b)
            verdict, face_a = meet(audit.params, audit.state, a, number_at_a, audit.hello_b, now_a)
            obey(audit.params, audit.state, b, verdict, now_b)
            verdict, face_b = meet(audit.params, audit.state, b, number_at_b, audit.hello_a, now_b)
            obey(audit.params, audit.state, a, verdict, now_a)
        auditor_tell(audit.params, audit.state, a, now_a, audit.hello_b, face_a, audit.digest_a)
        auditor_tell(audit.params, audit.state, b, now_b, audit.hello_a, face_b, audit.digest_b)
        audit.faces[0], audit.faces[1] = face_a, face_b

    @leaf
    def would_give(audit: Any, side: Any, tag: Any, own: bool) -> Any:
        """Does the auditor see a reason to give?"""
        told = audit.auditor_blank
        if not same:
            told = audit.digest_a if side == 0 else audit.digest_b
        heard = audit.digest_b if side == 0 else audit.digest_a
        mine, theirs = auditor_read(audit.params, told, tag), auditor_read(audit.params, heard, tag)
        return auditor_want(audit.params, mine, theirs, own) > NO

    @rare
    def judge(host: Any, params: Any, heard: Digest, side: Any, me: Row, peer: Row, count: Any) -> None:
        """Look at what one direction chose, before it moves."""
        audit, tags = host.audit, host.tags
        counts = audit.counts
        for i in range(count):
            choice = host.scratch.chosen[side, i]
            if choice.known:
                continue
            record = host.messages[choice.message]
            known, wanted = False, False
            for j in range(record.tag_start, record.tag_stop):
                tag = np.uint64(tags[j])
                known |= would_give(audit, side, tag, record.source == me)
                wanted |= host.wants[peer, tag] != 0
            counts[FORWARDED] += 1
            counts[FALSE_FORWARDED] += not known
            if choice.score >= DIRECT:
                counts[DELIVERED] += 1
                counts[FALSE_DELIVERED] += not wanted
            elif record.source == me:
                counts[INJECTED] += 1
                counts[FALSE_INJECTED] += not known
        if same:
            for i in range(host.wants.shape[1]):
                tag = np.uint64(i)
                if not would_give(audit, side, tag, False):
                    mine, theirs = read(params, audit.blank, tag), read(params, heard, tag)
                    counts[ABSENT] += 1
                    counts[FALSE_MATCHES] += want(params, mine, theirs, False) > NO

    @rare
    def hear(audit: Any, a: Any, b: Any, now_a: Any, now_b: Any) -> None:
        auditor_hear(audit.params, audit.state, a, audit.digest_b, audit.faces[0], now_a)
        auditor_hear(audit.params, audit.state, b, audit.digest_a, audit.faces[1], now_b)

    return AuditFunctions(subscribe, tell, judge, hear)


def false_rates(counts: npt.NDArray[np.int64], same: bool) -> dict[str, float]:
    """The shares of what was false; not a number where there was nothing to be false."""
    names = ["forwarding_fpr", "delivered_fpr", "injected_fpr", "conditional_fpr"] if same else ["not_by_bsub"]
    rates = {}
    for i, name in enumerate(names):
        of, wrong = int(counts[2 * i]), int(counts[2 * i + 1])
        rates[name] = wrong / of if of else float("nan")
    return rates
