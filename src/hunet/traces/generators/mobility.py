"""Walkers in a square, looked at step by step: what the mobility models have in common.

A model says where its walkers are and moves them on; this turns the steps into positions and contacts with the
proximity kernel. Cost per step: the walkers and the pairs in range. Only a bounded number of steps is held at a time,
so without kept positions memory does not grow with the time walked.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.model.tables import POSITIONS
from hunet.traces.cells import Samples
from hunet.traces.generators.generated import Floats, Generated, nodes_table
from hunet.traces.proximity import Proximity, Watch, to_contacts

_SAMPLES_AT_A_TIME = 1_000_000


class Walkers(Protocol):
    """Moving points. `x` and `y` may be changed in place or replaced."""

    x: Floats
    y: Floats

    def advance(self, seconds: float) -> None:
        """Walk on."""


def reflect(place: Floats, velocity: Floats, side: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Fold what walked out of [0, side] back in, as off a wall at the same angle: places and velocities."""
    unfolded = np.mod(place, 2 * side)
    turned = unfolded > side
    return np.where(turned, 2 * side - unfolded, unfolded), np.where(turned, -velocity, velocity)


def walk(walkers: Walkers, seconds: float, rule: Proximity, keep_positions: bool) -> Generated:
    """Look at walkers at 0, step, 2 step, ... before `seconds`; a look stands for the step that follows."""
    count = len(walkers.x)
    looks = max(1, int(np.ceil(seconds / rule.step)))
    watch = Watch(count, rule)
    kept: list[pa.Table] = []
    at_a_time = max(1, _SAMPLES_AT_A_TIME // count)
    for first in range(0, looks, at_a_time):
        end = min(first + at_a_time, looks)
        x, y = np.empty((2, end - first, count))
        for look in range(first, end):
            if look:
                walkers.advance(rule.step)
            x[look - first], y[look - first] = walkers.x, walkers.y
        node = np.tile(np.arange(count, dtype=np.int32), end - first)
        at = np.repeat(np.arange(first, end, dtype=np.int64), count)
        watch.see(Samples(node, at, at, x.ravel(), y.ravel()), end)
        if keep_positions:
            kept.append(pa.table([node, at * rule.step, x.ravel(), y.ravel()], schema=POSITIONS))
    contacts = to_contacts(watch.finish(), rule.step)
    nodes = nodes_table([f"w{walker}" for walker in range(count)])
    return Generated(contacts, nodes, pa.concat_tables(kept) if keep_positions else None)
