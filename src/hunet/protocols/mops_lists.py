"""The interest lists of MOPS: what a node keeps of others' interests, and the weights it makes of them ([mops] IV-A).

A list has a weight per tag. Inside a community travel the lists of its members, each with the number of its generation:
what the owner wants itself (S), and, of a broker, what it collects for other communities (E, Eq. 3). Brokers of two
communities tell each other what their own wants (I, Eq. 2), brokers of one community what they collect for each
neighbouring one (E(A), the relay lists). The equations are those of `social.weights`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, rare
from hunet.protocols.mops_surroundings import Surroundings
from hunet.protocols.quantities import Row
from hunet.social.weights import add_decayed, combine, keep_best_decayed, sum_of_best

__all__ = [
    "INTERNAL_LISTS",
    "MEMBER_LISTS",
    "RELAY_LISTS",
    "MopsParams",
    "MopsState",
    "add_up_external",
    "add_up_internal",
    "add_up_with_relay",
    "clear",
    "external_by_community",
    "know_at_once",
    "new_state",
    "refresh_external",
    "replace",
    "weight_of",
]

MEMBER_LISTS, INTERNAL_LISTS, RELAY_LISTS = range(3)
"""Places in `MopsState.lists`."""

Weights = npt.NDArray[np.float32]


class MopsParams(NamedTuple):
    """Settings, surroundings and scratch space."""

    tags: int
    threshold: float
    k: int
    betweenness: float
    gateway_size: int
    a: float
    default_weight: float
    exclude_peer_community: bool
    every_weight: bool
    """Whether a list is news when nothing but a computed weight in it changed (AMB-83)."""
    first_node: int
    at_once: bool
    around: Surroundings
    external: npt.NDArray[np.float64]
    """[near community, tag]: scratch for E(A)."""
    relay: npt.NDArray[np.float64]
    """[near community, tag]: scratch for R(A)."""
    total: npt.NDArray[np.float64]
    """Scratch for two lists: I, and a sum over communities."""
    parcel: npt.NDArray[np.uint64]
    """Scratch for the destinations that go with a message."""


class MopsState(NamedTuple):
    level: Weights
    """[node, place of a member, tag]: what it wants itself, S; my own list has my own place."""
    outside: Weights
    """[node, place of a member, tag]: what it collects for other communities, E; of brokers."""
    version: npt.NDArray[np.int64]
    """[node, place of a member]: the generation of its list; 0 where I have none."""
    internal: Weights
    """[node, broker abroad, tag]: what its community wants, I."""
    relay: Weights
    """[node, relay list, tag]: what a fellow broker collects for a community, E(A)."""
    errands: npt.NDArray[np.uint64]
    """[node, entry, word]: destinations, by place in the source's community. Of my own message those it was sent on its
    way to (the pub list), of another's those I am still to send it on its way to."""
    lists: npt.NDArray[np.int64]
    """[node, kind]: lists that I got and that were news (AMB-61)."""


def new_state(params: MopsParams, nodes: int, entries: int) -> MopsState:
    """Nobody knows any list; brokers have the default weight for everything (AMB-52)."""
    around, tags = params.around, params.tags
    most = around.member.shape[1]
    state = MopsState(
        np.zeros((nodes, most, tags), np.float32),
        np.zeros((nodes, most, tags), np.float32),
        np.zeros((nodes, most), np.int64),
        np.zeros((nodes, around.abroad.shape[1], tags), np.float32),
        np.zeros((nodes, around.relay_near.shape[1], tags), np.float32),
        np.zeros((nodes, entries, around.route_to.shape[1]), np.uint64),
        np.zeros((nodes, 3), np.int64),
    )
    brokers = np.flatnonzero(around.node["broker"])
    state.outside[brokers, around.node["place"][brokers]] = params.default_weight
    return state


@leaf
def clear(table: Any, rows: Any) -> None:
    """Empty so many lists."""
    for row in range(rows):
        for tag in range(table.shape[1]):
            table[row, tag] = 0.0


@leaf
def add_up_internal(params: MopsParams, state: MopsState, me: Row) -> None:
    """I_me (Eq. 2), into the first scratch list."""
    around = params.around
    clear(params.total, 1)
    for place in range(around.node[me].members):
        add_decayed(params.total, 0, around.member[me, place].close, state.level[me], place)


