"""In which order messages are sent, and which leave a buffer that is too full: one rule for simulator and node.

Hosts number messages so that a later one has a higher number. Sent is what is worth most, of equals the newest. A full
buffer parts with what its protocol ranks lowest, of equals the oldest; `fair`, it looks first for the author with most
messages here (of several such, the one with the oldest): a flood evicts itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.kernels import at_once, leaf, rare

__all__ = ["CHOICE", "HELD", "fit", "mark_leaving"]

CHOICE = np.dtype([("message", np.int64), ("length", np.int64), ("score", np.float32), ("known", np.bool_)], align=True)
"""A message chosen for a peer: the bytes that it takes, and whether the peer knows it already and gets an errand."""

HELD = np.dtype([("message", np.int64), ("author", np.int64), ("worth", np.float32), ("leaves", np.bool_)], align=True)
"""A message in a buffer: its author's number, what it is worth by the protocol, and whether it is to leave."""


@leaf
def _better(chosen: Any, i: Any, j: Any) -> Any:
    """Does i go before j?"""
    return chosen[i].score > chosen[j].score or (
        chosen[i].score == chosen[j].score and chosen[i].message > chosen[j].message
    )


@leaf
def _swap(chosen: Any, i: Any, j: Any) -> None:
    message, length, score, known = chosen[i].message, chosen[i].length, chosen[i].score, chosen[i].known
    chosen[i].message, chosen[i].length = chosen[j].message, chosen[j].length
    chosen[i].score, chosen[i].known = chosen[j].score, chosen[j].known
    chosen[j].message, chosen[j].length, chosen[j].score, chosen[j].known = message, length, score, known


@rare
def _sift(chosen: Any, root: Any, count: Any) -> None:
    """Let one entry sink to its place in a heap whose first entry is the worst."""
    while True:
        child = 2 * root + 1
        if child >= count:
            return
        if child + 1 < count and _better(chosen, child, child + 1):
            child += 1
        if not _better(chosen, root, child):
            return
        _swap(chosen, root, child)
        root = child


def _sort_at_once(chosen: Any, count: Any) -> None:
    first = chosen[:count]
    chosen[:count] = first[np.lexsort((-first["message"], -first["score"]))]


@at_once(_sort_at_once, rare)
def _sort(chosen: Any, count: Any) -> None:
    """Best first: heap sort, in place."""
    for root in range(count // 2 - 1, -1, -1):
        _sift(chosen, root, count)
    for last in range(count - 1, 0, -1):
        _swap(chosen, 0, last)
        _sift(chosen, 0, last)


@rare
def fit(chosen: Any, counts: Any, only: Any, used: Any, capacity: Any) -> None:
    """Cut off what does not fit into a capacity: best first, one message each way in turn, until one fails.

    `chosen` is [direction, i] of CHOICE. `counts` says how many messages are chosen in each direction, and then how
    many of these go over. With `only` a direction has the capacity to itself; -1: both share it. What takes no capacity
    always goes over.
    """
    needed = used
    for side in range(2):
        if only < 0 or side == only:
            for i in range(counts[side]):
                needed += chosen[side, i].length
    if needed <= capacity:
        return
    most = 0
    for side in range(2):
        if only < 0 or side == only:
            _sort(chosen[side], counts[side])
            most = max(most, counts[side])
    kept_a, kept_b = 0, 0
    for turn in range(2 * most):
        side, i = turn & 1, turn >> 1
        if i < counts[side] and (only < 0 or side == only):
            needed = chosen[side, i].length
            used += needed  # half a message is lost, and so is the time it took
            if needed == 0 or used <= capacity:
                _swap(chosen[side], kept_a if side == 0 else kept_b, i)
                kept_a, kept_b = kept_a + (1 - side), kept_b + side
    if only != 1:
        counts[0] = kept_a
    if only != 0:
        counts[1] = kept_b


def _mark_leaving_at_once(held: Any, count: Any, excess: Any, fair: Any) -> None:
    first = held[:count]
    first["leaves"] = False
    least_first = np.lexsort((first["message"], first["worth"]))
    if not fair:
        first["leaves"][least_first[:excess]] = True
        return
    queues: dict[int, list[int]] = {}  # of each author, what stays, the least last
    for i in least_first[::-1].tolist():
        queues.setdefault(int(first["author"][i]), []).append(i)
    numbers = first["message"].tolist()
    for _ in range(excess):
        most = max(map(len, queues.values()))
        greedy = [author for author, queue in queues.items() if len(queue) == most]
        author = min(greedy, key=lambda one: min(numbers[i] for i in queues[one]))
        first["leaves"][queues[author].pop()] = True


@at_once(_mark_leaving_at_once, rare)
def mark_leaving(held: Any, count: Any, excess: Any, fair: Any) -> None:
    """Mark, among the first `count` of an array of HELD, those that leave: `excess` of them."""
    for i in range(count):
        held[i].leaves = False
    for _ in range(excess):
        author = _greediest(held, count) if fair else np.int64(-1)
        least = -1
        for i in range(count):
            if held[i].leaves or (fair and held[i].author != author):
                continue
            if (
                least < 0
                or held[i].worth < held[least].worth
                or (held[i].worth == held[least].worth and held[i].message < held[least].message)
            ):
                least = i
        held[least].leaves = True


@rare
def _greediest(held: Any, count: Any) -> Any:
    """The author of most of the messages that stay so far; of several, that of the oldest message."""
    author, most, oldest = np.int64(-1), 0, np.int64(0)
    for i in range(count):
        if held[i].leaves:
            continue
        number, first = 0, held[i].message
        for j in range(count):
            if not held[j].leaves and held[j].author == held[i].author:
                number += 1
                first = min(first, held[j].message)
        if number > most or (number == most and first < oldest):
            author, most, oldest = held[i].author, number, first
    return author
