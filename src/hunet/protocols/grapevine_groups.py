"""Groups: nodes whose shared context has something in common, and what a node can say of them all ([sptbf] 4).

Whoever forms a group finds its members among those whose context it was told, and itself: all that have a value of one
label within bounds. Over these values it has one aggregate, and that is context of its own, under a label of the group:
it is told to who wants that label, like everything else. So who is far away may learn in one value what those who are
near each other learnt from many, and what a group is needs no word on the air.

The paper takes groups from Grapevine and says no more than that they are formed together, from shared context; how they
are aggregated is ours. Nobody is counted twice in one aggregate: a node has one latest summary of every other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.kernels import leaf
from hunet.protocols.quantities import Millis, Row, Tag

__all__ = ["AGGREGATES", "COUNT", "LARGEST", "MEAN", "NO_GROUP", "SMALLEST", "aggregate", "form", "refresh_groups"]

NO_GROUP = -1
COUNT, SMALLEST, LARGEST, MEAN = range(4)
AGGREGATES = {"count": COUNT, "smallest": SMALLEST, "largest": LARGEST, "mean": MEAN}
"""What a group's value is; a mean is rounded down."""


@leaf
def form(state: Any, me: Row, label: Tag, of: Any, how: Any, least: Any, most: Any) -> None:
    """From now on my value of a label is an aggregate over a group: all near who have `of` from `least` to `most`."""
    state.group_of[me, label] = of
    state.group_how[me, label] = how
    state.group_least[me, label] = least
    state.group_most[me, label] = most


@leaf
def aggregate(params: Any, state: Any, me: Row, label: Tag, now: Millis) -> Any:
    """How many members a group of mine has, and their value; what was heard too long ago does not count."""
    of = state.group_of[me, label]
    count, total = 0, np.int64(0)
    smallest, largest = np.int64(2**62), np.int64(0)
    for row in range(-1, state.used[me]):
        if row < 0:
            there = state.has[me, of]
            value = np.int64(state.own[me, of])
        else:
            fresh = now - state.heard[me, row] < params.lifetime
            there = fresh and (state.labels[me, row, of >> 6] >> np.uint64(of & 63)) & np.uint64(1) != np.uint64(0)
            value = np.int64(state.values[me, row, of])
        if there and state.group_least[me, label] <= value <= state.group_most[me, label]:
            count += 1
            total += value
            smallest = min(smallest, value)
            largest = max(largest, value)
    how = state.group_how[me, label]
    if count == 0 or how == COUNT:
        return count, np.int64(count)
    if how == SMALLEST:
        return count, smallest
    return count, largest if how == LARGEST else total // count


@leaf
def refresh_groups(params: Any, state: Any, me: Row, now: Millis) -> None:
    """Before I tell: my values of labels that are groups'; of a group without members I have none."""
    for label in range(state.group_of.shape[1]):
        if state.group_of[me, label] != NO_GROUP:
            count, value = aggregate(params, state, me, label, now)
            state.has[me, label] = count > 0
            state.own[me, label] = value