@rare
def external_by_community(params: MopsParams, state: MopsState, me: Row) -> None:
    """E_me(A) of every neighbouring community A (Eq. 3)."""
    around = params.around
    clear(params.external, around.node[me].near)
    for i in range(around.node[me].abroad):
        broker = around.abroad[me, i]
        keep_best_decayed(params.external, broker.near, broker.close, state.internal[me], i)


@leaf
def add_up_external(params: MopsParams, state: MopsState, me: Row) -> None:
    """E_me (Eq. 3), into the second scratch list; never below the default weight (AMB-52)."""
    external_by_community(params, state, me)
    sum_of_best(params.total, 1, params.external, params.external, 0, params.around.node[me].near)
    _keep_default(params)


@leaf
def add_up_with_relay(params: MopsParams, state: MopsState, me: Row, peer_community: Any) -> None:
    """ER_me (Eq. 4), into the second scratch list; with the peer's own community or without (AMB-50)."""
    around = params.around
    external_by_community(params, state, me)
    clear(params.relay, around.node[me].near)
    for place in range(around.node[me].members):
        member = around.member[me, place]
        for i in range(member.first_relay, member.last_relay):
            keep_best_decayed(params.relay, around.relay_near[me, i], member.close, state.relay[me], i)
    if params.exclude_peer_community:
        for near in range(around.node[me].near):
            if around.near[me, near] == peer_community:
                for tag in range(params.tags):
                    params.external[near, tag] = params.relay[near, tag] = 0.0
    sum_of_best(params.total, 1, params.external, params.relay, 0, around.node[me].near)
    _keep_default(params)


@leaf
def _keep_default(params: MopsParams) -> None:
    for tag in range(params.tags):
        params.total[1, tag] = max(params.total[1, tag], params.default_weight)


@leaf
def weight_of(params: MopsParams, broker: Any, level: Any, outside: Any) -> Any:
    """What a member's list says of a tag: a S + b E of a broker (Eq. 5), S of others."""
    if broker:
        return np.float32(combine(params.a, np.float64(level), np.float64(outside)))
    return np.float32(level)


@leaf
def replace(table: Any, row: Any, news: Any, of: Any) -> Any:
    """Put a list in the place of an older one; whether it says anything new."""
    changed = False
    for tag in range(table.shape[1]):
        weight = np.float32(news[of, tag])
        changed |= table[row, tag] != weight
        table[row, tag] = weight
    return changed


@leaf
def refresh_external(params: MopsParams, state: MopsState, me: Row) -> None:
    """What I collect for other communities changed: my own list follows. It is a new generation where something is
    asked for that was not, or no longer is; a weight that changed goes out with the next (AMB-83)."""
    add_up_external(params, state, me)
    place = params.around.node[me].place
    default = np.float32(params.default_weight)
    news = False
    for tag in range(params.tags):
        news |= (state.outside[me, place, tag] > default) != (np.float32(params.total[1, tag]) > default)
    changed = replace(state.outside[me], place, params.total, 1)
    if news or (changed and params.every_weight):
        state.version[me, place] += 1


def know_at_once(params: MopsParams, state: MopsState, levels: npt.NDArray[np.float32]) -> None:
    """All rows of a whole network, as they are when every list has reached everyone it is meant for (AMB-55)."""
    around = params.around
    nodes = range(len(levels))
    names = [around.member["name"][me, : around.node[me].members] for me in nodes]
    for me in nodes:
        state.level[me, : names[me].size] = levels[names[me]]
        state.version[me, : names[me].size] = 1
    internal = np.zeros(levels.shape, np.float32)
    for me in nodes:
        add_up_internal(params, state, me)
        internal[me] = params.total[0]
    relays: list[npt.NDArray[np.float32]] = []
    for me in nodes:
        some = around.abroad["name"][me, : around.node[me].abroad]
        state.internal[me, : some.size] = internal[some]
        if around.node[me].broker:
            refresh_external(params, state, me)
        external_by_community(params, state, me)
        relays.append(params.external.astype(np.float32))
    for me in nodes:
        for place, name in enumerate(names[me]):
            state.outside[me, place] = state.outside[name, place]
            if around.node[me].broker and name != me:
                rows = slice(around.member[me, place].first_relay, around.member[me, place].last_relay)
                state.relay[me, rows] = relays[name][around.relay_near[me, rows]]
        state.version[me, around.node[me].place] = 0  # the first generation of my own is to come
