"""Pictures of a live network: when it was used, and how soon and over how many hops messages came."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from hunet.report.style import INK, PALETTE, axes_in_house_style, new_figure
from hunet.report.traces import DAY, HOUR, SPANS

__all__ = ["draw_delays", "draw_hops", "draw_traffic"]

Numbers = npt.NDArray[np.float64] | npt.NDArray[np.int64]


def draw_traffic(title: str, begin: float, curves: Mapping[str, tuple[Numbers, Numbers]]) -> Figure:
    """What happened per hour: by its name, starts of hours in seconds and how often; days are counted from `begin`."""
    figure = new_figure(9.0, 3.4)
    axes = figure.subplots()
    axes_in_house_style(axes, f"{title}: messages per hour", "days since the first contact", "per hour")
    for colour, (what, (hours, per_hour)) in zip(PALETTE, curves.items(), strict=False):
        days = (np.append(hours, hours[-1:] + HOUR) - begin) / DAY
        axes.step(days, np.append(per_hour, per_hour[-1:]), where="post", color=colour, linewidth=1.4, label=what)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    axes.legend(frameon=False, loc="upper right")
    return figure


def draw_delays(title: str, delays: Numbers) -> Figure:
    """The share of deliveries that came within x, on a logarithmic axis, with the median marked."""
    figure = new_figure(6.4, 4.0)
    axes = figure.subplots()
    axes_in_house_style(axes, f"{title}: how soon", "x: time since it was published", "share that came within x")
    ordered = np.sort(np.maximum(delays, 1.0))
    axes.step(ordered, np.arange(1, ordered.size + 1) / ordered.size, where="post", color=PALETTE[0], linewidth=2.2)
    low, high = float(ordered[0]), float(ordered[-1])
    axes.set_xscale("log")
    axes.set_xlim(low / 1.5, high * 1.5)
    marks = [(span, text) for span, text in SPANS if low / 1.5 <= span <= high * 1.5]
    axes.set_xticks([span for span, _ in marks], labels=[text for _, text in marks])
    axes.set_xticks([], minor=True)
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _place: f"{100 * value:g} %"))
    median = float(np.median(ordered))
    axes.axvline(median, color=INK, linewidth=1, linestyle=(0, (4, 3)))
    axes.annotate("median", (median, 0.03), xytext=(4, 0), textcoords="offset points", color=INK, fontsize=9)
    return figure


def draw_hops(title: str, hops: Numbers) -> Figure:
    """How many deliveries took how many hops."""
    figure = new_figure(6.4, 4.0)
    axes = figure.subplots()
    axes_in_house_style(axes, f"{title}: over how many hops", "hops from who published it", "deliveries")
    values, counts = np.unique(hops, return_counts=True)
    axes.bar(values, counts, color=PALETTE[2], width=0.8)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _place: f"{value:,.0f}"))
    axes.grid(False, axis="x")
    return figure
