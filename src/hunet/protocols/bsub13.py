"""B-SUB as of 2013: everybody relays; messages climb towards those who know more about their tag.

Every node keeps a genuine filter (its own interests, a plain Bloom filter on the air) and a relay filter (a TCBF of
what it heard). A message goes to a peer that wants it, and to a peer whose relay filter knows its tag better than any
peer it was given to before ([bsub13] 4, 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_int, require_length
from hunet.filters.counters import decay, m_merge, preference, value
from hunet.filters.temporal import MAX_CEILING, counter_type
from hunet.kernels import leaf
from hunet.protocols.decay import rescale
from hunet.protocols.interests import (
    add_interests,
    copy_row,
    is_interested,
    name_tag,
    new_blooms,
    require_shape,
    shape,
    subscribe,
    tell_interests,
)
from hunet.protocols.layout import bloom, counters, layout
from hunet.protocols.protocol import BOTH, DIRECT, NO, Message, Protocol, World
from hunet.protocols.quantities import Digest, Entry, Face, Hello, Note, Now, Reading, Row, Score, Tag
from hunet.protocols.search import Choices, Search, Span
from hunet.protocols.settings import require_choice

__all__ = ["BSUB13", "BsubSettings"]


class BsubSettings(NamedTuple):
    """Parameters of B-SUB; the defaults are those of [bsub13] 6.1."""

    m: int = 256
    """Positions of the filters."""
    k: int = 3
    """Hash functions."""
    initial: int = 5
    """Counter of a fresh interest (ICV)."""
    decay_cycle: float = 256.0
    """Seconds in which every relay counter loses 1; the paper's best lies between 128 and 256."""
    ceiling: int = 255
    """Where counters stop (AMB-03)."""
    preference: str = "ratio"
    """What the preference table compares (AMB-24): `ratio`, the preferential query; `raw`, the peer's counter; `above`,
    the same, where the table begins with my own counter instead of 0 (AMB-25)."""
    relay_first: bool = False
    """Whether the peer's relay filter is merged before its interests are added (AMB-26)."""
    relays_wanted: bool = True
    """Whether one who wanted a message also relays it (AMB-28)."""


SEARCHED: Mapping[str, Search] = {
    "initial": Span(1, 250),
    "decay_cycle": Span(1, 8192),
    "ceiling": Span(2, 255),
    "preference": Choices(("ratio", "raw")),
}


class BsubParams(NamedTuple):
    m: int
    table: npt.NDArray[Any]
    initial: int
    decay_cycle: float
    ceiling: int
    raw: bool
    above: bool
    relays_wanted: bool
    relay_first: bool
    mixed: bool = False
    """B-SUB-P: whether my side of a comparison is the mixture that I tell."""


class BsubState(NamedTuple):
    genuine: npt.NDArray[np.uint64]
    answers: npt.NDArray[np.uint64]
    relay: npt.NDArray[Any]
    tick: npt.NDArray[np.int64]
    """Ticks of the decay cycle applied so far; they fall on its multiples (AMB-04)."""
    best: npt.NDArray[np.float32]
    """Preference table: the highest preference at which each message was passed on (AMB-25: 0 at a new holder)."""


DIGEST = layout(bloom("genuine", answers="answers"), counters("relay"))


def prepare(settings: BsubSettings, world: World) -> BsubParams:
    """Settings to what the functions read."""
    require_shape(settings.m, settings.k)
    require_int("ceiling", settings.ceiling, 1, MAX_CEILING)
    require_int("initial", settings.initial, 1, settings.ceiling)
    require_length("decay_cycle", settings.decay_cycle)  # an infinite one: nothing decays
    require_choice("preference", settings.preference, ("ratio", "raw", "above"))
    m, table = shape(settings.m, settings.k, world)
    return BsubParams(
        m,
        table,
        settings.initial,
        float(settings.decay_cycle),
        settings.ceiling,
        settings.preference != "ratio",
        settings.preference == "above",
        settings.relays_wanted,
        settings.relay_first,
    )


def new_state(params: BsubParams, world: World) -> BsubState:
    """Empty filters at time 0."""
    return BsubState(
        new_blooms(params.m, world.nodes),
        new_blooms(world.places, world.nodes),
        np.zeros((world.nodes, params.m), counter_type(params.ceiling)),
        np.zeros(world.nodes, np.int64),
        np.zeros((world.nodes, world.entries), np.float32),
    )


