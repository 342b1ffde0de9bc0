"""B-SUB as of 2010: some users are brokers, who collect interests and carry messages towards them ([bsub10] V).

Users elect brokers among those they meet (`election`). A producer gives a message to consumers it meets, and up to C
copies to brokers whose relay filter matches it; brokers pass it on to brokers that know its tag better, and give it to
consumers. A broker adds the interests of those it meets to its relay filter, where they decay, and takes the maximum
with the relay filters of other brokers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_int, require_real
from hunet.filters.counters import preference, ticks_between
from hunet.filters.pool import decay_rows, m_merge_rows, receive, value_in_rows
from hunet.filters.temporal import MAX_CEILING, counter_type
from hunet.kernels import at_once, leaf
from hunet.model.errors import DecodeError
from hunet.protocols.decay import Decay, make_decay, rescale
from hunet.protocols.election import BROKER, HELLO, greet, meet, obey
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
from hunet.protocols.layout import bloom, counters, layout, number, positions, repeat, when
from hunet.protocols.protocol import BOTH, DIRECT, NO, YES, Message, Protocol, World
from hunet.protocols.quantities import Digest, Entry, Face, Hello, Note, Now, Peer, Reading, Row, Score, Tag
from hunet.protocols.search import Choices, Span
from hunet.protocols.window import ACQUAINTANCE, COUNTS, NEVER, NOBODY, forget, forget_before, is_known

__all__ = ["BSUB10", "Bsub10Settings"]

_NOTHING, _POSITIONS, _COUNTERS = 0, 1, 2
"""What a digest shows of a relay filter: users have none, a broker shows users no counters and brokers all."""


class Bsub10Settings(NamedTuple):
    """Parameters of B-SUB 2010; the defaults are those of [bsub10] VII-A."""

    m: int = 256
    """Positions of the filters."""
    k: int = 4
    """Hash functions."""
    initial: int = 50
    """Counter of a fresh interest (I)."""
    ceiling: int = 255
    """Where counters stop (AMB-03)."""
    copies: int = 3
    """Brokers that get a message from its producer (C)."""
    low: int = 3
    """Who met fewer brokers than this in the window makes the next user it meets one."""
    up: int = 5
    """Who met more makes the next broker it meets a user, if that one's degree is below the others' average."""
    window: float = 5 * 3600.0
    """The time window of the election, in seconds (T_w)."""
    decay: str = "given"
    """How fast relay counters fall: `given` by decay_cycle, by `eq5` from nodes_met, or set by each broker itself:
    `online` by Eq. 5 from the nodes it met in its window, `feedback` from how full its relay filters are."""
    decay_cycle: float = 432.0
    """given: seconds in which a relay counter loses 1; 7.2 minutes is the paper's for a delay limit of 10 hours."""
    delay_limit: float = 10 * 3600.0
    """eq5, online, feedback: how long an interest should live, in seconds (T)."""
    nodes_met: int = 78
    """eq5: different nodes that a broker meets within the delay limit (N)."""
    delta: float = 1 / 7200
    """eq5, online: the small constant that allows for M-merges, in units per second; a tenth of I/T for 10 hours."""
    target_rate: float = 0.01
    """feedback: the false-positive rate aimed at."""
    feedback_period: float = 600.0
    """feedback: seconds between two adjustments."""
    filters: int = 1
    """Relay filters of a broker; with several, the next is opened when one is too full ([bsub10] VI-D)."""
    threshold: float = 0.25
    """How full that is: a share of positions."""
    producer_keeps_for_direct: bool = False
    """Whether a producer keeps a message after its last copy, for consumers it meets (AMB-11); the paper's does not."""
    broker_deletes_delivered: bool = False
    """Whether a broker also deletes what it delivered to a consumer (AMB-12); the paper says it of brokers only."""
    broker_carries_wanted: bool = False
    """Whether a broker also carries on what it got because it wants it itself (AMB-13)."""
    demoted_carry: bool = True
    """Whether who is no broker any more still hands on what it carries (AMB-10)."""


class Bsub10Params(NamedTuple):
    m: int
    table: npt.NDArray[Any]
    initial: int
    ceiling: int
    copies: int
    low: int
    up: int
    window: float
    decay: Decay
    threshold: float
    producer_keeps: bool
    deletes_delivered: bool
    carries_wanted: bool
    demoted_carry: bool
    filters: int
    peer_start: npt.NDArray[np.int64]
    fresh: npt.NDArray[Any]
    """Scratch: one filter."""


_NODE = np.dtype(
    [
        ("broker", np.bool_),
        ("used", np.int64),  # relay filters in use
        ("aged", np.float64),  # when they were last decayed
        ("cycle", np.float64),  # my decay cycle
        ("tuned", np.float64),  # when I last set it
        *COUNTS,
    ],
    align=True,
)


