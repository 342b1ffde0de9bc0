"""What a node of Grapevine knows of others' context: the latest summary of each, and which of them it is to pass on.

A summary is kept if it is a newer version than the one known, or the same that may travel further (it came by a shorter
way). It is passed on once for that, in the next beacon, with one hop less. After the lifetime it is forgotten; a table
that is full forgets what was heard longest ago.
"""

from __future__ import annotations

from typing import Any

from hunet.kernels import leaf
from hunet.protocols.interests import copy_row
from hunet.protocols.quantities import Digest, Millis, Row

__all__ = ["learn", "pass_on", "place_of"]


@leaf
def place_of(state: Any, me: Row, origin: Any) -> Any:
    """Where I keep what I know of a node's context; -1 if I know nothing."""
    for row in range(state.used[me]):
        if state.origin[me, row] == origin:
            return row
    return -1


@leaf
def pass_on(params: Any, state: Any, me: Row, now: Millis, digest: Digest) -> None:
    """What others told me to pass on; what is too old is forgotten on the way."""
    kept = 0
    for row in range(state.used[me]):
        if state.due[me, row]:
            state.due[me, row] = False
            out = digest.used[0]
            digest.used[0] = out + 1
            digest.origin[out] = state.origin[me, row]
            digest.version[out] = state.version[me, row]
            digest.left[out] = state.left[me, row] - 1
            copy_row(state.labels[me, row], digest.labels[out])
            copy_row(state.values[me, row], digest.values[out])
        if now - state.heard[me, row] < params.lifetime:
            if kept < row:
                state.origin[me, kept] = state.origin[me, row]
                state.version[me, kept] = state.version[me, row]
                state.left[me, kept] = state.left[me, row]
                state.due[me, kept] = False
                state.heard[me, kept] = state.heard[me, row]
                copy_row(state.labels[me, row], state.labels[me, kept])
                copy_row(state.values[me, row], state.values[me, kept])
            kept += 1
    state.used[me] = kept


@leaf
def learn(params: Any, state: Any, me: Row, digest: Digest, i: Any, now: Millis) -> None:
    """Keep a summary that is newer than what I have, or that may travel further."""
    row = place_of(state, me, digest.origin[i])
    if row >= 0:
        newer = digest.version[i] > state.version[me, row]
        further = digest.version[i] == state.version[me, row] and digest.left[i] > state.left[me, row]
        if not newer and not further:
            return
    elif state.used[me] < params.slots:
        row = state.used[me]
        state.used[me] = row + 1
    else:
        row = 0
        for other in range(1, state.used[me]):
            if state.heard[me, other] < state.heard[me, row]:
                row = other
        state.forgotten[me] += 1
    state.origin[me, row] = digest.origin[i]
    state.version[me, row] = digest.version[i]
    state.left[me, row] = digest.left[i]
    state.due[me, row] = digest.left[i] > 0
    state.heard[me, row] = now
    copy_row(digest.labels[i], state.labels[me, row])
    copy_row(digest.values[i], state.values[me, row])
