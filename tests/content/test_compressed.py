"""Filters in the place of interval trees: how they are sized."""

from __future__ import annotations

import numpy as np

from hunet.content import z_order
from hunet.content.compressed import CompressedIndex


def test_a_filter_sized_by_intervals_confirms_everything_where_one_is_long_and_a_safe_one_does_not() -> None:
    aligned = z_order(2, 10).cover([[0, 0]], [[63, 63]])
    asked = np.arange(2**19, 2**19 + 20_000, dtype=np.uint64)
    answered = []
    for sizing in ("safe", "literal"):
        index = CompressedIndex(sizing, 4)
        index.add(aligned, np.zeros(1, np.int32))
        answered.append(index.find(asked, np.ones(0, np.uint8))[1].size / asked.size)
    assert answered[1] == 1.0, "4,096 cells in 64 bits: every bit is set"
    assert answered[0] < 0.04
