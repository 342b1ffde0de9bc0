"""Who holds what and who has seen what: one bit per node and live message.

Messages are numbered by their time of birth and live in a ring of words; all older than the ring's start are over. An
index of the words that are not empty makes a walk over a node's messages as short as they are few. Newer messages have
higher numbers, so the oldest of a node is its lowest bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import count_ones, highest_bit, leaf, lowest_bit

__all__ = ["Buffers", "let_go", "new_buffers", "newest_word", "purge", "put", "ring_words"]

_ZERO, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)


class Buffers(NamedTuple):
    """State of all nodes; only the simulator sees it."""

    held: npt.NDArray[np.uint64]
    """[node, word]: copies carried."""
    seen: npt.NDArray[np.uint64]
    """[node, word]: messages ever received or published."""
    busy: npt.NDArray[np.uint64]
    """[node, word / 64]: which words of `held` are not empty."""
    count: npt.NDArray[np.int64]
    """[node]: copies that count against the buffer."""
    purged: npt.NDArray[np.int64]
    """[node]: messages below this number have been forgotten."""


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


def new_buffers(nodes: int, words: int) -> Buffers:
    """Empty buffers."""
    return Buffers(
        np.zeros((nodes, words), np.uint64),
        np.zeros((nodes, words), np.uint64),
        np.zeros((nodes, (words + 63) // 64), np.uint64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
    )


@leaf
def _mark(buffers: Any, node: Any, place: Any) -> None:
    buffers.busy[node, place >> np.uint64(6)] |= _ONE << (place & np.uint64(63))


@leaf
def _unmark_if_empty(buffers: Any, node: Any, place: Any) -> None:
    if buffers.held[node, place] == _ZERO:
        buffers.busy[node, place >> np.uint64(6)] &= ~(_ONE << (place & np.uint64(63)))


@leaf
def purge(buffers: Any, node: Any, oldest: Any) -> None:
    """Forget all messages below `oldest`, held or seen."""
    done = buffers.purged[node]
    if oldest <= done:
        return
    last = buffers.held.shape[1] - 1
    word, stop = done >> 6, oldest >> 6
    if stop - word > last:
        word = stop - last
    gone = 0
    while word < stop:
        place = np.uint64(word & last)
        gone += count_ones(buffers.held[node, place])
        buffers.held[node, place] = _ZERO
        buffers.seen[node, place] = _ZERO
        _unmark_if_empty(buffers, node, place)
        word += 1
    if oldest & 63:
        place = np.uint64(stop & last)
        keep = _ALL << np.uint64(oldest & 63)
        gone += count_ones(buffers.held[node, place] & ~keep)
        buffers.held[node, place] &= keep
        buffers.seen[node, place] &= keep
        _unmark_if_empty(buffers, node, place)
    buffers.count[node] -= gone
    buffers.purged[node] = oldest


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


@leaf
def _oldest(buffers: Any, node: Any, oldest: Any) -> Any:
    """The lowest message number held; the buffer is not empty."""
    last = buffers.held.shape[1] - 1
    group = min(buffers.held.shape[1], 64)  # words to a word of marks
    word = np.int64(oldest >> 6)
    marks = buffers.busy[node, np.uint64((word & last) >> 6)] >> np.uint64(word & last & 63)
    while marks == _ZERO:
        word += group - (word & last & 63)
        marks = buffers.busy[node, np.uint64((word & last) >> 6)] >> np.uint64(word & last & 63)
    word += lowest_bit(marks)
    return (word << 6) + lowest_bit(buffers.held[node, np.uint64(word & last)])


@leaf
def let_go(buffers: Any, node: Any, message: Any) -> None:
    """Give up a copy that is held; it stays seen."""
    place = np.uint64((message >> 6) & (buffers.held.shape[1] - 1))
    buffers.held[node, place] &= ~(_ONE << np.uint64(message & 63))
    buffers.count[node] -= 1
    _unmark_if_empty(buffers, node, place)


@leaf
def put(buffers: Any, node: Any, message: Any, oldest: Any, room: Any) -> Any:
    """Hold a message. A full buffer drops its oldest, which may be this one; returns what was dropped, or -1."""
    dropped = -1
    if buffers.count[node] >= room:
        dropped = _oldest(buffers, node, oldest)
        if dropped >= message:
            return message
        let_go(buffers, node, dropped)
    place = np.uint64((message >> 6) & (buffers.held.shape[1] - 1))
    buffers.held[node, place] |= _ONE << np.uint64(message & 63)
    buffers.count[node] += 1
    _mark(buffers, node, place)
    return dropped
