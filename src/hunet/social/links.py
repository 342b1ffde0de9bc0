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
import numpy.typing as npt
import pyarrow as pa

from hunet.kernels import leaf, loop
from hunet.model.errors import InvalidValueError
from hunet.model.tables import LINKS

__all__ = ["HopShares", "hop_shares", "virtual_links"]

Ids = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class _Graph(NamedTuple):
    """The neighbouring graph: node n's edges are the places bounds[n]..bounds[n + 1]."""

    bounds: Ints
    peer: Ids
    closeness: Floats


class _Search(NamedTuple):
    """One node's search: the best product so far and its hops, the value found this round, and who was improved."""

    best: Floats
    hops: Ids
    found: Floats
    frontier: Ids
    touched: Ids
    before: npt.NDArray[np.int32]
    """before[h, n]: the node before n on its best path of h hops (one row only where paths are not wanted)."""


class HopShares(NamedTuple):
    """Of all pairs of nodes, the shares whose best path has 1, 2, ... hops, and the share without any path."""

    by_hops: tuple[float, ...]
    unreachable: float


@leaf
def _search(graph: _Graph, source: int, most_hops: int, search: _Search) -> None:
    """Round by round, from the nodes improved in the round before: after round h, the best over at most h hops."""
    best = search.best
    found = search.found
    hops = search.hops
    frontier = search.frontier
    touched = search.touched
    before = search.before
    for node in range(best.shape[0]):
        best[node] = 0.0
        found[node] = 0.0
        hops[node] = 0
    best[source] = 1.0
    frontier[0] = source
    waiting = 1
    for hop in range(1, most_hops + 1):
        row = hop if before.shape[0] > 1 else 0
        reached = 0
        for i in range(waiting):
            node = frontier[i]
            for edge in range(graph.bounds[node], graph.bounds[node + 1]):
                peer = graph.peer[edge]
                product = best[node] * graph.closeness[edge]
                if product > best[peer]:
                    if found[peer] == 0.0:
                        touched[reached] = peer
                        reached += 1
                    if product > found[peer] or (product == found[peer] and node < before[row, peer]):
                        found[peer] = product
                        before[row, peer] = node
        if reached == 0:
            return
        # Only now may what was found be built upon: this round was about paths of exactly `hop` hops.
        for i in range(reached):
            node = touched[i]
            best[node] = found[node]
            found[node] = 0.0
            hops[node] = hop
            frontier[i] = node
        waiting = reached


@loop
def _count(graph: _Graph, most_hops: int, search: _Search, counts: Ints) -> None:
    """How many pairs a < b have a best path of 1, 2, ... hops (counts[0]: none)."""
    nodes = search.best.shape[0]
    for source in range(nodes):
        _search(graph, source, most_hops, search)
        for node in range(source + 1, nodes):
            counts[search.hops[node]] += 1


class _Found(NamedTuple):
    b: Ids
    closeness: Floats
    hops: Ids
    via: Ids


@loop
def _links_of(graph: _Graph, source: int, most_hops: int, search: _Search, found: _Found) -> int:
    """The links of a source to all larger nodes; how many. Inner nodes of the paths stand one after the other."""
    _search(graph, source, most_hops, search)
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


def _graph(pairs: pa.Table, nodes: int) -> _Graph:
    """Both directions of every pair with a closeness above 0; a null closeness is no edge."""
    closeness = np.asarray(pairs["closeness"].to_numpy(), dtype=np.float64)
    a, b = (np.asarray(pairs[side].to_numpy(), dtype=np.int64) for side in ("a", "b"))
    known = ~np.isnan(closeness)
    wrong = np.flatnonzero((a < 0) | (b >= nodes) | (a >= b) | (known & ~((closeness >= 0) & (closeness <= 1))))
    if len(wrong):
        row = int(wrong[0])
        raise InvalidValueError(
            f"pairs, row {row}: a {a[row]}, b {b[row]}, closeness {closeness[row]}: "
            f"0 <= a < b < {nodes} nodes and closeness within 0 and 1 are needed"
        )
    key = np.sort(a * nodes + b)
    if len(key) and (key[1:] == key[:-1]).any():
        pair = int(key[:-1][key[1:] == key[:-1]][0])
        raise InvalidValueError(
            f"pairs: {pair // nodes} and {pair % nodes} stand in it twice: choose one setting (window, boundary, sigma)"
        )
    edge = known & (closeness > 0)
    start, end = np.concatenate((a[edge], b[edge])), np.concatenate((b[edge], a[edge]))
    order = np.lexsort((end, start))
    return _Graph(
        bounds=np.searchsorted(start[order], np.arange(nodes + 1)),
        peer=end[order].astype(np.int32),
        closeness=np.tile(closeness[edge], 2)[order],
    )


def _new_search(nodes: int, rows: int) -> _Search:
    return _Search(
        best=np.empty(nodes),
        hops=np.empty(nodes, dtype=np.int32),
        found=np.empty(nodes),
        frontier=np.empty(nodes, dtype=np.int32),
        touched=np.empty(nodes, dtype=np.int32),
        before=np.zeros((rows, nodes), dtype=np.int32),
    )


def _check(nodes: int, hops: int | None) -> int:
    """The limit of hops; a path cannot have more than nodes - 1."""
    if nodes < 1:
        raise InvalidValueError(f"virtual links: nodes {nodes} must be at least 1")
    if hops is None:
        return max(1, nodes - 1)
    if hops < 1:
        raise InvalidValueError(f"virtual links: hops {hops} must be at least 1 (MOPS: k = 2)")
    return min(hops, max(1, nodes - 1))


def virtual_links(pairs: pa.Table, nodes: int, hops: int = 2) -> pa.Table:
    """The virtual links (`LINKS`) of at most `hops` hops between nodes 0..nodes - 1, sorted by (a, b).

    `pairs` holds a < b and closeness, one row per pair. Cost: per node, the edges within `hops` - 1 hops of it.

    >>> pairs = pa.table({"a": [0, 1], "b": [1, 2], "closeness": [0.9, 0.8]})
    >>> virtual_links(pairs, nodes=3)["via"].to_pylist()
    [[], [1], []]
    """
    limit = _check(nodes, hops)
    graph = _graph(pairs, nodes)
    search = _new_search(nodes, limit + 1)
    room = _Found(
        b=np.empty(nodes, dtype=np.int32),
        closeness=np.empty(nodes),
        hops=np.empty(nodes, dtype=np.int32),
        via=np.empty(nodes * max(1, limit - 1), dtype=np.int32),
    )
    parts: list[_Found] = []
    counts = []
    for source in range(nodes):
        count = _links_of(graph, source, limit, search, room)
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
    limit = _check(nodes, hops)
    counts = np.zeros(limit + 1, dtype=np.int64)
    _count(_graph(pairs, nodes), limit, _new_search(nodes, 1), counts)
    all_pairs = max(1, nodes * (nodes - 1) // 2)
    longest = limit if hops is not None else max(1, int(np.flatnonzero(counts).max(initial=1)))
    shares = (counts / all_pairs).tolist()
    return HopShares(tuple(shares[1 : longest + 1]), shares[0])
