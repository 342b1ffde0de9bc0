"""Who met whom in equal slices of time: the rounds in which nodes exchange what they know."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["encounters"]


def encounters(contacts: pa.Table, start: float, end: float, slices: int) -> list[pa.Table]:
    """Per slice of the time from `start` to `end`, the pairs (a, b) that were in contact at some time of it."""
    edges = np.linspace(start, end, slices + 1)
    met = []
    for begin, stop in pairwise(edges.tolist()):
        during = pc.and_(pc.less_equal(contacts["start"], stop), pc.greater_equal(contacts["end"], begin))
        met.append(contacts.filter(during).select(["a", "b"]).group_by(["a", "b"]).aggregate([]))
    return met
