"""The one proximity kernel: who is within a radius of whom, without comparing all pairs.

Nodes are hashed into square cells a radius wide, and a node looks into its own cell and four of its eight
neighbours, so every pair is met once. `watch` walks through time over samples sorted by instant: between two
changes nothing is computed, because nothing moved. Instants are whole numbers, so that slices of time join exactly.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, loop

Ints = npt.NDArray[np.int64]
Ids = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

EMPTY = -1
"""In a table of open runs: no pair here."""

DONE, MORE_PAIRS, MORE_RUNS, DRAIN = 0, 1, 2, 3
"""What `watch` answers: finished, or which of the caller's arrays is full. Nothing was recorded for that instant."""

NEXT_SAMPLE, INSTANT, OPEN_RUNS, CLOSED_RUNS, NEEDED = 0, 1, 2, 3, 4
"""Places in `Scene.progress`."""

CELL_MARGIN = 1.0 + 2.0**-20
"""Cells are this much wider than the radius: rounding must not put two nodes in range two cells apart."""


class Samples(NamedTuple):
    """Positions sorted by instant: where a node is from then on, and the last instant at which that is believed."""

    node: Ids
    instant: Ints
    until: Ints
    x: Floats
    y: Floats


class Grid(NamedTuple):
    """Cells as chains of nodes. `head` has a power of two of places, all -1 between two calls."""

    head: Ids
    following: Ids
    column: Ints
    row: Ints


class Runs(NamedTuple):
    """Runs of sightings: a pair, and the first and last instant at which it was in range."""

    a: Ids
    b: Ids
    first: Ints
    last: Ints


class Scene(NamedTuple):
    """Everything `watch` remembers: one row per node, the open run per pair (hashed by key), the closed runs."""

    x: Floats
    y: Floats
    until: Ints
    present: Ids
    near_a: Ids
    near_b: Ids
    key: Ints
    first: Ints
    last: Ints
    closed: Runs
    progress: Ints


@leaf
def _bucket(column: int, row: int, mask: int) -> int:
    return ((column * 73856093) ^ (row * 19349663)) & mask


@leaf
def _meet(x: Floats, y: Floats, one: int, two: int, limit: float, near_a: Ids, near_b: Ids, count: int) -> int:
    """Record the pair if it is in range (and there is room); the new count."""
    across = x[one] - x[two]
    along = y[one] - y[two]
    if across * across + along * along > limit:
        return count
    if count < near_a.shape[0]:
        near_a[count] = min(one, two)
        near_b[count] = max(one, two)
    return count + 1


@leaf
def _near(
    x: Floats, y: Floats, present: Ids, how_many: int, radius: float, grid: Grid, near_a: Ids, near_b: Ids
) -> int:
    head = grid.head
    following = grid.following
    column = grid.column
    row = grid.row
    mask = head.shape[0] - 1
    per_metre = 1.0 / (radius * CELL_MARGIN)
    limit = radius * radius
    for i in range(how_many):
        node = present[i]
        column[node] = math.floor(x[node] * per_metre)
        row[node] = math.floor(y[node] * per_metre)
        bucket = _bucket(column[node], row[node], mask)
        following[node] = head[bucket]
        head[bucket] = node
    count = 0
    for i in range(how_many):
        node = present[i]
        # The own cell: only those further down the chain. Then east, and the three cells above.
        for side in range(5):
            if side == 0:
                to_column = column[node]
                to_row = row[node]
                other = following[node]
            elif side == 1:
                to_column = column[node] + 1
                to_row = row[node]
                other = head[_bucket(to_column, to_row, mask)]
            else:
                to_column = column[node] + side - 3
                to_row = row[node] + 1
                other = head[_bucket(to_column, to_row, mask)]
            while other >= 0:
                if column[other] == to_column and row[other] == to_row:
                    count = _meet(x, y, node, other, limit, near_a, near_b, count)
                other = following[other]
    for i in range(how_many):
        node = present[i]
        head[_bucket(column[node], row[node], mask)] = -1
    return count


