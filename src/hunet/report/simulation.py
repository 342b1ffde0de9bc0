"""Pictures of simulations: one run, and protocols side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from hunet.report.style import INK, PALETTE, axes_in_house_style, new_figure

__all__ = ["draw_comparison", "draw_run", "draw_standing"]

_UNITS = ((86400.0 * 2, 86400.0, "days"), (7200.0, 3600.0, "hours"), (120.0, 60.0, "minutes"), (0.0, 1.0, "seconds"))


def draw_run(title: str, delay: npt.NDArray[np.float64], wanted: int, copies: npt.NDArray[np.generic]) -> Figure:
    """Share of the wanted pairs delivered within a delay, and how many nodes messages reached."""
    figure = new_figure(9.0, 3.8)
    left, right = figure.subplots(1, 2)
    unit, word = _unit(float(delay.max()) if delay.size else 0.0)
    share = np.arange(1, delay.size + 1) / max(wanted, 1)
    left.step(np.append(0.0, np.sort(delay) / unit), np.append(0.0, share), where="post", color=PALETTE[0], linewidth=2)
    left.set_ylim(0, 1.02)
    left.set_xlim(left=0)
    axes_in_house_style(left, title, f"delay ({word})", "share of wanted pairs delivered")
    most = int(copies.max()) if copies.size else 1
    bins = np.arange(0.5, most + 1.5, max(1, round(most / 40)))
    right.hist(copies, bins=bins.tolist(), color=PALETTE[2])
    axes_in_house_style(right, "How far messages went", "nodes that had a message", "messages")
    return figure


def draw_comparison(title: str, rows: Sequence[Mapping[str, float | str]]) -> Figure:
    """Delivery against transfers, one point per protocol (keys: protocol, transfers, delivery_ratio, delay in seconds).

    A protocol that delivered nothing has no transfers per delivery, and no point.
    """
    rows = [row for row in rows if np.isfinite(float(row["transfers"]))]
    figure = new_figure(8.0, 5.0)
    axes = figure.subplots()
    delays = np.array([float(row["delay"]) for row in rows])
    unit, word = _unit(float(delays.max()) if delays.size else 0.0)
    widest = 1.2 * max((float(row["transfers"]) for row in rows), default=1.0)
    axes.set_xlim(left=0, right=widest)
    axes.set_ylim(0, 1.05)
    axes_in_house_style(axes, title, "transfers per delivery", "delivery ratio")
    hint = f"beside each name: mean delay in {word}"
    axes.text(0.99, 0.02, hint, transform=axes.transAxes, ha="right", fontsize=9, color=INK)
    names = {}
    for place, row in enumerate(rows):
        point = float(row["transfers"]), float(row["delivery_ratio"])
        colour, marker = PALETTE[place % len(PALETTE)], "o" if place < len(PALETTE) else "s"
        axes.scatter(*point, s=90, color=colour, marker=marker, zorder=3, edgecolor="white", linewidth=1)
        names[f"{row['protocol']}  {delays[place] / unit:.1f}"] = point
    if names:
        figure.draw_without_rendering()  # only now the places of points on the page are known
        _write_beside(axes, names)
    return figure


_STANDING = (
    ("delivery_ratio", "delivered", "share of what is wanted", 1.0),
    ("delivered_within_4h", "delivered within 4 h", "share of what is wanted", 1.0),
    ("forwards_per_delivery", "transfers", "per delivery", 1.0),
    ("overhead_bytes_per_contact", "overhead", "bytes per contact", 1.0),
)
"""Measure, heading, what the axis says, and its unit."""


def draw_standing(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """One panel per measure, a line per protocol, a colour per trace; intervals where there are several seeds.

    Rows have trace, protocol, and each measure with its `..._low` and `..._high`.
    """
    protocols = list(dict.fromkeys(row["protocol"] for row in rows))
    traces = list(dict.fromkeys(row["trace"] for row in rows))
    figure = new_figure(13.0, 1.6 + 0.42 * len(protocols))
    panels = figure.subplots(1, len(_STANDING), sharey=True)
    for panel, (measure, heading, words, unit) in zip(panels, _STANDING, strict=True):
        for number, trace in enumerate(traces):
            some = [row for row in rows if row["trace"] == trace]
            middle, low, high = (
                np.array([row[f"{measure}{end}"] for row in some], np.float64) / unit for end in ("", "_low", "_high")
            )
            place = np.array([protocols.index(row["protocol"]) for row in some]) + 0.15 * (
                number - (len(traces) - 1) / 2
            )
            reach = np.nan_to_num(np.stack((middle - low, high - middle)))
            panel.errorbar(middle, place, xerr=reach, fmt="o", markersize=5, elinewidth=1.2, color=PALETTE[number],
                           label=trace)  # fmt: skip
        panel.set_yticks(range(len(protocols)), protocols)
        panel.set_xlim(left=0)
        axes_in_house_style(panel, heading, words, "")
    panels[0].invert_yaxis()
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper right", ncols=len(traces), frameon=False)
    return figure


_CORNERS = (("left", 7, "bottom", 3), ("left", 7, "top", -3), ("right", -7, "bottom", 3), ("right", -7, "top", -3))
"""Where a name can stand: how it is aligned, and how many typographic points it is off, across and up."""


def _write_beside(axes: Axes, names: Mapping[str, tuple[float, float]]) -> None:
    """Write a name at each point, at the corner that is farthest from the other points and from names already there."""
    page = axes.get_window_extent()
    spots = axes.transData.transform(list(names.values()))
    taken = [Bbox.from_extents(*(spot - 10), *(spot + 10)) for spot in spots]
    for own, (name, point) in enumerate(names.items()):
        text = axes.annotate(name, point, (0, 0), textcoords="offset points", color=INK, fontsize=9)
        others = taken[:own] + taken[own + 1 :]
        corners = {}
        for across, right, upright, up in _CORNERS:
            text.set(ha=across, va=upright, position=(right, up))
            box = text.get_window_extent()
            inside = page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
            corners[across, right, upright, up] = min((_gap(box, other) for other in others), default=1.0) * inside
        across, right, upright, up = max(corners, key=lambda corner: min(corners[corner], 30.0))
        text.set(ha=across, va=upright, position=(right, up))
        taken.append(text.get_window_extent())


def _gap(one: Bbox, other: Bbox) -> float:
    """How far apart two boxes are, in pixels; 0 where they overlap."""
    across = max(one.x0 - other.x1, other.x0 - one.x1, 0.0)
    up = max(one.y0 - other.y1, other.y0 - one.y1, 0.0)
    return float(np.hypot(across, up))


def _unit(seconds: float) -> tuple[float, str]:
    """The unit in which so many seconds read well."""
    return next((unit, word) for least, unit, word in _UNITS if seconds >= least)
