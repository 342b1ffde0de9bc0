"""Numbers for a node's peers: its first acquaintance is 0, the next 1, and so on.

A live node counts the peers it meets as it meets them; here the whole trace is known, so the numbers of every contact
are computed beforehand, and memory about peers is as large as there are pairs that meet.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["Acquaintances", "closeness_of", "number_peers", "partings"]


class Acquaintances(NamedTuple):
    """Who is whose n-th acquaintance."""

    start: npt.NDArray[np.int64]
    """Node i's acquaintances are numbers `start[i]` up to `start[i + 1]` of flat arrays."""
    peer: npt.NDArray[np.int64]
    """Flat: the node that each acquaintance is."""
    at_a: npt.NDArray[np.int64]
    """Per contact: the number that b has at a."""
    at_b: npt.NDArray[np.int64]
    """Per contact: the number that a has at b."""


def number_peers(a: npt.NDArray[np.uint32], b: npt.NDArray[np.uint32], nodes: int) -> Acquaintances:
    """Number every node's peers in the order of their first contacts."""
    pairs, first, pair_of = np.unique(
        a.astype(np.int64) * nodes + b.astype(np.int64), return_index=True, return_inverse=True
    )
    node = np.concatenate([pairs // nodes, pairs % nodes])
    peer = np.concatenate([pairs % nodes, pairs // nodes])
    order = np.lexsort((np.concatenate([first, first]), node))
    start = np.concatenate([[0], np.cumsum(np.bincount(node, minlength=nodes))]).astype(np.int64)
    number = np.empty(node.size, np.int64)
    number[order] = np.arange(node.size) - start[node[order]]
    return Acquaintances(start, peer[order], number[: pairs.size][pair_of], number[pairs.size :][pair_of])


def closeness_of(acquaintances: Acquaintances, pairs: pa.Table) -> npt.NDArray[np.float64]:
    """The closeness of every acquaintance, from a table of pairs (a, b, closeness); 0 where it has no row."""
    nodes = acquaintances.start.size - 1
    node = np.repeat(np.arange(nodes), np.diff(acquaintances.start))
    a, b, closeness = (pairs[name].to_numpy() for name in ("a", "b", "closeness"))
    key = np.minimum(a, b).astype(np.int64) * nodes + np.maximum(a, b)
    order = np.argsort(key, kind="stable")
    asked = np.minimum(node, acquaintances.peer) * nodes + np.maximum(node, acquaintances.peer)
    at = np.minimum(np.searchsorted(key[order], asked), max(key.size - 1, 0))
    if key.size == 0:
        return np.zeros(asked.size)
    found = key[order][at] == asked
    return np.where(found, closeness[order][at], 0.0)


def partings(
    a: npt.NDArray[np.uint32], b: npt.NDArray[np.uint32], start: npt.NDArray[np.float64], end: npt.NDArray[np.float64]
) -> npt.NDArray[np.int64]:
    """The contacts after which their ends part, by that time; not those that the next of the same two goes on from."""
    order = np.lexsort((start, b, a))
    this, following = order[:-1], order[1:]
    goes_on = (a[this] == a[following]) & (b[this] == b[following]) & (start[following] <= end[this])
    found = order[~np.append(goes_on, np.zeros(min(1, order.size), np.bool_))]
    return np.asarray(found[np.argsort(end[found], kind="stable")], np.int64)
