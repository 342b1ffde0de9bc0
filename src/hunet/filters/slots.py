"""The array core of the spatiotemporal filter: a slot is a hop count and a remaining time.

Times are whole milliseconds, so that clocks that run apart by any offset give the same answers to the last bit.
Hops and times of a filter are two arrays of one length; a key is a column of a position table. A slot is dead when
either part is 0. Unless `literal` is set, a dead slot is cleared in both parts: the printed equations leave the
other part behind, and a later insert would revive a hop count nobody asked for (spec AMB-65). Hops and times are gone
over one after the other: such loops become vector instructions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.filters.quantities import Column, Counter, Hops, Millis, Table, Times
from hunet.kernels import at_once, leaf

__all__ = ["adjust", "alive", "decrement", "insert", "merge"]


@leaf
def insert(hops: Hops, times: Times, table: Table, column: Column, limit: Counter, lifetime: Millis) -> None:
    """Component-wise maximum with (limit, lifetime) at the key's slots ([sptbf] 3)."""
    for i in range(table.shape[0]):
        position = table[i, column]
        hops[position] = max(hops[position], limit)
        times[position] = max(times[position], lifetime)


@leaf
def alive(hops: Hops, times: Times, table: Table, column: Column, elapsed: Millis) -> Any:
    """Are all slots of the key reachable, and not over after `elapsed` milliseconds?"""
    for i in range(table.shape[0]):
        position = table[i, column]
        if hops[position] == 0 or times[position] <= elapsed:
            return False
    return True


def _adjust(hops: Hops, times: Times, elapsed: Millis, literal: bool) -> None:
    times[:] = np.maximum(times - elapsed, 0)
    if not literal:
        hops[times == 0] = 0


@at_once(_adjust)
def adjust(hops: Hops, times: Times, elapsed: Millis, literal: bool) -> None:
    """Let `elapsed` milliseconds pass: adjustTime of [sptbf] 3, times stop at 0 (AMB-64)."""
    for i in range(times.size):
        times[i] = max(times[i] - elapsed, 0)
    if not literal:
        for i in range(times.size):
            hops[i] *= times[i] != 0


def _decrement(hops: Hops, times: Times, literal: bool) -> None:
    if not literal:
        times[hops <= 1] = 0
    hops[hops != 0] -= 1


@at_once(_decrement)
def decrement(hops: Hops, times: Times, literal: bool) -> None:
    """Spend one hop, before every transmission: decrementHops of [sptbf] 3."""
    if not literal:
        for i in range(hops.size):
            times[i] = times[i] if hops[i] > 1 else times.dtype.type(0)
    for i in range(hops.size):
        hops[i] -= hops[i] != 0


def _merge(hops: Hops, times: Times, other_hops: Hops, other_times: Times) -> None:
    np.maximum(hops, other_hops, out=hops, casting="unsafe")
    np.maximum(times, other_times, out=times, casting="unsafe")


@at_once(_merge)
def merge(hops: Hops, times: Times, other_hops: Hops, other_times: Times) -> None:
    """Component-wise maximum of two filters whose times count from the same instant.

    The parts may come from different filters, so an entry can travel further or live longer than either asked;
    only when all of its k slots are affected does a query notice.
    """
    for i in range(hops.size):
        hops[i] = max(hops[i], other_hops[i])
        times[i] = max(times[i], other_times[i])
