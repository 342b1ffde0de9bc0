"""The event loop: interests change, messages are born, contacts begin and, where that matters, end.

Two contact models. `start`: one exchange when a contact begins, as the papers have it. `continuous`: it begins so, and
from then on every message that one end gets is offered to the other, decided by the digests of the contact's start: as
The ONE does, and as a live node does. A message spreads over all that is open, breadth first and over older contacts
first, before the next one does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hunet.kernels import leaf, loop, rare
from hunet.protocols.protocol import NO, Protocol
from hunet.protocols.quantities import Digest, Hello, Now, Peer, Row
from hunet.sim.engine.arrays import BIRTH, CHOSEN, CONTACT, PARTING, TOLD
from hunet.sim.engine.births import make_births, next_birth, next_change
from hunet.sim.engine.contact import make_contact
from hunet.sim.engine.entries import entry_functions
from hunet.sim.engine.exchange import Exchange, Options, make_exchange
from hunet.sim.engine.links import close_link, open_link

__all__ = ["make_loop"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@leaf
def _next_end(host: Any) -> Any:
    """When the next contact ends."""
    links = host.links
    i = links.passed[1]
    return host.contacts.end[links.ending[i]] if i < links.ending.size else np.inf


@leaf
def _next_parting(host: Any) -> Any:
    """When two part next."""
    contacts, i = host.contacts, host.scratch.cursor[PARTING]
    return contacts.end[contacts.partings[i]] if i < contacts.partings.size else np.inf


def make_loop(protocol: Protocol, options: Options) -> Callable[..., None]:
    """The compiled event loop for one protocol."""
    exchange = make_exchange(protocol, options)
    advance, forget, change, publish = make_births(protocol, options, exchange)
    run_contact = make_contact(protocol, options, exchange, forget)
    spread = _make_spread(protocol, options, exchange, forget)
    part = _make_part(protocol, options, exchange)
    log, lasting, parts = options.log, options.lasting, protocol.parted is not None

    @loop
    def run(
        params: Any,
        state: Any,
        host: Any,
        hello_a: Hello,
        hello_b: Hello,
        digest_a: Digest,
        digest_b: Digest,
        stop: Any,
        horizon: Any,
    ) -> None:
        """Simulate until contact number `stop` is next; after the last contact, all that happens until `horizon`.

        At equal times interests change first, then messages are born, then contacts begin; they end after that.
        """
        contacts, cursor = host.contacts, host.scratch.cursor
        while True:
            contact = cursor[CONTACT]
            is_last = contact >= contacts.start.size
            if contact >= stop and not (is_last and stop == contacts.start.size):
                return
            now = horizon if is_last else contacts.start[contact]
            changed, born, ended = next_change(host), next_birth(host), np.inf
            if lasting:
                ended = _next_end(host)
            if changed <= now and changed <= min(born, ended):
                change(params, state, host)
                continue
            if lasting and ended < now and ended < born:
                close_link(host.links)
                continue
            if parts:
                over = _next_parting(host)
                if over < born and (over < now or (is_last and over <= now)):
                    part(params, state, host, over)
                    continue
            if born <= now:
                publish(params, state, host)
                if not lasting:
                    continue
                now = born
                first = second = host.messages[cursor[BIRTH] - 1].source
                cursor[CHOSEN], cursor[CHOSEN + 1] = 1, 0
                host.scratch.chosen[0, 0].message = cursor[BIRTH] - 1
                host.scratch.chosen[0, 0].known = False
            elif is_last:
                break
            else:
                advance(host, now)
                run_contact(params, state, host, hello_a, hello_b, digest_a, digest_b, contact)
                cursor[CONTACT] += 1
                first, second = contacts.b[contact], contacts.a[contact]
                if lasting:
                    _begin_link(host, contact)
            if lasting:
                for side in range(2):
                    node, count = first if side == 0 else second, cursor[CHOSEN + side]
                    if count > 0 and host.links.degree[node] > 0:
                        spread(params, state, host, digest_a, digest_b, node, side, count, now)
        if log:
            advance(host, horizon)
            for node in range(host.wants.shape[0]):
                forget(params, state, host, np.uint32(node))

    return run


def _make_part(protocol: Protocol, options: Options, exchange: Exchange) -> Callable[..., None]:
    """What happens when a contact is over, at a protocol that wants to know."""
    parted, on_clock = protocol.parted or _unmoved, exchange.on_clock
    audited = options.auditor is protocol

    @leaf
    def part(params: Any, state: Any, host: Any, now: Now) -> None:
        contacts, cursor = host.contacts, host.scratch.cursor
        contact = contacts.partings[cursor[PARTING]]
        cursor[PARTING] += 1
        for side in range(2):
            me = contacts.a[contact] if side == 0 else contacts.b[contact]
            number = contacts.number_at_a[contact] if side == 0 else contacts.number_at_b[contact]
            parted(params, state, me, number, on_clock(host, me, now))
            if audited:
                parted(host.audit.params, host.audit.state, me, number, on_clock(host, me, now))

    return part


@leaf
def _unmoved(params: Any, state: Any, me: Row, peer: Peer, now: Now) -> None:
    """Nobody asks."""


@leaf
def _begin_link(host: Any, contact: Any) -> None:
    """A contact that lasts: what its ends told, and what they have sent so far."""
    links, contacts, limits, cursor = host.links, host.contacts, host.limits, host.scratch.cursor
    capacity = np.inf
    if limits.bytes_per_second != np.inf:
        capacity = limits.bytes_per_second * (contacts.end[contact] - contacts.start[contact])
    link = open_link(links, contact, contacts.a[contact], contacts.b[contact], capacity)
    for side in range(2):
        end = 2 * link + side
        links.used[end] = cursor[TOLD + side] if limits.charge_digests else 0
        for i in range(cursor[CHOSEN + side]):
            links.used[end] += host.scratch.chosen[side, i].length
        for i in range(links.row_a.size):
            links.told[end, i] = links.row_a[i] if side == 0 else links.row_b[i]


def _make_spread(
    protocol: Protocol, options: Options, exchange: Exchange, forget: Callable[..., None]
) -> Callable[..., None]:
    """How messages go on over contacts that are open."""
    age, give, errands = protocol.age, protocol.give, protocol.errands
    score, transfer, trim = exchange.score, exchange.transfer, exchange.trim
    describe, on_clock = exchange.describe, exchange.on_clock
    find = entry_functions(options.mapped).find

    @rare
    def spread(
        params: Any, state: Any, host: Any, told: Digest, heard: Digest, node: Row, side: Any, count: Any, now: Now
    ) -> None:
        """A node got the chosen messages: over its open contacts, and on from there. The digests are scratch."""
        links, buffers, messages = host.links, host.buffers, host.messages
        for i in range(count):
            m = host.scratch.chosen[side, i].message
            if host.scratch.chosen[side, i].known:
                continue
            place = np.uint64((m >> 6) & (buffers.held.shape[1] - 1))
            bit = _ONE << np.uint64(m & 63)
            record = messages[m]
            links.queue[0] = node
            waiting, done = 1, 0
            while done < waiting:
                me = links.queue[done]
                done += 1
                if buffers.held[me, place] & bit == _ZERO:
                    continue
                for j in range(links.start[me], links.start[me] + links.degree[me]):
                    end = links.open[j]
                    other = end ^ np.uint32(1)
                    peer = links.node[other]
                    forget(params, state, host, peer)
                    if buffers.seen[peer, place] & bit != _ZERO:
                        continue
                    age(params, state, me, on_clock(host, me, now))
                    for k in range(links.row_a.size):
                        links.row_a[k] = links.told[end, k]
                        links.row_b[k] = links.told[other, k]
                    own = record.source == me
                    worth = score(params, told, heard, host.tags, record, own)
                    if errands or worth > NO:
                        message = describe(host, me, m, peer, False)
                        worth = give(params, state, me, find(host.entries, me, m), message, worth, heard)
                    used = links.used[end]
                    if host.limits.shared:
                        used += links.used[other]
                    if worth > NO and used + record.length <= links.left[end]:
                        links.used[end] += record.length
                        transfer(params, state, host, me, peer, m, worth, heard, now)
                        trim(params, state, host, peer, now)
                        if buffers.held[peer, place] & bit != _ZERO:
                            links.queue[waiting] = peer
                            waiting += 1
                        if buffers.held[me, place] & bit == _ZERO:
                            break

    return spread
