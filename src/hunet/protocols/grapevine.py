"""Grapevine with SpTBF: neighbours tell each other what they want, and what they have of it ([sptbf] 3 and 4).

The contract's broadcast form: one `tell` per beacon, a `hear` at every neighbour, `now` in whole milliseconds of the
node's own clock. A beacon has an interest summary (an SpTBF of what nodes within some hops want) and context summaries
(values by label): my own, and those of others that I am to pass on. My own has only labels that, by what I heard,
somebody near wants; relays pass summaries on unchanged, each version once, up to the hop limit (AMB-68). Variants
differ in the interests alone: `agnostic` tells none and shares all it has, `exact` has a slot for every label and so no
false positives; what is sent when is the same (AMB-69).

A value may be an aggregate over a group (`grapevine_groups`).

A node's own interests are put into what it sends, not into what it knows; neighbours echo them, and then they look like
theirs. Differs: times travel as whole seconds and are rounded down here, not up as in a filter's bytes (AMB-66): nodes
that hear each other take maxima, and rounding up would let every echo add to the time, so that an interest of several
neighbours would never die.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.bits import words_for
from hunet.filters.checks import require_int
from hunet.filters.slots import adjust, alive, decrement, insert, merge
from hunet.kernels import leaf
from hunet.protocols.grapevine_context import learn, pass_on
from hunet.protocols.grapevine_groups import NO_GROUP, refresh_groups
from hunet.protocols.grapevine_wire import BEACON
from hunet.protocols.interests import copy_row, require_shape, shape
from hunet.protocols.protocol import Protocol, World
from hunet.protocols.quantities import Digest, Millis, Row, Tag
from hunet.protocols.settings import require_choice

__all__ = [
    "FOREVER",
    "GRAPEVINE",
    "MOST_HOPS",
    "MOST_SECONDS",
    "VARIANTS",
    "GrapevineSettings",
    "GrapevineState",
    "express",
    "hear",
    "offer",
    "tell",
    "wants",
]

VARIANTS = ("sptbf", "exact", "agnostic")
FOREVER = 2**62
"""The end of an interest that has none."""

_TICKS = 1000
MOST_HOPS, MOST_SECONDS = 3, 63
"""What 2 and 6 bits hold (ERR-21)."""


class GrapevineSettings(NamedTuple):
    """Parameters of Grapevine; the paper prints m, k and the lifetime nowhere (AMB-67)."""

    interests: str = "sptbf"
    """`sptbf`, `exact` or `agnostic`."""
    hops: int = 3
    """How far context travels, and interests that do not say it themselves: 1 to 3."""
    lifetime: int = 30
    """Seconds that an interest, and what one knows of others' context, is believed without being renewed: 1 to 63."""
    m: int = 100
    """Slots of the interest summary."""
    k: int = 3
    """Hash functions."""
    table: int = 64
    """Nodes whose context one remembers; beyond that, what was heard longest ago is forgotten."""


class GrapevineParams(NamedTuple):
    aware: bool
    m: int
    table: npt.NDArray[np.uint32]
    """Slots of every label."""
    hops: int
    lifetime: int
    """Milliseconds."""
    slots: int
    """Rows of the table of others."""


class GrapevineState(NamedTuple):
    hops: npt.NDArray[np.uint8]
    times: npt.NDArray[np.int64]
    timebase: npt.NDArray[np.int64]
    """What others want, by what I heard: an SpTBF."""
    reach: npt.NDArray[np.uint8]
    """[node, label]: within how many hops I want it; 0 if I never did."""
    until: npt.NDArray[np.int64]
    """[node, label]: when I no longer want it."""
    has: npt.NDArray[np.bool_]
    """[node, label]: whether I have a value of it."""
    own: npt.NDArray[np.uint32]
    """[node, label]: my values."""
    number: npt.NDArray[np.int64]
    """Who I am."""
    sequence: npt.NDArray[np.int64]
    """Versions of my own summary so far."""
    used: npt.NDArray[np.int64]
    """Rows in use of what follows, the latest summaries of others."""
    origin: npt.NDArray[np.int64]
    version: npt.NDArray[np.int64]
    left: npt.NDArray[np.int64]
    """Hops that a summary may still travel."""
    due: npt.NDArray[np.bool_]
    """Whether I am to pass it on in my next beacon."""
    heard: npt.NDArray[np.int64]
    """When this version came."""
    labels: npt.NDArray[np.uint64]
    """[node, row, word]: a bit for every label it has a value of."""
    values: npt.NDArray[np.uint32]
    forgotten: npt.NDArray[np.int64]
    """How often the table was full."""
    group_of: npt.NDArray[np.int32]
    """[node, label]: of which label it is an aggregate (`grapevine_groups`), or NO_GROUP."""
    group_how: npt.NDArray[np.uint8]
    group_least: npt.NDArray[np.uint32]
    group_most: npt.NDArray[np.uint32]
    """Which values make a member."""


def _prepare(settings: GrapevineSettings, world: World) -> GrapevineParams:
    require_choice("interests", settings.interests, VARIANTS)
    require_shape(settings.m, settings.k)
    require_int("hops", settings.hops, 1, MOST_HOPS)
    require_int("lifetime", settings.lifetime, 1, MOST_SECONDS)
    require_int("table", settings.table, 1, 2**16)
    m, table = shape(settings.m, settings.k, replace(world, exact=settings.interests == "exact"))
    return GrapevineParams(
        settings.interests != "agnostic",
        m,
        table.astype(np.uint32),
        settings.hops,
        settings.lifetime * _TICKS,
        settings.table,
    )


