"""A second protocol state that follows the same contacts and judges what the first one does.

With the same protocol in a world where filters never err, it tells false matches from true ones (ERR-11). With B-SUB in
the background of another protocol, it tells what B-SUB would have passed on (AMB-34). It moves no message.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import rare
from hunet.protocols.protocol import DIRECT, NO, Protocol, silent

__all__ = ["Audit", "AuditFunctions", "false_rates", "make_audit"]

FORWARDED, FALSE_FORWARDED, DELIVERED, FALSE_DELIVERED, INJECTED, FALSE_INJECTED, ABSENT, FALSE_MATCHES = range(8)


class Audit(NamedTuple):
    """The second state, its digests, and what was counted."""

    params: Any
    state: Any
    hello_a: Any
    hello_b: Any
    digest_a: Any
    digest_b: Any
    counts: npt.NDArray[np.int64]


class AuditFunctions(NamedTuple):
    """What happens at a contact."""

    subscribe: Callable[..., None]
    tell: Callable[..., None]
    judge: Callable[..., None]
    hear: Callable[..., None]


def make_audit(protocol: Protocol, auditor: Protocol) -> AuditFunctions:
    """The functions. An auditor that is the protocol itself judges for a node that knows nothing: the last row.

    What such a node would give its peer is what the peer's digest answers for, whatever the giver knows.
    """
    same = auditor is protocol
    want, ask = auditor.want, protocol.want
    auditor_age, auditor_tell, auditor_hear = auditor.age, auditor.tell, auditor.hear
    auditor_subscribe, meet, obey = auditor.subscribe, auditor.meet, auditor.obey
    greet, greets = auditor.greet or silent, auditor.greet is not None

    @rare
    def subscribe(audit: Any, node: Any, wants: Any, now: Any) -> None:
        auditor_age(audit.params, audit.state, node, now)
        auditor_subscribe(audit.params, audit.state, node, wants)

    @rare
    def tell(audit: Any, a: Any, b: Any, number_at_a: Any, number_at_b: Any, now: Any) -> None:
        for side in range(2):
            auditor_age(audit.params, audit.state, a if side == 0 else b, now)
        if greets:
            greet(audit.params, audit.state, a, now, audit.hello_a)
            greet(audit.params, audit.state, b, now, audit.hello_b)
            verdict = meet(audit.params, audit.state, a, number_at_a, audit.hello_b, now)
            obey(audit.params, audit.state, b, verdict, now)
            verdict = meet(audit.params, audit.state, b, number_at_b, audit.hello_a, now)
            obey(audit.params, audit.state, a, verdict, now)
        auditor_tell(audit.params, audit.state, a, now, audit.digest_a)
        auditor_tell(audit.params, audit.state, b, now, audit.digest_b)

    @rare
    def judge(
        audit: Any,
        params: Any,
        state: Any,
        digest: Any,
        side: Any,
        me: Any,
        peer: Any,
        chosen: Any,
        count: Any,
        messages: Any,
        tags: Any,
        wants: Any,
    ) -> None:
        """Look at what one direction chose, before it moves."""
        theirs = audit.digest_b if side == 0 else audit.digest_a
        blank = np.uint32(wants.shape[0] - 1)
        judging = blank if same else me
        counts = audit.counts
        for i in range(count):
            choice = chosen[i]
            record = messages[choice.message]
            score, wanted = NO, False
            for j in range(record.tag_start, record.tag_stop):
                tag = np.uint64(tags[j])
                score = max(score, want(audit.params, audit.state, judging, theirs, tag, record.source == me))
                wanted |= wants[peer, tag]
            known = score > NO
            counts[FORWARDED] += 1
            counts[FALSE_FORWARDED] += not known
            if choice.score >= DIRECT:
                counts[DELIVERED] += 1
                counts[FALSE_DELIVERED] += not wanted
            elif record.source == me:
                counts[INJECTED] += 1
                counts[FALSE_INJECTED] += not known
        if same:
            for i in range(wants.shape[1]):
                tag = np.uint64(i)
                if not want(audit.params, audit.state, blank, theirs, tag, False) > NO:
                    counts[ABSENT] += 1
                    counts[FALSE_MATCHES] += ask(params, state, blank, digest, tag, False) > NO

    @rare
    def hear(audit: Any, a: Any, b: Any, now: Any) -> None:
        auditor_hear(audit.params, audit.state, a, audit.digest_b, now)
        auditor_hear(audit.params, audit.state, b, audit.digest_a, now)

    return AuditFunctions(subscribe, tell, judge, hear)


def false_rates(counts: npt.NDArray[np.int64], same: bool) -> dict[str, float]:
    """The shares of what was false; not a number where there was nothing to be false."""
    names = ["forwarding_fpr", "delivered_fpr", "injected_fpr", "conditional_fpr"] if same else ["not_by_bsub"]
    rates = {}
    for i, name in enumerate(names):
        of, wrong = int(counts[2 * i]), int(counts[2 * i + 1])
        rates[name] = wrong / of if of else float("nan")
    return rates
