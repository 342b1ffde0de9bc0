"""Pictures of a trace: its activity over time, how long pairs stay apart, and how many others each node meets."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from hunet.report.style import INK, PALETTE, axes_in_house_style, new_figure

__all__ = ["draw_degrees", "draw_gaps", "draw_hours"]

HOUR = 3_600.0
DAY = 86_400.0

Numbers = npt.NDArray[np.float64] | npt.NDArray[np.int64]

SPANS = ((1.0, "1 s"), (60.0, "1 min"), (600.0, "10 min"), (HOUR, "1 h"), (6 * HOUR, "6 h"), (DAY, "1 day"),
          (7 * DAY, "1 week"), (30 * DAY, "30 days"), (365 * DAY, "1 year"))  # fmt: skip


def draw_hours(title: str, hours: Numbers, per_hour: Numbers) -> Figure:
    """Contacts that begin in each hour; `hours` are the starts of the hours in seconds."""
    figure = new_figure(9.0, 3.4)
    axes = figure.subplots()
    days = (np.asarray(hours) - (hours[0] if len(hours) else 0.0)) / DAY
    axes.fill_between(np.append(days, days[-1:] + 1 / 24), np.append(per_hour, per_hour[-1:]), step="post",
                      color=PALETTE[0], alpha=0.25, linewidth=0)  # fmt: skip
    axes.step(np.append(days, days[-1:] + 1 / 24), np.append(per_hour, per_hour[-1:]), where="post", color=PALETTE[0],
              linewidth=1.1)  # fmt: skip
    axes_in_house_style(axes, f"{title}: contacts per hour", "days since the first contact", "contacts")
    axes.set_xlim(0, max(1 / 24, float(days[-1]) + 1 / 24) if len(days) else 1)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _place: f"{value:,.0f}"))
    return figure


def draw_gaps(title: str, gaps: Numbers, share: Numbers, mean: float | None) -> Figure:
    """The share of inter-contact times longer than x, on logarithmic axes, with the mean marked.

    Where there is no such share, because no pair meets twice or all times are equal, the figure says so.
    """
    figure = new_figure(6.4, 4.4)
    axes = figure.subplots()
    axes_in_house_style(
        axes, f"{title}: inter-contact times", "x: time between two contacts of a pair", "share longer than x"
    )
    seen = np.asarray(share) > 0
    if not seen.any():
        words = "no pair meets twice" if mean is None else f"all are {mean:,.6g} s"
        axes.text(0.5, 0.5, words, transform=axes.transAxes, ha="center", va="center", color=INK)
        axes.set(xticks=[], yticks=[])
        return figure
    axes.plot(np.asarray(gaps)[seen], np.asarray(share)[seen], color=PALETTE[1], linewidth=2.2)
    axes.set_xscale("log")
    axes.set_yscale("log")
    low, high = float(np.asarray(gaps)[seen].min()), float(np.asarray(gaps).max())
    marks = [(span, text) for span, text in SPANS if low / 2 <= span <= high * 2]
    axes.set_xticks([span for span, _ in marks], labels=[text for _, text in marks])
    axes.set_xticks([], minor=True)
    axes.set_ylim(top=1.3)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _place: f"{100 * value:g} %"))
    if mean is not None and low < mean < high:
        axes.axvline(mean, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        axes.annotate("mean", (mean, 0.75), xytext=(4, 0), textcoords="offset points", color=INK, fontsize=9)
    return figure


def draw_degrees(title: str, degrees: Numbers) -> Figure:
    """How many nodes meet how many others."""
    figure = new_figure(6.4, 4.0)
    axes = figure.subplots()
    fewest, most = int(min(degrees, default=0)), int(max(degrees, default=1))
    width = -(-(most - fewest + 1) // 60)
    edges = [edge - 0.5 for edge in range(fewest, most + width + 1, width)]
    axes.hist(degrees, bins=edges, color=PALETTE[2], edgecolor="white", linewidth=0.6)
    axes_in_house_style(axes, f"{title}: whom they meet", "distinct peers of a node (degree)", "nodes")
    if len(degrees):
        mean = float(np.mean(degrees))
        axes.axvline(mean, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        to_the_left = mean > (fewest + most) / 2
        axes.annotate(
            f"mean {mean:.1f}",
            (mean, axes.get_ylim()[1]),
            xytext=(-5 if to_the_left else 5, -10),
            textcoords="offset points",
            ha="right" if to_the_left else "left",
            color=INK,
            fontsize=9,
        )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(False, axis="x")
    return figure
