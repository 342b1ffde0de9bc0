"""Closeness by Spark: the worked example of MOPS, and its order."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from hunet.pipeline.steps.pairs import Training, closeness, pair_statistics

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXAMPLE = [(5, 8, 20.0, 40.0), (5, 8, 50.0, 70.0)]


@pytest.mark.parametrize(("boundary", "value"), [("both", 0.726), ("tail", 0.726), ("inner", 0.923)])
def test_the_closeness_of_the_example_of_figure_2(spark: SparkSession, boundary: str, value: float) -> None:
    """Window 100, sigma 25: the printed 0.7 fits `both` and `tail`, not `inner` (AMB-40)."""
    training = Training(0.0, 100.0, boundary, 25.0)  # type: ignore[arg-type]
    contacts = spark.createDataFrame(EXAMPLE, "a int, b int, start double, end double")
    (row,) = closeness(pair_statistics(contacts, training), training).collect()
    assert (row.contacts, row.total) == (2, 40.0)
    assert round(row.closeness, 3) == value


def test_smaller_separation_gives_larger_closeness_between_0_and_1(spark: SparkSession) -> None:
    draw = random.Random(1)
    contacts = []
    for pair in range(60):
        time = 0.0
        for _ in range(draw.randrange(2, 6)):
            time += draw.uniform(1, 150)
            contacts.append((pair, 1000, time, time + 1))
            time += 1
    training = Training(0.0, 1000.0, "inner")
    frame = spark.createDataFrame(contacts, "a int, b int, start double, end double")
    rows = sorted(closeness(pair_statistics(frame, training), training).collect(), key=lambda row: row.mean_gap)
    values = [row.closeness for row in rows]
    assert all(0 <= value <= 1 for value in values)
    assert values == sorted(values, reverse=True)
    assert len(set(values)) > 50
