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
from hunet.protocols.quantities import Row

__all__ = ["BufferFunctions", "Buffers", "buffer_functions", "new_buffers", "ring_words", "words_lacking"]

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
    waiting: npt.NDArray[np.uint64] | None
    """[node, word]: copies that go to none but those who want them (`Protocol.waits`); None where that is not known."""
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


def new_buffers(nodes: int, words: int, own_outside: bool, waits: bool) -> Buffers:
    """Empty buffers."""
    return Buffers(
        np.zeros((nodes, words), np.uint64),
        np.zeros((nodes, words), np.uint64),
        np.zeros((nodes, (words + 63) // 64), np.uint64),
        np.zeros(nodes, _NODE).view(np.recarray),
        np.zeros((nodes, words), np.uint64) if waits else None,
        np.zeros((nodes, words), np.uint64) if own_outside else None,
    )


@leaf
def words_lacking(
    buffers: Any, me: Row, peer: Row, oldest: Any, newest: Any, words: Any, with_held: Any = False
) -> Any:
    """Write down the words in which I hold what the peer has not seen, newest first; or also what it holds itself.

    Messages from `oldest` up to, not including, `newest` are looked at. Returns how many words, and how many messages.
    """
    last = buffers.held.shape[1] - 1
    first, word = oldest >> 6, (newest - 1) >> 6
    count, messages = 0, 0
    while word >= first:
        place = word & last
        marks = buffers.busy[me, np.uint64(place >> 6)] & (_ALL >> np.uint64(63 - (place & 63)))
        base = word - (place & 63)
        while marks != _ZERO:
            bit = highest_bit(marks)
            marks ^= _ONE << np.uint64(bit)
            word = base + bit
            if word < first:
                break
            at = np.uint64(word & last)
            missing = ~buffers.seen[peer, at]
            if with_held:
                missing |= buffers.held[peer, at]
            mask = buffers.held[me, at] & missing
            words[count].number = word
            words[count].mask = mask
            count += mask != _ZERO
            messages += count_ones(mask)
        word = base - 1
    return count, messages


class BufferFunctions(NamedTuple):
    """What can be done with a buffer."""

    clear: Callable[..., None]
    forget_span: Callable[..., None]
    oldest_word: Callable[..., Any]
    remove: Callable[..., None]
    put: Callable[..., None]


@cache
def buffer_functions(own_outside: bool) -> BufferFunctions:
    """The functions; `own_outside` says whether a node's own messages stay outside its limit."""

    @leaf
    def remove(buffers: Any, node: Row, place: Any, gone: Any) -> None:
        """Give up some copies of one word, all of them held; they stay seen."""
        counted = gone
        if own_outside:
            counted &= ~buffers.outside[node, place]
            buffers.outside[node, place] &= ~gone
        buffers.node[node].count -= count_ones(counted)
        left = buffers.held[node, place] & ~gone
        buffers.held[node, place] = left
        if left == _ZERO:
            buffers.busy[node, place >> np.uint64(6)] &= ~(_ONE << (place & np.uint64(63)))

    @leaf
    def clear(buffers: Any, node: Row, place: Any, gone: Any) -> None:
        """Forget some messages of one word, held or seen."""
        buffers.seen[node, place] &= ~gone
        held = buffers.held[node, place] & gone
        if held != _ZERO:
            remove(buffers, node, place, held)

    @leaf
    def forget_span(buffers: Any, node: Row, first: Any, stop: Any) -> None:
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
    def oldest_word(buffers: Any, node: Row, word: Any) -> Any:
        """The first word from `word` on that holds messages that count, and these; there is one."""
        last = buffers.held.shape[1] - 1
        group = min(buffers.held.shape[1], 64)  # words to a word of marks
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
                return word, bits
            word += 1

    @leaf
    def put(buffers: Any, node: Row, message: Any, own: bool) -> None:
        """Hold a message, whether or not there is room."""
        place = np.uint64((message >> 6) & (buffers.held.shape[1] - 1))
        bit = _ONE << np.uint64(message & 63)
        if own_outside and own:
            buffers.outside[node, place] |= bit
        else:
            buffers.node[node].count += 1
        buffers.held[node, place] |= bit
        buffers.busy[node, place >> np.uint64(6)] |= _ONE << (place & np.uint64(63))

    return BufferFunctions(clear, forget_span, oldest_word, remove, put)
