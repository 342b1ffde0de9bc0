"""Who is close to whom, by the first part of a trace: for protocols that go by closeness, where no table is at hand.

Eq. 1, [mops]: c = exp(-AVG(D)^2 / (2 sigma^2)), with D the separations of a pair within the training window, its ends
included (AMB-40), and sigma the mean of AVG(D) over all pairs that met. The pipeline computes the same at any scale.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

__all__ = ["TRAINING", "closeness_table"]

TRAINING = 0.4
"""The share of a trace that [mops] learns from."""


def closeness_table(contacts: pa.Table, share: float = TRAINING) -> pa.Table:
    """(a, b, closeness) of every pair that met in the first `share` of the trace."""
    a, b = (contacts.column(name).to_numpy().astype(np.int64) for name in ("a", "b"))
    start, end = (contacts.column(name).to_numpy() for name in ("start", "end"))
    begin = float(start.min())
    stop = begin + share * (float(end.max()) - begin)
    inside = start <= stop
    a, b, start, end = a[inside], b[inside], start[inside], np.minimum(end[inside], stop)
    pairs, pair = np.unique(a << 32 | b, return_inverse=True)
    count = np.bincount(pair)
    first, last = np.full(pairs.size, np.inf), np.full(pairs.size, -np.inf)
    np.minimum.at(first, pair, start)
    np.maximum.at(last, pair, end)
    apart = (stop - begin) - np.bincount(pair, weights=end - start)
    # The contacts of a pair are disjoint: gaps lie between them, and at the ends of the window where there is room.
    gaps = count - 1 + (first > begin) + (last < stop)
    mean = np.divide(np.maximum(apart, 0.0), gaps, out=np.zeros(pairs.size), where=gaps > 0)
    sigma = mean.mean()
    value = np.exp(-(mean**2) / (2 * sigma**2)) if sigma > 0 else np.ones(pairs.size)
    return pa.table(
        {"a": (pairs >> 32).astype(np.int32), "b": (pairs & 0xFFFFFFFF).astype(np.int32), "closeness": value}
    )
