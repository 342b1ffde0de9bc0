"""What MOPS says about closeness: its worked example, its bounds, and the erratum in one of them."""

from __future__ import annotations

import math
import random

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hunet.social.links import virtual_links
from hunet.traces.pairs import Boundary, pairs_of

EXAMPLE = pa.table({"a": [5, 5], "b": [8, 8], "start": [20.0, 50.0], "end": [40.0, 70.0]})


@pytest.mark.parametrize(("boundary", "value"), [("both", 0.726), ("tail", 0.726), ("inner", 0.923)])
def test_MOPS_01_the_example_of_figure_2_gives_c_58(boundary: Boundary, value: float) -> None:
    """Window 100, sigma 25: the printed 0.7 fits `both` and `tail`, not `inner` (AMB-40)."""
    (row,) = pairs_of(EXAMPLE, (0.0, 100.0), boundary, 25.0).to_pylist()
    assert (row["contacts"], row["total"]) == (2, 40.0)
    assert round(row["closeness"], 3) == value
    assert (round(row["closeness"], 1) == 0.7) == (boundary != "inner")


def test_MOPS_02_smaller_separation_gives_larger_closeness_between_0_and_1() -> None:
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


def test_MOPS_03_the_printed_bound_of_the_delay_is_wrong() -> None:
    """ERR-16: c > T bounds AVG by sigma sqrt(-2 ln T); the printed -sqrt(2) ln T sigma is smaller at T = 0.5."""
    right, printed = math.sqrt(-2 * math.log(0.5)), -math.sqrt(2) * math.log(0.5)
    assert (round(right, 3), round(printed, 3)) == (1.177, 0.980)
    counter_example = 1.1  # AVG in units of sigma: close enough for T, yet beyond the printed bound
    assert math.exp(-(counter_example**2) / 2) > 0.5
    assert printed < counter_example < right


@given(st.lists(st.floats(0.01, 3.0), min_size=1, max_size=6))
def test_MOPS_04_path_closeness_bounds_the_combined_delay(separations: list[float]) -> None:
    """By Cauchy and Schwarz, the sum of AVG over n hops is at most sigma sqrt(-2 n ln c_path); sigma is 1 here."""
    path = math.prod(math.exp(-(gap**2) / 2) for gap in separations)
    assert sum(separations) <= math.sqrt(-2 * len(separations) * math.log(path)) * (1 + 1e-9)


def test_MOPS_05_the_virtual_link_of_figure_2_has_closeness_0_72() -> None:
    pairs = pa.table({"a": [3, 0], "b": [5, 1], "closeness": [0.9, 0.1]})
    pairs = pa.concat_tables([pairs, pa.table({"a": [4], "b": [5], "closeness": [0.8]})])
    links = {(row["a"], row["b"]): row for row in virtual_links(pairs, 6, hops=2).to_pylist()}
    assert links[3, 4]["closeness"] == pytest.approx(0.72)
    assert (links[3, 4]["hops"], links[3, 4]["via"]) == (2, [5])
