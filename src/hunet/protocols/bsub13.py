"""B-SUB as of 2013: everybody relays; messages climb towards those who know more about their tag.

Every node keeps a genuine filter (its own interests, a plain Bloom filter on the air) and a relay filter (a TCBF of
what it heard). A message goes to a peer that wants it, and to a peer whose relay filter knows its tag better than any
peer it was given to before ([bsub13] 4, 6).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.bits import matches
from hunet.filters.counters import decay, m_merge, preference, value
from hunet.filters.temporal import counter_type
from hunet.kernels import leaf, lowest_bit
from hunet.protocols.interests import bloom_bytes, copy_words, new_rows, position_table, rebuild
from hunet.protocols.protocol import BOTH, NO, Protocol, World
from hunet.protocols.relay import counter_bytes

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


class BsubParams(NamedTuple):
    m: int
    table: npt.NDArray[Any]
    initial: int
    decay_cycle: float
    ceiling: int


class BsubState(NamedTuple):
    genuine: npt.NDArray[np.uint64]
    relay: npt.NDArray[Any]
    tick: npt.NDArray[np.int64]
    """Ticks of the decay cycle applied so far; they fall on its multiples (AMB-04)."""
    best: npt.NDArray[np.float32]
    """Preference table: the highest preference at which each message was passed on (AMB-25: 0 at a new holder)."""


class BsubDigest(NamedTuple):
    genuine: npt.NDArray[np.uint64]
    relay: npt.NDArray[Any]


def prepare(settings: BsubSettings, world: World) -> BsubParams:
    """Settings to what the functions read."""
    return BsubParams(
        settings.m,
        position_table(settings.m, settings.k, world),
        settings.initial,
        settings.decay_cycle,
        settings.ceiling,
    )


def new_state(params: BsubParams, world: World) -> BsubState:
    """Empty filters at time 0."""
    return BsubState(
        new_rows(params.m, world),
        np.zeros((world.nodes, params.m), counter_type(params.ceiling)),
        np.zeros(world.nodes, np.int64),
        np.zeros((world.nodes, world.entries), np.float32),
    )


def new_digest(params: BsubParams, world: World) -> BsubDigest:
    """A genuine and a relay filter."""
    return BsubDigest(new_rows(params.m, world)[0], np.zeros(params.m, counter_type(params.ceiling)))


@leaf
def subscribe(params: Any, state: Any, me: Any, wants: Any) -> None:
    """The genuine filter is rebuilt, never decayed (AMB-02)."""
    rebuild(state.genuine[me], params.table, wants)


@leaf
def age(params: Any, state: Any, me: Any, now: Any) -> None:
    """Decay the relay filter to now."""
    tick = np.int64(now / params.decay_cycle)
    if tick > state.tick[me]:
        decay(state.relay[me], tick - state.tick[me])
        state.tick[me] = tick


@leaf
def add_interests(row: Any, words: Any, initial: Any, ceiling: Any) -> None:
    """A-merge with a plain Bloom filter, whose counters are known to be `initial`."""
    top = row.dtype.type(ceiling)
    amount = row.dtype.type(initial)
    for w in range(words.size):
        bits = words[w]
        while bits != np.uint64(0):
            i = np.uint64((w << 6) + lowest_bit(bits))
            bits &= bits - np.uint64(1)
            have = row[i]
            row[i] = have + min(amount, row.dtype.type(top - have))


@leaf
def _tell(params: Any, state: Any, me: Any, now: Any, digest: Any) -> None:
    copy_words(state.genuine[me], digest.genuine)
    copy_words(state.relay[me], digest.relay)


@leaf
def _want(params: Any, state: Any, me: Any, digest: Any, tag: Any, own: Any) -> Any:
    if matches(digest.genuine, params.table, tag):
        return BOTH  # AMB-28: who wants a message also relays it
    return preference(value(state.relay[me], params.table, tag), value(digest.relay, params.table, tag))


@leaf
def give(params: Any, state: Any, me: Any, entry: Any, message: Any, score: Any) -> Any:
    """Only to a better peer than any before."""
    return score if score > state.best[me, entry] else NO


@leaf
def gave(params: Any, state: Any, me: Any, entry: Any, message: Any, score: Any) -> Any:
    """Delivery does not raise the bar (AMB-28); relaying does."""
    if score != BOTH:
        state.best[me, entry] = score
    return True, 0


@leaf
def take(params: Any, state: Any, me: Any, entry: Any, message: Any, note: Any) -> Any:
    """Everybody carries; the bar starts at 0."""
    state.best[me, entry] = NO
    return True


@leaf
def _hear(params: Any, state: Any, me: Any, digest: Any, now: Any) -> None:
    """relay := M-merge(A-merge(relay, genuine of the peer), relay of the peer), in this order (AMB-26)."""
    add_interests(state.relay[me], digest.genuine, params.initial, params.ceiling)
    m_merge(state.relay[me], digest.relay)


@leaf
def _size(params: Any, digest: Any) -> Any:
    return bloom_bytes(digest.genuine, params.m) + counter_bytes(digest.relay)


BSUB13 = Protocol(
    name="bsub13",
    title="B-SUB 2013: all relay, by preference",
    settings=BsubSettings,
    prepare=prepare,
    new_state=new_state,
    new_digest=new_digest,
    subscribe=subscribe,
    age=age,
    tell=_tell,
    want=_want,
    give=give,
    gave=gave,
    take=take,
    hear=_hear,
    size=_size,
)
