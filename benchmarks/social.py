"""Communities of a large trace: 5,000 people, two million contacts, learnt from all of it.

The limit it has to stay below is 60 s for pairs and communities together; compiling is not part of it. Beside it
stands networkx's Louvain method, another way to find communities, on the same graph.
"""

from __future__ import annotations

import networkx as nx

from benchmarks.measure import Row, compare, cpu_seconds
from hunet.social.communities import find_communities
from hunet.social.structure import structure_of
from hunet.traces.generators.conference import CONFERENCE, ConferenceSettings
from hunet.traces.pairs import pairs_of

CORES = 1
NODES = 5_000
LIMIT = 60.0


def run() -> list[Row]:
    """One row for the pairs, one for the structure on them, one for its communities alone, one for all."""
    settings = ConferenceSettings(nodes=NODES, contacts_per_day=270.0)
    contacts = CONFERENCE.generate(settings, 1).contacts
    pairs = pairs_of(contacts)
    structure_of(pairs.slice(0, 10), NODES)
    learning = cpu_seconds(pairs_of, contacts, repeats=2)
    finding = cpu_seconds(structure_of, pairs, NODES, repeats=1)
    columns = (pairs[name].to_pylist() for name in ("a", "b", "closeness"))
    graph = nx.Graph()
    graph.add_weighted_edges_from(zip(*columns, strict=True))
    alone = cpu_seconds(find_communities, pairs, NODES, repeats=1)
    louvain = cpu_seconds(lambda: nx.community.louvain_communities(graph, seed=1), repeats=1)
    what = f"{NODES:,} nodes, {contacts.num_rows:,} contacts, {pairs.num_rows:,} pairs"
    return [
        compare(f"{what}: closeness", "s CPU", learning, "limit", LIMIT),
        compare("communities, gateways, brokers, connections", "s CPU", finding, "limit", LIMIT),
        compare("communities alone", "s CPU", alone, "networkx, Louvain", louvain),
        compare("closeness and all stages", "s CPU", learning + finding, "limit", LIMIT, target=1.0),
    ]
