"""Pictures of ranges: the grid and its curve, a subscription and its cells, and lines of a measured table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import LogLocator

from hunet.report.style import INK, PALETTE, axes_in_house_style, new_figure

__all__ = ["CellPicture", "Line", "draw_cells", "draw_lines", "draw_panels"]

Path = npt.NDArray[np.int64]
Side = tuple[float, float]


class CellPicture(NamedTuple):
    """One panel: cells in the order of a curve, those that are covered, and the subscription drawn over them."""

    title: str
    path: Path
    """Coordinates of the cells in the order of the curve, one row each."""
    covered: Sequence[int]
    """Which of them are covered, by their number."""
    box: tuple[Side, Side] | None
    """The subscription: from, to in x and in y, counted in cells."""
    runs: Sequence[tuple[int, int]] = ()
    """Covered intervals; each gets a colour and, in place of the whole curve, its part of it is drawn."""
    numbered: bool = True


def draw_cells(panels: Sequence[CellPicture]) -> Figure:
    """Panels side by side."""
    figure = new_figure(3.6 * len(panels), 4.0)
    for axes, panel in zip(np.atleast_1d(figure.subplots(1, len(panels))), panels, strict=True):
        _draw_panel(axes, panel)
    return figure


def _draw_panel(axes: Axes, panel: CellPicture) -> None:
    side = int(panel.path.max()) + 1
    for number in panel.covered:
        x, y = panel.path[number]
        axes.add_patch(Rectangle((x, y), 1, 1, color="#cfe3ec", linewidth=0))
    for run, (start, stop) in enumerate(panel.runs or [(0, len(panel.path) - 1)]):
        xs, ys = panel.path[start : stop + 1].T + 0.5
        colour = PALETTE[run % len(PALETTE)] if panel.runs else "#8d99ae"
        axes.plot(xs, ys, color=colour, linewidth=2 if panel.runs else 1.3, marker="o", markersize=3, zorder=2)
    if panel.numbered:
        for number, (x, y) in enumerate(panel.path):
            axes.text(x + 0.06, y + 0.07, str(number), color=INK, fontsize=9, zorder=4)
    if panel.box:
        (left, right), (bottom, top) = panel.box
        width, height = right - left, top - bottom
        axes.add_patch(
            Rectangle((left, bottom), width, height, fill=False, edgecolor=PALETTE[1], linewidth=2, zorder=3)
        )
    axes_in_house_style(axes, panel.title, "", "")
    axes.set(xlim=(0, side), ylim=(0, side), aspect="equal")
    axes.set_xticks(range(side + 1), labels=[])
    axes.set_yticks(range(side + 1), labels=[])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(True)
    axes.spines[:].set_color("#c4ccd4")


class Line(NamedTuple):
    """Values over x, and between which limits each may lie (none where that is not known)."""

    xs: list[float]
    ys: list[float]
    lows: list[float]
    highs: list[float]


def draw_lines(title: str, x: str, y: str, lines: Mapping[str, Line], reference: float | None = None) -> Figure:
    """Lines over a logarithmic x axis (base 2) and a logarithmic y axis; `reference` is what the paper prints."""
    return draw_panels({title: lines}, x, y, reference)


def draw_panels(panels: Mapping[str, Mapping[str, Line]], x: str, y: str, reference: float | None = None) -> Figure:
    """Such lines in several panels side by side, by their titles; lines of one name have one colour."""
    figure = new_figure(5.0 * len(panels) + 3.0, 4.4)
    for axes, (title, lines) in zip(np.atleast_1d(figure.subplots(1, len(panels))), panels.items(), strict=True):
        _draw_lines(axes, lines, reference)
        axes_in_house_style(axes, title, x, y)
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, fontsize=9, loc="outside right center")
    return figure


def _draw_lines(axes: Axes, lines: Mapping[str, Line], reference: float | None) -> None:
    for i, (name, (xs, ys, lows, highs)) in enumerate(lines.items()):
        again = i >= len(PALETTE)
        if lows:
            axes.fill_between(xs, lows, highs, color=PALETTE[i % len(PALETTE)], alpha=0.15, linewidth=0)
        axes.plot(
            xs,
            ys,
            "--" if again else "-",
            color=PALETTE[i % len(PALETTE)],
            linewidth=2,
            marker="s" if again else "o",
            markersize=4,
            label=name,
        )
    if reference is not None:
        axes.axhline(reference, color=INK, linewidth=1, linestyle=":", label=f"printed: {reference:g}")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    ticks = sorted({value for line in lines.values() for value in line.xs})
    axes.set_xticks(ticks, labels=[f"{value:g}" for value in ticks])
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.minorticks_off()
