"""Pairs, their separations and closeness, from contacts in memory."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from hunet.model.errors import InvalidValueError
from hunet.model.tables import CONTACTS, PAIRS
from hunet.traces.pairs import (
    BOUNDARIES,
    Boundary,
    Window,
    first_part,
    node_facts,
    pairs_from,
    pairs_of,
    spans_of,
    stored_windows,
    training_end,
)
from tests.naive import pipeline as naive

Contact = tuple[int, int, float, float]


def table_of(rows: list[Contact]) -> pa.Table:
    return pa.table([list(column) for column in zip(*rows, strict=True)], schema=CONTACTS)


def random_contacts(seed: int, nodes: int = 8) -> list[Contact]:
    draw = random.Random(seed)
    rows = []
    for _ in range(60):
        start = float(draw.randrange(0, 20_000, 50))
        rows.append((*draw.sample(range(nodes), 2), start, start + draw.choice([0.0, 50.0, 100.0, 700.0])))
    return naive.merge(rows)  # type: ignore[arg-type]


@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("sigma", [None, 900.0])
@pytest.mark.parametrize("seed", range(5))
def test_pairs_equal_the_plain_computation(seed: int, boundary: Boundary, sigma: float | None) -> None:
    contacts, window = random_contacts(seed), (2_000.0, 14_000.0)
    found = pairs_of(table_of(contacts), window, boundary, sigma)
    expected = naive.pairs(contacts, window, boundary, sigma)
    assert found.schema == PAIRS
    assert [(row["a"], row["b"]) for row in found.to_pylist()] == sorted(expected)
    for row in found.to_pylist():
        count, total, mean, close = expected[row["a"], row["b"]]
        assert (row["contacts"], row["total"]) == (count, total)
        assert row["mean_gap"] == (None if mean is None else pytest.approx(mean, rel=1e-12))
        assert row["closeness"] == pytest.approx(close, rel=1e-12)
        assert (row["window_start"], row["window_end"], row["boundary"]) == (*window, boundary)
        assert sigma in (None, row["sigma"])


def test_a_pair_that_is_never_apart_has_closeness_1_and_one_that_met_once_has_none_by_inner_gaps() -> None:
    contacts = table_of([(0, 1, 0.0, 100.0), (0, 2, 10.0, 20.0)])
    for boundary in BOUNDARIES:
        value = pairs_of(contacts, (0.0, 100.0), boundary)["closeness"].to_pylist()
        assert value[0] == 1.0
        assert (value[1] == 0.0) == (boundary == "inner")


def test_where_nobody_was_ever_apart_sigma_is_0_and_everybody_as_close_as_can_be() -> None:
    found = pairs_of(table_of([(0, 1, 0.0, 9.0), (1, 2, 0.0, 9.0)]))
    assert found["closeness"].to_pylist() == [1.0, 1.0]
    assert found["sigma"].to_pylist() == [0.0, 0.0]


def test_the_order_of_contacts_and_the_files_they_came_from_do_not_matter() -> None:
    contacts = table_of(random_contacts(3))
    shuffled = contacts.take(np.random.default_rng(1).permutation(contacts.num_rows))
    assert pairs_of(pa.concat_tables([shuffled.slice(20), shuffled.slice(0, 20)])).equals(pairs_of(contacts))


def test_a_trace_without_contacts_has_no_pairs() -> None:
    assert pairs_of(CONTACTS.empty_table()).equals(PAIRS.empty_table())
    assert pairs_of(table_of([(0, 1, 5.0, 9.0)]), (0.0, 4.0)).equals(PAIRS.empty_table())


def test_the_first_part_is_a_share_of_the_time_and_all_of_it_ends_with_the_last_contact() -> None:
    contacts = table_of([(0, 1, 10.0, 20.0), (0, 3, 90.0, 110.0)])
    assert first_part(contacts) == first_part(contacts, 0.4) == (10.0, 50.0)
    assert first_part(contacts, 1.0) == (10.0, 110.0)
    start, end = 0.61, 1.82
    assert start + (end - start) != end
    assert training_end(start, end, 1.0) == end


@pytest.mark.parametrize("share", [0.0, -1.0, 1.01, float("nan")])
def test_a_share_that_leaves_nothing_or_asks_for_more_is_refused(share: float) -> None:
    with pytest.raises(InvalidValueError, match="training share"):
        first_part(table_of([(0, 1, 10.0, 20.0)]), share)


def test_a_trace_without_contacts_has_no_part() -> None:
    with pytest.raises(InvalidValueError, match="no contact to learn from"):
        first_part(CONTACTS.empty_table())


def test_settings_without_a_meaning_are_refused() -> None:
    contacts = table_of([(0, 1, 10.0, 20.0)])
    with pytest.raises(InvalidValueError, match="before start"):
        spans_of(contacts, (2.0, 1.0))
    with pytest.raises(InvalidValueError, match="both, inner, tail"):
        pairs_from(spans_of(contacts), "outer")  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match="sigma"):
        pairs_of(contacts, sigma=0.0)


def test_the_whole_trace_and_its_first_40_percent_are_stored_and_what_else_is_asked_for_once() -> None:
    assert stored_windows(0.0, 100.0) == [Window(0.0, 100.0), Window(0.0, 40.0)]
    assert stored_windows(0.0, 100.0, (0.7, 1.0, 0.4)) == [Window(0.0, end) for end in (100.0, 40.0, 70.0)]


def test_node_facts_equal_the_plain_computation() -> None:
    contacts = random_contacts(4, nodes=7)
    facts = node_facts(pairs_of(table_of(contacts)), 8).to_pylist()
    degrees = naive.degrees(contacts)
    assert facts == [
        {
            "node": node,
            "degree": degrees.get(node, 0),
            "contacts": sum(node in contact[:2] for contact in contacts),
        }
        for node in range(8)
    ]
