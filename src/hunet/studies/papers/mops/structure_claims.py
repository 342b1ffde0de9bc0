"""The claims of [mops] III-B, IV and its appendix about communities, brokers and weights.

They are judged on the paper's example and on random graphs. `scenes` has those about the protocol at work.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np

from hunet.social.gateways import find_gateways
from hunet.social.hello import complete_rounds, heard_after
from hunet.social.links import virtual_links
from hunet.social.structure import SocialSettings, SocialStructure, structure_of
from hunet.social.weights import broker_lists, combine
from hunet.studies.claims.judging import Alone, Found
from hunet.studies.papers.mops.example import EDGES, NODES, WANT_C, as_pairs, weights

__all__ = ["STRUCTURE_CLAIMS"]

_OWN_SHARE = 0.99
"""a, the weight of the own side."""
_GRAPHS = 60
_SIZE = 12
_TOLD = f"in {_GRAPHS} random graphs of {_SIZE} nodes"

Edges = Mapping[tuple[int, int], float]


class _Formed(NamedTuple):
    """The communities of a random graph."""

    edges: Edges
    settings: SocialSettings
    found: SocialStructure

    @property
    def label(self) -> list[int]:
        """[node]: its community."""
        return list(self.found.communities["community"].to_pylist())


def _random_graphs() -> Iterator[_Formed]:
    for seed in range(_GRAPHS):
        edges, settings = _random_edges(seed, _SIZE, 0.35), SocialSettings((0.25, 0.5, 0.75)[seed % 3])
        yield _Formed(edges, settings, structure_of(as_pairs(edges), _SIZE, settings))


def _local_neighbours() -> Found:
    near = True
    for graph in _random_graphs():
        label = graph.label
        inside = {(i, j) for i, j in combinations(range(_SIZE), 2) if label[i] == label[j]}
        links = {(row["a"], row["b"]): row for row in graph.found.connections.to_pylist()}
        least, most = graph.settings.threshold, graph.settings.hops
        near &= inside == links.keys()
        near &= all(row["closeness"] >= least and row["hops"] <= most for row in links.values())
    return Found.of(near, _TOLD)


def _initiators() -> Found:
    first = True
    for edges, settings, found in _random_graphs():
        label, formed = (found.communities[name].to_pylist() for name in ("community", "round"))
        for number in range(max(formed) + 1):
            free = {node for node in range(_SIZE) if formed[node] >= number}
            initiators = {label[node] for node in free if formed[node] == number}
            first &= _first_of_all(edges, free, initiators, settings)
    return Found.of(first, _TOLD)


def _first_of_all(edges: Edges, free: set[int], initiators: set[int], settings: SocialSettings) -> bool:
    """Whether each initiator has the highest degree (ties by id) among those it sees: neighbours, and theirs."""
    left = {pair: value for pair, value in edges.items() if set(pair) <= free}
    near: dict[int, set[int]] = {node: set() for node in free}
    for row in virtual_links(as_pairs(left), _SIZE, settings.hops, settings.threshold).to_pylist():
        near[row["a"]].add(row["b"])
        near[row["b"]].add(row["a"])
    degree = {node: sum(value for pair, value in left.items() if node in pair) for node in free}
    for one in initiators:
        seen = {one} | near[one] | {other for node in near[one] for other in near[node]}
        if seen & initiators != {one} or min(seen, key=lambda node: (-degree[node], node)) != one:
            return False
    return True


def _algorithm_1() -> Found:
    """As printed, an initiator announces a community after every neighbour; it must be the same each time."""
    parted, initiators, contradicted = True, 0, 0
    for graph in _random_graphs():
        label, formation = graph.label, graph.found.formation
        parted &= all(label[one] == one for one in label)
        sizes = dict(zip(formation["community"].to_pylist(), formation["size"].to_pylist(), strict=True))
        parted &= sizes == {one: label.count(one) for one in label}
        first = {
            one for one, formed in zip(label, graph.found.communities["round"].to_pylist(), strict=True) if formed == 0
        }
        for initiator in first:
            announced = _announced(graph.edges, graph.settings, initiator)
            initiators += 1
            contradicted += len(set(announced)) > 1
    found = (
        f"{contradicted} of {initiators} initiators announce one community and then another, {_TOLD}; with the choice "
        f"after the loop all nodes are parted: {'yes' if parted else 'no'}, ERR-17"
    )
    return Found.or_erratum(contradicted == 0 and parted, found)


def _announced(edges: Edges, settings: SocialSettings, initiator: int) -> list[frozenset[int]]:
    """Algorithm 1 as printed: the clique with the least Ncut so far, chosen and announced in every pass."""
    near: dict[int, dict[int, float]] = {node: {} for node in range(_SIZE)}
    for row in virtual_links(as_pairs(edges), _SIZE, settings.hops, settings.threshold).to_pylist():
        near[row["a"]][row["b"]] = near[row["b"]][row["a"]] = row["closeness"]
    scanned = sorted(near[initiator], key=lambda node: (-near[initiator][node], node))
    visible = {initiator, *scanned, *(other for node in scanned for other in near[node])}
    cliques: list[frozenset[int]] = []
    announced = []
    for first in scanned:
        if not any(first in clique for clique in cliques):
            clique = {initiator, first}
            for node in scanned:
                if all(node in near[member] for member in clique - {node}):
                    clique.add(node)
            cliques.append(frozenset(clique))
        announced.append(min(cliques, key=lambda one: (_cut(edges, visible, one), -len(one))))
    return announced


def _cut(edges: Edges, visible: set[int], clique: frozenset[int]) -> float:
    seen = [(set(pair) & clique, value) for pair, value in edges.items() if set(pair) <= visible]
    leaving, inside = (sum(value for ends, value in seen if len(ends) == count) for count in (1, 2))
    return leaving / (leaving + 2 * inside) if leaving or inside else 0.0


def _rounds() -> Found:
    path = as_pairs({(node, node + 1): 0.5 for node in range(20)})
    reach = [int(np.flatnonzero(heard_after(complete_rounds(path, k), 21)[0]).max()) + 1 for k in (1, 2, 3)]
    found = f"k = 1, 2, 3: {', '.join(map(str, reach))} hops"
    return Found.of(reach == [3, 5, 7], found)


def _weight(name: str) -> Found:
    (row,) = (row for row in weights() if row["weight"] == name)
    return Found.of(math.isclose(row["computed"], row["printed"]), f"{row['computed']:g}")


def _rules() -> Found:
    grows, nearer = True, True
    for seed in range(40):
        edges = _random_edges(seed, 12, 0.35)
        found = structure_of(as_pairs(edges), 12)
        one_wants, two_want = np.zeros((12, 2)), np.zeros((12, 2))
        one_wants[seed % 12] = two_want[[seed % 12, (seed + 5) % 12]] = 1.0
        few, many = (
            broker_lists(as_pairs(edges), found.communities, found.connections, levels)
            for levels in (one_wants, two_want)
        )
        grows &= bool((many.internal >= few.internal).all() and (many.with_relay >= few.with_relay).all())
        closer = {pair: min(1.0, 1.25 * value) for pair, value in edges.items()}
        inside = {(row["a"], row["b"]): min(1.0, 1.25 * row["closeness"]) for row in found.connections.to_pylist()}
        stronger = broker_lists(as_pairs(closer), found.communities, as_pairs(inside), one_wants)
        nearer &= bool((stronger.with_relay >= few.with_relay).all())
    inverted, compared = (sum(column) for column in zip(*(_outranked(seed, 120) for seed in range(5)), strict=True))
    return Found.all(
        {
            "what members want outranks what others want": (
                inverted == 0,
                f"not in {inverted:,} of {compared:,} cases among 120 nodes, where ER > 99 I",
            ),
            "weights rise with requesters": (grows, "in 40 random graphs"),
            "weights rise with closeness": (nearer, "in 40 random graphs"),
        }
    )


def _outranked(seed: int, nodes: int) -> tuple[int, int]:
    """Categories that one member wants, beside one that everybody outside wants: how many are outranked by it."""
    edges = as_pairs(_random_edges(seed, nodes, 0.2))
    found = structure_of(edges, nodes)
    label = found.communities["community"].to_numpy()
    outside = label[:, None] != np.unique(label)[None, :]
    lists = broker_lists(edges, found.communities, found.connections, np.column_stack((np.eye(nodes), outside)))
    inverted = compared = 0
    for internal, external in zip(lists.internal, lists.with_relay, strict=True):
        own = internal > 0
        weights = [combine(_OWN_SHARE, float(i), float(e)) for i, e in zip(internal, external, strict=True)]
        inside, beyond = np.array(weights)[own], np.array(weights)[~own]
        if inside.size and beyond.size:
            compared += inside.size
            inverted += int((inside <= beyond.max()).sum())
    return inverted, compared


def _foreign_brokers() -> Found:
    found = structure_of(as_pairs(EDGES), NODES)
    levels = np.zeros((NODES, 1))
    levels[list(WANT_C)] = 1.0
    lists = broker_lists(as_pairs(EDGES), found.communities, found.connections, levels)
    printed, ours = (
        combine(_OWN_SHARE, own, float(lists.with_relay[5, 0])) for own in (0.0, float(lists.internal[5, 0]))
    )
    told = f"broker 5 asks for C, which members want, with {printed:g} by the list and {ours:g} by Eq. 6, ERR-18"
    return Found.or_erratum(printed == ours, told)


def _betweenness() -> Iterator[tuple[float, list[float], list[float]]]:
    """For all pairs of communities in random graphs: B, and the betweenness of gateways that stay brokers, and not."""
    for seed in range(_GRAPHS):
        pairs, share = as_pairs(_random_edges(seed, 14, 0.3)), (0.3, 0.8, 1.0)[seed % 3]
        rows = find_gateways(pairs, structure_of(pairs, 14).communities, share=share).to_pylist()
        for pair in {(row["community"], row["towards"]) for row in rows}:
            some = [row for row in rows if (row["community"], row["towards"]) == pair]
            kept, dropped = ([row["betweenness"] for row in some if row["broker"] is on] for on in (True, False))
            yield share, kept, dropped


_OF_PAIRS = f"for all pairs of communities in {_GRAPHS} random graphs"


def _adds_up() -> Found:
    adds = all(math.isclose(sum(kept) + sum(dropped), 1.0, rel_tol=1e-12) for _, kept, dropped in _betweenness())
    return Found.of(adds, _OF_PAIRS)


def _pruning() -> Found:
    keeps = all(
        bool(kept) and min(kept) >= max(dropped, default=0.0) and (not dropped or sum(kept) >= share - 1e-12)
        for share, kept, dropped in _betweenness()
    )
    return Found.of(keeps, _OF_PAIRS)


def _random_edges(seed: int, nodes: int, share: float) -> dict[tuple[int, int], float]:
    chance = np.random.default_rng(seed)
    return {pair: float(chance.random()) for pair in combinations(range(nodes), 2) if chance.random() < share}


STRUCTURE_CLAIMS: Alone = {
    "MOPS-10": _local_neighbours,
    "MOPS-11": _rounds,
    "MOPS-12": _initiators,
    "MOPS-13": _algorithm_1,
    "MOPS-14": lambda: _weight("I_5"),
    "MOPS-15": lambda: _weight("E_2"),
    "MOPS-16": lambda: _weight("ER_7"),
    "MOPS-19": _rules,
    "MOPS-20": _foreign_brokers,
    "MOPS-22": _adds_up,
    "MOPS-23": _pruning,
}
"""By the id in the ledger."""
