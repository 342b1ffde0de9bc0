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
from hunet.protocols.grapevine import express, hear, tell
from hunet.protocols.grapevine_wire import BEACON, interest_bytes
from hunet.protocols.quantities import Digest
from hunet.sim.sharing.beaconing import is_lost
from hunet.sim.sharing.coverage import look, note_arrivals
from hunet.sim.sharing.neighbours import NONE, close_contact, node_at, open_contact

__all__ = ["TALLY", "Course", "Ground", "new_course", "run_beacons"]

Ints = npt.NDArray[np.int64]
Ids = npt.NDArray[np.int32]

TALLY = ("beacons", "bytes", "interest_bytes", "values", "own_values", "heard", "lost", "unheard", "unheard_bytes")
"""What is counted over a run. `values` are sent ones, `own_values` those of them that are the sender's own; `unheard`
are beacons of nodes with nobody in reach."""

_BEACONS, _BYTES, _INTEREST_BYTES, _VALUES, _OWN_VALUES, _HEARD, _LOST, _UNHEARD, _UNHEARD_BYTES = range(len(TALLY))
_OPENED, _CLOSED, _EXPRESSED, _LOOKS = range(4)
_size = BEACON.size


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


class Course(NamedTuple):
    """How far a run is."""

    passed: Ints
    """Contacts opened and closed, interests expressed, looks taken so far."""
    tally: Ints


def new_course() -> Course:
    """Nothing happened yet."""
    return Course(np.zeros(4, np.int64), np.zeros(len(TALLY), np.int64))


@leaf
def _advance(state: Any, ground: Any, links: Any, passed: Any, now: Any) -> None:
    """All that happens up to a time, before the beacon of that time."""
    while passed[_OPENED] < ground.a.size and ground.start[passed[_OPENED]] <= now:
        open_contact(ground, links, passed[_OPENED])
        passed[_OPENED] += 1
    while passed[_CLOSED] < ground.a.size and ground.end[ground.ending[passed[_CLOSED]]] <= now:
        close_contact(ground, links, ground.ending[passed[_CLOSED]])
        passed[_CLOSED] += 1
    while passed[_EXPRESSED] < ground.node.size and ground.since[passed[_EXPRESSED]] <= now:
        i = passed[_EXPRESSED]
        node = ground.node[i]
        express(state, node, ground.label[i], ground.hops[i], ground.until[i] + ground.clock[node])
        passed[_EXPRESSED] += 1


@leaf
def _pass_time(params: Any, state: Any, ground: Any, links: Any, watch: Any, passed: Any, now: Any) -> None:
    """Come to a time; at the multiples of the period, look around. A look comes before the beacons of its instant."""
    while (passed[_LOOKS] + 1) * ground.every <= now:
        passed[_LOOKS] += 1
        at = passed[_LOOKS] * ground.every
        _advance(state, ground, links, passed, at)
        look(params, state, ground, links, watch, at)
    _advance(state, ground, links, passed, now)


@leaf
def _count(params: Any, digest: Digest, me: Any, tally: Any) -> None:
    tally[_BEACONS] += 1
    tally[_BYTES] += _size(params, digest)
    tally[_INTEREST_BYTES] += interest_bytes(params)
    for i in range(digest.used[0]):
        values = 0
        for word in range(digest.labels.shape[1]):
            values += count_ones(digest.labels[i, word])
        tally[_VALUES] += values
        if digest.origin[i] == me:
            tally[_OWN_VALUES] += values


@loop
def run_beacons(
    params: Any, state: Any, digest: Digest, ground: Any, links: Any, watch: Any, course: Any, beacons: Any, until: Any
) -> None:
    """Send these beacons, and then let time pass to just before `until`."""
    tally = course.tally
    for i in range(beacons.time.size):
        now, me = beacons.time[i], beacons.node[i]
        _pass_time(params, state, ground, links, watch, course.passed, now)
        tell(params, state, me, now + ground.clock[me], digest)
        _count(params, digest, me, tally)
        end = links.first[me]
        if end == NONE:
            tally[_UNHEARD] += 1
            tally[_UNHEARD_BYTES] += _size(params, digest)
        while end != NONE:
            other: Any = np.int64(node_at(ground, end ^ 1))
            end = links.following[end]
            if ground.loss > np.uint64(0) and is_lost(ground.loss, ground.seed, me, beacons.number[i], other):
                tally[_LOST] += 1
                continue
            tally[_HEARD] += 1
            heard_at = now + ground.clock[other]
            hear(params, state, other, digest, heard_at)
            note_arrivals(state, watch, other, digest, heard_at)
    _pass_time(params, state, ground, links, watch, course.passed, until - 1)
