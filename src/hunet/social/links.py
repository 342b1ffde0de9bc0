"""Virtual links (MOPS III-A): the best path of at most k hops between any two nodes.

The closeness of a path is the product of the closeness of its edges; the virtual link between two nodes is the path of
at most k hops whose product is largest. Closeness is at most 1, so a walk that comes back never beats a path.

Ties are broken so that results repeat: fewer hops first, then the smaller node before the end of the path. Products are
taken from the smaller end a to the larger end b, in that order. Hop shares do not depend on sigma, as the best
product is the smallest sum of squared separations, as long as no closeness underflows to 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from hunet.kernels import loop, rare
from hunet.model.errors import InvalidValueError
from hunet.model.tables import LINKS
from hunet.social.graph import Booleans, Floats, Graph, Ids, Ints, graph_of, strongest_first

__all__ = ["HopShares", "Search", "check_hops", "hop_shares", "new_search", "search_from", "virtual_links"]


class Search(NamedTuple):
    """One node's search: the best product so far and its hops, the value found this round, and who was improved."""

    best: Floats
    hops: Ids
    found: Floats
    frontier: Ids
    touched: Ids
    reached: Ids
    """Everyone with a best path so far; reached[0] is the source."""
    before: Ids
    """before[h, n]: the node before n on its best path of h hops (one row only where paths are not wanted)."""
    total: Ints
    """total[0]: how many are reached."""


class HopShares(NamedTuple):
    """Of all pairs of nodes, the shares whose best path has 1, 2, ... hops, and the share without any path."""

    by_hops: tuple[float, ...]
    unreachable: float


@rare
def search_from(graph: Graph, source: int, most_hops: int, least: float, free: Booleans, search: Search) -> None:
    """Round by round, from the nodes improved in the round before: after round h, the best over at most h hops.

    Paths pass through free nodes only and have a product of at least `least`; edges stand strongest first.
    """
    best = search.best
    found = search.found
    hops = search.hops
    frontier = search.frontier
    touched = search.touched
    before = search.before
    for i in range(search.total[0]):
        best[search.reached[i]] = 0.0
        hops[search.reached[i]] = 0
    best[source] = 1.0
    frontier[0] = source
    waiting = 1
    search.reached[0] = source
    reached = 1
    for hop in range(1, most_hops + 1):
        row = hop if before.shape[0] > 1 else 0
        improved = 0
        for i in range(waiting):
            node = frontier[i]
            for edge in range(graph.bounds[node], graph.bounds[node + 1]):
                peer = graph.peer[edge]
                product = best[node] * graph.closeness[edge]
                if product < least:
                    break
                if product > best[peer] and free[peer]:
                    if found[peer] == 0.0:
                        touched[improved] = peer
                        improved += 1
                    if product > found[peer] or (product == found[peer] and node < before[row, peer]):
                        found[peer] = product
                        before[row, peer] = node
        # Only now may what was found be built upon: this round was about paths of exactly `hop` hops.
        for i in range(improved):
            node = touched[i]
            if hops[node] == 0:
                search.reached[reached] = node
                reached += 1
            best[node] = found[node]
            found[node] = 0.0
            hops[node] = hop
            frontier[i] = node
        waiting = improved
    search.total[0] = reached


@loop
def _count(graph: Graph, most_hops: int, free: Booleans, search: Search, counts: Ints) -> None:
    """How many pairs a < b have a best path of 1, 2, ... hops (counts[0]: none)."""
    nodes = search.best.shape[0]
    for source in range(nodes):
        search_from(graph, source, most_hops, 0.0, free, search)
        for node in range(source + 1, nodes):
            counts[search.hops[node]] += 1


class _Found(NamedTuple):
    b: Ids
    closeness: Floats
    hops: Ids
    via: Ids


@loop
def _links_of(
    graph: Graph, source: int, most_hops: int, least: float, free: Booleans, search: Search, found: _Found
) -> int:
    """The links of a source to all larger nodes; how many. Inner nodes of the paths stand one after the other."""
    search_from(graph, source, most_hops, least, free, search)
    count = 0
    inner = 0
    for node in range(source + 1, search.best.shape[0]):
        hops = search.hops[node]
        if hops > 0:
            found.b[count] = node
            found.closeness[count] = search.best[node]
            found.hops[count] = hops
            count += 1
            step = node
            for hop in range(hops, 1, -1):
                step = search.before[hop, step]
                found.via[inner + hop - 2] = step
            inner += hops - 1
    return count


