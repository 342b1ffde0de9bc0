"""How far Envoy could get if it knew more: a table of docs/envoy.md. No protocol: it sees what nobody can.

    python -m hunet.studies.foresight infocom05 ht2009

Envoy with unlimited buffers and a lifetime of 10 h, whose holders know of every peer whom it will meet in time, and of
every message who has it. What is foreseen is one hop: whom a peer's peers will meet stays unknown.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.home import home
from hunet.kernels import leaf
from hunet.protocols.envoy import ENVOY, EnvoySettings
from hunet.protocols.protocol import BOTH, NO, Message, Protocol, World
from hunet.protocols.quantities import Digest, Entry, Row, Score
from hunet.sim.simulate import conditions_of, simulate
from hunet.sim.workload.profiles import workload_named
from hunet.sim.workload.workload import Workload
from hunet.traces.store import TraceStore

__all__ = ["foreseeing", "main"]

WORTHS = (0.2, 0.1, 0.045, 0.02)
_take = ENVOY.take


class Foresight(NamedTuple):
    """The parameters of Envoy, and what nobody can know."""

    m: int
    table: npt.NDArray[Any]
    worth: float
    horizon: float
    first_node: int
    peer_start: npt.NDArray[np.int64]
    parcel: npt.NDArray[np.uint64]
    first_meeting: npt.NDArray[np.int64]
    """[one * nodes + other]: where their meetings begin in `meetings`."""
    meetings: npt.NDArray[np.float64]
    wants: npt.NDArray[np.bool_]
    """[node, tag]"""
    has: npt.NDArray[np.bool_]
    """[message, node]: who has it by now."""


@leaf
def _next_meeting(params: Any, one: Any, other: Any, now: Any) -> Any:
    pair = np.int64(one) * params.wants.shape[0] + other
    low, high = params.first_meeting[pair], params.first_meeting[pair + 1]
    end = high
    while low < high:
        middle = (low + high) >> 1
        if params.meetings[middle] > now:
            high = middle
        else:
            low = middle + 1
    return params.meetings[low] if low < end else np.inf


@leaf
def _give(params: Any, state: Any, me: Row, entry: Entry, message: Message, score: Score, heard: Digest) -> Any:
    """The peer promises those whom it meets in time and sooner than I do."""
    if score == BOTH:
        return BOTH
    promised = 0
    for node in range(params.wants.shape[0]):
        if params.wants[node, message.tags[message.first_tag]] and not params.has[message.number, node]:
            theirs = _next_meeting(params, message.peer, node, state.now[me])
            promised += theirs <= message.expires and theirs < _next_meeting(params, me, node, state.now[me])
    needed = params.worth * np.float64(np.int64(1) << np.int64(state.doublings[me, entry]))
    return np.float32(promised) if promised > 0 and promised >= needed else NO


@leaf
def _take_and_know(params: Any, state: Any, me: Any, entry: Any, message: Any, note: Any) -> Any:
    params.has[message.number, me] = True
    return _take(params, state, me, entry, message, note)


def foreseeing(contacts: pa.Table, nodes: int, workload: Workload) -> Protocol:
    """Envoy that knows this trace and workload."""
    a, b, start = (contacts[name].to_numpy().astype(np.float64) for name in ("a", "b", "start"))
    pair = np.concatenate((a * nodes + b, b * nodes + a)).astype(np.int64)
    order = np.lexsort((np.concatenate((start, start)), pair))
    first = np.searchsorted(pair[order], np.arange(nodes * nodes + 1)).astype(np.int64)
    meetings = np.ascontiguousarray(np.concatenate((start, start))[order])
    wants = np.zeros((nodes, len(workload.tags)), np.bool_)
    for row in workload.interests.to_pylist():
        wants[row["node"], workload.tags.index(row["tag"])] = True

    def prepare(settings: EnvoySettings, world: World) -> Foresight:
        has = np.zeros((workload.messages.num_rows, nodes), np.bool_)
        own = ENVOY.prepare(settings, world)._asdict()
        return Foresight(**own, first_meeting=first, meetings=meetings, wants=wants, has=has)

    return replace(ENVOY, name="envoy-foreseeing", prepare=prepare, give=_give, take=_take_and_know)


def main(arguments: Sequence[str]) -> None:
    """Print, as shares of PUSH's, deliveries and transfers of Envoy as it is and as it would be with foresight."""
    store = TraceStore(home())
    print("| of PUSH's deliveries @ transfers | `worth` | Envoy | with foresight |\n|---|---|---|---|")
    for name in arguments:
        trace = store.open(name)
        contacts, nodes = trace.contacts(), trace.nodes().num_rows
        workload = replace(workload_named("bsub13", contacts, 1), ttl=36000.0, buffer=None, own_outside=True)
        conditions = conditions_of(workload)
        foreseen = foreseeing(contacts, nodes, workload)
        push = simulate(trace, workload, "push", conditions=conditions).measures
        for worth in WORTHS:
            cells = []
            for protocol in (ENVOY, foreseen):
                found = simulate(trace, workload, protocol, settings={"worth": worth}, conditions=conditions).measures
                shares = (found[measure] / push[measure] for measure in ("delivered", "forwards"))
                cells.append("{:.3f} @ {:.2f}".format(*shares))
            print(f"| {name} | {worth} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
