"""The interest lists of MOPS where nodes learn by themselves, and the weights that are made of them ([mops] IV-A).

As in `mops_lists`, but who is a member and which communities there are changes while events are under way: communities
are rows of scratch in the order in which they come up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, rare
from hunet.protocols.mops_lists import clear, replace
from hunet.protocols.mops_people import NOBODY, LiveState, Name, Place, find
from hunet.protocols.mops_view import View
from hunet.protocols.protocol import Peers
from hunet.protocols.quantities import Row
from hunet.protocols.tag_ids import TagIds
from hunet.social.weights import add_decayed, keep_best_decayed, sum_of_best

__all__ = [
    "LiveParams",
    "add_up_internal",
    "add_up_with_relay",
    "external_by_community",
    "is_member",
    "refresh_external",
]


class LiveParams(NamedTuple):
    tags: int
    tag_ids: TagIds
    """By which digests name tags; empty where all have the same list."""
    tag_bytes: int
    people: int
    k: int
    a: float
    default_weight: float
    every: int
    """In milliseconds."""
    peer_start: Peers
    first_node: int
    view: View
    near: npt.NDArray[np.int64]
    """Scratch: labels of communities, as rows of the next two."""
    external: npt.NDArray[np.float64]
    """[community, tag]: scratch for E(A)."""
    relay: npt.NDArray[np.float64]
    """[community, tag]: scratch for R(A)."""
    total: npt.NDArray[np.float64]
    """Scratch for two lists: I, and a sum over communities."""


@leaf
def is_member(state: LiveState, me: Row, place: Place) -> Any:
    """Whether the person at a place says the same community as I do."""
    return state.person[me, place].label == state.person[me, 0].label


@leaf
def _row_of(params: LiveParams, label: Name, count: Any) -> Any:
    """The row of a community; the next one if it has none yet, which is empty then."""
    row = 0
    while row < count and params.near[row] != label:
        row += 1
    if row == count:
        params.near[row] = label
        for tag in range(params.tags):
            params.external[row, tag] = params.relay[row, tag] = 0.0
    return row


@rare
def external_by_community(params: LiveParams, state: LiveState, me: Row) -> Any:
    """E_me(A) of every community A that I have met brokers of (Eq. 3); how many there are."""
    count = 0
    if state.person[me, 0].broker:
        for place in range(1, state.node[me].people):
            person = state.person[me, place]
            if person.broker and person.direct > 0.0 and not is_member(state, me, place):
                row = _row_of(params, person.label, count)
                count = max(count, row + 1)
                keep_best_decayed(params.external, row, person.direct, state.internal[me], place)
    return count


@rare
def add_up_with_relay(params: LiveParams, state: LiveState, me: Row) -> None:
    """ER_me (Eq. 4), into the second scratch list."""
    count = external_by_community(params, state, me)
    for i in range(state.node[me].relays):
        fellow = find(state, me, state.relay_of[me, i].fellow)
        if fellow != NOBODY and is_member(state, me, fellow):
            row = _row_of(params, state.relay_of[me, i].towards, count)
            count = max(count, row + 1)
            keep_best_decayed(params.relay, row, state.person[me, fellow].close, state.relay[me], i)
    sum_of_best(params.total, 1, params.external, params.relay, 0, count)


@rare
def add_up_internal(params: LiveParams, state: LiveState, me: Row) -> None:
    """I_me (Eq. 2), into the first scratch list."""
    clear(params.total, 1)
    for place in range(state.node[me].people):
        if is_member(state, me, place):
            add_decayed(params.total, 0, state.person[me, place].close, state.level[me], place)


@rare
def refresh_external(params: LiveParams, state: LiveState, me: Row) -> None:
    """What I collect for other communities may have changed: my own list follows. It is a new generation where
    something is asked for that was not, or no longer is (AMB-83)."""
    count = external_by_community(params, state, me)
    sum_of_best(params.total, 1, params.external, params.external, 0, count)
    default, news = np.float32(params.default_weight), False
    for tag in range(params.tags):
        news |= (state.outside[me, 0, tag] > default) != (np.float32(params.total[1, tag]) > default)
    replace(state.outside[me], 0, params.total, 1)
    if news:
        state.person[me, 0].listed += 1