class Bsub10State(NamedTuple):
    node: npt.NDArray[Any]
    """Role, decay, and whom I met, in figures."""
    peer: npt.NDArray[Any]
    """What I know of my peers, as in `World.peer_start`."""
    genuine: npt.NDArray[np.uint64]
    answers: npt.NDArray[np.uint64]
    relay: npt.NDArray[Any]
    """[node, filter, position]"""
    copies: npt.NDArray[np.int32]
    """[node, entry]: copies of my own message that I may still give to brokers."""


def _prepare(settings: Bsub10Settings, world: World) -> Bsub10Params:
    require_shape(settings.m, settings.k)
    require_int("ceiling", settings.ceiling, 1, MAX_CEILING)
    require_int("initial", settings.initial, 1, settings.ceiling)
    require_int("copies", settings.copies, 1, 2**31 - 1)
    require_int("low", settings.low, 0, 2**31 - 1)
    require_int("up", settings.up, settings.low, 2**31 - 1)
    require_real("window", settings.window, 0.0)
    require_int("filters", settings.filters, 1, 2**16)
    require_real("threshold", settings.threshold, 0.0, 1.0)
    m, table = shape(settings.m, settings.k, world)
    return Bsub10Params(
        m,
        table,
        settings.initial,
        settings.ceiling,
        settings.copies,
        settings.low,
        settings.up,
        float(settings.window),
        make_decay(settings, m, int(np.diff(world.peers_from).max(initial=0))),
        float(settings.threshold),
        settings.producer_keeps_for_direct,
        settings.broker_deletes_delivered,
        settings.broker_carries_wanted,
        settings.demoted_carry,
        settings.filters,
        world.peers_from,
        np.zeros(m, counter_type(settings.ceiling)),
    )


def _new_state(params: Bsub10Params, world: World) -> Bsub10State:
    """Everybody starts as a user who has met nobody."""
    node = np.zeros(world.nodes, _NODE).view(np.recarray)
    node["cycle"] = params.decay.start
    node["oldest"] = node["newest"] = NOBODY
    peer = np.zeros(int(params.peer_start[-1]), np.dtype(ACQUAINTANCE, align=True)).view(np.recarray)
    peer["at"] = NEVER
    return Bsub10State(
        node,
        peer,
        new_blooms(params.m, world.nodes),
        new_blooms(world.places, world.nodes),
        np.zeros((world.nodes, params.filters, params.m), counter_type(params.ceiling)),
        np.zeros((world.nodes, world.entries), np.int32),
    )


@leaf
def _age(params: Bsub10Params, state: Bsub10State, me: Row, now: Now) -> None:
    """Decay the relay filters, and let those leave the window whom I met too long ago."""
    if state.node[me].broker:
        ticks = ticks_between(state.node[me].aged, now, state.node[me].cycle)
        if ticks > 0:
            state.node[me].used = decay_rows(state.relay[me], state.node[me].used, ticks)
    state.node[me].aged = now
    forget_before(state.node[me], state.peer, params.peer_start[me], now - params.window)


# ------------------------------------------------------------------ V-D: message forwarding


def _show_positions_at_once(row: Any, shown: Any) -> None:
    shown[:] = row != 0


@at_once(_show_positions_at_once)
def _show_positions(row: Any, shown: Any) -> None:
    for j in range(row.size):
        shown[j] = row[j] != 0


@leaf
def _tell(
    params: Bsub10Params, state: Bsub10State, me: Row, now: Now, hello: Hello, face: Face, digest: Digest
) -> None:
    """My interests; and, of a broker, the relay filters, whose counters only another broker needs."""
    tell_interests(params, state, me, now, hello, face, digest)
    digest.shows[0] = _NOTHING
    digest.used[0] = 0
    if state.node[me].broker:
        digest.shows[0] = _COUNTERS if face == BROKER else _POSITIONS
        digest.used[0] = state.node[me].used
        for i in range(state.node[me].used):
            if face == BROKER:
                copy_row(state.relay[me, i], digest.relay[i])
            else:
                _show_positions(state.relay[me, i], digest.relay[i])


@leaf
def _read(params: Bsub10Params, digest: Digest, tag: Tag) -> Any:
    """The largest counter in the relay filters; below it two bits, what is shown; below them one, what is wanted."""
    relayed = np.int64(0)
    if digest.shows[0] != _NOTHING:
        relayed = np.int64(value_in_rows(digest.relay, digest.used[0], params.table, tag))
    return (relayed << 3) | (np.int64(digest.shows[0]) << 1) | is_interested(params, digest, tag)


@leaf
def _want(params: Bsub10Params, mine: Reading, theirs: Reading, own: bool) -> Any:
    """To a consumer what it wants; to a broker what it matches (a producer) or what it knows better (a broker).

    A broker that is no more hands on like a producer. Who wants a message gets it from anybody, and carries it only
    if it is also to have it as a broker (AMB-13).
    """
    if not own and not params.demoted_carry and (mine >> 1) & 3 == _NOTHING:
        return NO
    score = NO
    if own or (mine >> 1) & 3 != _COUNTERS:  # brokers show one another counters
        score = YES if theirs >> 3 > 0 else NO
    else:
        score = preference(np.int32(mine >> 3), np.int32(theirs >> 3))
    if theirs & 1:
        return BOTH if score > NO else DIRECT
    return score


