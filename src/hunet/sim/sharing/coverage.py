"""Coverage: who could have got which values, and who did.

Once per period, everybody who is watched looks around: which producers are within the hop limit, breadth first over
open contacts, and what of theirs is known already. And whatever arrives is written down.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.bits import words_for
from hunet.kernels import count_ones, leaf
from hunet.protocols.grapevine import MOST_HOPS, wants
from hunet.protocols.grapevine_context import place_of
from hunet.protocols.quantities import Digest
from hunet.sim.sharing.neighbours import NONE, node_at

__all__ = ["Watch", "look", "new_watch", "note_arrivals"]

_MOST_BYTES = 2**27


class Watch(NamedTuple):
    """Who could have got what, and who did, for some of the nodes (`row`, -1 for the others)."""

    row: npt.NDArray[np.int64]
    within: npt.NDArray[np.uint64]
    """[row, producer, word]: labels wanted while the producer was within the hop limit."""
    arrived: npt.NDArray[np.uint64]
    """[row, producer, word]: labels wanted of which a value of it came."""
    queue: npt.NDArray[np.int32]
    distance: npt.NDArray[np.int8]
    """From the node that is looked at; -1 between two looks."""
    wanted: npt.NDArray[np.uint64]
    """[distance, word]: labels that the node at hand wants from so many hops away."""
    due: npt.NDArray[np.int64]
    """Over all looks: values wanted from within the hop limit, and those of them that were there."""


def new_watch(nodes: int, labels: int) -> Watch:
    """Of many nodes, some hundreds are watched, evenly chosen."""
    words = words_for(labels)
    count = min(nodes, max(1, _MOST_BYTES // (16 * words * nodes)))
    row = np.full(nodes, -1, np.int64)
    row[np.arange(count) * nodes // count] = np.arange(count)
    return Watch(
        row=row,
        within=np.zeros((count, nodes, words), np.uint64),
        arrived=np.zeros((count, nodes, words), np.uint64),
        queue=np.zeros(nodes, np.int32),
        distance=np.full(nodes, -1, np.int8),
        wanted=np.zeros((MOST_HOPS + 1, words), np.uint64),
        due=np.zeros(2, np.int64),
    )


@leaf
def _note_wanted(state: Any, watch: Any, node: Any, now: Any) -> Any:
    """Write down what a node wants; whether it is anything."""
    some = False
    for distance in range(watch.wanted.shape[0]):
        for word in range(watch.wanted.shape[1]):
            watch.wanted[distance, word] = np.uint64(0)
    for label in range(state.reach.shape[1]):
        if wants(state, node, label, now):
            some = True
            for distance in range(state.reach[node, label] + 1):
                watch.wanted[distance, label >> 6] |= np.uint64(1) << np.uint64(label & 63)
    return some


@leaf
def note_arrivals(state: Any, watch: Any, node: Any, digest: Digest, now: Any) -> None:
    """Write down which values that a node wants came with a beacon."""
    row = watch.row[node]
    if row < 0 or digest.used[0] == 0 or not _note_wanted(state, watch, node, now):
        return
    for i in range(digest.used[0]):
        for word in range(watch.wanted.shape[1]):
            watch.arrived[row, digest.origin[i], word] |= digest.labels[i, word] & watch.wanted[0, word]


@leaf
def look(params: Any, state: Any, ground: Any, links: Any, watch: Any, now: Any) -> None:
    """Who is within the hop limit of whom: breadth first over open contacts, from every watched node."""
    for node in range(watch.row.size):
        row = watch.row[node]
        if row < 0 or not _note_wanted(state, watch, node, now + ground.clock[node]):
            continue
        watch.queue[0] = node
        watch.distance[node] = 0
        count = 1
        taken = 0
        while taken < count:
            here = watch.queue[taken]
            taken += 1
            if watch.distance[here] == params.hops:
                continue
            end = links.first[here]
            while end != NONE:
                other = node_at(ground, end ^ 1)
                if watch.distance[other] < 0:
                    watch.distance[other] = watch.distance[here] + 1
                    watch.queue[count] = other
                    count += 1
                end = links.following[end]
        watch.distance[node] = -1
        for i in range(1, count):
            producer = watch.queue[i]
            distance = watch.distance[producer]
            watch.distance[producer] = -1
            place = place_of(state, node, producer)
            for word in range(watch.wanted.shape[1]):
                wanted = watch.wanted[distance, word]
                watch.within[row, producer, word] |= wanted
                watch.due[0] += count_ones(wanted)
                if place >= 0:
                    watch.due[1] += count_ones(wanted & state.labels[node, place, word])
