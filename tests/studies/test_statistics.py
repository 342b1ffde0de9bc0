"""Means, intervals and paired differences, beside the textbook."""

from __future__ import annotations

import math
import statistics
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from hunet.model.errors import InvalidValueError
from hunet.model.tables import MEASURES
from hunet.report.study import draw_study
from hunet.studies.statistics import differences, means, student_t, values, wide
from hunet.sweeps.compaction import Sweep

# Two-sided 95 % and 99 % points as printed in tables of Student's distribution.
PRINTED = {(1, 0.95): 12.706, (2, 0.95): 4.303, (4, 0.95): 2.776, (9, 0.95): 2.262, (30, 0.95): 2.042, (5, 0.99): 4.032}


@pytest.mark.parametrize(("freedom", "confidence"), PRINTED)
def test_students_distribution_is_that_of_the_tables(freedom: int, confidence: float) -> None:
    assert student_t(freedom, confidence) == pytest.approx(PRINTED[freedom, confidence], abs=5e-4)


def test_students_distribution_becomes_normal() -> None:
    assert student_t(100_000) == pytest.approx(statistics.NormalDist().inv_cdf(0.975), rel=1e-4)
    with pytest.raises(InvalidValueError):
        student_t(0)


def small_sweep() -> Sweep:
    """Two protocols on seeds 1 to 4; `b` has a parameter; one run failed, one value has no meaning."""
    rows: list[tuple[str, str, int, float | None, str | None]] = [
        (f"a{seed}", "a", seed, None, None) for seed in range(1, 5)
    ]
    rows += [(f"b{x}{seed}", "b", seed, float(x), None) for x in (1, 2) for seed in range(1, 5)]
    rows.append(("a9", "a", 9, None, "it failed"))
    names = ("run", "protocol", "seed", "x", "error")
    runs = pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows])
    runs = runs.append_column("trace", pa.array(["t"] * len(rows)))
    found = [(row[0], "m", float(row[2] * 10 + (row[3] or 0) ** 2)) for row in rows[:-1]]
    found += [("a1", "n", 5.0), ("a2", "n", math.nan)]
    measures = pa.table([list(column) for column in zip(*found, strict=True)], schema=MEASURES)
    return Sweep(Path(), runs, measures)


def test_means_have_the_interval_of_the_textbook() -> None:
    table = means(values(small_sweep(), ["m"]), ["protocol", "x"])
    assert list(table["protocol"]) == ["a", "b", "b"]
    assert list(table["runs"]) == [4, 4, 4]
    assert list(table["mean"]) == [25.0, 26.0, 29.0]
    half = 3.1824 * statistics.stdev([10, 20, 30, 40]) / 2
    assert table["high"][0] - 25 == pytest.approx(half, rel=1e-4)
    assert 25 - table["low"][0] == pytest.approx(half, rel=1e-4)


def test_values_without_meaning_do_not_count_and_one_run_has_no_interval() -> None:
    table = means(values(small_sweep(), ["n"]), ["protocol"])
    assert table.loc[0, "runs"] == 1
    assert table.loc[0, "mean"] == 5.0
    assert math.isnan(table["low"][0])


def test_differences_are_taken_on_the_same_seed() -> None:
    table = differences(values(small_sweep(), ["m"]), ["x"], from_="a")
    assert list(table["x"]) == [1.0, 2.0]
    assert list(table["mean"]) == [1.0, 4.0]
    assert list(table["high"] - table["low"]) == [0.0, 0.0]  # seeds differ much, pairs not at all
    with pytest.raises(InvalidValueError, match="there is no protocol 'c' to compare with; there are: a, b"):
        differences(values(small_sweep()), ["x"], from_="c")
    with pytest.raises(InvalidValueError, match="several runs of the same trace and seed"):
        differences(values(small_sweep()), [], from_="b")


def picture_table(xs: list[object]) -> pd.DataFrame:
    rows = [{"line": "swept", "x": x, "measure": "m", "mean": 1.0, "low": 0.9, "high": 1.1} for x in xs]
    rows.append({"line": "flat", "x": None, "measure": "m", "mean": 2.0, "low": 1.8, "high": 2.2})
    return pd.DataFrame(rows)


def test_a_picture_shows_lines_with_intervals_and_baselines_flat() -> None:
    figure = draw_study("t", picture_table([16.0, 32.0, 512.0]), {"m": ("heading", "words")}, "cycle")
    panel = figure.axes[0]
    assert (panel.get_title("left"), panel.get_xlabel(), panel.get_ylabel()) == ("heading", "cycle", "words")
    assert panel.get_xscale() == "log"
    assert panel.get_legend_handles_labels()[1] == ["flat", "swept"]
    flat = next(line for line in panel.get_lines() if line.get_label() == "flat")
    assert list(flat.get_xdata()) == [16.0, 512.0]  # type: ignore[arg-type]
    assert len(panel.containers) == 1  # the error bars of the line


@pytest.mark.parametrize(
    ("xs", "shown"), [(["ratio", "raw"], ["ratio", "raw"]), ([3600.0, math.inf], ["3,600", "unlimited"])]
)
def test_words_and_infinity_stand_side_by_side(xs: list[object], shown: list[str]) -> None:
    panel = draw_study("t", picture_table(xs), {"m": ("m", "")}, "x").axes[0]
    assert [label.get_text() for label in panel.get_xticklabels()] == shown


def test_where_nothing_is_varied_each_protocol_is_a_point() -> None:
    table = picture_table([])
    panel = draw_study("t", pd.concat([table, table.assign(line="other")]), {"m": ("m", "")}, "").axes[0]
    assert [label.get_text() for label in panel.get_xticklabels()] == ["flat", "other"]


def test_a_figures_table_keeps_settings_that_some_do_not_have() -> None:
    rows = [
        {"scheme": scheme, "ttl": ttl, "measure": "delay", "value": value}
        for scheme, ttl in (("push", None), ("zigzag", 900.0))
        for value in (60.0, 180.0)
    ]
    table = wide(
        means(pd.DataFrame(rows), ["scheme", "ttl"]), {"scheme": "scheme", "ttl": "ttl"}, {"delay": ("min", 1 / 60)}
    )
    assert table.columns.tolist() == ["scheme", "ttl", "n_seeds", "min", "min_lo", "min_hi"]
    assert table["min"].tolist() == pytest.approx([2.0, 2.0])
    assert table["n_seeds"].tolist() == [2, 2]
