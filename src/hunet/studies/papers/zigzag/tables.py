"""The tables and figures of ZigZag ([zigzag] III to V), computed anew: each function returns rows of one table.

The workload is that of V-A: 100 subscriptions, 1,024 cells per dimension, widths uniform in [0, 1/100] of the range.
Not all printed values fit it (ERR-25, ERR-26), so widths of exactly 1/100, of mean 1/100 and up to the whole range
are measured beside it. Times are CPU microseconds per subscription or event, the least of several runs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.content.compressed import CompressedIndex
from hunet.content.cover import Intervals
from hunet.content.curves import Curve, hilbert, z_order
from hunet.content.grid import Points, unit_grid
from hunet.content.stabbing import StabIndex
from hunet.content.transform import Approximation, inclusive, optimal, refine
from hunet.filters import BloomFilter, Hashing
from hunet.filters.sizing import false_positive_rate
from hunet.kernels import loop
from hunet.studies.papers.reproduction import Table

__all__ = [
    "DRAWN",
    "FIGURES",
    "WIDTHS",
    "draw_boxes",
    "false_positive_rates",
    "filter_insertions",
    "filter_rates",
    "grid_drawing",
    "insertions",
    "interval_growth",
    "points_per_interval",
    "queries",
]


WIDTHS: Mapping[str, tuple[float, float]] = {
    "U[0,1/100]": (0.0, 0.01),  # as stated
    "1/100": (0.01, 0.01),
    "U[0,2/100]": (0.0, 0.02),
    "U[0,1]": (0.0, 1.0),
}
"""Workloads by the range of widths, as shares of a dimension."""

DRAWN = (0.42, 0.42), (0.61, 0.58)
"""Lower and upper corner of the subscription in our drawing of Fig. 2, whose coordinates are not printed."""

_DIMENSIONS = (2, 3, 4)
_BITS = 10
_SECOND_LEVEL = 4
_NONE = np.ones(0, np.uint8)


def draw_boxes(widths: str, dimensions: int, count: int, seed: int) -> tuple[Points, Points]:
    """Subscriptions of one workload in the unit cube: lower and upper corners, anywhere they fit."""
    chance = np.random.default_rng([seed, dimensions])
    width = chance.uniform(*WIDTHS[widths], (count, dimensions))
    lows = chance.random((count, dimensions)) * (1.0 - width)
    return lows, lows + width


def _cells(curve: Curve, widths: str, count: int, seed: int) -> Approximation:
    return inclusive(unit_grid(curve), *draw_boxes(widths, curve.dimensions, count, seed))


def _covers(curve: Curve, widths: str, count: int, seed: int) -> Intervals:
    return curve.cover(*_cells(curve, widths, count, seed).boxes())


def grid_drawing(_quick: bool = False, _seed: int = 1) -> Table:
    """ZZ-F2: the 4x4 grid with its numbers, a small subscription, its cells, and its fine cells."""
    curve = z_order(2, 2)
    grid = unit_grid(curve)
    coarse = inclusive(grid, *(np.array([corner]) for corner in DRAWN))
    fine = refine(coarse, _SECOND_LEVEL).fine
    cells = curve.cells(np.arange(16))
    inside = np.all((cells >= coarse.first) & (cells <= coarse.last), axis=1)
    rows: Table = [
        {"level": 1, "x": int(x), "y": int(y), "id": i, "covered": bool(inside[i])} for i, (x, y) in enumerate(cells)
    ]
    second = z_order(2, int(math.log2(_SECOND_LEVEL)))
    cells = second.cells(np.arange(_SECOND_LEVEL**2))
    inside = np.all((cells >= fine.first) & (cells <= fine.last), axis=1)
    return rows + [
        {"level": 2, "x": int(x), "y": int(y), "id": i, "covered": bool(inside[i])} for i, (x, y) in enumerate(cells)
    ]


def points_per_interval(quick: bool = False, seed: int = 1) -> Table:
    """ZZ-T1, Table I: mean number of cells per interval at 1,024 cells per dimension."""
    rows: Table = []
    for dimensions, count in zip(_DIMENSIONS, (4000, 1000, 200) if quick else (40_000, 10_000, 2000), strict=True):
        for widths in ("U[0,1/100]", "1/100", "U[0,2/100]"):
            for curve in (z_order(dimensions, _BITS), hilbert(dimensions, _BITS)):
                covers = _covers(curve, widths, count, seed)
                ratio = float(covers.points.sum() / covers.counts.sum())
                rows.append({"dim": dimensions, "workload": widths, "curve": curve.kind, "points_per_interval": ratio})
    return rows


def insertions(quick: bool = False, seed: int = 1) -> Table:
    """ZZ-F3a: time to transform a subscription and to insert it, for ZigZag, ZigZagH and MICS (Hilbert)."""
    rows: Table = []
    for dimensions in _DIMENSIONS:
        lows, highs = draw_boxes("U[0,1/100]", dimensions, 100, seed)
        methods = {
            "ZigZag": (z_order(dimensions, _BITS), False),
            "ZigZagH": (z_order(dimensions, _BITS), True),
            "MICS": (hilbert(dimensions, _BITS), False),
        }
        for method, (curve, two_levels) in methods.items():
            transform = _transformation(curve, two_levels, lows, highs)
            parts = transform()
            first = _microseconds(transform, quick) / 100
            then = sum(_microseconds(_tree_of(part), quick) for part in parts) / 100
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
    second = z_order(curve.dimensions, int(math.log2(_SECOND_LEVEL)))

    def transform() -> list[Intervals]:
        coarse = inclusive(grid, lows, highs)
        parts = [curve.cover(*coarse.boxes())]
        return [*parts, second.cover(*refine(coarse, _SECOND_LEVEL).fine.boxes())] if two_levels else parts

    return transform


def _tree_of(intervals: Intervals) -> Callable[[], StabIndex]:
    owners = np.repeat(np.arange(len(intervals), dtype=np.int32), intervals.counts)

    def build() -> StabIndex:
        index = StabIndex(1, np.uint64)
        index.add(intervals.starts[:, None], intervals.stops[:, None], owners)
        index.build(_NONE)
        return index

    return build


def _filters_of(intervals: Intervals, hashes: int) -> Callable[[], CompressedIndex]:
    owners = np.arange(len(intervals), dtype=np.int32)

    def build() -> CompressedIndex:
        index = CompressedIndex("literal", hashes)
        index.add(intervals, owners)
        return index

    return build


def filter_insertions(quick: bool = False, seed: int = 1) -> Table:
    """ZZ-F3b: time to put a transformed subscription into an interval tree and into a Bloom filter."""
    rows: Table = []
    for dimensions in _DIMENSIONS:
        covers = _covers(z_order(dimensions, _BITS), "U[0,1/100]", 100, seed)
        rows.append(_timed("interval tree", 0, dimensions, _tree_of(covers), quick))
        rows += [_timed("Bloom filter", k, dimensions, _filters_of(covers, k), quick) for k in (3, 5)]
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
        covers = _covers(curve, "U[0,1/100]", 100, seed)
        ids = curve.ids(unit_grid(curve).cells(points))
        asked: dict[tuple[str, int], Callable[[], object]] = {
            ("one interval tree", 0): partial(_tree_of(covers)().stab, ids[:, None], _NONE),
            ("interval tree each", 0): partial(_search_each, covers.starts, covers.stops, covers.offsets, ids),
            ("Bloom filter each", 3): partial(_filters_of(covers, 3)().find, ids, _NONE),
            ("Bloom filter each", 5): partial(_filters_of(covers, 5)().find, ids, _NONE),
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


def interval_growth(quick: bool = False, seed: int = 1) -> Table:
    """ZZ-F4: mean intervals per subscription against cells per dimension, with the slope of the log-log line."""
    rows: Table = []
    for dimensions, most, count in zip(_DIMENSIONS, (12, 12, 10), (2000, 400, 100), strict=True):
        bits = range(4, (min(most, 9) if quick else most) + 1)
        for make in (z_order, hilbert):
            means = [
                float(_covers(make(dimensions, b), "U[0,1/100]", count // (4 if quick else 1), seed).counts.mean())
                for b in bits
            ]
            slopes = [math.nan, *np.diff(np.log2(means)).tolist()]
            rows += [
                {"dim": dimensions, "cells": 2**b, "curve": make(dimensions, b).kind, "intervals": mean, "slope": slope}
                for b, mean, slope in zip(bits, means, slopes, strict=True)
            ]
    return rows


def false_positive_rates(quick: bool = False, seed: int = 1) -> Table:
    """ZZ-F5: the false-positive measures of ERR-23 against cells per dimension, by workload; no cell is enumerated."""
    rows: Table = []
    count = 4000 if quick else 40_000
    for widths in ("U[0,1]", "U[0,1/100]"):
        for dimensions in _DIMENSIONS:
            lows, highs = draw_boxes(widths, dimensions, count, seed)
            for bits in range(4, 13):
                grid = unit_grid(z_order(dimensions, bits))
                coarse = inclusive(grid, lows, highs)
                ungated = optimal(grid, lows, highs, alpha=1.0, beta=0.0)
                eq2 = np.where(ungated.cells < coarse.cells, ungated.missed, coarse.excess)
                rows.append(
                    {
                        "dim": dimensions,
                        "cells": 2**bits,
                        "workload": widths,
                        "eq1_mean": float(coarse.excess.mean()),
                        "eq1_median": float(np.median(coarse.excess)),
                        "p_t": float(coarse.p_t.mean()),
                        "eq2": float(eq2.mean()),
                        "p_t_zigzagH": float(refine(coarse, 8).p_t.mean()),
                    }
                )
    return rows


def filter_rates(quick: bool = False, seed: int = 1) -> Table:
    """ZZ-F6: false matches that Bloom filters of an interval tree's memory (64 bits per interval, k = 4) add."""
    rows: Table = []
    k = 4
    for widths in ("U[0,1/100]", "U[0,2/100]"):
        for dimensions in _DIMENSIONS:
            for bits in (6, 8, _BITS):
                curve = z_order(dimensions, bits)
                covers = _covers(curve, widths, 100, seed)
                asked = np.random.default_rng(seed).integers(0, 2**curve.id_bits, 2000 if quick else 20_000, np.uint64)
                expected = np.array(
                    [false_positive_rate(n, 64 * m, k) for n, m in zip(covers.points, covers.counts, strict=True)]
                )
                bits_in_all = 64 * int(covers.counts.sum())
                stored = _distinct(covers)
                together = false_positive_rate(stored.size, bits_in_all, k)
                pooled = _pooled_rate(BloomFilter(Hashing(bits_in_all, k), _keys(stored)), stored, asked)
                shared = {"dim": dimensions, "cells": 2**bits, "workload": widths}
                measured = _measured_rates(covers, asked, k)
                rows += [
                    shared | _rate("per_sub", float(expected.mean()), float(measured.mean()), float(measured.max())),
                    shared | _rate("pooled", together, pooled, pooled),
                ]
    return rows


