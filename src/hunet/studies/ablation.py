"""What each part of Envoy is good for: the table of docs/envoy.md, made without one part after the other.

python -m hunet.studies.ablation infocom05 ht2009 highschool2011
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hunet.home import home
from hunet.kernels import leaf
from hunet.protocols.envoy import ENVOY
from hunet.protocols.envoy_places import TOP, WORDS
from hunet.protocols.protocol import BOTH, NO, Message, Protocol
from hunet.protocols.quantities import Digest, Entry, Face, Hello, Note, Now, Row, Score
from hunet.sim.simulate import conditions_of, simulate
from hunet.sim.workload.profiles import workload_named
from hunet.studies.standing import CONDITIONS
from hunet.traces.store import TraceStore

__all__ = ["VARIANTS", "main"]

SEEDS = (1, 2)
SHOWN = ("a", "b", "c")

_note, _gave, _take, _tell = ENVOY.note, ENVOY.gave, ENVOY.take, ENVOY.tell


@leaf
def _only_who_wants_it(params: Any, mine: Any, theirs: Any, own: Any) -> Any:
    return BOTH if theirs else NO


@leaf
def _flat_note(params: Any, state: Any, me: Row, entry: Entry, message: Message, score: Score, heard: Digest) -> Any:
    """The price stays."""
    return _note(params, state, me, entry, message, score, heard) & TOP


@leaf
def _bare_take(params: Any, state: Any, me: Row, entry: Entry, message: Message, note: Note) -> Any:
    """Nobody is covered."""
    taken = _take(params, state, me, entry, message, note)
    for word in range(WORDS):
        state.covered[me, entry, word] = np.uint64(0)
    state.strange[me, entry] = 0
    return taken


@leaf
def _bare_gave(
    params: Any, state: Any, me: Row, entry: Entry, message: Message, score: Score, note: Note, heard: Digest
) -> Any:
    kept = _gave(params, state, me, entry, message, score, note, heard)
    for word in range(WORDS):
        state.covered[me, entry, word] = np.uint64(0)
    state.strange[me, entry] = 0
    return kept


@leaf
def _tell_without_strangers(
    params: Any, state: Any, me: Row, now: Now, hello: Hello, face: Face, digest: Digest
) -> None:
    state.strangers[me] = 0.0
    _tell(params, state, me, now, hello, face, digest)


VARIANTS: Mapping[str, Protocol] = {
    "Envoy": ENVOY,
    "without telling what is dropped": replace(ENVOY, name="envoy-unbarred", lost=None),
    "without ranks: the oldest leaves": replace(ENVOY, name="envoy-unranked", rank=None, lost=None),
    "without strangers": replace(ENVOY, name="envoy-strangerless", tell=_tell_without_strangers),
    "without coverage": replace(ENVOY, name="envoy-uncovered", take=_bare_take, gave=_bare_gave),
    "without doubling": replace(ENVOY, name="envoy-flat", note=_flat_note),
    "without relays: only who wants it": replace(ENVOY, name="envoy-direct", want=_only_who_wants_it),
}
"""Envoy, and Envoy without one of its parts."""


def main(arguments: Sequence[str]) -> None:
    """Print the table: share delivered / within 4 h / transfers per delivery, on each trace."""
    store = TraceStore(home())
    traces = {name: store.open(name) for name in arguments}
    print(f"| delivered / within 4 h / transfers per delivery | {' | '.join(f'({key})' for key in SHOWN)} |")
    print("|---" * (len(SHOWN) + 1) + "|")
    for title, protocol in VARIANTS.items():
        cells = []
        for key in SHOWN:
            parts = []
            for trace in traces.values():
                found = [_run(trace, protocol, CONDITIONS[key].given, seed) for seed in SEEDS]
                ratio, soon, cost = (float(np.mean([one[name] for one in found])) for name in _MEASURES)
                parts.append(f"{ratio:.3f} / {soon:.3f} / {cost:.1f}")
            cells.append("<br>".join(parts))
        print(f"| {title} | {' | '.join(cells)} |", flush=True)


_MEASURES = ("delivery_ratio", "delivered_within_4h", "forwards_per_delivery")


def _run(trace: Any, protocol: Protocol, given: Mapping[str, Any], seed: int) -> Mapping[str, float]:
    workload = workload_named("bsub13", trace.contacts(), seed)
    changes = {name: value for name, value in given.items() if name in ("ttl", "buffer", "bytes_per_second")}
    if changes.get("buffer") == np.inf:
        changes["buffer"] = None
    workload = replace(workload, own_outside=True, **changes)
    return simulate(trace, workload, protocol, seed, conditions=conditions_of(workload)).measures


if __name__ == "__main__":
    main(sys.argv[1:])
