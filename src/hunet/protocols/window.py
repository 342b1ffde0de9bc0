"""Whom I met in the last so many seconds: how many different nodes, how many of them brokers, and of what degree.

Per node a list of its peers by the time they were last met, oldest first, linked by numbers, with the counts kept up to
date: a meeting costs the same however many peers there are. The functions work on a state that has these fields:

    met_at, met_older, met_newer, met_broker, met_degree     one entry per node and peer, at `start + peer`
    met_first, met_last, met_count, met_brokers, met_degrees one entry per node
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.kernels import leaf

__all__ = ["NEVER", "NOBODY", "forget_before", "is_known", "remember"]

NEVER = -np.inf
NOBODY = -1


@leaf
def is_known(state: Any, start: Any, peer: Any) -> Any:
    """Did I meet this peer in the window?"""
    return state.met_at[start + peer] != NEVER


@leaf
def _forget(state: Any, me: Any, start: Any, peer: Any) -> None:
    older, newer = state.met_older[start + peer], state.met_newer[start + peer]
    if older == NOBODY:
        state.met_first[me] = newer
    else:
        state.met_newer[start + older] = newer
    if newer == NOBODY:
        state.met_last[me] = older
    else:
        state.met_older[start + newer] = older
    state.met_at[start + peer] = NEVER
    state.met_count[me] -= 1
    if state.met_broker[start + peer]:
        state.met_brokers[me] -= 1
        state.met_degrees[me] -= state.met_degree[start + peer]


@leaf
def forget_before(state: Any, me: Any, start: Any, time: Any) -> None:
    """Forget those whom I last met before this time."""
    while state.met_count[me] > 0 and state.met_at[start + state.met_first[me]] < time:
        _forget(state, me, start, state.met_first[me])


@leaf
def remember(state: Any, me: Any, start: Any, peer: Any, now: Any, broker: Any, degree: Any) -> None:
    """I meet this peer now, and it is, or is not, a broker of this degree."""
    if is_known(state, start, peer):
        _forget(state, me, start, peer)
    last = state.met_last[me]
    if state.met_count[me] == 0:
        last = NOBODY
        state.met_first[me] = peer
    else:
        state.met_newer[start + last] = peer
    state.met_older[start + peer] = last
    state.met_newer[start + peer] = NOBODY
    state.met_last[me] = peer
    state.met_at[start + peer] = now
    state.met_broker[start + peer] = broker
    state.met_degree[start + peer] = degree
    state.met_count[me] += 1
    if broker:
        state.met_brokers[me] += 1
        state.met_degrees[me] += degree
