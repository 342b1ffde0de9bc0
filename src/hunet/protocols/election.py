"""Who becomes a broker in B-SUB 2010, and who stops being one ([bsub10] V-B).

Users elect: one who met too few brokers lately makes the next user it meets a broker, one who met too many makes a
broker of low degree a user again. Everybody says in its hello what it is and how many it met; both judge, both obey.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.kernels import leaf, rare
from hunet.protocols.decay import retuned_cycle
from hunet.protocols.layout import layout, local, number
from hunet.protocols.protocol import DEMOTE, PROMOTE, STAY
from hunet.protocols.quantities import Hello, Now, Peer, Row, Verdict
from hunet.protocols.window import NEVER, is_known, remember

__all__ = ["BROKER", "HELLO", "USER", "greet", "meet", "obey"]

USER, BROKER = 0, 1
"""Whom I face, by what I judged and what it says itself."""


def _unpack(params: Any, hello: Hello) -> None:
    hello.degree[0], hello.broker[0] = hello.packed[0] >> 1, hello.packed[0] & 1


HELLO = layout(
    number("packed", most=2**32),  # both of these as one number
    local("broker", np.bool_),
    local("degree"),  # how many different nodes I met in my window
    derive=_unpack,
)


@leaf
def greet(params: Any, state: Any, me: Row, now: Now, hello: Hello) -> None:
    """My role, and how popular I am."""
    hello.broker[0] = state.node[me].broker
    hello.degree[0] = state.node[me].met
    hello.packed[0] = 2 * hello.degree[0] + hello.broker[0]


@leaf
def meet(params: Any, state: Any, me: Row, peer: Peer, hello: Hello, now: Now) -> Any:
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
def obey(params: Any, state: Any, me: Row, verdict: Verdict, now: Now) -> None:
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
def _tune(params: Any, state: Any, me: Row, now: Now) -> None:
    """Set my own decay cycle, where that is my business; by feedback only now and then."""
    if now - state.node[me].tuned >= params.decay.period:
        state.node[me].cycle = retuned_cycle(
            params.decay, state.node[me].cycle, state.node[me].met, state.relay[me], state.node[me].used
        )
        state.node[me].tuned = now
