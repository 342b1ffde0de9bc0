"""The array core of the plain Bloom filter: 64 positions to a word, a key is a column of a position table."""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.filters.quantities import Answers, Column, Table, Words
from hunet.kernels import at_once, leaf, loop

__all__ = ["answer", "has_keys", "matches", "set_bits", "set_bits_of", "words_for"]


def words_for(m: int) -> int:
    """How many 64-bit words hold m bits."""
    return (m + 63) // 64


@leaf
def set_bits(words: Words, table: Table, column: Column) -> None:
    """Insert a key: set its bits."""
    for i in range(table.shape[0]):
        position = np.uint64(table[i, column])
        words[position >> np.uint64(6)] |= np.uint64(1) << (position & np.uint64(63))


@leaf
def matches(words: Words, table: Table, column: Column) -> Any:
    """Existential query: are all bits of the key set? Most absent keys fail at their first."""
    for i in range(table.shape[0]):
        position = np.uint64(table[i, column])
        if (words[position >> np.uint64(6)] >> (position & np.uint64(63))) & np.uint64(1) == np.uint64(0):
            return False
    return True


def _answer(answers: Words, words: Words, table: Table) -> None:
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little")
    packed = np.packbits(bits[table].all(axis=0), bitorder="little").tobytes()
    answers[:] = np.frombuffer(packed.ljust(8 * answers.size, b"\0"), "<u8")


@at_once(_answer)
def answer(answers: Words, words: Words, table: Table) -> None:
    """Query every key of the table: one bit for each, 64 to a word."""
    for i in range(answers.size):
        answers[i] = np.uint64(0)
    for i in range(table.shape[1]):
        column = np.uint64(i)
        if matches(words, table, column):
            answers[column >> np.uint64(6)] |= np.uint64(1) << (column & np.uint64(63))


@loop
def set_bits_of(words: Words, table: Table) -> None:
    """Insert every key of the table."""
    for column in range(table.shape[1]):
        set_bits(words, table, np.uint64(column))


@loop
def has_keys(words: Words, table: Table, out: Answers) -> None:
    """Query every key of the table: `matches`, one hash function after the other, which keeps more loads in flight."""
    for column in range(table.shape[1]):
        out[column] = True
    for i in range(table.shape[0]):
        for column in range(table.shape[1]):
            position = np.uint64(table[i, column])
            bit = words[position >> np.uint64(6)] >> (position & np.uint64(63))
            out[column] &= (bit & np.uint64(1)) != np.uint64(0)
