"""The picture of a search for good settings: what each costs and delivers, in the search and when judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hunet.report.style import INK, PALETTE, axes_in_house_style, new_figure

__all__ = ["Spread", "draw_tuning"]


class Spread(NamedTuple):
    """A point with the interval of its height."""

    cost: float
    delivery: float
    low: float
    high: float


def draw_tuning(
    title: str, tried: pd.DataFrame, places: Mapping[str, int], judged: Mapping[str, Spread], enough: float, cost: str
) -> Figure:
    """Left every candidate (columns delivery, cost, round), right those that were judged.

    `places` are rows of `tried` to name; the same names have the same colours on the right. `enough` is the goal.
    """
    figure = new_figure(10.0, 4.6)
    figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    left, right = figure.subplots(1, 2, sharey=True)
    colours = dict(zip(("push", "defaults", "tuned"), PALETTE, strict=False))
    last = tried["round"].max()
    for number, part in tried.groupby("round"):
        shade = 0.25 + 0.5 * float(str(number)) / float(last)
        left.scatter(part["cost"], part["delivery"], s=14, color=INK, alpha=shade, linewidth=0)
    for name, place in places.items():
        point = tried.loc[place]
        left.scatter([point["cost"]], [point["delivery"]], s=90, color=colours[name], edgecolor="white", label=name)
    for name, at in judged.items():
        height = [[at.delivery - at.low], [at.high - at.delivery]]
        right.errorbar([at.cost], [at.delivery], yerr=height, fmt="o", markersize=9, capsize=4, color=colours[name],
                       label=name)  # fmt: skip
    for axes, heading in ((left, "searched: the first 70 %"), (right, "judged: the last 30 %")):
        _goal(axes, enough)
        axes_in_house_style(axes, heading, cost, "delivery, as a share of PUSH's")
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False, loc="lower right")
    return figure


def _goal(axes: Axes, enough: float) -> None:
    axes.axhline(enough, color=PALETTE[3], linewidth=1.4, linestyle=(0, (5, 3)), label=f"goal {enough:g}")
