"""A node's own interests as a Bloom filter: what most protocols tell first."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.filters.bits import set_bits, words_for
from hunet.filters.encodings import smallest
from hunet.filters.hashing import Hashing
from hunet.kernels import count_ones, leaf
from hunet.protocols.protocol import World

__all__ = ["bloom_bytes", "copy_words", "new_rows", "position_table", "rebuild"]


def position_table(m: int, k: int, world: World) -> npt.NDArray[Any]:
    """The positions of every tag of the world, in the narrowest type that holds them."""
    table = Hashing(m=m, k=k, key=world.key).table(world.tags) if world.tags else np.zeros((k, 0), np.uint32)
    return np.ascontiguousarray(table.astype(np.uint8 if m <= 2**8 else np.uint16 if m <= 2**16 else np.uint32))


def new_rows(m: int, world: World) -> npt.NDArray[np.uint64]:
    """Empty Bloom filters of m bits, one per node."""
    return np.zeros((world.nodes, words_for(m)), np.uint64)


@leaf
def rebuild(words: Any, table: Any, wants: Any) -> None:
    """Fill a row anew from a list of interests; bits cannot be taken out one by one."""
    for i in range(words.size):
        words[i] = np.uint64(0)
    for tag in range(wants.size):
        if wants[tag]:
            set_bits(words, table, tag)


@leaf
def copy_words(source: Any, target: Any) -> None:
    """Copy one row to another."""
    for i in range(target.size):
        target[i] = source[i]


@leaf
def bloom_bytes(words: Any, m: Any) -> Any:
    """Bytes of a plain Bloom filter as `codec.pack` writes it: the header and the smaller of E0 and E1."""
    alpha = 0
    for i in range(words.size):
        alpha += count_ones(words[i])
    _, bits = smallest(False, m, alpha, 0, 8)
    return 1 + (bits + 7) // 8
