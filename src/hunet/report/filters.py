"""Pictures of filters: one decaying, two merging, one travelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from hunet.report.style import INK, PALETTE, axes_in_house_style, new_figure

__all__ = ["draw_decay", "draw_merges", "draw_travel"]


def draw_decay(
    minutes: Sequence[float], counters: npt.NDArray[np.int64], values: Mapping[str, Sequence[float]]
) -> Figure:
    """A TCBF over time: every counter as a strip of colour, and the smallest counter of each key as a line."""
    figure = new_figure(8.0, 5.2)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[1, 1.3])
    extent = (minutes[0], minutes[-1], counters.shape[1] - 0.5, -0.5)
    image = upper.imshow(counters.T, aspect="auto", cmap="Blues", extent=extent, interpolation="nearest")
    axes_in_house_style(upper, "A TCBF forgets what is not renewed", "", "counter (position)")
    upper.grid(False)
    figure.colorbar(image, ax=upper, label="value", pad=0.01)
    for colour, (key, series) in zip(PALETTE, values.items(), strict=False):
        lower.step(minutes, series, where="post", color=colour, linewidth=2, label=key)
    axes_in_house_style(lower, "The smallest counter of each key: at 0 the key is gone", "minutes", "smallest counter")
    lower.set_ylim(0, 1.3 * max(max(series) for series in values.values()))
    lower.legend(frameon=False, ncols=len(values), loc="upper left")
    return figure


def draw_merges(
    operands: Mapping[str, Sequence[int]], results: Mapping[str, Sequence[int]], echo: Mapping[str, Sequence[int]]
) -> Figure:
    """A- against M-merge: two operands and both results as bars, and what repeated merging between two nodes does."""
    figure = new_figure(9.0, 4.2)
    left, right = figure.subplots(1, 2, width_ratios=[1.25, 1])
    bars = {**operands, **results}
    width = 0.8 / len(bars)
    for i, (colour, (name, row)) in enumerate(zip(PALETTE, bars.items(), strict=False)):
        places = np.arange(len(row)) + (i - (len(bars) - 1) / 2) * width
        left.bar(places, row, width, color=colour, label=name)
    axes_in_house_style(left, "Sum or maximum, counter by counter", "position", "counter")
    left.set_xticks(range(len(next(iter(bars.values())))))
    left.yaxis.set_major_locator(MaxNLocator(integer=True))
    left.grid(False, axis="x")
    left.legend(frameon=False, ncols=2, loc="upper left")
    left.set_ylim(top=1.35 * max(max(row) for row in bars.values()))
    for colour, (name, series) in zip(PALETTE[2:], echo.items(), strict=False):
        right.step(range(len(series)), series, where="post", color=colour, linewidth=2, label=name)
    axes_in_house_style(right, "B and C keep meeting; A is long gone", "time", "counter of A's interest at B")
    right.set_yscale("symlog", linthresh=10)
    right.set_yticks([0, 5, 10, 100, 255], labels=["0", "5", "10", "100", "255"])
    right.legend(frameon=False)
    return figure


def draw_travel(seconds: Sequence[float], hops: npt.NDArray[np.int64], left: npt.NDArray[np.int64]) -> Figure:
    """One interest along a line of nodes: rows are nodes, columns moments; colour and text say what is known."""
    figure = new_figure(8.0, 3.4)
    axes = figure.subplots()
    nodes = hops.shape[1]
    axes.imshow(np.where(hops > 0, left, np.nan).T, cmap="Greens", vmin=-5, vmax=20, aspect="auto", origin="lower")
    for moment in range(len(seconds)):
        for node in range(nodes):
            count = int(hops[moment, node])
            text = f"{count} hop{'s' * (count > 1)}\n{left[moment, node]} s" if count else "·"
            axes.text(moment, node, text, ha="center", va="center", color=INK, fontsize=9)
    axes_in_house_style(
        axes, "An interest of node 0 for 2 hops and 15 s, as the filters of others know it", "seconds", "node"
    )
    axes.grid(False)
    axes.set_xticks(np.arange(len(seconds) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(nodes + 1) - 0.5, minor=True)
    axes.grid(True, which="minor", color="white", linewidth=3)
    axes.tick_params(which="minor", length=0)
    axes.set_xticks(range(len(seconds)), labels=[f"{s:g}" for s in seconds])
    axes.set_yticks(range(nodes))
    return figure
