"""Gateways, their betweenness, and the brokers among them (MOPS III-C, IV-D and Appendix).

A gateway of community A towards B is a node of A with an edge into B, however weak (AMB-46). Eq. 7, [mops]:

    b_l = sum_{v in B} c_lv sum_{i in A} sum_{j in B} c_il c_vj  /  the same, summed over all l of A

It factorises: b_l is proportional to (sum_i c_il) sum_v c_lv (sum_j c_vj). c_lv is a direct edge; c_il and c_vj are the
best of at most k hops between members, and a node's closeness to itself is 1 (AMB-47). A gateway drops out of a
pair of communities if it is not at the top and those strictly above it have at least B together (AMB-48); whoever
stays in one pair is a broker.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from hunet.kernels import loop
from hunet.model.errors import InvalidValueError
from hunet.model.tables import BRIDGES, GATEWAYS
from hunet.social.graph import Booleans, Floats, Graph, Ids, Ints, graph_of, strongest_first
from hunet.social.paths import Search, check_hops, new_search, search_from

__all__ = ["bridges", "check_share", "find_gateways", "gateways_of", "with_roles"]

ROLES = ("member", "gateway", "broker")


@loop
def _ties(strong: Graph, community: Ids, most_hops: int, free: Booleans, search: Search, tie: Floats) -> None:
    """tie[v] = the sum of c_vj over the members j of v's community, v itself with 1 (AMB-47)."""
    for node in range(tie.size):
        search_from(strong, node, most_hops, 0.0, free, search)
        total = 0.0
        for other in range(tie.size):
            if community[other] == community[node]:
                total += search.best[other]
        tie[node] = total


@loop
def _above(first: Ints, value: Floats, share: Floats, above: Floats) -> None:
    """Per pair of communities (rows first[p]..first[p + 1], largest value first): each row's share, and that above."""
    for pair in range(first.size - 1):
        total = 0.0
        for row in range(first[pair], first[pair + 1]):
            total += value[row]
        higher = 0.0
        equal = 0.0
        for row in range(first[pair], first[pair + 1]):
            if row > first[pair] and value[row] < value[row - 1]:
                higher += equal
                equal = 0.0
            equal += value[row]
            share[row] = value[row] / total
            above[row] = higher / total


def check_share(share: float) -> None:
    """B is a share of the betweenness."""
    if not 0 <= share <= 1:
        raise InvalidValueError(f"broker share {share}: betweenness adds up to 1, so B lies within 0 and 1 (MOPS: 0.8)")


def find_gateways(
    pairs: pa.Table, communities: pa.Table, hops: int = 2, share: float = 0.8, least: int = 1
) -> pa.Table:
    """`GATEWAYS`: a row per node and other community it has an edge to, by (community, towards, falling betweenness).

    `communities` holds node and community for nodes 0, 1, ...; without edges between communities the table is empty.
    Communities of fewer than `least` nodes have no gateways, and none lead there (AMB-82).
    """
    nodes = communities.num_rows
    community = communities["community"].to_numpy().astype(np.int32)
    return gateways_of(graph_of(pairs, nodes), community, hops, share, least)


def gateways_of(graph: Graph, community: Ids, hops: int, share: float, least: int = 1) -> pa.Table:
    """`GATEWAYS` of a graph, be it the whole or what one node knows of it."""
    check_share(share)
    nodes = community.size
    limit = check_hops(nodes, hops)
    tie = np.empty(nodes)
    everyone = np.ones(nodes, np.bool_)
    _ties(strongest_first(graph, 0.0), community, limit, everyone, new_search(nodes, 1), tie)
    start = np.repeat(np.arange(nodes, dtype=np.int32), np.diff(graph.bounds))
    size = np.bincount(np.maximum(community, 0), minlength=nodes)[np.maximum(community, 0)]
    cross = (community[start] != community[graph.peer]) & (np.minimum(size[start], size[graph.peer]) >= least)
    start, peer, closeness = start[cross], graph.peer[cross], graph.closeness[cross]
    order = np.lexsort((peer, start, community[peer], community[start]))
    start, peer, closeness = start[order], peer[order], closeness[order]
    towards = community[peer]
    fresh = np.flatnonzero((np.diff(start, prepend=-1) != 0) | (np.diff(towards, prepend=-1) != 0))
    if not fresh.size:
        return GATEWAYS.empty_table()
    edges = np.diff(np.append(fresh, start.size))
    node, towards = start[fresh], towards[fresh]
    value = tie[node] * np.add.reduceat(closeness * tie[peer], fresh)
    order = np.lexsort((node, -value, towards, community[node]))
    node, towards, value, edges = node[order], towards[order], value[order], edges[order]
    own = community[node]
    changes = np.flatnonzero((np.diff(own, prepend=-1) != 0) | (np.diff(towards, prepend=-1) != 0))
    betweenness, above = np.empty_like(value), np.empty_like(value)
    _above(np.append(changes, value.size), value, betweenness, above)
    stays = (above == 0) | (above < share)
    columns = node, own, towards, edges.astype(np.int32), betweenness, above, stays
    return pa.table(list(columns), schema=GATEWAYS)


def bridges(gateways: pa.Table) -> pa.Table:
    """`BRIDGES`: a row per community and other community, with how many gateways lead there, and the brokers."""
    rows: dict[tuple[int, int], tuple[int, int, list[int]]] = {}
    for row in gateways.to_pylist():
        pair = row["community"], row["towards"]
        edges, count, brokers = rows.get(pair, (0, 0, []))
        rows[pair] = edges + row["edges"], count + 1, [*brokers, row["node"]] if row["broker"] else brokers
    return pa.Table.from_pylist(
        [
            {"community": own, "towards": towards, "edges": edges, "gateways": count, "brokers": sorted(brokers)}
            for (own, towards), (edges, count, brokers) in rows.items()
        ],
        schema=BRIDGES,
    )


def with_roles(communities: pa.Table, gateways: pa.Table) -> pa.Table:
    """`COMMUNITIES` with the role of each node: member, gateway, or broker if it stays in one pair of communities."""
    rank = np.zeros(communities.num_rows, np.int64)
    np.maximum.at(rank, gateways["node"].to_numpy(), 1 + gateways["broker"].to_numpy(zero_copy_only=False))
    place = communities.schema.get_field_index("role")
    return communities.set_column(place, communities.schema.field(place), pa.array([ROLES[one] for one in rank]))
