"""Pictures of simulations: one run, and protocols side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from hunet.report.style import INK, PALETTE, axes_in_house_style, new_figure

__all__ = ["draw_comparison", "draw_run", "draw_sweep"]

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
    """Delivery against copies, one point per protocol (keys: protocol, copies, delivery_ratio, delay in seconds)."""
    figure = new_figure(8.0, 5.0)
    axes = figure.subplots()
    delays = np.array([float(row["delay"]) for row in rows])
    unit, word = _unit(float(np.nanmax(delays)) if delays.size else 0.0)
    widest = 1.2 * max((float(row["copies"]) for row in rows), default=1.0)
    labelled: list[tuple[float, float]] = []
    for place, row in enumerate(rows):
        x, y = float(row["copies"]), float(row["delivery_ratio"])
        colour = PALETTE[place % len(PALETTE)]
        axes.scatter([x], [y], s=90, color=colour, zorder=3, edgecolor="white", linewidth=1)
        crowded = any(abs(x - other) < 0.15 * widest and abs(y - height) < 0.05 for other, height in labelled)
        label = f"{row['protocol']}  {delays[place] / unit:.1f}"
        axes.annotate(label, (x, y), (8, -14 if crowded else 6), textcoords="offset points", color=INK, fontsize=9)
        labelled.append((x, y))
    axes.set_xlim(left=0, right=widest)
    axes.set_ylim(0, 1.05)
    axes_in_house_style(axes, title, "copies of a delivered message", "delivery ratio")
    axes.text(
        0.99,
        0.02,
        f"beside each name: mean delay in {word}",
        transform=axes.transAxes,
        ha="right",
        fontsize=9,
        color=INK,
    )
    return figure


def draw_sweep(title: str, x: str, y: str, lines: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> Figure:
    """A measure against a parameter on a base-2 axis, one line per protocol."""
    figure = new_figure(7.0, 4.2)
    axes = figure.subplots()
    for colour, (name, (places, values)) in zip(PALETTE, lines.items(), strict=False):
        axes.plot(places, values, color=colour, linewidth=2, marker="o", markersize=4, label=name)
    axes.set_xscale("log", base=2)
    axes_in_house_style(axes, title, x, y)
    axes.legend(frameon=False)
    return figure


def _unit(seconds: float) -> tuple[float, str]:
    """The unit in which so many seconds read well."""
    return next((unit, word) for least, unit, word in _UNITS if seconds >= least)
