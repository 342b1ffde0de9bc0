"""Closeness from the first part of a trace."""

from __future__ import annotations

import pytest

from hunet.sim.closeness import closeness_table
from tests.naive.closeness import closeness, merged, separation
from tests.sim.small_traces import contacts_table


def test_closeness_is_that_of_the_slow_and_obvious_way() -> None:
    rows = [
        (0, 1, 20.0, 40.0),
        (0, 1, 50.0, 70.0),
        (0, 1, 120.0, 130.0),
        (1, 2, 0.0, 5.0),
        (0, 2, 90.0, 110.0),
        (2, 3, 100.0, 100.0),
        (1, 3, 101.0, 250.0),
    ]
    window = (0.0, 100.0)
    apart = {pair: separation(spans, window, "both") for pair, spans in merged(rows).items() if spans[0][0] <= 100}
    known = {pair: mean for pair, mean in apart.items() if mean is not None}
    expected = closeness(known, sum(known.values()) / len(known))
    found = closeness_table(contacts_table(*rows)).to_pylist()
    assert {(row["a"], row["b"]): row["closeness"] for row in found} == pytest.approx(expected)
