"""Pictures of ranges, cell by cell: `python -m hunet.studies.papers.zigzag.pictures DIR`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from hunet.content.curves import Curve, hilbert, z_order
from hunet.content.grid import unit_grid
from hunet.content.transform import Approximation, inclusive, refine
from hunet.report.ranges import CellPicture, draw_cells
from hunet.report.style import save
from hunet.studies.papers.zigzag.tables import DRAWN

__all__ = ["draw_covers", "draw_pictures"]


def draw_pictures(directory: Path) -> list[Path]:
    """Write the two pictures of the page and return where they are."""
    return [
        save(draw_covers(), directory / "ranges-cover.png"),
        save(_curves_picture(), directory / "ranges-curves.png"),
    ]


def draw_covers() -> Figure:
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


if __name__ == "__main__":
    for path in draw_pictures(Path(sys.argv[1])):
        print(f"picture: {path}")
