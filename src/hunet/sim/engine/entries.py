"""Where a node keeps what a protocol remembers of a message.

Two layouts with the same results. `direct`: a place for every live message of the network, found by the message's
number; fast, and nodes x live messages large. `mapped`: as many places as a buffer can fill, found through a small hash
table per node; it takes over where the first would grow too large.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf
from hunet.protocols.quantities import Row

__all__ = ["Entries", "EntryFunctions", "entry_functions", "new_entries"]

_EMPTY = np.int64(-1)


class Entries(NamedTuple):
    """Where to look; in the mapped layout a hash table per node, message numbers to places."""

    ring: int
    """In the direct layout: a message number's bits that make its place."""
    message: npt.NDArray[np.int64] | None
    """[node, i]: a message's number, or -1."""
    place: npt.NDArray[np.uint32] | None
    """[node, i]: its place."""
    free: npt.NDArray[np.uint32] | None
    """[node, i]: places from `used[node]` on are free."""
    used: npt.NDArray[np.int64] | None
    hops: npt.NDArray[np.uint16] | None
    """[node, place]: hops a held copy has come; None where nobody asked."""


class EntryFunctions(NamedTuple):
    """How to find, make and free a place."""

    find: Callable[..., Any]
    enter: Callable[..., Any]
    leave: Callable[..., None]


def new_entries(nodes: int, ring: int, places: int, mapped: bool, hops: bool) -> Entries:
    """No entries yet. `places` is how many a node needs; `ring` how many messages the ring spans."""
    size = 1
    while size < 2 * places:
        size *= 2
    return Entries(
        ring - 1,
        np.full((nodes, size), _EMPTY) if mapped else None,
        np.zeros((nodes, size), np.uint32) if mapped else None,
        np.tile(np.arange(places, dtype=np.uint32), (nodes, 1)) if mapped else None,
        np.zeros(nodes, np.int64) if mapped else None,
        np.zeros((nodes, places), np.uint16) if hops else None,
    )


@leaf
def _direct(entries: Any, node: Row, message: Any) -> Any:
    return np.uint64(message & entries.ring)


@leaf
def _stay(entries: Any, node: Row, message: Any) -> None:
    pass


@leaf
def _home(message: Any, size: Any) -> Any:
    """Where a message's search begins: consecutive numbers lie far apart."""
    return np.int64((np.uint64(message) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & (size - 1)


@leaf
def _find(entries: Any, node: Row, message: Any) -> Any:
    """The place of a message that has one."""
    size = entries.message.shape[1]
    i = _home(message, size)
    while entries.message[node, i] != message:
        i = (i + 1) & (size - 1)
    return np.uint64(entries.place[node, i])


@leaf
def _enter(entries: Any, node: Row, message: Any) -> Any:
    """A new place for a message."""
    size = entries.message.shape[1]
    i = _home(message, size)
    while entries.message[node, i] != _EMPTY:
        i = (i + 1) & (size - 1)
    place = entries.free[node, entries.used[node]]
    entries.used[node] += 1
    entries.message[node, i] = message
    entries.place[node, i] = place
    return np.uint64(place)


@leaf
def _leave(entries: Any, node: Row, message: Any) -> None:
    """Free the place of a message. Those after it in the table move up, so that no search breaks off early."""
    size = entries.message.shape[1]
    i = _home(message, size)
    while entries.message[node, i] != message:
        i = (i + 1) & (size - 1)
    entries.used[node] -= 1
    entries.free[node, entries.used[node]] = entries.place[node, i]
    j = i
    while True:
        j = (j + 1) & (size - 1)
        if entries.message[node, j] == _EMPTY:
            break
        home = _home(entries.message[node, j], size)
        if ((j - home) & (size - 1)) >= ((j - i) & (size - 1)):
            entries.message[node, i] = entries.message[node, j]
            entries.place[node, i] = entries.place[node, j]
            i = j
    entries.message[node, i] = _EMPTY


def entry_functions(mapped: bool) -> EntryFunctions:
    """The functions of a layout."""
    return EntryFunctions(_find, _enter, _leave) if mapped else EntryFunctions(_direct, _direct, _stay)