@leaf
def age(params: BsubParams, state: BsubState, me: Row, now: Now) -> None:
    """Decay the relay filter to now."""
    tick = np.int64(now / params.decay_cycle)
    if tick > state.tick[me]:
        decay(state.relay[me], tick - state.tick[me])
        state.tick[me] = tick


@leaf
def _tell(params: BsubParams, state: BsubState, me: Row, now: Now, hello: Hello, face: Face, digest: Digest) -> None:
    tell_interests(params, state, me, now, hello, face, digest)
    copy_row(state.relay[me], digest.relay)


@leaf
def _read(params: BsubParams, digest: Digest, tag: Tag) -> Any:
    """The smallest relay counter, and in the lowest bit whether the tag is wanted."""
    relayed = np.int64(value(digest.relay, params.table, tag))
    return (relayed << 1) | is_interested(params, digest, tag)


@leaf
def _want(params: BsubParams, mine: Reading, theirs: Reading, own: bool) -> Any:
    if theirs & 1:
        return BOTH  # AMB-28: who wants a message also relays it
    return worth(params, mine >> 1, theirs >> 1)


@leaf
def worth(params: BsubParams, mine: Any, theirs: Any) -> Any:
    """What the preference table compares, from my and the peer's smallest counter of a tag."""
    if params.above and theirs <= mine:
        return NO
    # In 32 bits, which vector instructions turn into floating point.
    return np.float32(np.int32(theirs)) if params.raw else preference(np.int32(mine), np.int32(theirs))


@leaf
def give(
    params: BsubParams, state: BsubState, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    """Only to a better peer than any before."""
    return score if score > state.best[me, entry] else NO


@leaf
def gave(
    params: BsubParams,
    state: BsubState,
    me: Row,
    entry: Entry,
    message: Message,
    score: Score,
    note: Note,
    heard: Digest,
) -> Any:
    """Delivery does not raise the bar (AMB-28); relaying does."""
    if score != BOTH:
        state.best[me, entry] = score
    return True


@leaf
def take(params: BsubParams, state: BsubState, me: Row, entry: Entry, message: Message, note: Note) -> Any:
    """Everybody carries, but for what it wants itself if that is not relayed (AMB-28); the bar starts at 0."""
    state.best[me, entry] = NO
    if params.relays_wanted or message.own:
        return True
    for i in range(message.first_tag, message.stop_tag):
        tag = np.uint64(message.tags[i])
        if (state.answers[me, tag >> np.uint64(6)] >> (tag & np.uint64(63))) & np.uint64(1):
            return False
    return True


@leaf
def _hear(params: BsubParams, state: BsubState, me: Row, digest: Digest, face: Face, now: Now) -> None:
    """relay := M-merge(A-merge(relay, genuine of the peer), relay of the peer), in this order or the other (AMB-26)."""
    if params.relay_first:
        m_merge(state.relay[me], digest.relay)
    add_interests(state.relay[me], digest.genuine, params.initial, params.ceiling)
    if not params.relay_first:
        m_merge(state.relay[me], digest.relay)


def adopt(params: BsubParams, state: BsubState, me: Row, before: BsubParams, now: Now) -> None:
    """A counter stands for as many fresh interests as it did. Where preferences are compared otherwise from now on,
    what was passed on goes to those who want it, and to nobody else."""
    rescale(state.relay[me], before.initial, params.initial, params.ceiling)
    state.tick[me] = np.int64(now / params.decay_cycle)
    passed_on = state.best[me] > NO
    if (params.raw, params.above, params.mixed) != (before.raw, before.above, before.mixed):
        state.best[me, passed_on] = DIRECT
    elif params.raw:
        state.best[me, passed_on] *= np.float32(params.initial / before.initial)


def relay_filters(state: BsubState) -> npt.NDArray[Any]:
    """[node, 1, position]: everybody's relay filter."""
    return state.relay[:, np.newaxis]


BSUB13 = Protocol(
    name="bsub13",
    title="B-SUB 2013: all relay, by preference",
    settings=BsubSettings,
    prepare=prepare,
    new_state=new_state,
    digest=DIGEST,
    subscribe=subscribe,
    age=age,
    tell=_tell,
    read=_read,
    want=_want,
    give=give,
    hear=_hear,
    take=take,
    gave=gave,
    adopt=adopt,
    name_tag=name_tag,
    inspect={"relay": relay_filters},
    searched=SEARCHED,
    independent=True,
)
