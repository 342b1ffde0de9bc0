"""Fewer intervals for the same cells: covering, subsumption and merging, as MICS proposes ([zigzag] V-A).

They tell the same set of cells in a shorter way, which is what somebody needs who forwards subscriptions. Who must
know *which* subscription an event matches needs them all, so a `Matcher` does none of this, and the reproduction
leaves all three off, as the paper does.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hunet.content.cover import Intervals

__all__ = ["lies_within", "merged", "summarise"]


def merged(intervals: Intervals) -> Intervals:
    """All boxes as one: the union of their intervals, sorted, with those that touch joined.

    >>> from hunet.content.curves import z_order
    >>> merged(z_order(2, 2).cover([[0, 0], [1, 0]], [[0, 1], [1, 1]])).of(0)
    [(0, 3)]
    """
    order = np.argsort(intervals.starts, kind="stable")
    starts, stops = intervals.starts[order], np.maximum.accumulate(intervals.stops[order])
    # A run begins where the next start lies beyond all stops before it; stop + 1 could leave 64 bits, so subtract.
    gap = np.concatenate(
        [np.ones(min(1, starts.size), np.bool_), (starts[1:] > stops[:-1]) & (starts[1:] - stops[:-1] > 1)]
    )
    begins = np.flatnonzero(gap)
    ends = np.append(begins[1:], starts.size) - 1 if begins.size else begins
    return Intervals(starts[begins], stops[ends], np.array([0, begins.size], np.int64))


def lies_within(inner: Intervals, outer: Intervals) -> npt.NDArray[np.bool_]:
    """Which boxes of `inner` have all their cells in `outer`, one set of cells as `merged` gives it."""
    at = np.searchsorted(outer.starts, inner.starts, side="right") - 1
    known = np.append(outer.stops, np.uint64(0))
    held = (at >= 0) & (known[at] >= inner.stops)
    outside = np.concatenate([np.zeros(1, np.int64), np.cumsum(~held)])
    result: npt.NDArray[np.bool_] = np.diff(outside[inner.offsets]) == 0
    return result


def summarise(
    intervals: Intervals, covering: bool = False, subsumption: bool = False, merging: bool = False
) -> Intervals:
    """The same cells with fewer boxes or intervals; everything is off by default.

    `covering` drops boxes that lie within one other, `subsumption` those that lie within all others together, and
    `merging` makes a single box of all. Of equal boxes the first stays.
    """
    if covering:
        intervals = _without_covered(intervals)
    if subsumption:
        intervals = _without_subsumed(intervals)
    return merged(intervals) if merging else intervals


def _pick(intervals: Intervals, boxes: npt.NDArray[np.int64]) -> Intervals:
    counts = intervals.counts[boxes]
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    at = np.repeat(intervals.offsets[boxes] - offsets[:-1], counts) + np.arange(offsets[-1])
    return Intervals(intervals.starts[at], intervals.stops[at], offsets)


def _without_covered(intervals: Intervals) -> Intervals:
    """Largest first, so that who covers is looked at before who is covered."""
    kept: list[int] = []
    for box in np.argsort(-intervals.points, kind="stable").tolist():
        one = _pick(intervals, np.array([box]))
        if not any(lies_within(one, _pick(intervals, np.array([other])))[0] for other in kept):
            kept.append(box)
    return _pick(intervals, np.sort(np.array(kept, np.int64)))


def _without_subsumed(intervals: Intervals) -> Intervals:
    """Smallest first, each against the union of all that are still there."""
    left = list(range(len(intervals)))
    for box in np.argsort(intervals.points, kind="stable").tolist():
        others = [other for other in left if other != box]
        if others and lies_within(_pick(intervals, np.array([box])), merged(_pick(intervals, np.array(others))))[0]:
            left = others
    return _pick(intervals, np.array(left, np.int64))
