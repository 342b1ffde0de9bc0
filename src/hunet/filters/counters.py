"""The array core of the counting filters: a filter is a row of counters, a key is a column of a position table.

Everything here works on any unsigned counter type, in place, without allocation, and is called alike by the Python
classes, by the simulator's compiled loops and by a live node. The forms look roundabout (`max(x, d) - d` for a
subtraction that stops at 0) because these are the ones compilers turn into vector instructions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.filters.quantities import Answers, Column, Count, Counter, Counters, Table
from hunet.kernels import at_once, count_ones, leaf, loop

__all__ = [
    "a_merge",
    "count_set",
    "covers",
    "decay",
    "m_merge",
    "preference",
    "set_counters",
    "set_keys",
    "tally",
    "ticks_between",
    "value",
    "values_of",
]


@leaf
def ticks_between(then: float, now: float, decay_cycle: float) -> Any:
    """How many multiples of the decay cycle lie in (then, now]; 0 for an infinite cycle.

    Ticks fall on multiples of the cycle since time 0, whatever happened in between: nothing is lost when a filter
    is touched often, and two filters with one cycle decay in step (spec AMB-04).
    """
    # Subtracted before the conversion: an instant may lie more ticks from time 0 than an integer holds.
    return np.int64(min(2.0**62, np.floor(now / decay_cycle) - np.floor(then / decay_cycle)))


def _decay(row: Counters, ticks: Count) -> None:
    lost = row.dtype.type(min(ticks, np.iinfo(row.dtype).max))
    row[:] = np.maximum(row, lost) - lost


@at_once(_decay)
def decay(row: Counters, ticks: Count) -> None:
    """Every counter loses `ticks`, down to 0 ([bsub10] IV-A)."""
    lost = row.dtype.type(min(ticks, np.iinfo(row.dtype).max))
    for i in range(row.size):
        row[i] = max(row[i], lost) - lost


def _a_merge(row: Counters, other: Counters, ceiling: Counter) -> None:
    row += np.minimum(other, row.dtype.type(ceiling) - row)


@at_once(_a_merge)
def a_merge(row: Counters, other: Counters, ceiling: Counter) -> None:
    """Additive merge: counter-wise sum that stops at the ceiling ([bsub10] IV-A)."""
    top = row.dtype.type(ceiling)
    for i in range(row.size):
        have = row[i]
        row[i] = have + min(other[i], row.dtype.type(top - have))


def _m_merge(row: Counters, other: Counters) -> None:
    np.maximum(row, other, out=row)


@at_once(_m_merge)
def m_merge(row: Counters, other: Counters) -> None:
    """Maximum merge: counter-wise maximum ([bsub10] IV-A)."""
    for i in range(row.size):
        row[i] = max(row[i], other[i])


@leaf
def set_counters(row: Counters, table: Table, column: Column, initial: Counter) -> None:
    """Insert a key: counters at 0 become `initial`, others stay as they are ([bsub13] 3.1, ERR-02)."""
    for i in range(table.shape[0]):
        position = table[i, column]
        if row[position] == 0:
            row[position] = initial


@leaf
def value(row: Counters, table: Table, column: Column) -> Any:
    """The smallest of a key's counters: 0 when the key is not there."""
    if table.shape[0] == 3:  # the usual case, without a loop
        return min(row[table[0, column]], min(row[table[1, column]], row[table[2, column]]))
    least = row[table[0, column]]
    for i in range(1, table.shape[0]):
        least = min(least, row[table[i, column]])
    return least


@leaf
def preference(mine: Counter, theirs: Counter) -> Any:
    """Preferential query from two minimum counters: (theirs - mine) / mine, or theirs where mine is 0.

    In single precision throughout, so that every machine and every layout gives the same number.
    """
    base = np.float32(mine)
    return (np.float32(theirs) - base) / max(base, np.float32(1.0))


@leaf
def covers(row: Counters, other: Counters) -> Any:
    """Is every position set in `other` also set in `row`?"""
    missing = 0
    for i in range(row.size):
        missing += (other[i] != 0) & (row[i] == 0)
    return missing == 0


@leaf
def count_set(row: Counters) -> Any:
    """How many counters are not 0."""
    count = np.uint32(0)
    for i in range(row.size):
        count = np.uint32(count + np.uint32(row[i] != 0))
    return np.int64(count)


@leaf
def tally(row: Counters) -> Any:
    """How many counters are set, and how many distinct values they have: what every encoded size depends on.

    Values are counted 64 at a time, from the smallest not counted yet: few rows spread over more than two such windows.
    """
    least, largest = _ends(row)
    distinct = 0
    while least <= largest:
        distinct += count_ones(_window(row, np.uint64(least)))
        floor = np.uint64(least) + np.uint64(64)
        if floor > np.uint64(largest):
            break
        least = _least(row, row.dtype.type(floor), largest)
    return count_set(row), distinct


@leaf
def _ends(row: Counters) -> Any:
    """The smallest counter that is set, and the largest; where none is, the first is beyond the second."""
    most = row.dtype.type(np.iinfo(row.dtype).max)
    least, largest = most, row.dtype.type(0)
    for i in range(row.size):
        least = min(least, row[i] if row[i] != 0 else most)
        largest = max(largest, row[i])
    return least, largest


@leaf
def _least(row: Counters, floor: Counter, largest: Counter) -> Any:
    """The smallest counter that is not below the floor."""
    least = largest
    for i in range(row.size):
        least = min(least, row[i] if row[i] >= floor else largest)
    return least


@leaf
def _window(row: Counters, base: np.uint64) -> Any:
    """One bit for each value from base to base + 63 that occurs; base does, so smaller ones may count as it."""
    seen = np.uint64(0)
    for i in range(row.size):
        beyond = max(np.uint64(row[i]), base) - base
        seen |= (np.uint64(1) << beyond) if beyond < np.uint64(64) else np.uint64(0)
    return seen


@loop
def set_keys(row: Counters, table: Table, initial: Counter) -> None:
    """Insert every key of the table."""
    for column in range(table.shape[1]):
        set_counters(row, table, column, initial)


@loop
def values_of(row: Counters, table: Table, out: Answers) -> None:
    """The minimum counter of every key of the table."""
    for column in range(table.shape[1]):
        out[column] = value(row, table, column)