def _new_state(params: GrapevineParams, world: World) -> GrapevineState:
    nodes, labels, rows = world.nodes, len(world.tags), params.slots
    return GrapevineState(
        hops=np.zeros((nodes, params.m), np.uint8),
        times=np.zeros((nodes, params.m), np.int64),
        timebase=np.zeros(nodes, np.int64),
        reach=np.zeros((nodes, labels), np.uint8),
        until=np.zeros((nodes, labels), np.int64),
        has=np.zeros((nodes, labels), np.bool_),
        own=np.zeros((nodes, labels), np.uint32),
        number=np.arange(world.first_node, world.first_node + nodes, dtype=np.int64),
        sequence=np.zeros(nodes, np.int64),
        used=np.zeros(nodes, np.int64),
        origin=np.zeros((nodes, rows), np.int64),
        version=np.zeros((nodes, rows), np.int64),
        left=np.zeros((nodes, rows), np.int64),
        due=np.zeros((nodes, rows), np.bool_),
        heard=np.zeros((nodes, rows), np.int64),
        labels=np.zeros((nodes, rows, words_for(labels)), np.uint64),
        values=np.zeros((nodes, rows, labels), np.uint32),
        forgotten=np.zeros(nodes, np.int64),
        group_of=np.full((nodes, labels), NO_GROUP, np.int32),
        group_how=np.zeros((nodes, labels), np.uint8),
        group_least=np.zeros((nodes, labels), np.uint32),
        group_most=np.zeros((nodes, labels), np.uint32),
    )


@leaf
def express(state: Any, me: Row, label: Tag, hops: Any, until: Millis) -> None:
    """I want a label from within so many hops until then, by my clock; `FOREVER` for as long as I live."""
    state.reach[me, label] = hops
    state.until[me, label] = until


@leaf
def offer(state: Any, me: Row, label: Tag, value: Any) -> None:
    """I have a value of a label, or a new one."""
    state.has[me, label] = True
    state.own[me, label] = value


@leaf
def wants(state: Any, me: Row, label: Tag, now: Millis) -> Any:
    """Do I want a label at this time?"""
    return state.reach[me, label] > 0 and state.until[me, label] > now


@leaf
def _age(params: Any, state: Any, me: Row, now: Millis) -> None:
    """Bring what I know of interests to now."""
    elapsed = now - state.timebase[me]
    if params.aware and elapsed > 0:
        adjust(state.hops[me], state.times[me], elapsed, False)
    state.timebase[me] = now


@leaf
def tell(params: Any, state: Any, me: Row, now: Millis, digest: Digest) -> None:
    """Write my beacon."""
    _age(params, state, me, now)
    if params.aware:
        _tell_interests(params, state, me, now, digest)
    digest.used[0] = 0
    state.sequence[me] += 1
    refresh_groups(params, state, me, now)
    _tell_own(params, state, me, digest)
    pass_on(params, state, me, now, digest)


@leaf
def _tell_interests(params: Any, state: Any, me: Row, now: Millis, digest: Digest) -> None:
    """Copy, decrement, insert my own, round down to whole seconds."""
    copy_row(state.hops[me], digest.hops)
    copy_row(state.times[me], digest.times)
    decrement(digest.hops, digest.times, False)
    for label in range(params.table.shape[1]):
        if wants(state, me, label, now):
            left = min(np.int64(params.lifetime), state.until[me, label] - now)
            insert(digest.hops, digest.times, params.table, label, state.reach[me, label], left)
    for i in range(digest.times.size):
        digest.times[i] = digest.times[i] // _TICKS * _TICKS
        if digest.times[i] == 0:
            digest.hops[i] = 0
    digest.second[0] = (now // _TICKS) & 0xFFFFFFFF


@leaf
def _tell_own(params: Any, state: Any, me: Row, digest: Digest) -> None:
    """My own summary, first: what I have, and, where interests count, somebody near wants."""
    for word in range(digest.labels.shape[1]):
        digest.labels[0, word] = np.uint64(0)
    some = False
    for label in range(params.table.shape[1]):
        digest.values[0, label] = state.own[me, label]
        if not state.has[me, label]:
            continue
        if not params.aware or alive(state.hops[me], state.times[me], params.table, label, 0):
            digest.labels[0, label >> 6] |= np.uint64(1) << np.uint64(label & 63)
            some = True
    if some:
        digest.origin[0] = state.number[me]
        digest.version[0] = state.sequence[me]
        digest.left[0] = params.hops - 1
        digest.used[0] = 1


@leaf
def hear(params: Any, state: Any, me: Row, digest: Digest, now: Millis) -> None:
    """Merge a beacon: its times count from now on my clock, whatever the sender's clock says."""
    _age(params, state, me, now)
    if params.aware:
        merge(state.hops[me], state.times[me], digest.hops, digest.times)
    for i in range(digest.used[0]):
        if digest.origin[i] != state.number[me]:
            learn(params, state, me, digest, i, now)


GRAPEVINE = Protocol(
    name="grapevine",
    title="Grapevine: context shared with who wants it, by SpTBF",
    settings=GrapevineSettings,
    prepare=_prepare,
    new_state=_new_state,
    digest=BEACON,
    tell=tell,
    hear=hear,
)
"""Not one of `PROTOCOLS`, which carry messages from contact to contact: it speaks in beacons."""
