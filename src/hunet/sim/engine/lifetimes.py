"""When messages are over, and how nodes forget them.

Nobody forgets in the background: a node does when it next meets someone or publishes. Messages that end in the order
in which they were born are forgotten as one span of numbers. Lifetimes that differ need a list of ends in time order,
and, for nodes that were away for long, a walk over the ring: so one visit costs no more than the smaller of the two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, lowest_bit, rare
from hunet.protocols.quantities import Now, Row
from hunet.sim.engine.arrays import BIRTH, EXPIRED, OLDEST
from hunet.sim.engine.buffers import buffer_functions

__all__ = ["LifetimeFunctions", "Lifetimes", "lifetime_functions", "new_lifetimes"]

_ZERO, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)


class Lifetimes(NamedTuple):
    """Ends of messages whose lifetimes differ. Both are empty where messages end in the order of birth."""

    order: npt.NDArray[np.int64]
    """Message numbers by their ends."""
    over: npt.NDArray[np.uint64]
    """[word]: messages that are over."""


def new_lifetimes(expires: npt.NDArray[np.float64], words: int) -> Lifetimes:
    """Nothing is over yet."""
    if (expires[1:] >= expires[:-1]).all():
        return Lifetimes(np.empty(0, np.int64), np.empty(0, np.uint64))
    return Lifetimes(np.argsort(expires, kind="stable").astype(np.int64), np.zeros(words, np.uint64))


@leaf
def _nothing(params: Any, state: Any, host: Any, node: Row, message: Any) -> None:
    pass


class LifetimeFunctions(NamedTuple):
    """How time passes."""

    advance: Callable[..., None]
    forget: Callable[..., None]


def lifetime_functions(own_outside: bool, farewell: Callable[..., None] | None) -> LifetimeFunctions:
    """How messages end, and how a node forgets them; `farewell` is called for every copy that it still held."""
    clear, forget_span, *_ = buffer_functions(own_outside)
    says_farewell = farewell is not None
    part = farewell or _nothing

    @rare
    def part_with(params: Any, state: Any, host: Any, node: Row, word: Any, gone: Any) -> None:
        bits = host.buffers.held[node, np.uint64(word & (host.buffers.held.shape[1] - 1))] & gone
        while bits != _ZERO:
            part(params, state, host, node, (word << 6) + lowest_bit(bits))
            bits &= bits - _ONE

    @rare
    def forget_in_order(params: Any, state: Any, host: Any, node: Row) -> None:
        buffers, now = host.buffers, host.scratch.cursor[EXPIRED]
        done = buffers.node[node].purged
        if says_farewell:
            last = buffers.held.shape[1] - 1
            for word in range(done >> 6, min(now >> 6, (done >> 6) + last) + 1):
                gone = _ALL if word < now >> 6 else ~(_ALL << np.uint64(now & 63))
                part_with(params, state, host, node, word, gone)
        forget_span(buffers, node, done, now)

    @rare
    def forget_mixed(params: Any, state: Any, host: Any, node: Row) -> None:
        buffers, lifetimes, cursor = host.buffers, host.lifetimes, host.scratch.cursor
        last = buffers.held.shape[1] - 1
        done = buffers.node[node].purged
        if cursor[EXPIRED] - done <= last:
            for i in range(done, cursor[EXPIRED]):
                message = lifetimes.order[i]
                bit = _ONE << np.uint64(message & 63)
                if says_farewell:
                    part_with(params, state, host, node, message >> 6, bit)
                clear(buffers, node, np.uint64((message >> 6) & last), bit)
            return
        # What the node knows lies in the ring that ended with `known`; words that have since been used anew are over.
        top, newest = (buffers.node[node].known - 1) >> 6, (cursor[BIRTH] - 1) >> 6
        for word in range(max(top - last, 0), top + 1):
            place = np.uint64(word & last)
            gone = lifetimes.over[place] if word > newest - last - 1 else _ALL
            if says_farewell:
                part_with(params, state, host, node, word, gone)
            clear(buffers, node, place, gone)

    @leaf
    def advance(host: Any, now: Now) -> None:
        """Let messages be over that end before now."""
        messages, lifetimes, cursor = host.messages, host.lifetimes, host.scratch.cursor
        oldest = cursor[OLDEST]
        while oldest < cursor[BIRTH] and messages[oldest].expires < now:
            oldest += 1
        cursor[OLDEST] = oldest
        expired = oldest
        if lifetimes.order.size > 0:
            expired = cursor[EXPIRED]
            while expired < lifetimes.order.size and messages[lifetimes.order[expired]].expires < now:
                message = lifetimes.order[expired]
                place = np.uint64((message >> 6) & (lifetimes.over.size - 1))
                lifetimes.over[place] |= _ONE << np.uint64(message & 63)
                expired += 1
        cursor[EXPIRED] = expired

    @leaf
    def forget(params: Any, state: Any, host: Any, node: Row) -> None:
        """Forget, at this node, all messages that are over."""
        buffers, now = host.buffers, host.scratch.cursor[EXPIRED]
        if buffers.node[node].purged < now:
            if host.lifetimes.order.size > 0:
                forget_mixed(params, state, host, node)
            else:
                forget_in_order(params, state, host, node)
            buffers.node[node].purged = now
        buffers.node[node].known = host.scratch.cursor[BIRTH]

    return LifetimeFunctions(advance, forget)
