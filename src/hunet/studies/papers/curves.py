"""Means over seeds as a figure shows them: a table with intervals, and a picture with a panel for each measure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd
from matplotlib.figure import Figure as Picture

from hunet.report.study import USUAL, Look, draw_study
from hunet.studies.statistics import means, wide

__all__ = ["Panel", "Panels", "beside", "draw_means", "means_of", "table_of"]


class Panel(NamedTuple):
    """A measure as it is shown."""

    heading: str
    axis: str
    scale: float = 1.0
    """What values are multiplied with: 1/60 for seconds shown in minutes."""
    column: str = ""
    """Its name in the table, where that is not the measure's."""


Panels = Mapping[str, Panel]
"""By measure."""


def beside(**columns: str) -> Panels:
    """Measures that are in a figure's table only, with their names there."""
    return {measure: Panel("", "", column=column) for measure, column in columns.items()}


def means_of(runs: pd.DataFrame, by: list[str], panels: Panels) -> pd.DataFrame:
    """Means of these measures over seeds."""
    return means(runs[runs["measure"].isin(list(panels))], by)


def table_of(found: pd.DataFrame, columns: Mapping[str, str], panels: Panels) -> pd.DataFrame:
    """Means as the table of a figure; `columns` say what was varied, with their names there."""
    return wide(found, columns, {measure: (panel.column or measure, panel.scale) for measure, panel in panels.items()})


def draw_means(title: str, found: pd.DataFrame, panels: Panels, axis: str, look: Look = USUAL) -> Picture:
    """Means by the columns `line` and `x`."""
    shown = found[found["measure"].isin(list(panels))]
    scale = shown["measure"].map(lambda measure: panels[measure].scale)
    shown = shown.assign(**{column: shown[column] * scale for column in ("mean", "low", "high")})
    return draw_study(title, shown, {name: (panel.heading, panel.axis) for name, panel in panels.items()}, axis, look)
