"""Random boxes and points for the tests of this room, with ends that often coincide."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def some_boxes(chance: np.random.Generator, count: int, dimensions: int, widest: float = 1.0) -> tuple[Floats, Floats]:
    """Corners in [0, 1]: some on multiples of 1/8, some sides without width, some open."""
    lows = chance.random((count, dimensions))
    lows = np.where(chance.random(lows.shape) < 0.3, np.floor(lows * 8) / 8, lows)
    highs = np.minimum(lows + chance.random(lows.shape) * widest * (chance.random(lows.shape) < 0.9), 1.0)
    highs = np.where(chance.random(lows.shape) < 0.2, np.maximum(lows, np.floor(highs * 8) / 8), highs)
    is_open = chance.random((2, count, dimensions)) < 0.1
    return np.where(is_open[0], -np.inf, lows), np.where(is_open[1], np.inf, highs)


def some_points(chance: np.random.Generator, count: int, lows: Floats, highs: Floats) -> Floats:
    """Points in [0, 1], half of them on the ends of boxes."""
    points = chance.random((count, lows.shape[1]))
    if not len(lows):
        return points
    ends = np.clip(
        np.where(chance.random(points.shape) < 0.5, *(c[chance.integers(0, len(c), count)] for c in (lows, highs))),
        0,
        1,
    )
    return np.where(chance.random(points.shape) < 0.5, points, ends)
