"""Envoy: a copy goes where it promises deliveries that no other copy brings.

Everybody remembers whom it met, when, and what they want, and tells for every tag *which* of those who want it it is
likely to meet again: a place for each person, a likelihood in 15ths (`envoy_places`). A message carries the likelihood
with which each place is covered already, as far as its holder knows. So whoever holds it can work out, for a peer, how
many people are expected to get it from this peer and from nobody else:

    sum over places of (1 - covered) (1 - likely from me) (likely from the peer)
    + strangers that the peer is to meet, as far as none are covered, times the share of people who want the tag.

* Who wants a message gets it, from whoever has it, and carries it on.
* Others get it if they promise at least `worth`; twice as much after every copy that this one gave away, and for every
  hop that it came. So a message has about as many copies as it is worth, and nobody has to count them.
* A full buffer parts with what promises least: my own likelihoods in place of the peer's, for each of the copies that
  there probably are (2 to the power of doublings), and less as news grow old, but for what I published myself.
* A node tells what it had to drop lately was worth. What would not be worth twice that there is not given to it, so
  crowded nodes ask for more, and no more than they must.

Likelihoods follow the rule of succession: who was met t ago is met within the next T with probability T / (T + t), and
every meeting closes half of the gap to certainty. There is no oracle, nothing to set, and with the default filter no
digest of more than 200 bytes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_int, require_length, require_real
from hunet.kernels import leaf
from hunet.protocols.envoy_places import (
    PLACES,
    TOP,
    WORDS,
    either,
    expected,
    fade,
    keep_best,
    level_at,
    place_of,
    places,
    set_level,
    sum_up,
)
from hunet.protocols.envoy_state import EnvoyParams, EnvoyState, new_state
from hunet.protocols.interests import MAX_M, copy_row, is_interested, name_tag, shape, subscribe
from hunet.protocols.layout import bloom, layout, number
from hunet.protocols.protocol import BOTH, NO, STAY, YES, Message, Protocol, World, as_it_is
from hunet.protocols.quantities import Digest, Entry, Face, Hello, Note, Now, Peer, Reading, Row, Score
from hunet.protocols.search import Span

__all__ = ["ENVOY", "EnvoySettings"]

_CLOSER = 0.5
"""Of the gap to certainty that a meeting closes."""
_LATELY = 9.0
"""Copies: so many count like what was dropped before."""
_TWICE = 2.0
_NEWS = 3600.0
"""Seconds after which a message of others is worth half."""
_UNKNOWN = 10.0
"""People: how much is to be known before shares of them are believed."""
_QUARTERS, _MOST_QUARTERS = 4.0, 255
_BAR, _MOST_BAR = 65536.0, (1 << 20) - 1
_MOST_DOUBLINGS = 60


class EnvoySettings(NamedTuple):
    """Parameters of Envoy; none has to be set."""

    m: int = 256
    """Positions of the interest filter, with one hash function: each position has its own places."""
    worth: float = 0.045
    """Deliveries that a copy must promise."""
    horizon: float = 86400.0
    """Seconds ahead for which promises are made (T)."""


DIGEST = layout(
    bloom("genuine", answers="answers"),
    number("place", most=PLACES - 1),
    number("strangers", most=_MOST_QUARTERS),
    number("bar", most=_MOST_BAR),
    places("reach"),
)
"""What I want, my place, strangers met lately in quarters, what I dropped was worth in 65536ths, whom I reach."""


def _prepare(settings: EnvoySettings, world: World) -> EnvoyParams:
    require_int("m", settings.m, 1, MAX_M)
    require_real("worth", settings.worth, 0.0)
    require_length("horizon", settings.horizon)
    worth, horizon, parcel = float(settings.worth), float(settings.horizon), np.zeros(WORDS, np.uint64)
    return EnvoyParams(*shape(settings.m, 1, world), worth, horizon, world.first_node, world.peers_from, parcel)


# ------------------------------------------------------------------ people


@leaf
def _age(params: EnvoyParams, state: EnvoyState, me: Row, now: Now) -> None:
    state.now[me] = now


@leaf
def _greet(params: EnvoyParams, state: EnvoyState, me: Row, now: Now, hello: Hello) -> None:
    """There is nothing to say yet; who greets is told which acquaintance it meets."""


@leaf
def _meet(params: EnvoyParams, state: EnvoyState, me: Row, peer: Peer, hello: Hello, now: Now) -> Any:
    if peer >= state.known[me]:
        state.known[me] = peer + 1
        state.strangers[me] += 1.0
    return STAY, peer


@leaf
def _tell(params: EnvoyParams, state: EnvoyState, me: Row, now: Now, hello: Hello, face: Face, digest: Digest) -> None:
    """Whom I am likely to meet changes all the time: it is worked out anew."""
    reach, first = state.reach[me], params.peer_start[me]
    last = first + state.known[me]
    place, likely, met, wants = (
        state.place[first:last],
        state.likely[first:last],
        state.last[first:last],
        state.wants[first:last],
    )
    sum_up(reach, state.wanting[me], place, likely, met, wants, params.horizon, now)
    keep_best(reach)
    state.strangers[me] *= fade(params.horizon, state.told[me], now)
    state.told[me] = now
    copy_row(state.genuine[me], digest.genuine)
    copy_row(state.answers[me], digest.answers)
    digest.place[0] = place_of(params.first_node + me)
    digest.strangers[0] = np.int64(min(np.float64(_MOST_QUARTERS), _QUARTERS * state.strangers[me]))
    if state.losses[me, 0] > 0:
        count, worth = np.float64(state.losses[me, 0]), state.losses[me, 1] / _BAR
        state.bar[me] = (_LATELY * state.bar[me] + worth) / (_LATELY + count)
        state.losses[me, 0] = state.losses[me, 1] = 0
    bar = state.bar[me] * fade(params.horizon, state.dropped[me], now)
    digest.bar[0] = np.int64(min(np.float64(_MOST_BAR), _BAR * bar))
    copy_row(reach, digest.reach)


@leaf
def _hear(params: EnvoyParams, state: EnvoyState, me: Row, digest: Digest, face: Face, now: Now) -> None:
    at = params.peer_start[me] + face
    copy_row(digest.genuine, state.wants[at])
    state.place[at] = digest.place[0]
    again = state.likely[at] * fade(params.horizon, state.last[at], now)
    state.likely[at] = again + (1.0 - again) * _CLOSER
    state.last[at] = now


# ------------------------------------------------------------------ what a copy is worth


@leaf
def _row_of(params: EnvoyParams, message: Message, i: Any) -> Any:
    """Where the places of those begin who want the message's i-th tag."""
    return np.int64(params.table[0, message.tags[i]]) * WORDS


