"""A node's own interests as a Bloom filter: what most protocols tell first.

Beside the filter stands what follows from it: for every tag, one bit that says whether the filter answers for it. It is
computed once per change of interest, and by who receives a filter once per contact, and never travels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.bits import answer, set_bits, words_for
from hunet.filters.checks import require_int
from hunet.filters.hashing import MAX_HASHES, Hashing
from hunet.filters.quantities import Counter, Counters, Table, Words
from hunet.kernels import at_once, leaf, lowest_bit
from hunet.protocols.layout import bloom, layout
from hunet.protocols.protocol import Wants, World
from hunet.protocols.quantities import Digest, Face, Hello, Now, Row, Tag

__all__ = [
    "INTERESTS",
    "MAX_M",
    "Filters",
    "Interests",
    "add_interests",
    "copy_row",
    "is_interested",
    "name_tag",
    "new_blooms",
    "new_interests",
    "require_shape",
    "set_interests",
    "shape",
    "subscribe",
    "tell_interests",
    "with_filters",
]

MAX_M = 2**24
"""The largest filter that makes sense to send whenever two people meet."""


def require_shape(m: int, k: int) -> None:
    """Refuse filters that cannot be."""
    require_int("m", m, 1, MAX_M)
    require_int("k", k, 1, MAX_HASHES)


def shape(m: int, k: int, world: World) -> tuple[int, npt.NDArray[Any]]:
    """Positions of the filters, and the table of those of every tag.

    In an exact world every tag has one position of its own. A table of one byte each would be another type, for which
    loops are compiled anew.
    """
    if world.exact:
        m = max(1, world.places)
        table = np.arange(world.places, dtype=np.uint32).reshape(1, -1)
    else:
        table = np.zeros((k, world.places), np.uint32)
        if world.tags:
            table[:, : len(world.tags)] = Hashing(m=m, k=k, key=world.key).table(world.tags)
    return m, np.ascontiguousarray(table.astype(np.uint16 if m <= 2**16 else np.uint32))


def name_tag(params: Any, world: World, tag: int, name: str) -> None:
    """A tag got a number: its positions go into the table."""
    params.table[:, tag] = Hashing(m=params.m, k=params.table.shape[0], key=world.key).table([name])[:, 0]


class Filters(NamedTuple):
    """Parameters of a protocol that tells filters: its settings, and what these are made with."""

    settings: Any
    m: int
    table: npt.NDArray[Any]


def with_filters(settings: Any, world: World) -> Filters:
    """Settings, m and k among them, to what the functions read."""
    require_shape(settings.m, settings.k)
    return Filters(settings, *shape(settings.m, settings.k, world))


def new_blooms(m: int, count: int) -> npt.NDArray[np.uint64]:
    """So many empty Bloom filters of m bits."""
    return np.zeros((count, words_for(m)), np.uint64)


class Interests(NamedTuple):
    """The state of one who remembers its interests and nothing else, a row per node."""

    genuine: npt.NDArray[np.uint64]
    answers: npt.NDArray[np.uint64]


def new_interests(params: Any, world: World) -> Interests:
    """Nobody wants anything."""
    return Interests(new_blooms(params.m, world.nodes), new_blooms(world.places, world.nodes))


INTERESTS = layout(bloom("genuine", answers="answers"))
"""Who tells its interests and nothing else."""


def _set_interests(words: Words, table: Table, wants: Wants) -> None:
    positions = table[:, np.flatnonzero(wants["level"] > 0)].astype(np.uint64)
    words[:] = 0
    np.bitwise_or.at(words, positions >> np.uint64(6), np.uint64(1) << (positions & np.uint64(63)))


@at_once(_set_interests)
def set_interests(words: Words, table: Table, wants: Wants) -> None:
    """Fill a filter anew from a list of interests; bits cannot be taken out one by one."""
    for i in range(words.size):
        words[i] = np.uint64(0)
    for tag in range(wants.size):
        if wants[tag].level > 0:
            set_bits(words, table, tag)


@leaf
def subscribe(params: Any, state: Any, me: Row, wants: Wants) -> None:
    """My interests changed: my genuine filter is filled anew; it never decays (AMB-02)."""
    set_interests(state.genuine[me], params.table, wants)
    answer(state.answers[me], state.genuine[me], params.table)


@leaf
def tell_interests(params: Any, state: Any, me: Row, now: Now, hello: Hello, face: Face, digest: Digest) -> None:
    """What I want."""
    copy_row(state.genuine[me], digest.genuine)
    copy_row(state.answers[me], digest.answers)


@leaf
def is_interested(params: Any, digest: Digest, tag: Tag) -> Any:
    """A reading that says one thing: whether the filter told answers for a tag."""
    return np.int64((digest.answers[tag >> np.uint64(6)] >> (tag & np.uint64(63))) & np.uint64(1))


def _copy_row(source: npt.NDArray[Any], target: npt.NDArray[Any]) -> None:
    target[:] = source[: target.size]


@at_once(_copy_row)
def copy_row(source: npt.NDArray[Any], target: npt.NDArray[Any]) -> None:
    """Copy one row to another."""
    for i in range(target.size):
        target[i] = source[i]


def _add_interests(row: Counters, words: Words, initial: Counter, ceiling: Counter) -> None:
    told = np.flatnonzero(np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little"))
    have = row[told]
    row[told] = have + np.minimum(row.dtype.type(initial), row.dtype.type(ceiling) - have)


@at_once(_add_interests)
def add_interests(row: Counters, words: Words, initial: Counter, ceiling: Counter) -> None:
    """A-merge with a plain Bloom filter, whose counters are known to be `initial`."""
    top = row.dtype.type(ceiling)
    amount = row.dtype.type(initial)
    for w in range(words.size):
        bits = words[w]
        while bits != np.uint64(0):
            i = np.uint64((w << 6) + lowest_bit(bits))
            bits &= bits - np.uint64(1)
            have = row[i]
            row[i] = have + min(amount, row.dtype.type(top - have))
