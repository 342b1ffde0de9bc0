"""The array core of the counting filters: a filter is a row of counters, a key is a column of a position table.

Everything here works on any unsigned counter type, in place, without allocation, and is called alike by the Python
classes, by the simulator's compiled loops and by a live node. The forms look roundabout (`max(x, d) - d` for a
subtraction that stops at 0) because these are the ones compilers turn into vector instructions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.kernels import at_once, count_ones, leaf, loop

__all__ = [
    "a_merge",
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
def ticks_between(then: Any, now: Any, decay_cycle: Any) -> Any:
    """How many multiples of the decay cycle lie in (then, now]; 0 for an infinite cycle.

    Ticks fall on multiples of the cycle since time 0, whatever happened in between: nothing is lost when a filter
    is touched often, and two filters with one cycle decay in step (spec AMB-04).
    """
    # Subtracted before the conversion: an instant may lie more ticks from time 0 than an integer holds.
    return np.int64(min(2.0**62, np.floor(now / decay_cycle) - np.floor(then / decay_cycle)))


def _decay(row: Any, ticks: Any) -> None:
    lost = row.dtype.type(min(ticks, np.iinfo(row.dtype).max))
    row[:] = np.maximum(row, lost) - lost


@at_once(_decay)
def decay(row: Any, ticks: Any) -> None:
    """Every counter loses `ticks`, down to 0 ([bsub10] IV-A)."""
    lost = row.dtype.type(min(ticks, np.iinfo(row.dtype).max))
    for i in range(row.size):
        row[i] = max(row[i], lost) - lost


def _a_merge(row: Any, other: Any, ceiling: Any) -> None:
    row += np.minimum(other, row.dtype.type(ceiling) - row)


@at_once(_a_merge)
def a_merge(row: Any, other: Any, ceiling: Any) -> None:
    """Additive merge: counter-wise sum that stops at the ceiling ([bsub10] IV-A)."""
    top = row.dtype.type(ceiling)
    for i in range(row.size):
        have = row[i]
        row[i] = have + min(other[i], row.dtype.type(top - have))


def _m_merge(row: Any, other: Any) -> None:
    np.maximum(row, other, out=row)


@at_once(_m_merge)
def m_merge(row: Any, other: Any) -> None:
    """Maximum merge: counter-wise maximum ([bsub10] IV-A)."""
    for i in range(row.size):
        row[i] = max(row[i], other[i])


@leaf
def set_counters(row: Any, table: Any, column: Any, initial: Any) -> None:
    """Insert a key: counters at 0 become `initial`, others stay as they are ([bsub13] 3.1, ERR-02)."""
    for i in range(table.shape[0]):
        position = table[i, column]
        if row[position] == 0:
            row[position] = initial


@leaf
def value(row: Any, table: Any, column: Any) -> Any:
    """The smallest of a key's counters: 0 when the key is not there."""
    if table.shape[0] == 3:  # the usual case, without a loop
        return min(row[table[0, column]], min(row[table[1, column]], row[table[2, column]]))
    least = row[table[0, column]]
    for i in range(1, table.shape[0]):
        least = min(least, row[table[i, column]])
    return least


@leaf
def preference(mine: Any, theirs: Any) -> Any:
    """Preferential query from two minimum counters: (theirs - mine) / mine, or theirs where mine is 0.

    In single precision throughout, so that every machine and every layout gives the same number.
    """
    base = np.float32(mine)
    return (np.float32(theirs) - base) / max(base, np.float32(1.0))


@leaf
def covers(row: Any, other: Any) -> Any:
    """Is every position set in `other` also set in `row`?"""
    missing = 0
    for i in range(row.size):
        missing += (other[i] != 0) & (row[i] == 0)
    return missing == 0


@leaf
def tally(row: Any) -> Any:
    """How many counters are set, and how many distinct values they have: what every encoded size depends on."""
    set_count = 0
    distinct = 0
    if row.itemsize == 1:  # one bit per possible value, in four words
        low, second, third, high = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
        for i in range(row.size):
            counter = np.uint64(row[i])
            set_count += counter != np.uint64(0)
            bit = np.uint64(1) << (counter & np.uint64(63))
            word = counter >> np.uint64(6)
            low |= bit if word == np.uint64(0) else np.uint64(0)
            second |= bit if word == np.uint64(1) else np.uint64(0)
            third |= bit if word == np.uint64(2) else np.uint64(0)
            high |= bit if word == np.uint64(3) else np.uint64(0)
        low &= ~np.uint64(1)  # 0 is no value
        distinct = count_ones(low) + count_ones(second) + count_ones(third) + count_ones(high)
    else:
        for i in range(row.size):
            if row[i] != 0:
                set_count += 1
                is_new = True
                for j in range(i):
                    if row[j] == row[i]:
                        is_new = False
                        break
                distinct += is_new
    return set_count, distinct


@loop
def set_keys(row: Any, table: Any, initial: Any) -> None:
    """Insert every key of the table."""
    for column in range(table.shape[1]):
        set_counters(row, table, column, initial)


@loop
def values_of(row: Any, table: Any, out: Any) -> None:
    """The minimum counter of every key of the table."""
    for column in range(table.shape[1]):
        out[column] = value(row, table, column)