@leaf
def _from_strangers(params: EnvoyParams, state: EnvoyState, me: Row, message: Message, strangers: Any) -> Any:
    """Of so many strangers, how many want the message, by what those want whom I know."""
    most = np.int64(0)
    for i in range(message.first_tag, message.stop_tag):
        most = max(most, state.wanting[me, np.int64(params.table[0, message.tags[i]])])
    return strangers * (most + 0.5) / (state.known[me] + _UNKNOWN)


@leaf
def _promise(
    params: EnvoyParams,
    state: EnvoyState,
    me: Row,
    entry: Entry,
    message: Message,
    reach: Any,
    strangers: Any,
    beyond_me: Any,
) -> Any:
    """Deliveries expected of who reaches these people and meets so many strangers: beyond what is covered, and beyond
    what I bring myself."""
    covered, mine = state.covered[me, entry], state.reach[me]
    total = np.int64(0)
    for i in range(message.first_tag, message.stop_tag):
        total += expected(reach, _row_of(params, message, i), covered, mine, beyond_me)
    unmet = np.float64(TOP - np.int64(state.strange[me, entry])) / TOP
    return total / np.float64(TOP**3) + unmet * _from_strangers(params, state, me, message, strangers)


@leaf
def _shared(doublings: Any, age: Any) -> Any:
    """What a promise is divided by: the copies that share it, and age."""
    return np.float64(np.int64(1) << doublings) * (1.0 + max(0.0, age) / _NEWS)


@leaf
def _want(params: EnvoyParams, mine: Reading, theirs: Reading, own: bool) -> Any:
    return BOTH if theirs else YES


