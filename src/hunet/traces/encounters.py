"""Who met whom in equal slices of time: the rounds in which nodes exchange what they know."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import InvalidValueError

__all__ = ["encounters", "first_part"]


def first_part(contacts: pa.Table, share: float) -> tuple[float, float]:
    """When the first `share` of a trace begins and ends, as seconds of the trace."""
    if not 0 < share <= 1:
        raise InvalidValueError(f"training share {share}: must be above 0 and at most 1 (MOPS: 0.4)")
    if not contacts.num_rows:
        raise InvalidValueError(f"training share {share}: the trace has no contact to learn from")
    start, end = pc.min(contacts["start"]).as_py(), pc.max(contacts["end"]).as_py()
    return start, start + share * (end - start)


def encounters(contacts: pa.Table, start: float, end: float, slices: int) -> list[pa.Table]:
    """Per slice of the time from `start` to `end`, the pairs (a, b) that were in contact at some time of it."""
    edges = np.linspace(start, end, slices + 1)
    met = []
    for begin, stop in pairwise(edges.tolist()):
        during = pc.and_(pc.less_equal(contacts["start"], stop), pc.greater_equal(contacts["end"], begin))
        met.append(contacts.filter(during).select(["a", "b"]).group_by(["a", "b"]).aggregate([]))
    return met
