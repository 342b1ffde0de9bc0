"""The loop over beacons: contacts open and close, interests come, a node tells, and all in contact with it hear.

A neighbour is who is in contact: contacts come from positions by the one proximity kernel (`traces.proximity`), or from
any trace. A contact holds from its start until before its end. Cost of a beacon: the sender, its neighbours, and the
contacts that began or ended meanwhile; nothing depends on how many nodes there are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import count_ones, leaf, loop
from hunet.protocols.grapevine import express, hear, place_of, tell, wants
from hunet.protocols.grapevine_wire import interest_bytes, size
from hunet.sim.beaconing import is_lost

__all__ = [
    "BEACONS",
    "BYTES",
    "HEARD",
    "INTEREST_BYTES",
    "ITEMS",
    "LOST",
    "OWN_ITEMS",
    "TALLIES",
    "THERE",
    "WITHIN",
    "Ground",
    "Links",
    "Watch",
    "new_links",
    "run_beacons",
]

Ints = npt.NDArray[np.int64]
Ids = npt.NDArray[np.int32]

BEACONS, BYTES, INTEREST_BYTES, ITEMS, OWN_ITEMS, HEARD, LOST, WITHIN, THERE = range(9)
TALLIES = 9
"""Sums over a run; ITEMS are values sent, OWN_ITEMS those that came from the sender itself; the last two belong to
`coverage_now`."""

_OPENED, _CLOSED, _EXPRESSED, _LOOKS = range(4)
_NONE = -1


class Ground(NamedTuple):
    """What is given: contacts sorted by start, interests sorted by time, clocks and the radio. Milliseconds."""

    a: Ids
    b: Ids
    start: Ints
    end: Ints
    ending: Ints
    """Contacts in order of their ends."""
    node: Ids
    label: Ids
    since: Ints
    until: Ints
    hops: npt.NDArray[np.uint8]
    clock: Ints
    """By how much each node's is ahead."""
    seed: np.uint64
    loss: np.uint64
    every: int
    """Between two looks at who is within reach."""


class Links(NamedTuple):
    """Open contacts as a chain of ends per node; ends of contact i are 2 i (at a) and 2 i + 1 (at b)."""

    first: Ints
    following: Ints
    before: Ints
    passed: Ints
    """Contacts opened and closed, interests expressed, looks taken so far."""


class Watch(NamedTuple):
    """Who could have got what, and who did, for some of the nodes (`row`, -1 for the others)."""

    row: Ints
    within: npt.NDArray[np.uint64]
    """[row, producer, word]: labels wanted while the producer was within the hop limit."""
    arrived: npt.NDArray[np.uint64]
    """[row, producer, word]: labels wanted of which a value of it came."""
    queue: Ids
    distance: npt.NDArray[np.int8]
    """From the node that is looked at; -1 between two looks."""
    wanted: npt.NDArray[np.uint64]
    tally: Ints


def new_links(nodes: int, contacts: int) -> Links:
    """No contact is open yet."""
    return Links(
        np.full(nodes, _NONE, np.int64),
        np.full(2 * contacts, _NONE, np.int64),
        np.full(2 * contacts, _NONE, np.int64),
        np.zeros(4, np.int64),
    )


@leaf
def _node_at(ground: Any, end: Any) -> Any:
    return ground.a[end >> 1] if end & 1 == 0 else ground.b[end >> 1]


@leaf
def _open(ground: Any, links: Any, contact: Any) -> None:
    for end in range(2 * contact, 2 * contact + 2):
        node = _node_at(ground, end)
        after = links.first[node]
        links.following[end] = after
        links.before[end] = _NONE
        if after != _NONE:
            links.before[after] = end
        links.first[node] = end


@leaf
def _close(ground: Any, links: Any, contact: Any) -> None:
    for end in range(2 * contact, 2 * contact + 2):
        before, after = links.before[end], links.following[end]
        if before == _NONE:
            links.first[_node_at(ground, end)] = after
        else:
            links.following[before] = after
        if after != _NONE:
            links.before[after] = before


