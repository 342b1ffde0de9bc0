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

from hunet.kernels import loop
from hunet.model.tables import LINKS
from hunet.social.graph import Booleans, Floats, Graph, Ids, Ints, graph_of, strongest_first
from hunet.social.paths import Search, check_hops, new_search, search_from

__all__ = ["HopShares", "hop_shares", "virtual_links"]


class HopShares(NamedTuple):
    """Of all pairs of nodes, the shares whose best path has 1, 2, ... hops, and the share without any path."""

    by_hops: tuple[float, ...]
    unreachable: float


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
