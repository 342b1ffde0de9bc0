"""Range subscriptions beside other libraries and brute force, on one core, in one run.

shapely and rtree are needed for their rows only; without them those rows are left out, and a line says so.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np

from benchmarks.measure import Row, compare, cpu_seconds
from hunet.content import Matcher, Number, Schema, hilbert, z_order
from hunet.content.curves import Curve
from hunet.content.grid import Points, unit_grid
from hunet.content.transform import inclusive
from hunet.studies.papers.zigzag.tables import draw_boxes

CORES = 1
MICRO = 1e6
EVENTS = 20_000
BITS = 10
WIDTHS = "U[0,1/100]"


def run() -> list[Row]:
    """All rows of the report."""
    return [*_covers(), *_matching(), *_dimensions()]


# ------------------------------------------------------------------ boxes to intervals


def _covers() -> list[Row]:
    """Box to intervals at 1,024 cells per dimension beside numbering, sorting and joining every cell."""
    rows = []
    for dimensions, count in ((2, 20_000), (3, 4000), (4, 500)):
        spent: dict[str, float] = {}
        for curve in (z_order(dimensions, BITS), hilbert(dimensions, BITS)):
            boxes = inclusive(unit_grid(curve), *draw_boxes(WIDTHS, dimensions, count, 1)).boxes()
            curve.cover(*boxes)
            spent[curve.kind] = cpu_seconds(curve.cover, *boxes) / count * MICRO
        naive = _naive_seconds(z_order(dimensions, BITS), *boxes) / count * MICRO
        what = f"box to intervals, {dimensions}D"
        rows.append(compare(what, "us", spent["z-order"], "every cell, numba", naive, 2.0))
        rows.append(compare(f"{what}: Hilbert", "us", spent["hilbert"], "Z-order", spent["z-order"]))
    return rows


def _naive_seconds(curve: Curve, first: Any, last: Any) -> float:
    ours = curve.cover(first, last)
    starts, stops = np.empty_like(ours.starts), np.empty_like(ours.stops)
    cells, cursor = np.empty(int(ours.points.max()), np.uint64), np.empty(curve.dimensions, np.uint64)
    arguments = (first, last, curve.bits, cells, cursor, starts, stops)
    if _enumerate(*arguments) != starts.size or not np.array_equal(starts, ours.starts):
        raise RuntimeError("the naive cover and ours do not agree")
    return cpu_seconds(_enumerate, *arguments)


@numba.njit(nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def _enumerate(first: Any, last: Any, bits: Any, cells: Any, cursor: Any, starts: Any, stops: Any) -> Any:
    """Number every cell of a box, sort the numbers, join the runs. Returns how many intervals there are."""
    one = np.uint64(1)
    dimensions = first.shape[1]
    found = 0
    for box in range(first.shape[0]):
        n = 0
        for d in range(dimensions):
            cursor[d] = first[box, d]
        while True:
            number = np.uint64(0)
            for bit in range(bits - 1, -1, -1):
                for d in range(dimensions):
                    number = (number << one) | ((cursor[d] >> np.uint64(bit)) & one)
            cells[n] = number
            n += 1
            d = dimensions - 1
            while d >= 0 and cursor[d] == last[box, d]:
                cursor[d] = first[box, d]
                d -= 1
            if d < 0:
                break
            cursor[d] += one
        numbers = cells[:n]
        numbers.sort()
        for i in range(n):
            if i > 0 and numbers[i] == numbers[i - 1] + one:
                stops[found - 1] = numbers[i]
            else:
                starts[found] = numbers[i]
                stops[found] = numbers[i]
                found += 1
    return found


# ------------------------------------------------------------------ matching


def _schema(dimensions: int) -> Schema:
    return Schema({f"x{i}": Number(0, 1) for i in range(dimensions)})


def _matcher(lows: Points, highs: Points, points: Points) -> Matcher:
    """A matcher that has been asked before: its tree is built and its loops are compiled."""
    matcher = Matcher(_schema(lows.shape[1]))
    matcher.add_boxes(range(len(lows)), lows, highs)
    matcher.find(points)
    return matcher


def _matching() -> list[Row]:
    """Many events at once against two-dimensional subscriptions; time per event."""
    rows = []
    for count, target in ((100, 0.9), (10_000, None), (1_000_000, 2.0)):
        lows, highs = draw_boxes(WIDTHS, 2, count, 1)
        points = np.random.default_rng(2).random((EVENTS, 2))
        matcher = _matcher(lows, highs, points)
        found = len(matcher.find(points)[1])
        ours = cpu_seconds(matcher.find, points) / EVENTS * MICRO
        what = f"1 event, {count:,} subscriptions"
        if _there_is("shapely"):
            theirs, alone = _strtree(lows, highs, points, found)
            rows.append(compare(what, "us", ours, "shapely STRtree, bulk", theirs, target))
            single = cpu_seconds(lambda m=matcher: [m.match({"x0": 0.5, "x1": 0.5}) for _ in range(200)]) / 200 * MICRO
            rows.append(compare(f"{what}, alone", "us", single, "shapely STRtree", alone))
        few = points[: max(20, min(2000, 20_000_000 // count))]
        if _there_is("rtree"):
            rows.append(compare(what, "us", ours, "rtree", _rtree(lows, highs, few) / len(few) * MICRO))
        brute = cpu_seconds(_brute_force, lows, highs, few, repeats=2) / len(few) * MICRO
        rows.append(compare(what, "us", ours, "numpy brute force", brute))
    return rows


def _there_is(library: str) -> bool:
    if importlib.util.find_spec(library):
        return True
    print(f"ranges: {library} is not installed, its rows are left out", file=sys.stderr)
    return False


def _strtree(lows: Points, highs: Points, points: Points, found: int) -> tuple[float, float]:
    """Microseconds per event, many at once and one by one."""
    import shapely

    tree = shapely.STRtree(shapely.box(lows[:, 0], lows[:, 1], highs[:, 0], highs[:, 1]))
    events = shapely.points(points)
    if tree.query(events).shape[1] != found:
        raise RuntimeError("STRtree and hunet do not agree")
    alone = cpu_seconds(lambda: [tree.query(shapely.Point(0.5, 0.5)) for _ in range(200)]) / 200
    return cpu_seconds(tree.query, events) / len(points) * MICRO, alone * MICRO


def _rtree(lows: Points, highs: Points, points: Points) -> float:
    from rtree import index

    tree = index.Index((np.arange(len(lows)), lows, highs))
    asked = np.hstack([points, points]).tolist()
    return cpu_seconds(lambda: [list(tree.intersection(point)) for point in asked], repeats=2)


def _brute_force(lows: Points, highs: Points, points: Points) -> list[Any]:
    columns = [(np.ascontiguousarray(lows[:, d]), np.ascontiguousarray(highs[:, d])) for d in range(lows.shape[1])]
    answers = []
    for point in points:
        inside = np.ones(len(lows), np.bool_)
        for (low, high), x in zip(columns, point, strict=True):
            inside &= (low <= x) & (x <= high)
        answers.append(np.flatnonzero(inside))
    return answers


def _dimensions() -> list[Row]:
    """Three and four dimensions at 100,000 subscriptions, each in a process of its own for its memory."""
    rows = []
    for dimensions in (3, 4):
        command = [sys.executable, "-m", "benchmarks.ranges", str(dimensions)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        ours, brute, megabytes = map(float, done.stdout.split())
        what = f"1 event, 100,000 subscriptions, {dimensions}D"
        rows.append(compare(what, "us", ours, "numpy brute force", brute))
        rows.append(compare(f"{what}: peak memory", "MB", megabytes, "1 GB", 1024.0, 1.0))
    return rows


def _one_dimension(dimensions: int) -> None:
    lows, highs = draw_boxes(WIDTHS, dimensions, 100_000, 1)
    points = np.random.default_rng(2).random((EVENTS, dimensions))
    matcher = _matcher(lows, highs, points)
    ours = cpu_seconds(matcher.find, points) / EVENTS * MICRO
    peak = _high_water()
    brute = cpu_seconds(_brute_force, lows, highs, points[:100], repeats=2) / 100 * MICRO
    print(ours, brute, peak)


def _high_water() -> float:
    """The most memory this process ever held, in MB; getrusage would count what its parent held before."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM"))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _one_dimension(int(sys.argv[1]))
    else:
        for row in run():
            print(row)
