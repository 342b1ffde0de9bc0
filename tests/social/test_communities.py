"""Communities, gateways and brokers beside the naive ones, and what a node finds from hello messages."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hunet.model.errors import InvalidValueError
from hunet.model.tables import BRIDGES, COMMUNITIES, FORMATION, GATEWAYS, LINKS
from hunet.social.communities import find_communities
from hunet.social.gateways import find_gateways
from hunet.social.graph import graph_of
from hunet.social.hello import complete_rounds, heard_after, view_of
from hunet.social.structure import SocialSettings, equal_labels, structure_from_hellos, structure_of
from tests.naive import communities as naive
from tests.social.graphs import Edges, as_pairs, in_eighths, random_edges

THRESHOLDS = (0.0, 0.25, 0.5, 0.75, 1.0)
RANDOM = [(seed, 5 + seed % 9, (0.15, 0.3, 0.6)[seed % 3], THRESHOLDS[seed % 5], 1 + seed % 3) for seed in range(200)]


def labels_and_rounds(edges: Edges, nodes: int, threshold: float, hops: int) -> tuple[list[int], list[int]]:
    found = find_communities(as_pairs(edges), nodes, threshold, hops).communities
    return found["community"].to_pylist(), found["round"].to_pylist()


@given(in_eighths(8), st.sampled_from(THRESHOLDS), st.integers(1, 3))
def test_communities_equal_the_naive_ones_with_ties(edges: Edges, threshold: float, hops: int) -> None:
    assert labels_and_rounds(edges, 8, threshold, hops) == naive.communities(edges, 8, threshold, hops)


def test_communities_equal_the_naive_ones_on_random_graphs() -> None:
    for seed, nodes, share, threshold, hops in RANDOM:
        edges = random_edges(seed, nodes, share)
        assert labels_and_rounds(edges, nodes, threshold, hops) == naive.communities(edges, nodes, threshold, hops)


def test_more_than_64_nodes_equal_the_naive_ones() -> None:
    edges = random_edges(5, 70, 0.05)
    assert labels_and_rounds(edges, 70, 0.4, 2) == naive.communities(edges, 70, 0.4, 2)


@given(in_eighths(8), st.sampled_from((2, 3)))
def test_small_communities_have_no_gateways_and_none_lead_there(edges: Edges, least: int) -> None:
    every, fewer = (structure_of(as_pairs(edges), 8, SocialSettings(gateway_size=size)) for size in (1, least))
    label = every.communities["community"].to_pylist()
    kept = [
        row
        for row in every.gateways.to_pylist()
        if min(label.count(row["community"]), label.count(row["towards"])) >= least
    ]
    assert fewer.gateways.to_pylist() == kept
    assert fewer.formation.equals(every.formation)


@given(in_eighths(8), st.sampled_from(THRESHOLDS), st.sampled_from((0.0, 0.5, 0.75, 1.0)))
def test_gateways_and_brokers_equal_the_naive_ones(edges: Edges, threshold: float, share: float) -> None:
    found = structure_of(as_pairs(edges), 8, SocialSettings(threshold, 2, share))
    label = found.communities["community"].to_pylist()
    expected = naive.betweenness(edges, label, 2)
    rows = found.gateways.to_pylist()
    assert {(row["community"], row["towards"], row["node"]) for row in rows} == {
        (*pair, node) for pair, shares in expected.items() for node in shares
    }
    for row in rows:
        assert row["betweenness"] == pytest.approx(expected[row["community"], row["towards"]][row["node"]], rel=1e-12)
    brokers = {(row["community"], row["towards"]): set(row["brokers"]) for row in found.bridges.to_pylist()}
    assert brokers == {pair: naive.brokers(shares, share) for pair, shares in expected.items()}


def test_after_2k_complete_rounds_each_node_decides_as_with_full_knowledge() -> None:
    for seed, nodes, share, threshold, hops in RANDOM:
        pairs, settings = as_pairs(random_edges(seed, nodes, share)), SocialSettings(threshold, hops)
        heard = heard_after(complete_rounds(pairs, hops), nodes)
        assert structure_from_hellos(pairs, heard, settings) == structure_of(pairs, nodes, settings)


def test_2k_rounds_are_needed_for_that() -> None:
    """One round less, and some node of some graph decides otherwise: the test above does not hold for nothing."""
    equal = []
    for seed, nodes, share, threshold, hops in RANDOM[:40]:
        pairs = as_pairs(random_edges(seed, nodes, share))
        heard = heard_after(complete_rounds(pairs, hops)[:-1], nodes)
        settings = SocialSettings(threshold, hops)
        equal.append(structure_from_hellos(pairs, heard, settings) == structure_of(pairs, nodes, settings))
    assert not all(equal)


def test_informing_the_visible_neighbourhood_alone_would_leave_neighbours_of_members_unaware() -> None:
    """Why labels travel with the edges: after the first round of 30 graphs somebody unseen has an edge to a member."""
    unaware = 0
    for seed, nodes, share, threshold, hops in RANDOM:
        edges = random_edges(seed, nodes, share)
        near = naive.neighbourhoods(edges, nodes, threshold, hops)
        label, formed = naive.communities(edges, nodes, threshold, hops)
        first = [(i, j) for i in range(nodes) for j in range(nodes) if formed[i] == 0 and formed[j] > 0]
        unaware += any(naive.edge(edges, i, j) > 0 and j not in naive.visible(near, label[i]) for i, j in first)
    assert unaware == 30


@given(st.lists(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=6), max_size=4))
def test_hello_rounds_carry_what_was_known_when_the_round_began(rounds: list[list[tuple[int, int]]]) -> None:
    tables = [pa.table({"a": [a for a, _ in met], "b": [b for _, b in met]}) for met in rounds]
    heard = heard_after(tables, 6)
    assert [set(np.flatnonzero(row)) for row in heard] == naive.heard(rounds, 6)


def test_a_view_holds_the_edges_of_the_nodes_heard_of() -> None:
    graph = graph_of(as_pairs({(0, 1): 0.5, (1, 2): 0.25, (2, 3): 0.75}), 4)
    view = view_of(graph, np.array([True, True, False, False]))
    assert (view.bounds.tolist(), view.peer.tolist()) == ([0, 1, 3, 4, 4], [1, 0, 2, 1])
    assert view.closeness.tolist() == [0.5, 0.5, 0.25, 0.25]


def test_with_little_knowledge_every_node_still_has_one_community_of_local_neighbours() -> None:
    for seed, nodes, share, threshold, hops in RANDOM[:60]:
        edges = random_edges(seed, nodes, share)
        met = [(a, b) for a, b in edges if (a + b + seed) % 3 == 0]
        rounds = [pa.table({"a": [a for a, _ in met], "b": [b for _, b in met]})]
        found = structure_from_hellos(as_pairs(edges), heard_after(rounds, nodes), SocialSettings(threshold, hops))
        label = found.communities["community"].to_pylist()
        assert all(label[one] == one for one in label)
        near = naive.neighbourhoods(edges, nodes, threshold, hops)
        assert all(j in near[i] for i in range(nodes) for j in range(nodes) if i != j and label[i] == label[j])


def test_every_stage_is_a_table_of_its_schema() -> None:
    found = structure_of(as_pairs(random_edges(1, 12, 0.3)), 12)
    schemas = COMMUNITIES, FORMATION, GATEWAYS, BRIDGES, LINKS
    assert [table.schema for table in found] == list(schemas)
    assert found.communities["node"].to_pylist() == list(range(12))
    assert sum(found.formation["size"].to_pylist()) == 12
    assert equal_labels(found.communities, found.communities) == 1.0


def test_the_order_of_the_pairs_does_not_matter() -> None:
    edges = random_edges(3, 30, 0.3)
    turned = dict(reversed(edges.items()))
    assert structure_of(as_pairs(edges), 30) == structure_of(as_pairs(turned), 30)


def test_nodes_that_never_met_anyone_are_communities_of_their_own_without_gateways() -> None:
    found = structure_of(as_pairs({}), 4)
    assert found.communities["community"].to_pylist() == [0, 1, 2, 3]
    assert found.communities["role"].to_pylist() == ["member"] * 4
    assert found.formation["ncut"].to_pylist() == [0.0] * 4
    assert [table.num_rows for table in (found.gateways, found.bridges, found.connections)] == [0, 0, 0]
    assert structure_from_hellos(as_pairs({}), heard_after([], 4)) == found


def test_no_gateways_at_all_leave_members_only() -> None:
    found = structure_of(as_pairs({(0, 1): 0.9, (2, 3): 0.8}), 4)
    assert found.communities["community"].to_pylist() == [0, 0, 2, 2]
    assert found.gateways.num_rows == 0


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_that_is_no_closeness_is_refused(threshold: float) -> None:
    with pytest.raises(InvalidValueError, match="within 0 and 1"):
        SocialSettings(threshold)
    with pytest.raises(InvalidValueError, match="within 0 and 1"):
        find_communities(as_pairs({}), 3, threshold)


def test_other_limits_are_said() -> None:
    with pytest.raises(InvalidValueError, match="1,001 nodes"):
        structure_from_hellos(as_pairs({}), np.eye(1_001, dtype=np.bool_))
    with pytest.raises(InvalidValueError, match="broker share 2"):
        SocialSettings(broker_share=2.0)
    with pytest.raises(InvalidValueError, match="hops 0"):
        structure_of(as_pairs({}), 3, SocialSettings(hops=0))
    with pytest.raises(InvalidValueError, match="broker share"):
        find_gateways(as_pairs({}), structure_of(as_pairs({}), 3).communities, share=-1.0)
