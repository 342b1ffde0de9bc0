"""Closeness in the worked example of MOPS, and its order."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from hunet.traces.pairs import Boundary, pairs_of

EXAMPLE = pa.table({"a": [5, 5], "b": [8, 8], "start": [20.0, 50.0], "end": [40.0, 70.0]})


@pytest.mark.parametrize(("boundary", "value"), [("both", 0.726), ("tail", 0.726), ("inner", 0.923)])
def test_the_closeness_of_the_example_of_figure_2(boundary: Boundary, value: float) -> None:
    """Window 100, sigma 25: the printed 0.7 fits `both` and `tail`, not `inner` (AMB-40)."""
    (row,) = pairs_of(EXAMPLE, (0.0, 100.0), boundary, 25.0).to_pylist()
    assert (row["contacts"], row["total"]) == (2, 40.0)
    assert round(row["closeness"], 3) == value


def test_smaller_separation_gives_larger_closeness_between_0_and_1() -> None:
    draw = random.Random(1)
    contacts = []
    for pair in range(60):
        time = 0.0
        for _ in range(draw.randrange(2, 6)):
            time += draw.uniform(1, 150)
            contacts.append((pair, 1000, time, time + 1))
            time += 1
    table = pa.table(dict(zip(("a", "b", "start", "end"), map(list, zip(*contacts, strict=True)), strict=True)))
    rows = pairs_of(table, (0.0, 1000.0), "inner").sort_by("mean_gap")
    values = rows["closeness"].to_pylist()
    assert all(0 <= value <= 1 for value in values)
    assert values == sorted(values, reverse=True)
    assert len(set(values)) > 50
