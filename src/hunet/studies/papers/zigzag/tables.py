"""The tables and figures of ZigZag ([zigzag] III to V), computed anew: each function returns rows of one table.

The workload is that of V-A: 100 subscriptions, 1,024 cells per dimension, widths uniform in [0, 1/100] of the range.
Not all printed values fit it (ERR-25, ERR-26), so widths of exactly 1/100, of mean 1/100 and up to the whole range
are measured beside it. `times` has the tables of times.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
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
from hunet.studies.tables import Table

__all__ = [
    "BITS",
    "DIMENSIONS",
    "DRAWN",
    "EMPTY",
    "SECOND_LEVEL",
    "WIDTHS",
    "covers_of",
    "draw_boxes",
    "false_positive_rates",
    "filter_rates",
    "filters_of",
    "grid_drawing",
    "interval_growth",
    "points_per_interval",
    "tree_of",
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

DIMENSIONS = (2, 3, 4)
BITS = 10
SECOND_LEVEL = 4
EMPTY = np.ones(0, np.uint8)


def draw_boxes(widths: str, dimensions: int, count: int, seed: int) -> tuple[Points, Points]:
    """Subscriptions of one workload in the unit cube: lower and upper corners, anywhere they fit."""
    chance = np.random.default_rng([seed, dimensions])
    width = chance.uniform(*WIDTHS[widths], (count, dimensions))
    lows = chance.random((count, dimensions)) * (1.0 - width)
    return lows, lows + width


def _cells(curve: Curve, widths: str, count: int, seed: int) -> Approximation:
    return inclusive(unit_grid(curve), *draw_boxes(widths, curve.dimensions, count, seed))


def covers_of(curve: Curve, widths: str, count: int, seed: int) -> Intervals:
    return curve.cover(*_cells(curve, widths, count, seed).boxes())


def grid_drawing(_quick: bool = False, _seed: int = 1) -> Table:
    """ZZ-F2: the 4x4 grid with its numbers, a small subscription, its cells, and its fine cells."""
    curve = z_order(2, 2)
    grid = unit_grid(curve)
    coarse = inclusive(grid, *(np.array([corner]) for corner in DRAWN))
    fine = refine(coarse, SECOND_LEVEL).fine
    cells = curve.cells(np.arange(16))
    inside = np.all((cells >= coarse.first) & (cells <= coarse.last), axis=1)
    rows: Table = [
        {"level": 1, "x": int(x), "y": int(y), "id": i, "covered": bool(inside[i])} for i, (x, y) in enumerate(cells)
    ]
    second = z_order(2, int(math.log2(SECOND_LEVEL)))
    cells = second.cells(np.arange(SECOND_LEVEL**2))
    inside = np.all((cells >= fine.first) & (cells <= fine.last), axis=1)
    return rows + [
        {"level": 2, "x": int(x), "y": int(y), "id": i, "covered": bool(inside[i])} for i, (x, y) in enumerate(cells)
    ]


def points_per_interval(quick: bool = False, seed: int = 1) -> Table:
    """ZZ-T1, Table I: mean number of cells per interval at 1,024 cells per dimension."""
    rows: Table = []
    for dimensions, count in zip(DIMENSIONS, (4000, 1000, 200) if quick else (40_000, 10_000, 2000), strict=True):
        for widths in ("U[0,1/100]", "1/100", "U[0,2/100]"):
            for curve in (z_order(dimensions, BITS), hilbert(dimensions, BITS)):
                covers = covers_of(curve, widths, count, seed)
                ratio = float(covers.points.sum() / covers.counts.sum())
                rows.append({"dim": dimensions, "workload": widths, "curve": curve.kind, "points_per_interval": ratio})
    return rows


def tree_of(intervals: Intervals) -> Callable[[], StabIndex]:
    owners = np.repeat(np.arange(len(intervals), dtype=np.int32), intervals.counts)

    def build() -> StabIndex:
        index = StabIndex(1, np.uint64)
        index.add(intervals.starts[:, None], intervals.stops[:, None], owners)
        index.build(EMPTY)
        return index

    return build


def filters_of(intervals: Intervals, hashes: int) -> Callable[[], CompressedIndex]:
    owners = np.arange(len(intervals), dtype=np.int32)

    def build() -> CompressedIndex:
        index = CompressedIndex("literal", hashes)
        index.add(intervals, owners)
        return index

    return build


def interval_growth(quick: bool = False, seed: int = 1) -> Table:
    """ZZ-F4: mean intervals per subscription against cells per dimension, with the slope of the log-log line."""
    rows: Table = []
    for dimensions, most, count in zip(DIMENSIONS, (12, 12, 10), (2000, 400, 100), strict=True):
        bits = range(4, (min(most, 9) if quick else most) + 1)
        for make in (z_order, hilbert):
            means = [
                float(covers_of(make(dimensions, b), "U[0,1/100]", count // (4 if quick else 1), seed).counts.mean())
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
        for dimensions in DIMENSIONS:
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
        for dimensions in DIMENSIONS:
            for bits in (6, 8, BITS):
                curve = z_order(dimensions, bits)
                covers = covers_of(curve, widths, 100, seed)
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
    _, said = filters_of(covers, k)().find(asked, EMPTY)
    _, true = tree_of(covers)().stab(asked[:, None], EMPTY)
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
