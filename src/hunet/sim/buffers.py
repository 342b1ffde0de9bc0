"""Who holds what and who has seen what: one bit per node and live message.

Messages are numbered by their time of birth and live in a ring of words; all older than the ring's start are over. An
index of the words that are not empty makes a walk over a node's messages as short as they are few. Newer messages have
higher numbers, so the oldest of a node is its lowest bit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import count_ones, highest_bit, leaf, lowest_bit

__all__ = ["BufferFunctions", "Buffers", "buffer_functions", "new_buffers", "newest_word", "ring_words"]

_ZERO, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)


_NODE = np.dtype([("count", np.int64), ("purged", np.int64), ("known", np.int64), ("drops", np.int64)])


class Buffers(NamedTuple):
    """State of all nodes; only the simulator sees it."""

    held: npt.NDArray[np.uint64]
    """[node, word]: copies carried."""
    seen: npt.NDArray[np.uint64]
    """[node, word]: messages ever received or published."""
    busy: npt.NDArray[np.uint64]
    """[node, word / 64]: which words of `held` are not empty."""
    node: npt.NDArray[Any]
    """[node]: `count`, copies that count against the buffer; `purged`, how many ends of messages, in time order, it has
    forgotten; `known`, messages born when it last did so; `drops`, copies its buffer lost."""
    outside: npt.NDArray[np.uint64] | None
    """[node, word]: copies that do not count against the buffer; None where all count."""


def ring_words(created: npt.NDArray[np.float64], expires: npt.NDArray[np.float64]) -> int:
    """How many words the ring needs: a power of two that spans the messages alive together, with room to spare."""
    if created.size == 0:
        return 1
    # At the birth of message i, everything from the first message not yet over up to i lies in the ring.
    ends = np.maximum.accumulate(expires)
    span = np.arange(created.size) - np.searchsorted(ends, created, side="left")
    words = 1
    while words * 64 < int(span.max()) + 130:
        words *= 2
    return words


def new_buffers(nodes: int, words: int, own_outside: bool) -> Buffers:
    """Empty buffers."""
    return Buffers(
        np.zeros((nodes, words), np.uint64),
        np.zeros((nodes, words), np.uint64),
        np.zeros((nodes, (words + 63) // 64), np.uint64),
        np.zeros(nodes, _NODE).view(np.recarray),
        np.zeros((nodes, words), np.uint64) if own_outside else None,
    )


@leaf
def newest_word(buffers: Any, node: Any, word: Any, first: Any) -> Any:
    """The newest word at or before `word` that holds something; below `first` when there is none."""
    last = buffers.held.shape[1] - 1
    while word >= first:
        place = word & last
        marks = buffers.busy[node, np.uint64(place >> 6)] << np.uint64(63 - (place & 63))
        if marks != _ZERO:
            return word - (63 - highest_bit(marks))
        word -= (place & 63) + 1
    return word


class BufferFunctions(NamedTuple):
    """What can be done with a buffer."""

    clear: Callable[..., None]
    forget_span: Callable[..., None]
    let_go: Callable[..., None]
    put: Callable[..., Any]


@cache
def buffer_functions(own_outside: bool) -> BufferFunctions:
    """The functions; `own_outside` says whether a node's own messages stay outside its limit."""

    @leaf
    def clear(buffers: Any, node: Any, place: Any, gone: Any) -> None:
        """Forget some messages of one word, held or seen."""
        held = buffers.held[node, place]
        buffers.seen[node, place] &= ~gone
        if held & gone != _ZERO:
            counted = held & gone
            if own_outside:
                counted &= ~buffers.outside[node, place]
                buffers.outside[node, place] &= ~gone
            buffers.node[node].count -= count_ones(counted)
            buffers.held[node, place] = held & ~gone
            if held & ~gone == _ZERO:
                buffers.busy[node, place >> np.uint64(6)] &= ~(_ONE << (place & np.uint64(63)))

    @leaf
    def forget_span(buffers: Any, node: Any, first: Any, stop: Any) -> None:
        """Forget the messages from `first` up to, not including, `stop`, held or seen."""
        last = buffers.held.shape[1] - 1
        word, end = first >> 6, stop >> 6
        whole = end
        if end - word > last:  # away for longer than the ring goes back: all the node knew is over
            word, whole = end - last, end + 1
        while word <= end:
            clear(buffers, node, np.uint64(word & last), _ALL if word < whole else ~(_ALL << np.uint64(stop & 63)))
            word += 1

    @leaf
    def oldest_counted(buffers: Any, node: Any, oldest: Any) -> Any:
        """The lowest message number held that counts; there is one."""
        last = buffers.held.shape[1] - 1
        group = min(buffers.held.shape[1], 64)  # words to a word of marks
        word = np.int64(oldest >> 6)
        while True:
            marks = buffers.busy[node, np.uint64((word & last) >> 6)] >> np.uint64(word & last & 63)
            if marks == _ZERO:
                word += group - (word & last & 63)
                continue
            word += lowest_bit(marks)
            bits = buffers.held[node, np.uint64(word & last)]
            if own_outside:
                bits &= ~buffers.outside[node, np.uint64(word & last)]
            if bits != _ZERO:
                return (word << 6) + lowest_bit(bits)
            word += 1

    @leaf
    def let_go(buffers: Any, node: Any, message: Any) -> None:
        """Give up a copy that is held; it stays seen."""
        place = np.uint64((message >> 6) & (buffers.held.shape[1] - 1))
        bit = _ONE << np.uint64(message & 63)
        if own_outside and buffers.outside[node, place] & bit != _ZERO:
            buffers.outside[node, place] &= ~bit
        else:
            buffers.node[node].count -= 1
        buffers.held[node, place] &= ~bit
        if buffers.held[node, place] == _ZERO:
            buffers.busy[node, place >> np.uint64(6)] &= ~(_ONE << (place & np.uint64(63)))

    @leaf
    def put(buffers: Any, node: Any, message: Any, oldest: Any, room: Any, own: Any) -> Any:
        """Hold a message. A full buffer drops its oldest, which may be this one; returns what was dropped, or -1."""
        place = np.uint64((message >> 6) & (buffers.held.shape[1] - 1))
        bit = _ONE << np.uint64(message & 63)
        dropped = np.int64(-1)
        if own_outside and own:
            buffers.outside[node, place] |= bit
        else:
            if buffers.node[node].count >= room:
                dropped = message if room == 0 else oldest_counted(buffers, node, oldest)
                if dropped >= message:
                    return message
                let_go(buffers, node, dropped)
            buffers.node[node].count += 1
        buffers.held[node, place] |= bit
        buffers.busy[node, place >> np.uint64(6)] |= _ONE << (place & np.uint64(63))
        return dropped

    return BufferFunctions(clear, forget_span, let_go, put)
