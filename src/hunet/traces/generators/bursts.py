"""When a pair meets: bursts with heavy-tailed gaps, laid over the course of the day.

A pair's n meetings are n points on a circle whose gaps are heavy-tailed, turned by a random angle, so each single
point is uniform. The circle is then unrolled onto the clock by a day profile (little time passes at night), which
gives gaps between contacts that follow a power law with a cut-off at about half a day, as people's do (Chaintreau et
al. 2007), and exactly the given activity per hour. Arrays are flat: pair p owns the places bounds[p]..bounds[p + 1].
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hunet.kernels import loop
from hunet.traces.generators.generated import Floats, heavy_tailed

Ints = npt.NDArray[np.int64]

LONGEST_TO_SHORTEST = 1000.0
"""Ratio of the longest to the shortest gap on the circle; with a tail of 0.4 it fits Infocom05's gaps."""


@loop
def _turn(bounds: Ints, gaps: Floats, angle: Floats, points: Floats) -> None:
    """Gaps of each pair -> its sorted points in [0, 1)."""
    for pair in range(bounds.shape[0] - 1):
        low = bounds[pair]
        high = bounds[pair + 1]
        total = 0.0
        for i in range(low, high):
            total += gaps[i]
        # Points run past 1 at most once: those beyond it come first.
        reached = angle[pair]
        kept = high
        for i in range(low, high):
            gaps[i], reached = reached, reached + gaps[i] / total
            if gaps[i] >= 1.0 and kept == high:
                kept = i
        place = low
        for i in range(kept, high):
            points[place] = min(gaps[i] - 1.0, 1.0)
            place += 1
        for i in range(low, kept):
            points[place] = gaps[i]
            place += 1


@loop
def _keep_apart(bounds: Ints, times: Floats, spacing: float, span: float) -> None:
    """Move sorted times as little as a forward and a backward pass can, until they are `spacing` apart in [0, span]."""
    for pair in range(bounds.shape[0] - 1):
        low = bounds[pair]
        high = bounds[pair + 1]
        for i in range(low + 1, high):
            times[i] = max(times[i], times[i - 1] + spacing)
        latest = span - spacing
        for i in range(high - 1, low - 1, -1):
            times[i] = min(times[i], latest)
            latest = times[i] - spacing


@loop
def room_after(bounds: Ints, times: Floats, apart: float, span: float, room: Floats) -> None:
    """How long each contact may last: until `apart` seconds before the pair's next one, or until the end."""
    for pair in range(bounds.shape[0] - 1):
        high = bounds[pair + 1]
        for i in range(bounds[pair], high):
            following = times[i + 1] - apart if i + 1 < high else span
            room[i] = max(0.0, following - times[i])


def bursts(chance: np.random.Generator, bounds: Ints, tail: float) -> Floats:
    """For each pair its sorted points in [0, 1): uniform one by one, bursty together."""
    points = int(bounds[-1])
    gaps = heavy_tailed(chance, tail, 1.0, LONGEST_TO_SHORTEST, points)
    found = np.empty(points)
    _turn(bounds, gaps, chance.random(len(bounds) - 1), found)
    return found


def keep_apart(bounds: Ints, times: Floats, spacing: float, span: float) -> None:
    """In place: each pair's times at least `spacing` apart. A pair must have at most span / spacing of them."""
    _keep_apart(bounds, times, spacing, span)