def _rate(sizing: str, formula: float, measured: float, worst: float) -> dict[str, Any]:
    return {
        "sizing": sizing,
        "extra_fpr_formula": formula,
        "extra_fpr_measured": measured,
        "extra_fpr_worst": worst,
    }


def _measured_rates(covers: Intervals, asked: npt.NDArray[np.uint64], k: int) -> npt.NDArray[np.float64]:
    """Per subscription: the share of cells not in it that its filter confirms."""
    _, said = _filters_of(covers, k)().find(asked, _NONE)
    _, true = _tree_of(covers)().stab(asked[:, None], _NONE)
    confirmed, right = (np.bincount(owners, minlength=len(covers)) for owners in (said, true))
    rates: npt.NDArray[np.float64] = (confirmed - right) / (asked.size - right)
    return rates


def _distinct(covers: Intervals) -> npt.NDArray[np.uint64]:
    """Every cell of any subscription once, in order. (np.unique hashes, and cell numbers make that very slow.)"""
    cells = np.sort(covers.numbers())
    distinct: npt.NDArray[np.uint64] = cells[np.append(True, cells[1:] != cells[:-1])]
    return distinct


def _pooled_rate(pooled: BloomFilter, stored: npt.NDArray[np.uint64], asked: npt.NDArray[np.uint64]) -> float:
    nearest = stored[np.minimum(np.searchsorted(stored, asked), stored.size - 1)]
    return float(pooled.contains(_keys(asked[nearest != asked])).mean())


def _keys(cells: npt.NDArray[np.uint64]) -> list[bytes]:
    return [cell.tobytes() for cell in cells]


def _microseconds(action: Callable[[], object], quick: bool) -> float:
    """The least CPU time of several runs; the first, which compiles, does not count."""
    action()
    best = math.inf
    for _ in range(3 if quick else 15):
        start = time.process_time()
        action()
        best = min(best, time.process_time() - start)
    return best * 1e6


FIGURES: Mapping[str, Callable[[bool, int], Table]] = {
    "ZZ-F2": grid_drawing,
    "ZZ-T1": points_per_interval,
    "ZZ-F3a": insertions,
    "ZZ-F3b": filter_insertions,
    "ZZ-F3c": queries,
    "ZZ-F4": interval_growth,
    "ZZ-F5": false_positive_rates,
    "ZZ-F6": filter_rates,
}
"""Every table by the id of its figure, as functions of (quick, seed)."""