def new_search(nodes: int, rows: int) -> Search:
    """Room for searches over so many nodes; rows: hops + 1 where paths are wanted, else 1."""
    return Search(
        best=np.zeros(nodes),
        hops=np.zeros(nodes, dtype=np.int32),
        found=np.zeros(nodes),
        frontier=np.empty(nodes, dtype=np.int32),
        touched=np.empty(nodes, dtype=np.int32),
        reached=np.empty(nodes, dtype=np.int32),
        before=np.zeros((rows, nodes), dtype=np.int32),
        total=np.zeros(1, dtype=np.int64),
    )


def check_hops(nodes: int, hops: int | None) -> int:
    """The limit of hops; a path cannot have more than nodes - 1."""
    if nodes < 1:
        raise InvalidValueError(f"virtual links: nodes {nodes} must be at least 1")
    if hops is None:
        return max(1, nodes - 1)
    if hops < 1:
        raise InvalidValueError(f"virtual links: hops {hops} must be at least 1 (MOPS: k = 2)")
    return min(hops, max(1, nodes - 1))


def virtual_links(pairs: pa.Table, nodes: int, hops: int = 2, least: float = 0.0) -> pa.Table:
    """The virtual links (`LINKS`) of at most `hops` hops between nodes 0..nodes - 1, sorted by (a, b).

    `pairs` holds a < b and closeness, one row per pair. With `least`, only links of at least that closeness: local
    neighbours (MOPS III-A). Cost: per node, the edges within `hops` - 1 hops of it.

    >>> pairs = pa.table({"a": [0, 1], "b": [1, 2], "closeness": [0.9, 0.8]})
    >>> virtual_links(pairs, nodes=3)["via"].to_pylist()
    [[], [1], []]
    """
    limit = check_hops(nodes, hops)
    graph = strongest_first(graph_of(pairs, nodes), least)
    free = np.ones(nodes, np.bool_)
    search = new_search(nodes, limit + 1)
    room = _Found(
        b=np.empty(nodes, dtype=np.int32),
        closeness=np.empty(nodes),
        hops=np.empty(nodes, dtype=np.int32),
        via=np.empty(nodes * max(1, limit - 1), dtype=np.int32),
    )
    parts: list[_Found] = []
    counts = []
    for source in range(nodes):
        count = _links_of(graph, source, limit, least, free, search, room)
        inner = int(room.hops[:count].sum()) - count
        counts.append(count)
        parts.append(
            _Found(
                room.b[:count].copy(), room.closeness[:count].copy(), room.hops[:count].copy(), room.via[:inner].copy()
            )
        )
    b, closeness, taken, via = (np.concatenate(column) for column in zip(*parts, strict=True))
    ends = np.append(0, np.cumsum(taken - 1)).astype(np.int32)
    a = np.repeat(np.arange(nodes, dtype=np.int32), counts)
    return pa.table([a, b, closeness, taken, pa.ListArray.from_arrays(ends, via)], schema=LINKS)


def hop_shares(pairs: pa.Table, nodes: int, hops: int | None = 2) -> HopShares:
    """Of all pairs of nodes, how many have a best path of 1, 2, ..., `hops` hops; without a limit if that is None.

    This is the statistic of MOPS III-A: 'the best path is direct in 12.2 % of the pairs'.

    >>> pairs = pa.table({"a": [0, 1], "b": [1, 2], "closeness": [0.9, 0.8]})
    >>> hop_shares(pairs, nodes=4)
    HopShares(by_hops=(0.3333333333333333, 0.16666666666666666), unreachable=0.5)
    """
    limit = check_hops(nodes, hops)
    counts = np.zeros(limit + 1, dtype=np.int64)
    free = np.ones(nodes, np.bool_)
    _count(strongest_first(graph_of(pairs, nodes), 0.0), limit, free, new_search(nodes, 1), counts)
    all_pairs = max(1, nodes * (nodes - 1) // 2)
    longest = limit if hops is not None else max(1, int(np.flatnonzero(counts).max(initial=1)))
    shares = (counts / all_pairs).tolist()
    return HopShares(tuple(shares[1 : longest + 1]), shares[0])
