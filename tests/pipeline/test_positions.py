"""Contacts from positions on Spark: slices of time, watched apart, give what one pass over all of it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

from hunet.model.errors import InvalidValueError
from hunet.pipeline.steps.merge import contacts_in
from hunet.pipeline.steps.positions import join_runs, looks_per_slice, watch_slices
from hunet.traces.proximity import Proximity, contacts_from_positions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def wanderers(seed: int, nodes: int = 8, samples: int = 60) -> pa.Table:
    """Irregular samples of people who wander about a small square; one of them falls silent for a while."""
    chance = np.random.default_rng(seed)
    node = np.repeat(np.arange(nodes, dtype=np.int32), samples)
    t = np.round(np.sort(chance.random((nodes, samples)) * 1000, axis=1), 1).ravel()
    x, y = chance.random((2, nodes * samples)) * 40
    keep = ~((node == 0) & (t > 300) & (t < 700))
    return pa.table({"node": node[keep], "t": t[keep], "x": x[keep], "y": y[keep]})


@pytest.mark.parametrize("slice_looks", [7, 1000])
def test_slices_give_the_contacts_of_one_pass(spark: SparkSession, slice_looks: int) -> None:
    rule = Proximity(radius=12.0, step=2.0, gap=10.0, hold=60.0)
    positions = wanderers(1)
    rows = positions.append_column("file", pa.repeat("f", positions.num_rows))
    rows = rows.append_column("line", pa.array(range(positions.num_rows)))
    last = float(positions["t"].to_numpy().max())
    runs = watch_slices(spark.createDataFrame(rows), rule, slice_looks, last)
    contacts = contacts_in(join_runs(runs, rule))
    found = sorted((row.a, row.b, row.start, row.end) for row in contacts.collect())
    expected = contacts_from_positions(positions, rule)
    assert found == sorted(zip(*(expected[name].to_pylist() for name in ("a", "b", "start", "end")), strict=True))
    assert len(found) > 50


def test_a_slice_is_never_shorter_than_twice_the_hold() -> None:
    rule = Proximity(radius=10.0, step=5.0, hold=600.0)
    assert looks_per_slice(10_000_000, 0.0, 100_000.0, rule) == 500  # 250,000 samples
    assert looks_per_slice(10_000_000, 0.0, 1_000.0, rule) == 240


def test_an_endless_hold_is_refused(spark: SparkSession) -> None:
    rule = Proximity(radius=1.0, step=1.0, hold=float("inf"))
    with pytest.raises(InvalidValueError, match="hold inf"):
        watch_slices(spark.createDataFrame([(1,)], "node int"), rule, 10, 0.0)
