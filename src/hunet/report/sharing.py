"""Pictures of context sharing: what it saves, what false positives cost, and an interest that spreads and dies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from hunet.report.style import INK, PALETTE, axes_in_house_style, new_figure

__all__ = ["Frame", "draw_lost_savings", "draw_readings", "draw_savings", "draw_spread"]

_QUIET = "#c3ccd5"


def draw_savings(
    title: str, table: pd.DataFrame, axis: str, least: float, printed: tuple[float, str], overhead: tuple[float, str]
) -> Figure:
    """Savings against an amount, a panel per arena and a line per hop limit; hollow where they do not count.

    Columns: arena, hops, amount, savings with its ends, relative_coverage, which must reach `least` to count.
    `printed` is the amount that the paper names, and how; `overhead` what it says is lost in the dense arena.
    """
    figure, panels = _panels(title, list(table["arena"].unique()))
    for arena, panel in panels.items():
        panel.axhline(0.0, color=INK, linewidth=1)
        panel.axvline(printed[0], color=INK, linestyle=":", linewidth=1, label=printed[1])
        if arena == "dense":
            panel.axhline(overhead[0], color=INK, linestyle="-.", linewidth=1, label=overhead[1])
        for colour, (hops, line) in zip(PALETTE, table[table["arena"] == arena].groupby("hops"), strict=False):
            _line(panel, line, "amount", "savings", colour, f"hop limit {hops}")
            idle = line[line["relative_coverage"] < least]
            panel.plot(idle["amount"], idle["savings"], "o", color=colour, markerfacecolor="white")
        axes_in_house_style(panel, f"{arena} arena", axis, "bytes saved, %")
    panels[next(iter(panels))].legend(frameon=False)
    return figure


def draw_lost_savings(title: str, table: pd.DataFrame, labels: int) -> Figure:
    """Savings lost to false positives against the slots, a line per percentage; a mark at as many slots as labels."""
    figure, panels = _panels(title, list(table["arena"].unique()))
    for arena, panel in panels.items():
        panel.axvline(labels, color=_QUIET, linestyle="--", linewidth=1.5, label=f"as many slots as labels: {labels}")
        for colour, (percent, line) in zip(PALETTE, table[table["arena"] == arena].groupby("amount"), strict=False):
            _line(panel, line, "m", "lost_savings", colour, f"{percent} % of the labels")
        panel.set_ylim(bottom=0)
        axes_in_house_style(panel, f"{arena} arena", "slots of the interest summary (m)", "savings missed, points")
    panels[next(iter(panels))].legend(frameon=False)
    return figure


def draw_readings(title: str, table: pd.DataFrame, words: Mapping[str, str]) -> Figure:
    """Savings against each reading, varied by itself: a panel per reading, arenas by colour, percentages by style."""
    columns = 4
    rows = -(-len(words) // columns)
    figure = new_figure(3.4 * columns, 3.1 * rows + 0.5)
    figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    panels = figure.subplots(rows, columns, squeeze=False, sharey=True).ravel()
    for panel, (reading, axis) in zip(panels, words.items(), strict=False):
        panel.axhline(0.0, color=INK, linewidth=1)
        part = table[table["reading"] == reading]
        for colour, (arena, lines) in zip(PALETTE, part.groupby("arena", sort=False), strict=False):
            for style, (percent, line) in zip(("-", "--", ":"), lines.groupby("amount"), strict=False):
                panel.plot(
                    line["value"], line["savings"], style, marker="o", markersize=4, color=colour,
                    label=f"{arena}, {percent} %",
                )  # fmt: skip
        axes_in_house_style(panel, "", axis, "bytes saved, %" if panel in panels[::columns] else "")
    for panel in panels[len(words) :]:
        panel.set_visible(False)
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="lower right", frameon=False)
    return figure


def _panels(title: str, arenas: Sequence[str]) -> tuple[Figure, dict[str, Axes]]:
    figure = new_figure(5.0 * len(arenas), 4.2)
    figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    return figure, dict(zip(arenas, figure.subplots(1, len(arenas), squeeze=False, sharey=True)[0], strict=True))


def _line(panel: Axes, line: pd.DataFrame, x: str, y: str, colour: str, label: str) -> None:
    half = line[f"{y}_hi"] - line[y]
    panel.errorbar(line[x], line[y], yerr=half, color=colour, marker="o", markersize=4, capsize=3, label=label)


class Frame(NamedTuple):
    """One moment: where nodes are, who is near whom, and how many hops each one's filter gives the interest."""

    second: float
    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]
    near: Sequence[tuple[int, int]]
    hops: npt.NDArray[np.int64]


def draw_spread(title: str, frames: Sequence[Frame], owner: int) -> Figure:
    """A strip of moments: the owner of an interest, and those whose filters know of it."""
    figure = new_figure(2.9 * len(frames), 3.7)
    figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    for panel, frame in zip(figure.subplots(1, len(frames), squeeze=False)[0], frames, strict=True):
        for a, b in frame.near:
            panel.plot(frame.x[[a, b]], frame.y[[a, b]], color=_QUIET, linewidth=0.8, zorder=1)
        colours = np.array([_QUIET, PALETTE[2], PALETTE[0]])[np.minimum(frame.hops, 2)]
        panel.scatter(frame.x, frame.y, c=colours, s=np.where(frame.hops > 0, 55, 22), zorder=2)
        panel.scatter(frame.x[owner], frame.y[owner], marker="*", s=190, color=PALETTE[1], zorder=3)
        panel.set_title(f"{frame.second:g} s", loc="left", fontsize=11, color=INK, fontweight="bold")
        panel.set_xlabel(f"known to {int((np.delete(frame.hops, owner) > 0).sum())}", color=INK)
        panel.set_xticks([])
        panel.set_yticks([])
        panel.set_aspect("equal")
        for side in panel.spines.values():
            side.set_color(_QUIET)
    legend = [
        Line2D([], [], marker="*", markersize=13, linestyle="", color=PALETTE[1], label="who wants it"),
        Line2D([], [], marker="o", markersize=7, linestyle="", color=PALETTE[0], label="knows: 2 hops"),
        Line2D([], [], marker="o", markersize=7, linestyle="", color=PALETTE[2], label="knows: 1 hop"),
        Line2D([], [], marker="o", markersize=5, linestyle="", color=_QUIET, label="does not know"),
    ]
    figure.legend(handles=legend, loc="outside lower center", ncols=4, frameon=False)
    return figure
