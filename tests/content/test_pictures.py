"""The pictures of the page about ranges, and a plot for every table of ZigZag that has a figure."""

from __future__ import annotations

from pathlib import Path

from hunet.report.style import save
from hunet.studies.papers.zigzag.pictures import draw_covers, draw_pictures
from hunet.studies.papers.zigzag.plots import draw_growth, draw_rates
from hunet.studies.papers.zigzag.tables import false_positive_rates, interval_growth


def test_pictures_are_written(tmp_path: Path) -> None:
    assert [path.name for path in draw_pictures(tmp_path)] == ["ranges-cover.png", "ranges-curves.png"]
    assert all(path.stat().st_size > 10_000 for path in tmp_path.iterdir())


def test_tables_with_a_figure_become_plots(tmp_path: Path) -> None:
    for name, figure in (
        ("ZZ-F4", draw_growth(interval_growth(True, 1))),
        ("ZZ-F5", draw_rates(false_positive_rates(True, 1))),
    ):
        assert sum(len(axes.get_lines()) for axes in figure.axes) >= 6
        save(figure, tmp_path / f"{name}.png")
    assert len(draw_covers().axes) == 3
