"""Pictures of ranges (`python -m hunet.studies.papers.zigzag.pictures DIR`), and the figures of [zigzag] as plots."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from hunet.content.curves import Curve, hilbert, z_order
from hunet.content.grid import unit_grid
from hunet.content.transform import Approximation, inclusive, refine
from hunet.report.ranges import CellPicture, Line, draw_cells, draw_lines, draw_panels
from hunet.report.style import save
from hunet.studies.papers.reproduction import Table
from hunet.studies.papers.zigzag.tables import DRAWN

__all__ = ["draw_figure", "draw_pictures"]


def draw_pictures(directory: Path) -> list[Path]:
    """Write the two pictures of the page and return where they are."""
    return [
        save(_covers_picture(), directory / "ranges-cover.png"),
        save(_curves_picture(), directory / "ranges-curves.png"),
    ]


def _covers_picture() -> Figure:
    """The drawing of [zigzag] Fig. 2: the grid, a subscription in 4 cells, and the same with a second level."""
    curve, second = z_order(2, 2), z_order(2, 2)
    lows, highs = (np.array([corner]) for corner in DRAWN)
    coarse = inclusive(unit_grid(curve), lows, highs)
    fine = refine(coarse, 4).fine
    return draw_cells(
        [
            CellPicture("4 x 4 cells along the curve", _path(curve), (), None),
            _panel("Cells of a subscription", curve, coarse),
            _panel("Those 4 cut 4 x 4", second, fine),
        ]
    )


def _panel(title: str, curve: Curve, cells: Approximation) -> CellPicture:
    return CellPicture(f"{title}: P_T = {cells.p_t[0]:.0%}", _path(curve), _numbers(curve, cells), _box(cells))


def _curves_picture() -> Figure:
    """One box along both curves, one colour per interval."""
    panels = []
    for curve in (z_order(2, 4), hilbert(2, 4)):
        cells = inclusive(unit_grid(curve), np.array([[0.2, 0.3]]), np.array([[0.8, 0.73]]))
        runs = curve.cover(*cells.boxes()).of(0)
        name = "Z-order" if curve.kind == "z-order" else "Hilbert"
        title = f"{name}: {int(cells.cells[0])} cells in {len(runs)} intervals"
        panels.append(CellPicture(title, _path(curve), _numbers(curve, cells), _box(cells), runs, numbered=False))
    return draw_cells(panels)


def _path(curve: Curve) -> Any:
    return curve.cells(np.arange(2**curve.id_bits)).astype(np.int64)


def _numbers(curve: Curve, cells: Approximation) -> list[int]:
    return [n for a, b in curve.cover(*cells.boxes()).of(0) for n in range(a, b + 1)]


def _box(cells: Approximation) -> tuple[tuple[float, float], tuple[float, float]]:
    (left, bottom), (right, top) = cells.lows[0].tolist(), cells.highs[0].tolist()
    return (left, right), (bottom, top)


def draw_figure(name: str, table: Table) -> Figure:
    """The plot of one of ZigZag's tables."""
    return _PLOTS[name](table)


def _lines(table: Table, by: Callable[[dict[str, Any]], str], x: str, y: str) -> Mapping[str, Line]:
    """With limits where the table has them: means over seeds."""
    lines: dict[str, Line] = {}
    for row in table:
        line = lines.setdefault(by(row), Line([], [], [], []))
        line.xs.append(row[x])
        line.ys.append(row[y])
        if f"{y}_lo" in row:
            line.lows.append(row[f"{y}_lo"])
            line.highs.append(row[f"{y}_hi"])
    return lines


def _points(table: Table) -> Figure:
    lines = _lines(table, lambda row: f"{row['curve']}, widths {row['workload']}", "dim", "points_per_interval")
    printed = Line([2, 3, 4], [6.18, 6.25, 6.52], [], [])
    return draw_lines("Cells per interval", "dimensions", "cells per interval", {**lines, "printed": printed})


def _insertions(table: Table) -> Figure:
    lines = _lines(table, lambda row: row["method"], "dim", "t_total")
    return draw_lines("Transforming and inserting a subscription", "dimensions", "CPU microseconds", lines)


def _filter_insertions(table: Table) -> Figure:
    lines = _lines(table, lambda row: row["structure"] + (f", k = {row['k']}" if row["k"] else ""), "dim", "t_insert")
    return draw_lines("Inserting a transformed subscription", "dimensions", "CPU microseconds", lines)


def _queries(table: Table) -> Figure:
    lines = _lines(table, lambda row: row["structure"] + (f", k = {row['k']}" if row["k"] else ""), "cells", "t_query")
    return draw_lines(
        "One event against 100 subscriptions of 4 attributes", "cells per dimension", "CPU microseconds", lines
    )


def _growth(table: Table) -> Figure:
    last = {(row["dim"], row["curve"]): row["slope"] for row in table}
    lines = _lines(
        table,
        lambda row: f"{row['dim']}D {row['curve']}, slope {last[row['dim'], row['curve']]:.1f}",
        "cells",
        "intervals",
    )
    return draw_lines("Intervals per subscription", "cells per dimension", "intervals", lines)


def _rates(table: Table) -> Figure:
    panels = {
        f"Widths {workload}": _lines(
            [row for row in table if row["workload"] == workload], lambda row: f"{row['dim']}D", "cells", "p_t"
        )
        for workload in dict.fromkeys(row["workload"] for row in table)
    }
    return draw_panels(panels, "cells per dimension", "false-positive rate P_T", reference=0.03)


def _filter_rates(table: Table) -> Figure:
    rows = [row for row in table if row["extra_fpr_measured"] > 0]
    lines = _lines(rows, lambda row: f"{row['dim']}D {row['sizing']}, {row['workload']}", "cells", "extra_fpr_measured")
    return draw_lines(
        "What Bloom filters add", "cells per dimension", "extra false-positive rate", lines, reference=0.016
    )


_PLOTS: Mapping[str, Callable[[Table], Figure]] = {
    "ZZ-F2": lambda _table: _covers_picture(),
    "ZZ-T1": _points,
    "ZZ-F3a": _insertions,
    "ZZ-F3b": _filter_insertions,
    "ZZ-F3c": _queries,
    "ZZ-F4": _growth,
    "ZZ-F5": _rates,
    "ZZ-F6": _filter_rates,
}


if __name__ == "__main__":
    for path in draw_pictures(Path(sys.argv[1])):
        print(f"picture: {path}")
