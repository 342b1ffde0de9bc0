"""Local neighbourhoods (MOPS III-A): who is within k hops and closeness T, kept up to date as nodes leave.

N_k(i) holds the nodes whose best path of at most k hops to i has a closeness of at least T (AMB-41); i is not in it.
Nodes that have found a community leave: they are in no neighbourhood any more, and no path passes through them
(AMB-45). Neighbourhoods are rows of bits, one per node, so that cliques are found by intersection; for n nodes they
take n * n / 4 bytes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, loop, rare
from hunet.social.graph import Booleans, Graph, strongest_first
from hunet.social.paths import Search, check_hops, new_search, search_from

__all__ = ["Bits", "Ground", "everyone", "has", "new_ground", "refresh", "renew", "take_out"]

Bits = npt.NDArray[np.uint64]

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_LOW = np.uint64(63)


class Ground(NamedTuple):
    """A neighbouring graph, the nodes of it that are still free, and their local neighbourhoods."""

    graph: Graph
    strong: Graph
    """The edges of at least T, strongest first."""
    hops: int
    threshold: float
    free: Booleans
    near: Bits
    """near[i]: N_k(i), for free i. Symmetric: the product of a path is taken from its smaller end."""
    inner: Bits
    """inner[i]: the nodes in the midst of i's best paths to larger nodes; when one leaves, those paths break."""
    search: Search


def new_ground(graph: Graph, threshold: float, hops: int) -> Ground:
    """Everyone is free; `refresh(ground, everyone(...))` finds the neighbourhoods."""
    nodes = len(graph.bounds) - 1
    shape = (nodes, (nodes + 63) // 64)
    limit = check_hops(nodes, hops)
    return Ground(
        graph=graph,
        strong=strongest_first(graph, threshold),
        hops=limit,
        threshold=threshold,
        free=np.ones(nodes, np.bool_),
        near=np.zeros(shape, np.uint64),
        inner=np.zeros(shape, np.uint64),
        search=new_search(nodes, limit + 1),
    )


def everyone(nodes: int) -> Bits:
    """A row with all bits set."""
    return np.full((nodes + 63) // 64, ~_NONE)


def take_out(ground: Ground, leaving: Booleans) -> None:
    """These nodes have found a community: the neighbourhoods of the others are found anew where it matters."""
    ground.free[leaving] = False
    padded = np.zeros(ground.near.shape[1] * 64, np.bool_)
    padded[: leaving.size] = leaving
    refresh(ground, np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64))


@leaf
def has(rows: Bits, row: int, node: int) -> bool:
    """Whether a node's bit is set in a row."""
    return bool(rows[row, node >> 6] >> (np.uint64(node) & _LOW) & _ONE)


@leaf
def _set(rows: Bits, row: int, node: int) -> None:
    rows[row, node >> 6] |= _ONE << (np.uint64(node) & _LOW)


@leaf
def _clear(rows: Bits, row: int, node: int) -> None:
    rows[row, node >> 6] &= ~(_ONE << (np.uint64(node) & _LOW))


@rare
def renew(ground: Ground, left: Bits) -> None:
    """Drop the nodes that left (bits of `left`), and search anew from every free node whose paths led through them.

    If `left` holds the free nodes themselves, all is searched: that is how it begins.
    """
    near = ground.near
    inner = ground.inner
    search = ground.search
    nodes = ground.free.size
    words = near.shape[1]
    for a in range(nodes):
        for w in range(words):
            near[a, w] &= ~left[w]
    for a in range(nodes):
        if not ground.free[a]:
            continue
        broken = left[a >> 6] >> (np.uint64(a) & _LOW) & _ONE != _NONE
        for w in range(words):
            broken |= inner[a, w] & left[w] != _NONE
        if not broken:
            continue
        for w in range(words):
            inner[a, w] = _NONE
        for b in range(a + 1, nodes):
            if has(near, a, b):
                _clear(near, a, b)
                _clear(near, b, a)
        search_from(ground.strong, a, ground.hops, ground.threshold, ground.free, search)
        for i in range(1, search.total[0]):
            b = search.reached[i]
            if b > a:
                _set(near, a, b)
                _set(near, b, a)
                step = b
                for hop in range(search.hops[b], 1, -1):
                    step = search.before[hop, step]
                    _set(inner, a, step)


@loop
def refresh(ground: Ground, left: Bits) -> None:
    """`renew`, from Python."""
    renew(ground, left)
