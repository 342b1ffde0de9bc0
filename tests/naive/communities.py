"""Communities, gateways and brokers of MOPS, the slow and obvious way: sets, dictionaries, and Eq. 7 as printed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product as every

from tests.naive.links import virtual_links

Edges = Mapping[tuple[int, int], float]


def edge(edges: Edges, u: int, v: int) -> float:
    return edges.get((min(u, v), max(u, v)), 0.0)


def best(edges: Edges, nodes: int, hops: int) -> dict[tuple[int, int], float]:
    """Closeness over at most `hops` hops, both ways."""
    links = virtual_links(edges, nodes, hops)
    return {pair: link[0] for (a, b), link in links.items() for pair in ((a, b), (b, a))}


def among(edges: Edges, free: Collection[int]) -> dict[tuple[int, int], float]:
    return {(a, b): c for (a, b), c in edges.items() if a in free and b in free and c > 0}


def degree(edges: Edges, node: int) -> float:
    return sum(c for pair, c in sorted(edges.items()) if node in pair)


def neighbourhoods(edges: Edges, nodes: int, threshold: float, hops: int) -> dict[int, set[int]]:
    close = best(edges, nodes, hops)
    return {i: {j for j in range(nodes) if close.get((i, j), -1.0) >= threshold} for i in range(nodes)}


def visible(near: Mapping[int, set[int]], node: int) -> set[int]:
    return {node} | near[node] | {far for one in near[node] for far in near[one]}


def is_initiator(edges: Edges, near: Mapping[int, set[int]], node: int) -> bool:
    def order(i: int) -> tuple[float, int]:
        return -degree(edges, i), i

    return min(visible(near, node), key=order) == node


def ncut(edges: Edges, clique: Collection[int], seen: Collection[int]) -> float:
    cut = sum(edge(edges, i, j) for i in sorted(clique) for j in sorted(seen) if j not in clique)
    every_edge = sum(edge(edges, u, v) for u in sorted(clique) for v in sorted(seen) if v != u)
    return cut / every_edge if every_edge else 0.0


def algorithm_1(
    edges: Edges, near: Mapping[int, set[int]], close: Mapping[tuple[int, int], float], initiator: int
) -> tuple[set[int], float]:
    """The chosen clique and its cut (ERR-17)."""
    order = sorted(near[initiator], key=lambda j: (-close[initiator, j], j))
    cliques: list[set[int]] = []
    for i in order:
        if not any(i in clique for clique in cliques):
            clique = {initiator, i}
            for j in order:
                if j not in clique and all(j in near[one] for one in clique):
                    clique.add(j)
            cliques.append(clique)
    seen = visible(near, initiator)
    if not cliques:
        return {initiator}, 0.0
    chosen = min(cliques, key=lambda clique: (ncut(edges, clique, seen), -len(clique)))
    return chosen, ncut(edges, chosen, seen)


def communities(edges: Edges, nodes: int, threshold: float, hops: int) -> tuple[list[int], list[int]]:
    """Each node's community, and the round in which it was formed."""
    label, formed = [-1] * nodes, [-1] * nodes
    number = 0
    while free := {node for node in range(nodes) if label[node] < 0}:
        left = among(edges, free)
        near, close = neighbourhoods(left, nodes, threshold, hops), best(left, nodes, hops)
        for initiator in [node for node in sorted(free) if is_initiator(left, near, node)]:
            for member in algorithm_1(left, near, close, initiator)[0]:
                assert label[member] < 0
                label[member], formed[member] = initiator, number
        number += 1
    return label, formed


def betweenness(edges: Edges, label: Sequence[int], hops: int) -> dict[tuple[int, int], dict[int, float]]:
    """Eq. 7 as printed: for each pair of communities (A, B) with an edge, b_l of every gateway l of A."""
    close = best(edges, len(label), hops)
    members = {one: [i for i, own in enumerate(label) if own == one] for one in set(label)}

    def c(i: int, j: int) -> float:
        return 1.0 if i == j else close.get((i, j), 0.0)

    found: dict[tuple[int, int], dict[int, float]] = {}
    for a, b in every(members, members):
        gates = [u for u in members[a] if a != b and any(edge(edges, u, v) > 0 for v in members[b])]
        if gates:
            flow = {
                u: sum(
                    edge(edges, u, v) * sum(c(i, u) * c(v, j) for i in members[a] for j in members[b])
                    for v in members[b]
                )
                for u in gates
            }
            found[a, b] = {u: value / sum(flow.values()) for u, value in flow.items()}
    return found


def brokers(shares: Mapping[int, float], needed: float) -> set[int]:
    """Those not pruned: the top ones, and whoever has less than B strictly above."""
    top = max(shares.values())
    return {u for u, b in shares.items() if b == top or sum(x for x in shares.values() if x > b) < needed}


def heard(rounds: Iterable[Iterable[tuple[int, int]]], nodes: int) -> list[set[int]]:
    """Whose own edges each node knows after the rounds."""
    known = [{node} for node in range(nodes)]
    for met in rounds:
        before = [set(one) for one in known]
        for a, b in met:
            known[a] |= before[b]
            known[b] |= before[a]
    return known
