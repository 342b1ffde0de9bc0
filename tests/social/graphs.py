"""Random neighbouring graphs, and the tables made of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

Edges = dict[tuple[int, int], float]


def as_pairs(edges: Edges) -> pa.Table:
    return pa.table(
        {
            "a": pa.array([a for a, _ in edges], pa.int32()),
            "b": pa.array([b for _, b in edges], pa.int32()),
            "closeness": pa.array(list(edges.values()), pa.float64()),
        }
    )


def in_eighths(nodes: int) -> st.SearchStrategy[Edges]:
    """Closeness in eighths: ties are frequent, and all sums and short products are exact."""
    pairs = list(combinations(range(nodes), 2))
    return st.dictionaries(st.sampled_from(pairs), st.integers(0, 8).map(lambda part: part / 8), max_size=3 * nodes)


def random_edges(seed: int, nodes: int, share: float) -> Edges:
    """So many of all pairs have an edge, of any closeness."""
    chance = np.random.Generator(np.random.PCG64(seed))
    return {pair: float(chance.random()) for pair in combinations(range(nodes), 2) if chance.random() < share}
