"""The neighbouring graph (MOPS II-B): one edge per pair with a closeness above 0, as arrays for kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import loop, rare
from hunet.model.errors import InvalidValueError

if TYPE_CHECKING:
    import pyarrow as pa  # what kernels of protocols need of this file, a device needs too

__all__ = ["Booleans", "Floats", "Graph", "Ids", "Ints", "add_up_degrees", "degrees", "graph_of", "strongest_first"]

Ids = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]


class Graph(NamedTuple):
    """Both directions of every edge: node n's edges are the places bounds[n]..bounds[n + 1]."""

    bounds: Ints
    peer: Ids
    closeness: Floats


def graph_of(pairs: pa.Table, nodes: int) -> Graph:
    """The graph over nodes 0..nodes - 1, the edges of a node by the peer's id; a null closeness is no edge."""
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
    return _sorted(start, end, np.tile(closeness[edge], 2), np.lexsort((end, start)), nodes)


def strongest_first(graph: Graph, least: float) -> Graph:
    """The edges of at least that closeness, each node's by falling closeness: a path of product T has no weaker one."""
    nodes = len(graph.bounds) - 1
    start = np.repeat(np.arange(nodes), np.diff(graph.bounds))
    strong = graph.closeness >= least
    start, end, closeness = start[strong], graph.peer[strong], graph.closeness[strong]
    return _sorted(start, end, closeness, np.lexsort((end, -closeness, start)), nodes)


def _sorted(start: Ints, end: npt.NDArray[np.integer], closeness: Floats, order: Ints, nodes: int) -> Graph:
    bounds = np.searchsorted(start[order], np.arange(nodes + 1))
    return Graph(bounds.astype(np.int64), end[order].astype(np.int32), closeness[order])


@rare
def add_up_degrees(graph: Graph, free: Booleans, degree: Floats) -> None:
    """degree[u] = the sum of c_uv over u's edges to free nodes v, taken by rising id (MOPS, Appendix: d_u)."""
    for node in range(degree.size):
        total = 0.0
        for edge in range(graph.bounds[node], graph.bounds[node + 1]):
            if free[graph.peer[edge]]:
                total += graph.closeness[edge]
        degree[node] = total


@loop
def degrees(graph: Graph, free: Booleans, degree: Floats) -> None:
    """`add_up_degrees`, from Python."""
    add_up_degrees(graph, free, degree)
