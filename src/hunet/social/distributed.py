"""Communities and gateways as each node finds them for itself, from what hello messages brought it.

Every decision is made on one node's view of the graph: whether it is an initiator, which clique it claims, whether it
is a gateway and stays one. With complete knowledge the result is that of `communities` and `gateways`. With less,
two initiators may claim the same node; it follows the one of higher degree, then of lower id, and an initiator that
was claimed by a better one gives up its own claim.

Differs: the paper informs only the initiator's visible neighbourhood of a new community. A node outside it that has a
weak edge to a member would go on counting that edge, and two nodes would disagree about its degree. Here everybody
who knows of a node also learns its community: labels travel with the edges, and are taken as arrived when the next
round begins.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from hunet.model.errors import InvalidValueError
from hunet.social.cliques import new_draft
from hunet.social.communities import Claim, Formed, Progress, check_threshold, claim, formed, initiators
from hunet.social.gateways import gateways_of
from hunet.social.graph import Booleans, Graph, degrees, graph_of
from hunet.social.hello import view_of
from hunet.social.neighbourhoods import Ground, everyone, new_ground, refresh, take_out

__all__ = ["decide", "find_communities_distributed", "find_gateways_distributed"]

MOST_NODES = 1_000
"""Every node's view is kept, with its neighbourhoods: a quarter of a byte per node, node and node."""


def decide(ground: Ground, me: int) -> Claim | None:
    """What one node does in a round, from its own view: claim a community, or wait because it is no initiator."""
    degree = np.empty(ground.free.size)
    degrees(ground.graph, ground.free, degree)
    if me not in initiators(ground, degree):
        return None
    return claim(ground, me, degree, new_draft(ground.free.size))


def find_communities_distributed(
    pairs: pa.Table,
    heard: Booleans,
    threshold: float = 0.5,
    hops: int = 2,
    progress: Progress = lambda _placed, _nodes: None,
) -> Formed:
    """The communities that nodes form which have heard of each other so (`hello.heard_after`).

    Cost: every node does for its view what full knowledge does once.
    """
    check_threshold(threshold)
    nodes = len(heard)
    if nodes > MOST_NODES:
        raise InvalidValueError(f"{nodes:,} nodes: one view of the graph for each is kept for up to {MOST_NODES:,}")
    graph = graph_of(pairs, nodes)
    grounds = [_own_ground(graph, heard[node], threshold, hops) for node in range(nodes)]
    free = np.ones(nodes, np.bool_)
    rounds: list[list[Claim]] = []
    while free.any():
        claims = [one for node in np.flatnonzero(free) if (one := decide(grounds[node], int(node))) is not None]
        rounds.append(_settle(claims, free))
        for node in np.flatnonzero(free):
            take_out(grounds[node], grounds[node].free & ~free)
        progress(nodes - int(free.sum()), nodes)
    return formed(graph, rounds)


def find_gateways_distributed(
    pairs: pa.Table, communities: pa.Table, heard: Booleans, hops: int = 2, share: float = 0.8, least: int = 1
) -> pa.Table:
    """`GATEWAYS`, each row as its node computes it from its own view."""
    graph = graph_of(pairs, len(heard))
    community = communities["community"].to_numpy().astype(np.int32)
    rows = []
    for node in range(len(heard)):
        seen = gateways_of(view_of(graph, heard[node]), community, hops, share, least)
        rows.append(seen.filter(pa.array(seen["node"].to_numpy() == node)))
    order = [("community", "ascending"), ("towards", "ascending"), ("betweenness", "descending"), ("node", "ascending")]
    return pa.concat_tables(rows).sort_by(order)


def _own_ground(graph: Graph, heard: Booleans, threshold: float, hops: int) -> Ground:
    ground = new_ground(view_of(graph, heard), threshold, hops)
    refresh(ground, everyone(heard.size))
    return ground


def _settle(claims: list[Claim], free: Booleans) -> list[Claim]:
    """The claims that hold, best first, each without the nodes a better one took; those are free no more."""
    settled = []
    for one in sorted(claims, key=lambda one: (-one.degree, one.initiator)):
        if free[one.initiator]:
            settled.append(one._replace(members=one.members & free))
            free &= ~one.members
    return sorted(settled, key=lambda one: one.initiator)
