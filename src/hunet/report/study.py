"""Pictures of a study: measures against a parameter, with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hunet.report.numbers import short
from hunet.report.style import INK, PALETTE, axes_in_house_style, new_figure

__all__ = ["USUAL", "Look", "draw_study"]

_STYLES = ("-", "--", ":", "-.")
_WIDE = 16.0
"""Values that span more than this factor stand on a logarithmic axis."""
_LABELS = 9
"""So many have room on an axis, beside the legend."""
_LETTERS = 42
"""So many of a title have room above a panel, beside the legend."""
_MANY = 4
"""So many panels do not stand in one row."""


class Look(NamedTuple):
    """What a figure has besides its lines, and how its axes are."""

    mark_x: tuple[float, str] | None = None
    """A value of the parameter that is pointed out in every panel, and what it is."""
    mark_y: Mapping[str, tuple[float, str]] = {}
    """Values that are pointed out, by the measure of the panel."""
    linear_x: bool = False
    """Not logarithmic, however wide: time."""
    log_y: bool = False
    """Zero is not drawn then."""
    wide: bool = False
    """Half as wide again: where the parameter spans several magnitudes."""
    in_front: Sequence[str] = ()
    """Lines that others would hide: in front of them, and dashed."""


USUAL = Look()


def draw_study(
    title: str, means: pd.DataFrame, measures: Mapping[str, tuple[str, str]], axis: str, look: Look = USUAL
) -> Figure:
    """One panel per measure (name to heading and what it says).

    `means` has the columns line, x, measure, mean, low and high. A line whose x is missing does not depend on the
    parameter: it is drawn flat. Where none has an x, each is a bar.
    """
    across = len(measures) if len(measures) < _MANY else 2
    down = -(-len(measures) // across)
    figure = new_figure((7.2 if look.wide else 4.8) * across + 1.6, 4.0 * down + 0.4)
    figure.suptitle(fill(title, _LETTERS * across), x=0.01, ha="left", fontsize=12, fontweight="bold")
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for panel, (measure, (heading, words)) in zip(panels, measures.items(), strict=False):
        part = means[means["measure"] == measure]
        varied = bool(part["x"].notna().any())
        if varied:
            _draw_lines(panel, part, _places(part["x"]), look)
        else:
            _draw_bars(panel, part)
        _mark(panel, float(part["mean"].max()), look.mark_y.get(measure), look)
        axes_in_house_style(panel, heading, axis if varied else "", words)
    handles, labels = panels[0].get_legend_handles_labels()
    if len(labels) > 1 or look.mark_x or look.mark_y:
        figure.legend(handles, labels, loc="outside right upper", frameon=False)
    return figure


def _mark(panel: Axes, largest: float, mark_y: tuple[float, str] | None, look: Look) -> None:
    if look.mark_x is not None:
        panel.axvline(look.mark_x[0], color=INK, linestyle=":", linewidth=1, label=look.mark_x[1])
    if mark_y is not None:
        panel.axhline(mark_y[0], color=INK, linestyle="-.", linewidth=1, label=mark_y[1])
        largest = max(largest, mark_y[0])
    if look.log_y and largest > 0:
        panel.set_yscale("log")
        return
    # Of few seeds, intervals may be so wide that nothing else could be seen: they are cut.
    top = panel.get_ylim()[1]
    panel.set_ylim(0, min(top, 2 * largest) if largest > 0 else top)


def _places(found: pd.Series[Any]) -> dict[Any, float]:
    """Where each value of the parameter stands: a number where it is, words and infinity side by side."""
    values = list(dict.fromkeys(value for value in found if not _is_missing(value)))
    if all(isinstance(value, int | float) and math.isfinite(value) for value in values):
        return {value: float(value) for value in sorted(values)}
    return {value: float(place) for place, value in enumerate(values)}


def _draw_lines(panel: Axes, part: pd.DataFrame, places: Mapping[Any, float], look: Look) -> None:
    ends = [min(places.values()), max(places.values())]
    for number, (name, line) in enumerate(part.groupby("line", sort=False)):
        colour, style = PALETTE[number % len(PALETTE)], _STYLES[number // len(PALETTE) % len(_STYLES)]
        if line["x"].isna().all():
            mean, low, high = (float(line[column].iloc[0]) for column in ("mean", "low", "high"))
            panel.plot(ends, [mean, mean], color=colour, linestyle="--", linewidth=1.5, label=name)
            panel.fill_between(ends, low, high, color=colour, alpha=0.15, linewidth=0)
            continue
        line = line.assign(place=line["x"].map(places)).sort_values("place")
        half = line["high"] - line["mean"]
        in_front = name in look.in_front
        panel.errorbar(
            line["place"],
            line["mean"],
            yerr=None if half.isna().all() else half,
            color=colour,
            linestyle="--" if in_front else style,
            zorder=3 if in_front else None,
            linewidth=1.8,
            elinewidth=1.2,
            capsize=3,
            label=name,
        )
    _label_axis(panel, places, look.linear_x)


def _label_axis(panel: Axes, places: Mapping[Any, float], linear: bool) -> None:
    numbers = all(place == value for value, place in places.items())
    spread = not linear and min(places.values()) > 0 and max(places.values()) >= _WIDE * min(places.values())
    if not numbers:
        panel.set_xticks(list(places.values()), [short(value) for value in places])
    elif spread:
        panel.set_xscale("log", base=2)
        shown = _apart(sorted(places.values()))
        panel.set_xticks(shown, [short(value) for value in shown])
        panel.minorticks_off()


def _apart(values: Sequence[float]) -> list[float]:
    """Those of rising values whose labels have room on a logarithmic axis."""
    room = math.log(values[-1] / values[0]) / _LABELS
    kept = [values[0]]
    for value in values[1:]:
        if math.log(value / kept[-1]) >= room:
            kept.append(value)
    return kept


def _draw_bars(panel: Axes, part: pd.DataFrame) -> None:
    names: Sequence[str] = list(part["line"])
    for number, row in enumerate(part.to_dict("records")):
        colour = PALETTE[number % len(PALETTE)]
        half = row["high"] - row["mean"]
        panel.bar([number], [row["mean"]], yerr=[half], width=0.6, color=colour, capsize=4)
    panel.set_xticks(range(len(names)), names, rotation=30, ha="right")
    panel.set_xlim(-0.5, len(names) - 0.5)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
