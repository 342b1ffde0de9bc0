"""What a node knows of the neighbouring graph after rounds of hello messages (MOPS, Appendix).

At first a node knows its own edges. In a round it tells each node it meets all that it knew when the round began:
after l rounds in which all neighbours met, it knows the edges of all nodes up to l hops away, (l + 1)-hop knowledge.
2k rounds are what communities need. Where neighbours do not meet in a round, a node knows less.

A node's knowledge is named by the nodes whose own edges have reached it; the graph it sees holds just those edges.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from hunet.social.graph import Booleans, Graph

__all__ = ["complete_rounds", "heard_after", "view_of"]


def heard_after(encounters: Iterable[pa.Table], nodes: int) -> Booleans:
    """heard[i, x]: whether x's own edges have reached i after these rounds, each a table of pairs (a, b) that met."""
    heard = np.eye(nodes, dtype=np.bool_)
    for met in encounters:
        before = heard.copy()
        for a, b in zip(met["a"].to_pylist(), met["b"].to_pylist(), strict=True):
            heard[a] |= before[b]
            heard[b] |= before[a]
    return heard


def complete_rounds(pairs: pa.Table, hops: int) -> list[pa.Table]:
    """2k rounds in each of which all neighbours meet: a static graph."""
    closeness = pairs["closeness"].to_numpy()
    edges = pairs.filter(pa.array(closeness > 0)).select(["a", "b"])
    return [edges] * (2 * hops)


def view_of(graph: Graph, heard: Booleans) -> Graph:
    """The graph as a node sees it that has heard of these nodes (a row of `heard_after`): their edges, both ways."""
    nodes = len(graph.bounds) - 1
    start = np.repeat(np.arange(nodes), np.diff(graph.bounds))
    known = heard[start] | heard[graph.peer]
    bounds = np.append(0, np.cumsum(np.bincount(start[known], minlength=nodes)))
    return Graph(bounds.astype(np.int64), graph.peer[known], graph.closeness[known])
