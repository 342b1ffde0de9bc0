"""The simulated figures of [bsub10] and [bsub13]: measures as curves, a line for each protocol or trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd
from matplotlib.figure import Figure as Picture

from hunet.report.study import USUAL, Look
from hunet.studies.papers.curves import Panel, Panels, draw_means, means_of, table_of
from hunet.studies.papers.figures import Figure
from hunet.studies.papers.traces import PaperTrace

__all__ = ["Curves", "figure_of", "name_of"]

_TITLES = {"push": "PUSH", "pull": "PULL", "bsub10": "B-SUB", "bsub13": "B-SUB", "bsubp": "B-SUB-P"}


def name_of(figure: str, trace: PaperTrace, mains: Sequence[PaperTrace]) -> str:
    """The name of a figure's files: the id, and the trace where it is not one that stands for the paper's."""
    return figure if trace in mains else f"{figure}-{trace.key}"


class Curves(NamedTuple):
    """Runs, and how they are shown."""

    title: str
    runs: pd.DataFrame
    columns: Mapping[str, str]
    """What was varied, with the names in the table."""
    lines: str
    """The column that has a line for each value."""
    order: Sequence[str]
    """Of these values: it decides on colours."""
    axis: str
    panels: Panels
    beside: Mapping[str, Panel] = {}
    """In the table only."""
    drawn: pd.DataFrame | None = None
    """The runs that are drawn, where that is not all of them."""
    look: Look = USUAL


def figure_of(name: str, caption: str, curves: Curves) -> Figure:
    """As a table and a picture."""
    shown = {**curves.panels, **curves.beside}
    return Figure(
        name,
        caption,
        lambda: table_of(means_of(curves.runs, list(curves.columns), shown), curves.columns, shown),
        lambda _table: _draw(curves),
    )


def _draw(curves: Curves) -> Picture:
    """One panel per measure; x = 0 of PUSH and PULL is drawn flat."""
    lines, order, panels = curves.lines, curves.order, curves.panels
    shown = means_of(curves.runs if curves.drawn is None else curves.drawn, [lines, "x"], panels)
    # Colours go by order: a line that has no such measure keeps its place in the panel all the same.
    every = pd.MultiIndex.from_product([[name for name in order if name in set(shown[lines])], list(panels)])
    missing = every.difference(pd.MultiIndex.from_frame(shown[[lines, "measure"]]))
    if len(missing):
        shown = pd.concat([shown, pd.DataFrame(list(missing), columns=[lines, "measure"])], ignore_index=True)
    places = {name: place for place, name in enumerate(order)}
    shown = shown.sort_values(lines, key=lambda names: names.map(places), kind="stable")
    flat = shown[lines].str.partition(", ")[0].isin(["push", "pull"]) & (shown["x"] == 0)
    shown = shown.assign(line=shown[lines].map(_title), x=shown["x"].where(~flat))
    return draw_means(curves.title, shown, panels, curves.axis, curves.look)


def _title(line: str) -> str:
    """Protocols as the papers write them, and what was changed in them."""
    first, comma, rest = line.partition(", ")
    return f"{_TITLES.get(first, first)}{comma}{rest}"
