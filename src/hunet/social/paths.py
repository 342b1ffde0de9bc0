"""The best paths of at most k hops from one node: the search that links, neighbourhoods and gateways are made with.

What is here runs on a device too: it knows no tables.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hunet.kernels import rare
from hunet.model.errors import InvalidValueError
from hunet.social.graph import Booleans, Floats, Graph, Ids, Ints

__all__ = ["Search", "check_hops", "new_search", "search_from"]


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
