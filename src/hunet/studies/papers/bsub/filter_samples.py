"""Samples for claims about rates: hashed keys, many filters filled with them, and how sure a measured rate is.

The keys are hashed by hunet; filling and asking is done here with plain boolean arrays, one row per filter, because
thousands of filters are needed. `test_filter_samples.py` checks that these rows answer as `BloomFilter` does.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters import Hashing
from hunet.filters.hashing import Table
from hunet.kernels import COMPILED

__all__ = ["ABSENT", "KEYS", "Rate", "answers", "filled", "key_at", "name", "positions", "rate"]

Booleans = npt.NDArray[np.bool_]

KEYS = 120_000 if COMPILED else 16_000  # without compilation a key takes 0.3 ms to hash
ABSENT = 3_000
"""How many of the keys are kept apart for asking."""

_WIDEST = 31
_SLICES = 5


@cache
def _slices() -> Table:
    return Hashing(m=2**_WIDEST, k=_SLICES).table(name(i) for i in range(KEYS))


def name(i: int) -> str:
    """The text of key i."""
    return f"key {i}"


def positions(m: int, k: int) -> Table:
    """Positions of all keys for m a power of two: the leading bits of the slices, so that keys are hashed once."""
    bits = m.bit_length() - 1
    assert m == 2**bits
    assert k <= _SLICES
    return _slices()[:k] >> np.uint32(_WIDEST - bits)


def filled(m: int, k: int, n: int, most: int = 2_000) -> Booleans:
    """Filters of n keys each, one per row, as many as the keys allow; no key is in two of them."""
    count = min(most, (KEYS - ABSENT) // n)
    rows = np.zeros((count, m), np.bool_)
    table = positions(m, k)[:, ABSENT : ABSENT + count * n]
    rows[np.repeat(np.arange(count), n), table] = True
    return rows


def answers(rows: Booleans, k: int) -> Booleans:
    """What every filter (row) says about every absent key (column): all false positives."""
    table = positions(rows.shape[1], k)[:, :ABSENT]
    found = rows[:, table[0]]
    for slice_ in table[1:]:
        found &= rows[:, slice_]
    return found


class Rate(NamedTuple):
    """A measured rate and its standard error."""

    value: float
    error: float


def rate(said: npt.NDArray[np.bool_ | np.float64]) -> Rate:
    """Mean over filters and keys. Both are samples, so both contribute to the standard error."""
    filters, keys = said.mean(axis=1), said.mean(axis=0)
    return Rate(float(said.mean()), math.sqrt(filters.var() / filters.size + keys.var() / keys.size))


def key_at(hashing: Hashing, places: set[int]) -> str:
    """A key with just these positions: how the papers' drawings are rebuilt with real hashing."""
    return next(name(i) for i in range(100_000) if set(hashing.positions(name(i)).tolist()) == places)
