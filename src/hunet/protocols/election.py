"""Who becomes a broker in B-SUB 2010, and who stops being one ([bsub10] V-B).

Users elect: one who met too few brokers lately makes the next user it meets a broker, one who met too many makes a
broker of low degree a user again. Everybody says in its hello what it is and how many it met; both judge, both obey.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, rare
from hunet.protocols.decay import retuned_cycle
from hunet.protocols.protocol import DEMOTE, PROMOTE, STAY, World
from hunet.protocols.window import NEVER, is_known, remember
from hunet.protocols.wire import Reader, Writer, number_bytes

__all__ = [
    "BROKER",
    "USER",
    "Hello",
    "decode_hello",
    "encode_hello",
    "greet",
    "hello_size",
    "meet",
    "new_hello",
    "obey",
]


USER, BROKER = 0, 1
"""Whom I face, by what I judged and what it says itself."""


class Hello(NamedTuple):
    """What two say before they judge each other."""

    broker: npt.NDArray[np.bool_]
    degree: npt.NDArray[np.int64]
    """How many different nodes I met in my window."""


def new_hello(params: Any, world: World) -> Hello:
    """A hello to write into."""
    return Hello(np.zeros(1, np.bool_), np.zeros(1, np.int64))


@leaf
def greet(params: Any, state: Any, me: Any, now: Any, hello: Any) -> None:
    """My role, and how popular I am."""
    hello.broker[0] = state.node[me].broker
    hello.degree[0] = state.node[me].met


@leaf
def meet(params: Any, state: Any, me: Any, peer: Any, hello: Any, now: Any) -> Any:
    """A user who met too few brokers makes the peer one; a user who met too many unmakes one of low degree.

    Counted is what the window held before this meeting; the average is over the other brokers in it (AMB-10).
    """
    start = params.peer_start[me]
    verdict = STAY
    if not state.node[me].broker:
        if not hello.broker[0]:
            if state.node[me].brokers < params.low:
                verdict = PROMOTE
        elif state.node[me].brokers > params.up:
            others, degrees = state.node[me].brokers, state.node[me].degrees
            if is_known(state.peer, start, peer) and state.peer[start + peer].broker:
                others -= 1
                degrees -= state.peer[start + peer].degree
            if hello.degree[0] * others < degrees:
                verdict = DEMOTE
    broker = verdict == PROMOTE or (hello.broker[0] and verdict == STAY)
    remember(state.node[me], state.peer, start, peer, now, broker, hello.degree[0])
    if state.node[me].broker:
        _tune(params, state, me, now)
    return verdict, BROKER if broker else USER


@rare
def obey(params: Any, state: Any, me: Any, verdict: Any, now: Any) -> None:
    """A new broker starts with empty relay filters; a broker no more discards them but keeps its messages (AMB-10)."""
    if verdict == PROMOTE:
        state.node[me].broker = True
        state.node[me].cycle = params.decay.start
        state.node[me].tuned = NEVER
        _tune(params, state, me, now)
    elif verdict == DEMOTE:
        state.node[me].broker = False
        state.node[me].used = 0
        for i in range(params.filters):
            for j in range(params.m):
                state.relay[me, i, j] = 0


@rare
def _tune(params: Any, state: Any, me: Any, now: Any) -> None:
    """Set my own decay cycle, where that is my business; by feedback only now and then."""
    if now - state.node[me].tuned >= params.decay.period:
        state.node[me].cycle = retuned_cycle(
            params.decay, state.node[me].cycle, state.node[me].met, state.relay[me], state.node[me].used
        )
        state.node[me].tuned = now


@leaf
def hello_size(params: Any, hello: Any) -> Any:
    """Bytes of what `encode_hello` writes."""
    return number_bytes(2 * hello.degree[0] + hello.broker[0])


def encode_hello(params: Any, hello: Hello) -> bytes:
    """Both in one number."""
    out = Writer()
    out.number(2 * int(hello.degree[0]) + int(hello.broker[0]))
    return out.bytes()


def decode_hello(params: Any, data: bytes, hello: Hello) -> None:
    """What `encode_hello` wrote."""
    reader = Reader(data)
    both = reader.number(2**32)
    reader.finish()
    hello.degree[0], hello.broker[0] = both >> 1, both & 1
