"""Figures and tables of a paper: each has an id, a caption, its data, and where it is drawn, its picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from matplotlib.figure import Figure as Picture

from hunet.progress import Told
from hunet.report.style import save
from hunet.studies.tables import write_table

__all__ = ["Figure", "captions_of", "write_figures"]


class Figure(NamedTuple):
    """A figure or a table of a paper, written as files that are named by its id."""

    id: str
    caption: str
    table: Callable[[], Any]
    """A `Table`, or a frame."""
    draw: Callable[[Any], Picture | Mapping[str, Picture]] | None = None
    """The picture of the table; several, by what is added to the id."""


def write_figures(out: Path, figures: Iterable[Figure], told: Told = lambda name, done, total: None) -> dict[str, Any]:
    """Compute, write and draw figures one after the other: their tables by id."""
    every = list(figures)
    tables: dict[str, Any] = {}
    for figure in every:
        told(figure.id, len(tables), len(every))
        table = tables[figure.id] = figure.table()
        write_table(out / figure.id, table)
        if figure.draw is not None:
            drawn = figure.draw(table)
            for ending, picture in drawn.items() if isinstance(drawn, Mapping) else [("", drawn)]:
                save(picture, out / f"{figure.id}{ending}.png")
    return tables


def captions_of(figures: Iterable[Figure]) -> dict[str, str]:
    """By id."""
    return {figure.id: figure.caption for figure in figures}
