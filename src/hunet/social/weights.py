"""Interest lists and the weights of categories (MOPS IV-A, Eq. 2 to 6).

A list holds one weight per category. In a table of lists a row is a list, so that functions here name rows and never
slice: they are inlined into compiled loops, of a protocol as well as of `broker_lists`. Weights only order events;
they may exceed 1 (AMB-49).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hunet.kernels import leaf, loop
from hunet.model.errors import InvalidValueError
from hunet.social.graph import Booleans, Floats, Graph, Ids, graph_of

if TYPE_CHECKING:
    import pyarrow as pa  # what kernels of protocols need of this file, a device needs too

__all__ = ["Lists", "add_decayed", "broker_lists", "combine", "keep_best_decayed", "sum_of_best"]


@leaf
def add_decayed(table: Floats, row: int, closeness: float, lists: Floats, source: int) -> None:
    """Eq. 2, [mops]: one term of I_u = sum_v c_uv, for every category of v's list; the own list has closeness 1."""
    for category in range(table.shape[1]):
        table[row, category] += closeness * lists[source, category]


@leaf
def keep_best_decayed(table: Floats, row: int, closeness: float, lists: Floats, source: int) -> None:
    """Eq. 3, [mops]: E_u(A) = max_v c_uv I_v, one v; and R_u(A) = max_v c_uv E_v(A) for relay lists."""
    for category in range(table.shape[1]):
        table[row, category] = max(table[row, category], closeness * lists[source, category])


@leaf
def sum_of_best(table: Floats, row: int, external: Floats, relay: Floats, first: int, last: int) -> None:
    """Eq. 4, [mops]: ER_u = sum_A max{E_u(A), R_u(A)}, the communities A being rows first..last - 1 of both tables."""
    for category in range(table.shape[1]):
        total = 0.0
        for community in range(first, last):
            total += max(external[community, category], relay[community, category])
        table[row, category] = total


@leaf
def combine(alpha: float, first: float, second: float) -> float:
    """Eq. 5 with S and E (to the own community) and Eq. 6 with I and ER (to others), [mops]: w = a S + (1 - a) E.

    Differs: IV-B prints a S + b ER for other communities; Eq. 6 is used (ERR-18).
    """
    return alpha * first + (1.0 - alpha) * second


class Lists(NamedTuple):
    """Every node's lists, one column per category; lists of nodes that are no brokers, but for internal, are empty."""

    labels: Ids
    """The communities, by label; their places count in the rows below."""
    internal: Floats
    """Row u: I_u."""
    external: Floats
    """Row u * communities + A: E_u(A)."""
    relay: Floats
    """Row u * communities + A: R_u(A)."""
    external_sum: Floats
    """Row u: E_u of Eq. 3."""
    with_relay: Floats
    """Row u: ER_u of Eq. 4."""


@loop
def _fill(direct: Graph, inside: Graph, place: Ids, broker: Booleans, levels: Floats, lists: Lists) -> None:
    count = lists.labels.size
    for u in range(place.size):
        add_decayed(lists.internal, u, 1.0, levels, u)
        for edge in range(inside.bounds[u], inside.bounds[u + 1]):
            add_decayed(lists.internal, u, inside.closeness[edge], levels, inside.peer[edge])
    for u in range(place.size):
        for edge in range(direct.bounds[u], direct.bounds[u + 1]):
            v = direct.peer[edge]
            if broker[u] and broker[v] and place[u] != place[v]:
                keep_best_decayed(lists.external, u * count + place[v], direct.closeness[edge], lists.internal, v)
    for u in range(place.size):
        # Without relay lists the best of each community is E_u(A) itself: Eq. 3's sum.
        sum_of_best(lists.external_sum, u, lists.external, lists.external, u * count, (u + 1) * count)
        for edge in range(inside.bounds[u], inside.bounds[u + 1]):
            v = inside.peer[edge]
            if broker[u] and broker[v]:
                for a in range(count):
                    keep_best_decayed(lists.relay, u * count + a, inside.closeness[edge], lists.external, v * count + a)
        sum_of_best(lists.with_relay, u, lists.external, lists.relay, u * count, (u + 1) * count)


def broker_lists(pairs: pa.Table, communities: pa.Table, connections: pa.Table, levels: Floats) -> Lists:
    """The lists when every interest has reached everyone it is meant for.

    `levels[v, X]` is v's interest in category X, 0 to 1; the tables are those of a `SocialStructure`. Closeness inside
    a community is that of the local connection, across communities the direct edge (AMB-47).
    """
    nodes, categories = levels.shape
    if nodes != communities.num_rows:
        raise InvalidValueError(f"levels have {nodes} rows, but there are {communities.num_rows} nodes")
    labels, place = np.unique(communities["community"].to_numpy(), return_inverse=True)
    broker = np.asarray(communities["role"].to_numpy(zero_copy_only=False) == "broker")
    one, per_community = (nodes, categories), (nodes * labels.size, categories)
    lists = Lists(
        labels.astype(np.int32), *(np.zeros(shape) for shape in (one, per_community, per_community, one, one))
    )
    direct, inside = graph_of(pairs, nodes), graph_of(connections, nodes)
    _fill(direct, inside, place.astype(np.int32), broker, np.asarray(levels, np.float64), lists)
    return lists
