"""Where a node keeps what a protocol remembers of a message.

Two layouts with the same results. `direct`: a place for every live message of the network, found by the message's
number; fast, and nodes x live messages large. `mapped`: as many places as a buffer can fill, which are the slots of a
small hash table per node; it takes over where the first would grow too large. Slots are searched in groups of eight,
all of a group at once: a search that goes from slot to slot ends anywhere, which processors cannot foresee.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import equal_of_eight, leaf, lowest_bit
from hunet.protocols.quantities import Row

__all__ = ["Entries", "EntryFunctions", "entry_functions", "in_groups", "new_entries"]

_EMPTY = np.uint32(2**32 - 1)
_GROUP = 8


class Entries(NamedTuple):
    """Where to look; in the mapped layout a hash table per node, whose slots are the places."""

    ring: int
    """In the direct layout: a message number's bits that make its place."""
    slots: npt.NDArray[np.uint32] | None
    """[node, place]: the message that has it, or no message."""
    hops: npt.NDArray[np.uint16] | None
    """[node, place]: hops a held copy has come; None where nobody asked."""


class EntryFunctions(NamedTuple):
    """How to find, make and free a place."""

    find: Callable[..., Any]
    enter: Callable[..., Any]
    leave: Callable[..., None]


def in_groups(places: int) -> int:
    """So many places for the mapped layout, and as few more as fill up a group."""
    return -(-places // _GROUP) * _GROUP


def new_entries(nodes: int, ring: int, places: int, mapped: bool, hops: bool) -> Entries:
    """No entries yet. `places` is how many a node has (mapped: whole groups); `ring` how many messages the ring has."""
    return Entries(
        ring - 1,
        np.full((nodes, places), _EMPTY) if mapped else None,
        np.zeros((nodes, places), np.uint16) if hops else None,
    )


@leaf
def _direct(entries: Any, node: Row, message: Any) -> Any:
    return np.uint64(message & entries.ring)


@leaf
def _stay(entries: Any, node: Row, message: Any) -> None:
    pass


@leaf
def _search(entries: Any, node: Row, message: Any, sought: Any) -> Any:
    """A slot with what is sought, in the first group that has it from where a message's search begins."""
    groups = np.uint64(entries.slots.shape[1] // _GROUP)
    scattered = (np.uint64(message) * np.uint64(0x9E3779B9)) & np.uint64(0xFFFFFFFF)  # consecutive numbers far apart
    group = (scattered * groups) >> np.uint64(32)
    while True:
        first = group * np.uint64(_GROUP)
        found = equal_of_eight(entries.slots[node], first, np.uint32(sought))
        if found != np.uint64(0):
            return first + np.uint64(lowest_bit(found))
        group += np.uint64(1)
        if group == groups:
            group = np.uint64(0)


@leaf
def _find(entries: Any, node: Row, message: Any) -> Any:
    """The place of a message that has one: its search need not end at free places, so nothing moves to fill them."""
    return _search(entries, node, message, message)


@leaf
def _enter(entries: Any, node: Row, message: Any) -> Any:
    """A new place for a message."""
    place = _search(entries, node, message, _EMPTY)
    entries.slots[node, place] = message
    return place


@leaf
def _leave(entries: Any, node: Row, message: Any) -> None:
    """Free the place of a message."""
    entries.slots[node, _search(entries, node, message, message)] = _EMPTY


def entry_functions(mapped: bool) -> EntryFunctions:
    """The functions of a layout."""
    return EntryFunctions(_find, _enter, _leave) if mapped else EntryFunctions(_direct, _direct, _stay)
