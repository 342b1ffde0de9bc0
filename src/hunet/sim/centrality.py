"""Whether those in the midst of a network get more than those at its edge: delivery by quarters of the nodes."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["delivery_by_centrality"]

_QUARTERS = 4


def delivery_by_centrality(
    closeness: pa.Table, wanted: npt.NDArray[np.int64], got: npt.NDArray[np.int64]
) -> dict[str, float]:
    """`delivery_ratio_q1` (the least central) to `delivery_ratio_q4`: pairs delivered of those wanted.

    A node is as central as its closeness to all others adds up to, the degree d_u of [mops] III; equally central nodes
    go by number. Nodes that want nothing are in no quarter. `wanted` and `got` count the pairs of each node.
    """
    nodes = wanted.size
    degree = np.zeros(nodes)
    for end in ("a", "b"):
        degree += np.bincount(closeness[end].to_numpy(), closeness["closeness"].to_numpy(), nodes)
    order = np.argsort(degree, kind="stable")
    quarters = np.array_split(order[wanted[order] > 0], _QUARTERS)
    return {
        f"delivery_ratio_q{number}": float(got[some].sum() / wanted[some].sum()) if some.size else math.nan
        for number, some in enumerate(quarters, start=1)
    }