@leaf
def _advance(state: Any, ground: Any, links: Any, now: Any) -> None:
    """All that happens up to a time, before the beacon of that time."""
    passed = links.passed
    while passed[_OPENED] < ground.a.size and ground.start[passed[_OPENED]] <= now:
        _open(ground, links, passed[_OPENED])
        passed[_OPENED] += 1
    while passed[_CLOSED] < ground.a.size and ground.end[ground.ending[passed[_CLOSED]]] <= now:
        _close(ground, links, ground.ending[passed[_CLOSED]])
        passed[_CLOSED] += 1
    while passed[_EXPRESSED] < ground.node.size and ground.since[passed[_EXPRESSED]] <= now:
        i = passed[_EXPRESSED]
        node = ground.node[i]
        express(state, node, ground.label[i], ground.hops[i], ground.until[i] + ground.clock[node])
        passed[_EXPRESSED] += 1


@leaf
def _note_wanted(state: Any, watch: Any, node: Any, now: Any) -> Any:
    """Write down what a node wants; whether it is anything."""
    some = False
    for word in range(watch.wanted.size):
        watch.wanted[word] = np.uint64(0)
    for label in range(state.reach.shape[1]):
        if wants(state, node, label, now):
            watch.wanted[label >> 6] |= np.uint64(1) << np.uint64(label & 63)
            some = True
    return some


@leaf
def _note_arrivals(state: Any, watch: Any, node: Any, digest: Any, now: Any) -> None:
    row = watch.row[node]
    if row < 0 or digest.used[0] == 0 or not _note_wanted(state, watch, node, now):
        return
    for i in range(digest.used[0]):
        for word in range(watch.wanted.size):
            watch.arrived[row, digest.origin[i], word] |= digest.labels[i, word] & watch.wanted[word]


@leaf
def _look(params: Any, state: Any, ground: Any, links: Any, watch: Any, now: Any) -> None:
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
            while end != _NONE:
                other = _node_at(ground, end ^ 1)
                if watch.distance[other] < 0:
                    watch.distance[other] = watch.distance[here] + 1
                    watch.queue[count] = other
                    count += 1
                end = links.following[end]
        watch.distance[node] = -1
        for i in range(1, count):
            producer = watch.queue[i]
            watch.distance[producer] = -1
            place = place_of(state, node, producer)
            for word in range(watch.wanted.size):
                watch.within[row, producer, word] |= watch.wanted[word]
                watch.tally[WITHIN] += count_ones(watch.wanted[word])
                if place >= 0:
                    watch.tally[THERE] += count_ones(watch.wanted[word] & state.labels[node, place, word])


@leaf
def _look_until(params: Any, state: Any, ground: Any, links: Any, watch: Any, now: Any) -> None:
    """Look around at every multiple of the period that has come; contacts and interests come before, beacons after."""
    while (links.passed[_LOOKS] + 1) * ground.every <= now:
        links.passed[_LOOKS] += 1
        at = links.passed[_LOOKS] * ground.every
        _advance(state, ground, links, at)
        _look(params, state, ground, links, watch, at)
    _advance(state, ground, links, now)


@leaf
def _count(params: Any, digest: Any, tally: Any) -> None:
    tally[BEACONS] += 1
    tally[BYTES] += size(params, digest)
    tally[INTEREST_BYTES] += interest_bytes(params)
    for i in range(digest.used[0]):
        for word in range(digest.labels.shape[1]):
            tally[ITEMS] += count_ones(digest.labels[i, word])


@loop
def run_beacons(
    params: Any, state: Any, digest: Any, ground: Any, links: Any, watch: Any, beacons: Any, until: Any
) -> None:
    """Send these beacons, and then let time pass to just before `until`."""
    tally = watch.tally
    for i in range(beacons.time.size):
        now, me = beacons.time[i], beacons.node[i]
        _look_until(params, state, ground, links, watch, now)
        tell(params, state, me, now + ground.clock[me], digest)
        _count(params, digest, tally)
        if digest.used[0] > 0 and digest.origin[0] == me:
            for word in range(digest.labels.shape[1]):
                tally[OWN_ITEMS] += count_ones(digest.labels[0, word])
        end = links.first[me]
        while end != _NONE:
            other = np.int64(_node_at(ground, end ^ 1))
            end = links.following[end]
            if ground.loss > np.uint64(0) and is_lost(ground.loss, ground.seed, me, beacons.number[i], other):
                tally[LOST] += 1
                continue
            tally[HEARD] += 1
            heard_at = now + ground.clock[other]
            hear(params, state, other, digest, heard_at)
            _note_arrivals(state, watch, other, digest, heard_at)
    _look_until(params, state, ground, links, watch, until - 1)
