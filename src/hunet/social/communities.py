"""Communities (MOPS III-A and Appendix): rounds of initiators that each form one, until every node has one.

In a round all initiators among the free nodes form their community; its label is the initiator's id. Then its members
leave, and degrees and neighbourhoods of the others are those of what is left (AMB-45). Initiators of one round
do not see each other, so their communities are disjoint. A node that never met anyone is a community of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from hunet.model.errors import InvalidValueError
from hunet.model.tables import COMMUNITIES, FORMATION
from hunet.social.cliques import Draft, choose_clique, elect, new_draft
from hunet.social.graph import Booleans, Floats, Graph, Ints, degrees, graph_of
from hunet.social.neighbourhoods import Ground, everyone, new_ground, refresh, take_out

__all__ = ["Claim", "Formed", "Progress", "check_threshold", "claim", "find_communities", "formed", "initiators"]

Progress = Callable[[int, int], None]
"""Called after each round with how many nodes have a community, and how many there are."""


class Claim(NamedTuple):
    """What one initiator decided: its community, and how it came to it."""

    initiator: int
    members: Booleans
    degree: float
    neighbours: int
    cliques: int
    ncut: float


class Formed(NamedTuple):
    """`COMMUNITIES`, one row per node, and `FORMATION`, one row per community by round and label."""

    communities: pa.Table
    formation: pa.Table


def check_threshold(threshold: float) -> None:
    """T is a closeness."""
    if not 0 <= threshold <= 1:
        raise InvalidValueError(f"threshold {threshold}: closeness lies within 0 and 1 (MOPS uses 0.5)")


def initiators(ground: Ground, degree: Floats) -> Ints:
    """The free nodes that rank first in their visible neighbourhood: highest degree, then lowest id (AMB-44)."""
    nodes = degree.size
    rank = np.empty(nodes, np.int64)
    rank[np.lexsort((np.arange(nodes), -degree))] = np.arange(nodes)
    chosen = np.zeros(nodes, np.bool_)
    elect(ground, rank, np.empty(nodes, np.int64), chosen)
    return np.flatnonzero(chosen)


def claim(ground: Ground, initiator: int, degree: Floats, draft: Draft) -> Claim:
    """Algorithm 1: the community this initiator forms."""
    choose_clique(ground, initiator, draft)
    neighbours, cliques, _ = draft.facts.tolist()
    return Claim(initiator, draft.chosen.copy(), float(degree[initiator]), neighbours, cliques, float(draft.ncut[0]))


def find_communities(
    pairs: pa.Table,
    nodes: int,
    threshold: float = 0.5,
    hops: int = 2,
    progress: Progress = lambda _placed, _nodes: None,
) -> Formed:
    """The communities of nodes 0..nodes - 1 with full knowledge of the graph.

    `pairs` holds a < b and closeness, one row per pair that met. Cost: the first neighbourhoods take, per node, the
    edges of at least T within `hops` - 1 hops; later rounds only search again where a path was broken.

    >>> pairs = pa.table({"a": [0, 1, 3], "b": [1, 2, 4], "closeness": [0.9, 0.8, 0.7]})
    >>> find_communities(pairs, nodes=6).communities["community"].to_pylist()
    [1, 1, 1, 3, 3, 5]
    """
    check_threshold(threshold)
    graph = graph_of(pairs, nodes)
    ground = new_ground(graph, threshold, hops)
    refresh(ground, everyone(nodes))
    draft = new_draft(nodes)
    degree = np.empty(nodes)
    rounds: list[list[Claim]] = []
    while ground.free.any():
        degrees(graph, ground.free, degree)
        rounds.append([claim(ground, int(node), degree, draft) for node in initiators(ground, degree)])
        take_out(ground, np.logical_or.reduce([one.members for one in rounds[-1]]))
        progress(nodes - int(ground.free.sum()), nodes)
    return formed(graph, rounds)


def formed(graph: Graph, rounds: list[list[Claim]]) -> Formed:
    """The tables of what was formed, round by round; degrees in `COMMUNITIES` are those of the whole graph."""
    nodes = len(graph.bounds) - 1
    community, round_of = np.full(nodes, -1, np.int32), np.full(nodes, -1, np.int32)
    rows = []
    for number, claims in enumerate(rounds):
        for one in claims:
            community[one.members], round_of[one.members] = one.initiator, number
            size = int(one.members.sum())
            rows.append((one.initiator, number, one.degree, one.neighbours, one.cliques, size, one.ncut))
    degree = np.empty(nodes)
    degrees(graph, np.ones(nodes, np.bool_), degree)
    columns = list(zip(*rows, strict=True))
    return Formed(
        pa.table([np.arange(nodes, dtype=np.int32), community, ["member"] * nodes, round_of, degree], COMMUNITIES),
        pa.table([pa.array(column, kind.type) for column, kind in zip(columns, FORMATION, strict=True)], FORMATION),
    )