@loop
def near(x: Floats, y: Floats, present: Ids, radius: float, grid: Grid, near_a: Ids, near_b: Ids) -> int:
    """Fill in the pairs of `present` nodes within `radius`; how many there are, also when not all had room."""
    return _near(x, y, present, present.shape[0], radius, grid, near_a, near_b)


@leaf
def _slot(key: Ints, pair: int) -> int:
    """Where a pair is in the table of open runs, or where it would go."""
    mask = key.shape[0] - 1
    slot: int = (pair * 73856093 + (pair >> 17)) & mask
    while key[slot] != EMPTY and key[slot] != pair:
        slot = (slot + 1) & mask
    return slot


@loop
def watch(samples: Samples, end: int, radius: float, gap: int, grid: Grid, scene: Scene) -> int:
    """Follow the samples up to instant `end` (exclusive), joining sightings of a pair at most `gap` instants apart.

    Returns DONE or the name of the array that must grow or be emptied before it is called again; `scene.progress`
    says where it stands. Cost: per instant at which something changes, the nodes present and the pairs in range.
    """
    x = scene.x
    y = scene.y
    until = scene.until
    present = scene.present
    key = scene.key
    first = scene.first
    last = scene.last
    progress = scene.progress
    nodes = x.shape[0]
    while progress[INSTANT] < end:
        instant = progress[INSTANT]
        sample = progress[NEXT_SAMPLE]
        while sample < samples.node.shape[0] and samples.instant[sample] <= instant:
            node = samples.node[sample]
            x[node] = samples.x[sample]
            y[node] = samples.y[sample]
            until[node] = samples.until[sample]
            sample += 1
        change = end
        if sample < samples.node.shape[0] and samples.instant[sample] < change:
            change = samples.instant[sample]
        how_many = 0
        for node in range(nodes):
            if until[node] >= instant:
                present[how_many] = node
                how_many += 1
                if until[node] + 1 < change:
                    change = until[node] + 1
        pairs = _near(x, y, present, how_many, radius, grid, scene.near_a, scene.near_b)
        progress[NEEDED] = pairs
        if pairs > scene.near_a.shape[0]:
            return MORE_PAIRS
        if 2 * (progress[OPEN_RUNS] + pairs) > key.shape[0]:
            return MORE_RUNS
        if progress[CLOSED_RUNS] + pairs > scene.closed.a.shape[0]:
            return DRAIN
        for i in range(pairs):
            pair = np.int64(scene.near_a[i]) * nodes + scene.near_b[i]
            slot = _slot(key, pair)
            if key[slot] == EMPTY:
                key[slot] = pair
                first[slot] = instant
                progress[OPEN_RUNS] += 1
            elif instant - last[slot] > gap:
                place = progress[CLOSED_RUNS]
                scene.closed.a[place] = scene.near_a[i]
                scene.closed.b[place] = scene.near_b[i]
                scene.closed.first[place] = first[slot]
                scene.closed.last[place] = last[slot]
                progress[CLOSED_RUNS] = place + 1
                first[slot] = instant
            last[slot] = change - 1
        progress[NEXT_SAMPLE] = sample
        progress[INSTANT] = change
    return DONE


@loop
def reopen(from_key: Ints, from_first: Ints, from_last: Ints, key: Ints, first: Ints, last: Ints) -> None:
    """Copy open runs into another, empty table."""
    for i in range(from_key.shape[0]):
        slot = _slot(key, from_key[i])
        key[slot] = from_key[i]
        first[slot] = from_first[i]
        last[slot] = from_last[i]


@loop
def join(runs: Runs, gap: int) -> int:
    """Join runs of a pair at most `gap` instants apart, in place; sorted by (a, b, first). How many are left."""
    a = runs.a
    b = runs.b
    kept = 0
    for i in range(a.shape[0]):
        before = kept - 1
        if kept > 0 and a[before] == a[i] and b[before] == b[i] and runs.first[i] - runs.last[before] <= gap:
            runs.last[before] = max(runs.last[before], runs.last[i])
        else:
            a[kept] = a[i]
            b[kept] = b[i]
            runs.first[kept] = runs.first[i]
            runs.last[kept] = runs.last[i]
            kept += 1
    return kept