@leaf
def _give(
    params: Bsub10Params, state: Bsub10State, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    """A producer without copies left may still deliver."""
    if message.own and state.copies[me, entry] == 0:
        return DIRECT if score >= DIRECT else NO
    return score


@leaf
def _note(
    params: Bsub10Params, state: Bsub10State, me: Row, entry: Entry, message: Message, score: Score, heard: Digest
) -> Any:
    """Whether the peer gets it as a broker, to carry it on."""
    return 0 if score == DIRECT else 1


def _most_note(params: Bsub10Params) -> int:
    return 1


@leaf
def _take(params: Bsub10Params, state: Bsub10State, me: Row, entry: Entry, message: Message, note: Note) -> Any:
    """To receive is not to relay: only what was given to me as a broker is carried."""
    state.copies[me, entry] = params.copies if message.own else 0
    return message.own or note != 0 or (params.carries_wanted and state.node[me].broker)


@leaf
def _gave(
    params: Bsub10Params,
    state: Bsub10State,
    me: Row,
    entry: Entry,
    message: Message,
    score: Score,
    note: Note,
    heard: Digest,
) -> Any:
    """Deliveries are free (AMB-12); a producer deletes the message with its last copy, a broker with its only one."""
    if score == DIRECT:
        return message.own or not params.deletes_delivered
    if not message.own:
        return False
    state.copies[me, entry] -= 1
    return state.copies[me, entry] > 0 or params.producer_keeps


def _adopt(params: Bsub10Params, state: Bsub10State, me: Row, before: Bsub10Params, now: Now) -> None:
    """A counter stands for as many fresh interests as it did; who is a broker stays one."""
    rescale(state.relay[me], before.initial, params.initial, params.ceiling)
    state.node[me].cycle = params.decay.start
    np.minimum(state.copies[me], params.copies, out=state.copies[me])


def _forget_peer(params: Bsub10Params, state: Bsub10State, me: Row, peer: Peer) -> None:
    """As if it had never been met."""
    if is_known(state.peer, params.peer_start[me], peer):
        forget(state.node[me], state.peer, params.peer_start[me], peer)


# ------------------------------------------------------------------ V-C: interests propagation


@leaf
def _hear(params: Bsub10Params, state: Bsub10State, me: Row, digest: Digest, face: Face, now: Now) -> None:
    """A broker A-merges the peer's interests, which reinforces them, and M-merges another broker's relay filters."""
    if not state.node[me].broker:
        return
    if state.node[me].used == 1 and params.filters == 1:
        add_interests(state.relay[me, 0], digest.genuine, params.initial, params.ceiling)
    else:
        for j in range(params.m):
            params.fresh[j] = 0
        add_interests(params.fresh, digest.genuine, params.initial, params.ceiling)
        state.node[me].used = receive(
            state.relay[me], state.node[me].used, params.fresh, params.ceiling, params.threshold
        )
    if digest.shows[0] == _COUNTERS:
        state.node[me].used = m_merge_rows(state.relay[me], state.node[me].used, digest.relay, digest.used[0])


# ------------------------------------------------------------------ bytes


def _derive(params: Bsub10Params, digest: Digest) -> None:
    if not digest.relay[: digest.used[0]].any(axis=1).all():
        raise DecodeError("a relay filter that is in use is empty")


DIGEST = layout(
    number("shows", most=_COUNTERS),
    bloom("genuine", answers="answers"),
    when("shows", [_POSITIONS], repeat("used", positions("relay"), most="filters")),
    when("shows", [_COUNTERS], repeat("used", counters("relay"), most="filters")),
    derive=_derive,
)


BSUB10 = Protocol(
    name="bsub10",
    title="B-SUB 2010: elected brokers carry, by preference",
    settings=Bsub10Settings,
    prepare=_prepare,
    new_state=_new_state,
    digest=DIGEST,
    hello=HELLO,
    subscribe=subscribe,
    age=_age,
    greet=greet,
    meet=meet,
    obey=obey,
    tell=_tell,
    read=_read,
    want=_want,
    give=_give,
    hear=_hear,
    note=_note,
    take=_take,
    gave=_gave,
    adopt=_adopt,
    forget_peer=_forget_peer,
    most_note=_most_note,
    name_tag=name_tag,
    peer_memory=("peer",),
    inspect={"relay": lambda state: state.relay, "broker": lambda state: state.node["broker"]},
    searched={
        "initial": Span(1, 250),
        "decay_cycle": Span(1, 8192),
        "copies": Span(1, 64),
        "low": Span(1, 16),
        "up": Span(1, 32),
        "window": Span(600, 86_400),
        "producer_keeps_for_direct": Choices((False, True)),
    },
    independent=True,
)
