"""How long ZigZag's parts take, Fig. 3: CPU microseconds per subscription or event, the least of several runs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from hunet.content.cover import Intervals
from hunet.content.curves import Curve, hilbert, z_order
from hunet.content.grid import Points, unit_grid
from hunet.content.transform import inclusive, refine
from hunet.kernels import loop
from hunet.studies.papers.zigzag.tables import (
    BITS,
    DIMENSIONS,
    EMPTY,
    SECOND_LEVEL,
    covers_of,
    draw_boxes,
    filters_of,
    tree_of,
)
from hunet.studies.tables import Table

__all__ = ["filter_insertions", "insertions", "queries"]


def insertions(quick: bool = False, seed: int = 1) -> Table:
    """ZZ-F3a: time to transform a subscription and to insert it, for ZigZag, ZigZagH and MICS (Hilbert)."""
    rows: Table = []
    for dimensions in DIMENSIONS:
        lows, highs = draw_boxes("U[0,1/100]", dimensions, 100, seed)
        methods = {
            "ZigZag": (z_order(dimensions, BITS), False),
            "ZigZagH": (z_order(dimensions, BITS), True),
            "MICS": (hilbert(dimensions, BITS), False),
        }
        for method, (curve, two_levels) in methods.items():
            transform = _transformation(curve, two_levels, lows, highs)
            parts = transform()
            first = _microseconds(transform, quick) / 100
            then = sum(_microseconds(tree_of(part), quick) for part in parts) / 100
            rows.append(
                {
                    "method": method,
                    "dim": dimensions,
                    "t_transform": first,
                    "t_insert": then,
                    "t_total": first + then,
                    "n_intervals": float(sum(part.counts.mean() for part in parts)),
                }
            )
    return rows


def _transformation(curve: Curve, two_levels: bool, lows: Points, highs: Points) -> Callable[[], list[Intervals]]:
    grid = unit_grid(curve)
    second = z_order(curve.dimensions, int(math.log2(SECOND_LEVEL)))

    def transform() -> list[Intervals]:
        coarse = inclusive(grid, lows, highs)
        parts = [curve.cover(*coarse.boxes())]
        return [*parts, second.cover(*refine(coarse, SECOND_LEVEL).fine.boxes())] if two_levels else parts

    return transform


def filter_insertions(quick: bool = False, seed: int = 1) -> Table:
    """ZZ-F3b: time to put a transformed subscription into an interval tree and into a Bloom filter."""
    rows: Table = []
    for dimensions in DIMENSIONS:
        covers = covers_of(z_order(dimensions, BITS), "U[0,1/100]", 100, seed)
        rows.append(_timed("interval tree", 0, dimensions, tree_of(covers), quick))
        rows += [_timed("Bloom filter", k, dimensions, filters_of(covers, k), quick) for k in (3, 5)]
    return rows


def _timed(structure: str, k: int, dimensions: int, action: Callable[[], object], quick: bool) -> dict[str, Any]:
    return {"structure": structure, "k": k, "dim": dimensions, "t_insert": _microseconds(action, quick) / 100}


def queries(quick: bool = False, seed: int = 1) -> Table:
    """ZZ-F3c: time to ask 100 subscriptions of 4 attributes about one event, for several numbers of cells."""
    rows: Table = []
    events = 2000
    points = np.random.default_rng(seed).random((events, 4))
    for bits in (6, 8, 10):
        curve = z_order(4, bits)
        covers = covers_of(curve, "U[0,1/100]", 100, seed)
        ids = curve.ids(unit_grid(curve).cells(points))
        asked: dict[tuple[str, int], Callable[[], object]] = {
            ("one interval tree", 0): partial(tree_of(covers)().stab, ids[:, None], EMPTY),
            ("interval tree each", 0): partial(_search_each, covers.starts, covers.stops, covers.offsets, ids),
            ("Bloom filter each", 3): partial(filters_of(covers, 3)().find, ids, EMPTY),
            ("Bloom filter each", 5): partial(filters_of(covers, 5)().find, ids, EMPTY),
        }
        for (structure, k), ask in asked.items():
            spent = _microseconds(ask, quick) / events
            rows.append({"structure": structure, "k": k, "cells": 2**bits, "t_query": spent})
    return rows


@loop
def _search_each(starts: Any, stops: Any, offsets: Any, ids: Any) -> Any:
    """How often a cell is in a subscription, each with a tree of its own: for disjoint intervals, a binary search."""
    found = 0
    for event in range(ids.size):
        for box in range(offsets.size - 1):
            low = np.uint64(offsets[box])
            high = np.uint64(offsets[box + 1])
            while low < high:
                middle = (low + high) >> np.uint64(1)
                if stops[middle] < ids[event]:
                    low = middle + np.uint64(1)
                else:
                    high = middle
            if low < np.uint64(offsets[box + 1]) and starts[low] <= ids[event]:
                found += 1
    return found


def _microseconds(action: Callable[[], object], quick: bool) -> float:
    """The least CPU time of several runs; the first, which compiles, does not count."""
    action()
    best = math.inf
    for _ in range(3 if quick else 15):
        start = time.thread_time()
        action()
        best = min(best, time.thread_time() - start)
    return best * 1e6
