"""What a node of MOPS knows of its surroundings when the training part is over.

It is as much as 2k rounds of hello tell it (`social.distributed`): who its fellow members are and how close, over which
path each reaches each, which brokers of other communities it has met, and which communities its own has a way to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.social.structure import SocialStructure

__all__ = ["Surroundings", "surroundings_of"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Surroundings(NamedTuple):
    """One row per node. Members, brokers and communities are numbered by rising number or label; rows are padded."""

    community: Ints
    """Its label."""
    broker: npt.NDArray[np.bool_]
    members: Ints
    """How many the community has."""
    place: Ints
    """My own place among them."""
    member: Ints
    """[node, place]: who they are."""
    close: Floats
    """[node, place]: how close they are over the local connection; I am 1 (AMB-47)."""
    fellow_broker: npt.NDArray[np.bool_]
    """[node, place]: which of them are brokers."""
    near: Ints
    """How many communities mine neighbours, through any of its brokers."""
    near_label: Ints
    """[node, i]: which."""
    abroad: Ints
    """How many brokers of other communities I, a broker, have a direct edge to."""
    abroad_name: Ints
    """[node, i]: who they are."""
    abroad_close: Floats
    abroad_near: Ints
    """[node, i]: the place of their community in `near_label`."""
    relay_start: Ints
    """[node, place]: the relay lists that member sends are `relay_start[node, place]` up to the next."""
    relay_near: Ints
    """[node, i]: the place in `near_label` of the community that a relay list is for."""
    route_start: Ints
    """My routes are `route_start[node]` up to the next, by source and next hop."""
    route_source: Ints
    route_next: Ints
    route_to: npt.NDArray[np.uint64]
    """[route, word]: bits of destinations, by their place in the source's community, that it reaches through me and
    then the next hop; the last hop is left out, it needs no route."""


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
    for a, b, closeness in zip(
        *(structure.connections[name].to_pylist() for name in ("a", "b", "closeness")), strict=True
    ):
        close[a, b] = close[b, a] = closeness
    mine = range(first, first + rows)
    routes = _routes(structure.connections, place, mine)
    most = max(map(len, members.values()))

    def of_members(value: Any, kind: npt.DTypeLike) -> npt.NDArray[Any]:
        return _table([[value(u, v) for v in members[label[u]]] for u in mine], most, kind)

    def of_brokers(value: Any, kind: npt.DTypeLike) -> npt.NDArray[Any]:
        return _table([[value(u, v) for v in abroad[u]] for u in mine], max(map(len, abroad)), kind)

    most_near, most_relays = max(map(len, near.values())), max(map(len, relays.values()))
    senders = [[u for u, _ in relays[label[node]]] for node in mine]
    starts = [np.searchsorted(some, members[label[u]]).tolist() for u, some in zip(mine, senders, strict=True)]
    ends = [row + [len(some)] * (most + 1 - len(row)) for row, some in zip(starts, senders, strict=True)]
    return Surroundings(
        community=np.array([label[u] for u in mine], np.int64),
        broker=np.array([broker[u] for u in mine], np.bool_),
        members=np.array([len(members[label[u]]) for u in mine], np.int64),
        place=np.array([place[u] for u in mine], np.int64),
        member=of_members(lambda _, v: v, np.int64),
        close=of_members(lambda u, v: close.get((u, v), 0.0), np.float64),
        fellow_broker=of_members(lambda _, v: broker[v], np.bool_),
        near=np.array([len(near[label[u]]) for u in mine], np.int64),
        near_label=_table([near[label[u]] for u in mine], most_near, np.int64),
        abroad=np.array([len(abroad[u]) for u in mine], np.int64),
        abroad_name=of_brokers(lambda _, v: v, np.int64),
        abroad_close=of_brokers(lambda u, v: edges[u][v], np.float64),
        abroad_near=of_brokers(lambda u, v: near[label[u]].index(label[v]), np.int64),
        relay_start=_table(ends, most + 1, np.int64),
        relay_near=_table([[to for _, to in relays[label[u]]] for u in mine], most_relays, np.int64),
        route_start=np.searchsorted([me for me, _, _ in routes], np.arange(first, first + rows + 1)).astype(np.int64),
        route_source=np.array([source for _, source, _ in routes], np.int64),
        route_next=np.array([step for _, _, step in routes], np.int64),
        route_to=_bits(routes.values(), most),
    )


def _edges(pairs: pa.Table) -> dict[int, dict[int, float]]:
    edges: dict[int, dict[int, float]] = {}
    for a, b, closeness in zip(*(pairs[name].to_pylist() for name in ("a", "b", "closeness")), strict=True):
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
