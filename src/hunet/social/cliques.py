"""Initiators and Algorithm 1 of MOPS (Appendix): who may form a community, and which clique it chooses.

A node is an initiator if nobody in its visible neighbourhood N_k(N_k(i)) has a higher degree; the lower id decides
among equals (AMB-44). An initiator tries cliques of its local neighbours and keeps the one with the least

    Ncut(A) = sum_{i in A, j not in A} c_ij / sum_{u in A} sum_{v != u} c_uv

over direct edges between visible nodes.

Differs: ERR-17. Ncut is computed once per clique, with one index in the denominator, and the choice is made after all
cliques are there. Candidates are scanned by falling closeness to the initiator, then by id (AMB-42); of cliques with
equal Ncut the larger wins, then the earlier (AMB-44); a denominator of 0 gives 0 (AMB-45).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hunet.kernels import leaf, loop, lowest_bit, rare
from hunet.social.graph import Booleans, Floats, Ids, Ints
from hunet.social.neighbourhoods import Bits, Ground, has
from hunet.social.paths import search_from

__all__ = ["Draft", "choose_clique", "elect", "new_draft", "stand", "try_cliques"]

_NONE = np.uint64(0)
_ONE = np.uint64(1)


class Draft(NamedTuple):
    """Room for one initiator's work, and what came of it."""

    member: Booleans
    """The clique being tried."""
    chosen: Booleans
    """The best clique so far; in the end, the community."""
    tried: Booleans
    """Nodes that are in some clique of this initiator."""
    visible: Booleans
    common: Bits
    """common[0]: the nodes that are near every member of the clique being tried."""
    order: Ids
    value: Floats
    ncut: Floats
    """ncut[0]: of the chosen clique."""
    facts: Ints
    """facts[0]: local neighbours of the initiator; facts[1]: cliques tried; facts[2]: size of the chosen one."""


def new_draft(nodes: int) -> Draft:
    """Room for initiators among so many nodes."""
    return Draft(
        member=np.zeros(nodes, np.bool_),
        chosen=np.zeros(nodes, np.bool_),
        tried=np.zeros(nodes, np.bool_),
        visible=np.zeros(nodes, np.bool_),
        common=np.zeros((1, (nodes + 63) // 64), np.uint64),
        order=np.zeros(nodes, np.int32),
        value=np.zeros(nodes),
        ncut=np.zeros(1),
        facts=np.zeros(3, np.int64),
    )


@leaf
def _best_near(ground: Ground, node: int, value: Ints) -> int:
    """The smallest value of a node and its local neighbours."""
    best = int(value[node])
    for w in range(ground.near.shape[1]):
        word = ground.near[node, w]
        while word != _NONE:
            best = min(best, int(value[64 * w + lowest_bit(word)]))
            word &= word - _ONE
    return best


@rare
def stand(ground: Ground, rank: Ints, best: Ints, initiator: Booleans) -> None:
    """initiator[i]: whether i ranks first (the smallest rank) in its visible neighbourhood.

    The best of a neighbourhood of neighbourhoods is the best of their bests; `best` is room for these.
    """
    for i in range(rank.size):
        if ground.free[i]:
            best[i] = _best_near(ground, i, rank)
    for i in range(rank.size):
        initiator[i] = ground.free[i] and best[i] == rank[i] and _best_near(ground, i, best) == rank[i]


@loop
def elect(ground: Ground, rank: Ints, best: Ints, initiator: Booleans) -> None:
    """`stand`, from Python."""
    stand(ground, rank, best, initiator)


@leaf
def _scan_order(ground: Ground, initiator: int, draft: Draft) -> int:
    """N_k(initiator) by falling closeness, then by id; how many."""
    count = 0
    for node in range(ground.free.size):
        if has(ground.near, initiator, node):
            closeness = ground.search.best[node]
            place = count
            while place > 0 and draft.value[place - 1] < closeness:
                draft.order[place] = draft.order[place - 1]
                draft.value[place] = draft.value[place - 1]
                place -= 1
            draft.order[place] = node
            draft.value[place] = closeness
            count += 1
    return count


@leaf
def _grow(ground: Ground, initiator: int, first: int, count: int, draft: Draft) -> int:
    """Algorithm 1, lines 3 to 7: a clique from the initiator and `first`; its size."""
    for node in range(draft.member.size):
        draft.member[node] = False
    draft.member[initiator] = True
    draft.member[first] = True
    for w in range(draft.common.shape[1]):
        draft.common[0, w] = ground.near[initiator, w] & ground.near[first, w]
    size = 2
    for i in range(count):
        node = draft.order[i]
        if has(draft.common, 0, node):
            draft.member[node] = True
            size += 1
            for w in range(draft.common.shape[1]):
                draft.common[0, w] &= ground.near[node, w]
    return size


@leaf
def _one_sided_cut(ground: Ground, draft: Draft) -> float:
    """Ncut of the clique being tried, sums by rising ids."""
    graph = ground.graph
    cut = 0.0
    all_edges = 0.0
    for node in range(draft.member.size):
        if draft.member[node]:
            for edge in range(graph.bounds[node], graph.bounds[node + 1]):
                peer = graph.peer[edge]
                if draft.visible[peer]:
                    all_edges += graph.closeness[edge]
                    if not draft.member[peer]:
                        cut += graph.closeness[edge]
    return cut / all_edges if all_edges > 0.0 else 0.0


@rare
def try_cliques(ground: Ground, initiator: int, draft: Draft) -> None:
    """Algorithm 1 for one initiator: `draft.chosen` is the community, alone if it has no local neighbour (AMB-43)."""
    nodes = ground.free.size
    search_from(ground.strong, initiator, ground.hops, ground.threshold, ground.free, ground.search)
    count = _scan_order(ground, initiator, draft)
    for node in range(nodes):
        draft.tried[node] = False
        draft.chosen[node] = node == initiator
        draft.visible[node] = node == initiator
    for i in range(count):
        near = draft.order[i]
        draft.visible[near] = True
        for node in range(nodes):
            draft.visible[node] |= has(ground.near, near, node)
    draft.ncut[0] = np.inf if count else 0.0
    draft.facts[0] = count
    draft.facts[1] = 0
    draft.facts[2] = 1
    for i in range(count):
        first = draft.order[i]
        if draft.tried[first]:
            continue
        size = _grow(ground, initiator, first, count, draft)
        ncut = _one_sided_cut(ground, draft)
        draft.facts[1] += 1
        better = ncut < draft.ncut[0] or (ncut == draft.ncut[0] and size > draft.facts[2])
        if better:
            draft.ncut[0] = ncut
            draft.facts[2] = size
        for node in range(nodes):
            draft.tried[node] |= draft.member[node]
            if better:
                draft.chosen[node] = draft.member[node]


@loop
def choose_clique(ground: Ground, initiator: int, draft: Draft) -> None:
    """`try_cliques`, from Python."""
    try_cliques(ground, initiator, draft)
