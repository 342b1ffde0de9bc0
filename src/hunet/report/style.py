"""The house style of figures: one palette, one size, and a way to save them without global state."""

from __future__ import annotations

import io
from pathlib import Path

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from hunet.atomic import whole_file

__all__ = ["DOTS_PER_INCH", "INK", "PALETTE", "axes_in_house_style", "new_figure", "save"]

INK = "#22303c"
PALETTE = ("#0b6e99", "#d1495b", "#66a182", "#edae49", "#7a5195", "#8d99ae")
"""Distinguishable in print and for the colour-blind: blue, red, green, amber, violet, grey."""

DOTS_PER_INCH = 144
"""Of a PNG."""
NOTEBOOK_DOTS_PER_INCH = 80
"""Of one in a notebook, which keeps it in its file."""


class ShownFigure(Figure):
    """A figure that a notebook shows, though no pyplot knows of it."""

    def _repr_png_(self) -> bytes:
        picture = io.BytesIO()
        self.savefig(picture, format="png", dpi=NOTEBOOK_DOTS_PER_INCH)
        return picture.getvalue()


def new_figure(width: float = 8.0, height: float = 4.0) -> Figure:
    """An empty figure of so many inches, laid out by itself."""
    figure = ShownFigure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def axes_in_house_style(axes: Axes, title: str, x: str, y: str) -> None:
    """Title and labels, no box, a light grid behind the data."""
    axes.set_title(title, loc="left", fontsize=11, color=INK, fontweight="bold")
    axes.set_xlabel(x, color=INK)
    axes.set_ylabel(y, color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(True, color="#e4e8ec", linewidth=0.8)
    axes.set_axisbelow(True)


def save(figure: Figure, path: Path) -> Path:
    """Write the figure as PNG and as SVG, making their directory; the path names one of them, and is handed back."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if layout := figure.get_layout_engine():  # once for both; matplotlib would do it for each, and draw it for that
        layout.execute(figure)
        figure.set_layout_engine("none")
    # By the canvases themselves: `savefig` draws every figure once more beforehand, for layouts that are done here.
    usual = figure.dpi
    with whole_file(path.with_suffix(".png")) as draft:
        figure.dpi = DOTS_PER_INCH
        FigureCanvasAgg(figure).print_png(draft)  # type: ignore[no-untyped-call]
        figure.dpi = usual
    with (
        whole_file(path.with_suffix(".svg")) as draft,
        rc_context({"svg.hashsalt": "hunet"}),
    ):  # equal figures, equal files
        FigureCanvasSVG(figure).print_svg(draft, metadata={"Date": None})  # type: ignore[no-untyped-call]
    FigureCanvasAgg(figure)  # the one it came with
    return path
