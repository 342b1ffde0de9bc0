"""Virtual links against all paths, against networkx, and the examples and relations of MOPS III-A."""

from __future__ import annotations

import math
from itertools import pairwise

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hunet.model.errors import InvalidValueError
from hunet.model.tables import LINKS
from hunet.social.links import hop_shares, virtual_links
from tests.naive import links as naive
from tests.social.graphs import as_pairs

NODES = 7
EDGES = st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)).filter(lambda e: e[0] < e[1])
HALVES = st.sampled_from([1.0, 0.5, 0.25, 0.125, 0.0])  # their products do not round: ties are true ties
GRAPHS = st.dictionaries(EDGES, HALVES, max_size=15)


def as_dict(links: pa.Table) -> dict[tuple[int, int], naive.Link]:
    return {(row["a"], row["b"]): (row["closeness"], row["hops"], row["via"]) for row in links.to_pylist()}


@settings(deadline=None)  # the first example compiles
@given(GRAPHS, st.integers(1, 5))
def test_links_equal_those_of_walking_every_path(graph: dict[tuple[int, int], float], hops: int) -> None:
    links = virtual_links(as_pairs(graph), NODES, hops)
    assert links.schema == LINKS
    assert as_dict(links) == naive.virtual_links(graph, NODES, hops)


@settings(deadline=None)
@given(st.dictionaries(EDGES, st.floats(1e-3, 1), max_size=15), st.integers(1, 5))
def test_the_best_product_is_found_to_the_last_bit(graph: dict[tuple[int, int], float], hops: int) -> None:
    found = {pair: link[0] for pair, link in as_dict(virtual_links(as_pairs(graph), NODES, hops)).items()}
    assert found == {pair: link[0] for pair, link in naive.virtual_links(graph, NODES, hops).items()}


def test_without_a_limit_of_hops_links_are_shortest_paths_of_the_logarithm() -> None:
    chance = np.random.Generator(np.random.PCG64(3))
    graph = nx.gnm_random_graph(60, 150, seed=3)
    pairs = {(min(a, b), max(a, b)): float(c) for (a, b), c in zip(graph.edges, chance.random(150), strict=True)}
    nx.set_edge_attributes(graph, {edge: -math.log(c) for edge, c in pairs.items()}, "far")
    expected = dict(nx.all_pairs_dijkstra_path_length(graph, weight="far"))
    links = as_dict(virtual_links(as_pairs(pairs), 60, 59))
    assert set(links) == {(a, b) for a in expected for b in expected[a] if a < b}
    for (a, b), (closeness, hops, via) in links.items():
        assert closeness == pytest.approx(math.exp(-expected[a][b]), rel=1e-12)
        path = [a, *via, b]
        assert len(path) == hops + 1
        walked = math.prod(pairs[min(u, v), max(u, v)] for u, v in pairwise(path))
        assert walked == pytest.approx(closeness, rel=1e-12)


@settings(deadline=None)
@given(GRAPHS, st.integers(1, 5))
def test_hop_shares_count_the_links_and_the_pairs_without_one(graph: dict[tuple[int, int], float], hops: int) -> None:
    links = naive.virtual_links(graph, NODES, hops).values()
    pairs = NODES * (NODES - 1) // 2
    shares = hop_shares(as_pairs(graph), NODES, hops)
    assert shares.by_hops == tuple(sum(link[1] == h for link in links) / pairs for h in range(1, hops + 1))
    assert shares.unreachable == (pairs - len(links)) / pairs
    endless = hop_shares(as_pairs(graph), NODES, None)
    assert sum(endless.by_hops) + endless.unreachable == pytest.approx(1)


def test_a_later_shortcut_to_an_inner_node_does_not_change_a_path_that_was_found_before() -> None:
    # 1 improves its link to 0 in the second round; 2 was reached over the direct link in that same round.
    pairs = as_pairs({(0, 1): 0.25, (0, 3): 1.0, (1, 3): 1.0, (1, 2): 1.0})
    assert as_dict(virtual_links(pairs, 4, 2))[0, 2] == (0.25, 2, [1])
    assert as_dict(virtual_links(pairs, 4, 3))[0, 2] == (1.0, 3, [3, 1])


def test_the_virtual_link_between_3_and_4_has_closeness_072() -> None:
    pairs = as_pairs({(1, 3): 0.9, (1, 4): 0.8})
    closeness, hops, via = as_dict(virtual_links(pairs, 5))[3, 4]
    assert closeness == pytest.approx(0.72)
    assert (hops, via) == (2, [1])


def test_a_pair_without_closeness_has_no_edge() -> None:
    pairs = pa.table({"a": [0, 1], "b": [1, 2], "closeness": pa.array([None, 0.5], pa.float64())})
    assert as_dict(virtual_links(pairs, 3)) == {(1, 2): (0.5, 1, [])}


def test_no_pairs_give_no_links() -> None:
    assert virtual_links(as_pairs({}), 3).num_rows == 0
    assert hop_shares(as_pairs({}), 1).unreachable == 0
    assert hop_shares(as_pairs({}), 3, None) == ((0.0,), 1.0)


@pytest.mark.parametrize(
    ("graph", "said"),
    [
        ({(0, 1): 1.5}, "row 0: a 0, b 1, closeness 1.5"),
        ({(0, 1): -0.1}, "closeness -0.1"),
        ({(0, 9): 0.5}, "b 9"),
        ({(1, 0): 0.5}, "a 1, b 0"),
    ],
)
def test_a_wrong_pair_is_refused_with_its_row(graph: dict[tuple[int, int], float], said: str) -> None:
    with pytest.raises(InvalidValueError, match=said):
        virtual_links(as_pairs(graph), 3)


def test_two_settings_in_one_table_are_refused() -> None:
    twice = pa.concat_tables([as_pairs({(0, 1): 0.5}), as_pairs({(0, 1): 0.6})])
    with pytest.raises(InvalidValueError, match="0 and 1 stand in it twice"):
        virtual_links(twice, 3)


def test_limits_of_hops_and_nodes_are_said() -> None:
    with pytest.raises(InvalidValueError, match="hops 0"):
        virtual_links(as_pairs({}), 3, 0)
    with pytest.raises(InvalidValueError, match="nodes 0"):
        hop_shares(as_pairs({}), 0)
