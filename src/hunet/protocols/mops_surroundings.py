"""What a node of MOPS knows of its surroundings when the training part is over.

It is as much as 2k rounds of hello tell it (`social.distributed`): who its fellow members are and how close, over which
path each reaches each, which brokers of other communities it has met, and which communities its own has a way to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa

    from hunet.social.structure import SocialStructure

__all__ = ["Surroundings", "surroundings_of"]

_NODE = np.dtype(
    [
        ("community", np.int64),  # its label
        ("place", np.int64),  # my own among the members
        ("members", np.int64),  # how many there are
        ("near", np.int64),  # communities that mine neighbours, through any of its brokers
        ("abroad", np.int64),  # brokers of other communities that I, a broker, have a direct edge to
        ("first_route", np.int64),
        ("last_route", np.int64),  # the one after my last
        ("broker", np.bool_),
    ],
    align=True,
)
_MEMBER = np.dtype(
    [
        ("name", np.int64),
        ("close", np.float64),  # over the local connection; I am 1 (AMB-47)
        ("first_relay", np.int64),
        ("last_relay", np.int64),  # the one after the last relay list that it sends
        ("broker", np.bool_),
    ],
    align=True,
)
_ABROAD = np.dtype([("name", np.int64), ("close", np.float64), ("near", np.int64)])
_ROUTE = np.dtype([("source", np.int64), ("next", np.int64)])


class Surroundings(NamedTuple):
    """One row per node. Members, brokers and communities are numbered by rising number or label; rows are padded."""

    node: npt.NDArray[Any]
    member: npt.NDArray[Any]
    """[node, place]: the members of its community."""
    abroad: npt.NDArray[Any]
    """[node, i]: brokers of other communities that it, a broker, has a direct edge to; `near`: the place of theirs."""
    near: npt.NDArray[np.int64]
    """[node, i]: labels of the communities that its own neighbours."""
    relay_near: npt.NDArray[np.int64]
    """[node, i]: the place in `near` of the community that a relay list is for."""
    route: npt.NDArray[Any]
    """All nodes' routes, each node's by source and next hop."""
    route_to: npt.NDArray[np.uint64]
    """[route, word]: bits of destinations, by their place in the source's community, that it reaches through this node
    and then the next hop; the last hop is left out, it needs no route."""


def surroundings_of(structure: SocialStructure, pairs: pa.Table, first: int, rows: int) -> Surroundings:
    """The surroundings of nodes first..first + rows - 1; shapes are those of the whole network."""
    label = structure.communities["community"].to_pylist()
    broker = [role == "broker" for role in structure.communities["role"].to_pylist()]
    members: dict[int, list[int]] = {}
    for node, community in enumerate(label):
        members.setdefault(community, []).append(node)
    place = {node: i for some in members.values() for i, node in enumerate(some)}
    edges = _edges(pairs)
    abroad = [sorted(v for v in edges.get(u, {}) if _bridge(u, v, label, broker)) for u in range(len(label))]
    leads = [sorted({label[v] for v in some}) for some in abroad]
    near = {one: sorted({to for u in some for to in leads[u]}) for one, some in members.items()}
    relays = {one: [(u, near[one].index(to)) for u in some for to in leads[u]] for one, some in members.items()}
    close = {(node, node): 1.0 for node in range(len(label))}
    for a, b, closeness in _columns(structure.connections):
        close[a, b] = close[b, a] = closeness
    mine = range(first, first + rows)
    routes = _routes(structure.connections, place, mine)
    starts = np.searchsorted([me for me, _, _ in routes], np.arange(first, first + rows + 1)).tolist()
    nodes, fellows, strangers = [], [], []
    for row, me in enumerate(mine):
        own = label[me]
        counts = len(members[own]), len(near[own]), len(abroad[me])
        nodes.append((own, place[me], *counts, starts[row], starts[row + 1], broker[me]))
        senders = [sender for sender, _ in relays[own]]
        begins, ends = (np.searchsorted(senders, members[own], side).tolist() for side in ("left", "right"))
        spans = zip(members[own], begins, ends, strict=True)
        fellows.append([(v, close.get((me, v), 0.0), begin, end, broker[v]) for v, begin, end in spans])
        strangers.append([(v, edges[me][v], near[own].index(label[v])) for v in abroad[me]])
    most = max(map(len, members.values()))
    return Surroundings(
        np.array(nodes, _NODE).view(np.recarray),
        _table(fellows, most, _MEMBER).view(np.recarray),
        _table(strangers, max(map(len, abroad)), _ABROAD).view(np.recarray),
        _table([near[label[me]] for me in mine], max(map(len, near.values())), np.int64),
        _table([[to for _, to in relays[label[me]]] for me in mine], max(map(len, relays.values())), np.int64),
        np.array([key[1:] for key in routes], _ROUTE).view(np.recarray),
        _bits(routes.values(), most),
    )


def _columns(pairs: pa.Table) -> Iterable[tuple[int, int, float]]:
    return zip(*(pairs[name].to_pylist() for name in ("a", "b", "closeness")), strict=True)


def _edges(pairs: pa.Table) -> dict[int, dict[int, float]]:
    edges: dict[int, dict[int, float]] = {}
    for a, b, closeness in _columns(pairs):
        if closeness is not None and closeness > 0:
            edges.setdefault(a, {})[b] = closeness
            edges.setdefault(b, {})[a] = closeness
    return edges


def _bridge(u: int, v: int, label: Sequence[int], broker: Sequence[bool]) -> bool:
    return broker[u] and broker[v] and label[u] != label[v]


def _routes(connections: pa.Table, place: dict[int, int], mine: range) -> dict[tuple[int, int, int], set[int]]:
    """(me, source, next hop) to the places of the destinations, in order; the last hop is none of these."""
    found: dict[tuple[int, int, int], set[int]] = {}
    for row in connections.to_pylist():
        path = [row["a"], *row["via"], row["b"]]
        for way in (path, path[::-1]):
            for me, step in pairwise(way[:-1]):
                if me in mine:
                    found.setdefault((me, way[0], step), set()).add(place[way[-1]])
    return dict(sorted(found.items()))


def _table(rows: Sequence[Sequence[Any]], width: int, kind: npt.DTypeLike) -> npt.NDArray[Any]:
    """Rows of different length as a table, padded with 0."""
    table = np.zeros((len(rows), width), kind)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table


def _bits(places: Iterable[set[int]], most: int) -> npt.NDArray[np.uint64]:
    rows = list(places)
    words = np.zeros((len(rows), (most + 63) // 64), np.uint64)
    for i, row in enumerate(rows):
        for place in row:
            words[i, place >> 6] |= np.uint64(1) << np.uint64(place & 63)
    return words
