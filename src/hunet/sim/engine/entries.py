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

_EMPTY = np.uint32(2**32 - 1)
_SLOT = np.dtype([("message", np.uint32), ("place", np.uint32)])


class Entries(NamedTuple):
    """Where to look; in the mapped layout a hash table per node, message numbers to places."""

    ring: int
    """In the direct layout: a message number's bits that make its place."""
    slots: npt.NDArray[Any] | None
    """[node, i]: a message's number and its place side by side, in one cache line; or no message."""
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
    return Entries(
        ring - 1,
        _empty_slots(nodes, places) if mapped else None,
        np.tile(np.arange(places, dtype=np.uint32), (nodes, 1)) if mapped else None,
        np.zeros(nodes, np.int64) if mapped else None,
        np.zeros((nodes, places), np.uint16) if hops else None,
    )


def _empty_slots(nodes: int, places: int) -> npt.NDArray[Any]:
    """A table per node: a quarter more slots than places at least, half of which are taken while a buffer is full."""
    size = 1
    while 4 * size < 5 * places:
        size *= 2
    slots = np.zeros((nodes, size), _SLOT)
    slots["message"] = _EMPTY
    return slots.view(np.recarray)


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
    size = entries.slots.shape[1]
    i = _home(message, size)
    while entries.slots[node, i].message != message:
        i = (i + 1) & (size - 1)
    return np.uint64(entries.slots[node, i].place)


@leaf
def _enter(entries: Any, node: Row, message: Any) -> Any:
    """A new place for a message."""
    size = entries.slots.shape[1]
    i = _home(message, size)
    while entries.slots[node, i].message != _EMPTY:
        i = (i + 1) & (size - 1)
    place = entries.free[node, entries.used[node]]
    entries.used[node] += 1
    entries.slots[node, i].message = message
    entries.slots[node, i].place = place
    return np.uint64(place)


@leaf
def _leave(entries: Any, node: Row, message: Any) -> None:
    """Free the place of a message. Those after it in the table move up, so that no search breaks off early."""
    size = entries.slots.shape[1]
    i = _home(message, size)
    while entries.slots[node, i].message != message:
        i = (i + 1) & (size - 1)
    entries.used[node] -= 1
    entries.free[node, entries.used[node]] = entries.slots[node, i].place
    j = i
    while True:
        j = (j + 1) & (size - 1)
        if entries.slots[node, j].message == _EMPTY:
            break
        home = _home(entries.slots[node, j].message, size)
        if ((j - home) & (size - 1)) >= ((j - i) & (size - 1)):
            entries.slots[node, i].message = entries.slots[node, j].message
            entries.slots[node, i].place = entries.slots[node, j].place
            i = j
    entries.slots[node, i].message = _EMPTY


def entry_functions(mapped: bool) -> EntryFunctions:
    """The functions of a layout."""
    return EntryFunctions(_find, _enter, _leave) if mapped else EntryFunctions(_direct, _direct, _stay)