@leaf
def _give(
    params: EnvoyParams, state: EnvoyState, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    """Is what the peer promises worth the price, and would it keep the message?"""
    if score == BOTH:
        return BOTH
    strangers = heard.strangers[0] / _QUARTERS
    promised = _promise(params, state, me, entry, message, heard.reach, strangers, True)
    doublings = np.int64(state.doublings[me, entry])
    if promised <= 0 or promised < params.worth * np.float64(np.int64(1) << doublings):
        return NO
    if heard.bar[0] > 0:
        there = _promise(params, state, me, entry, message, heard.reach, strangers, False)
        if there < _TWICE * (heard.bar[0] / _BAR) * _shared(doublings + 1, state.now[me] - message.created):
            return NO
    return np.float32(promised)


@leaf
def _note(
    params: EnvoyParams, state: EnvoyState, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    """In the parcel: who is covered without the peer. In the note: doublings, and how far strangers are covered."""
    copy_row(state.covered[me, entry], params.parcel)
    if score == BOTH:
        set_level(params.parcel, 0, place_of(message.peer), TOP)
    doublings: Any = min(np.int64(state.doublings[me, entry]) + 1, _MOST_DOUBLINGS)
    met = TOP * _from_strangers(params, state, me, message, heard.strangers[0] / _QUARTERS)
    return (doublings << 4) | either(np.int64(state.strange[me, entry]), np.int64(min(np.float64(TOP), met)))


@leaf
def _gave(
    params: EnvoyParams,
    state: EnvoyState,
    me: Row,
    entry: Entry,
    message: Message,
    score: Score,
    note: Note,
    heard: Digest,
) -> Any:
    """Whom the peer reaches is covered from now on. A delivery does not raise the price."""
    covered = state.covered[me, entry]
    for place in range(PLACES):
        level = level_at(covered, 0, place)
        for i in range(message.first_tag, message.stop_tag):
            level = either(level, level_at(heard.reach, _row_of(params, message, i), place))
        set_level(covered, 0, place, level)
    if score == BOTH:
        set_level(covered, 0, place_of(message.peer), TOP)
    else:
        state.doublings[me, entry] = np.int64(note) >> 4
    state.strange[me, entry] = np.int64(note) & TOP
    return True


@leaf
def _take(params: EnvoyParams, state: EnvoyState, me: Row, entry: Entry, message: Message, note: Note) -> Any:
    """Of my own message nothing is covered yet; nobody has to bring me what I want and have."""
    covered = state.covered[me, entry]
    for word in range(WORDS):
        covered[word] = np.uint64(0) if message.own else params.parcel[word]
    state.doublings[me, entry] = 0 if message.own else np.int64(note) >> 4
    state.strange[me, entry] = 0 if message.own else np.int64(note) & TOP
    for i in range(message.first_tag, message.stop_tag):
        tag = np.uint64(message.tags[i])
        if (state.answers[me, tag >> np.uint64(6)] >> (tag & np.uint64(63))) & np.uint64(1) != np.uint64(0):
            set_level(covered, 0, place_of(params.first_node + me), TOP)
    return True


@leaf
def _rank(params: EnvoyParams, state: EnvoyState, me: Row, entry: Entry, message: Message) -> Any:
    promised = _promise(params, state, me, entry, message, state.reach[me], state.strangers[me], False)
    age = 0.0 if message.own else state.now[me] - message.created
    return np.float32(promised / _shared(np.int64(state.doublings[me, entry]), age))


@leaf
def _lost(params: EnvoyParams, state: EnvoyState, me: Row, entry: Entry, message: Message, dropped: Any) -> None:
    """What is dropped together may be dropped in any order: it is added up in whole numbers."""
    if dropped:
        state.losses[me, 0] += 1
        state.losses[me, 1] += np.int64(_BAR * np.float64(_rank(params, state, me, entry, message)))
        state.dropped[me] = state.now[me]


def _forget_peer(params: EnvoyParams, state: EnvoyState, me: Row, peer: Peer) -> None:
    """As if it had never been met; who gets its number is a stranger."""
    at = params.peer_start[me] + peer
    state.place[at] = state.likely[at] = state.last[at] = state.wants[at] = 0
    state.strangers[me] += 1.0


def _parcel(params: EnvoyParams) -> npt.NDArray[np.uint64]:
    return params.parcel


def _most_note(params: EnvoyParams) -> int:
    return (_MOST_DOUBLINGS << 4) | TOP


ENVOY = Protocol(
    name="envoy",
    title="Envoy: copies that promise deliveries",
    settings=EnvoySettings,
    prepare=_prepare,
    new_state=new_state,
    digest=DIGEST,
    subscribe=subscribe,
    age=_age,
    greet=_greet,
    meet=_meet,
    tell=_tell,
    read=is_interested,
    want=_want,
    give=_give,
    hear=_hear,
    note=_note,
    take=_take,
    gave=_gave,
    rank=_rank,
    lost=_lost,
    adopt=as_it_is,
    forget_peer=_forget_peer,
    most_note=_most_note,
    parcel=_parcel,
    name_tag=name_tag,
    own_outside=True,
    peer_memory=("place", "likely", "last", "wants"),
    searched={"worth": Span(0.005, 1.0), "horizon": Span(3600, 604800)},
)
