"""What nodes of MOPS learn by themselves: separations, closeness, communities and roles as they are given to `mops`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from hunet.model.tables import CONTACTS, NODES
from hunet.protocols.mops_live import MOPS_LIVE
from hunet.protocols.mops_people import mean_separation, new_live_state, note_meeting, note_parting
from hunet.protocols.protocol import World
from hunet.sim.engine.acquaintances import partings
from hunet.sim.simulate import simulate
from hunet.social.structure import structure_of
from hunet.traces.pairs import BOUNDARIES, pairs_of

pytestmark = pytest.mark.interpreted

HOUR = 3600.0


def table(rows: list[tuple[int, int, float, float]]) -> pa.Table:
    rows.sort(key=lambda row: (row[2], row[0], row[1]))
    return pa.table(
        [pa.array(column, kind.type) for column, kind in zip(zip(*rows, strict=True), CONTACTS, strict=True)], CONTACTS
    )


def nodes_of(count: int) -> pa.Table:
    rows = [{"node": i, "name": f"p{i}", "kind": "internal", "class": None} for i in range(count)]
    return pa.Table.from_pylist(rows, NODES)


def two_groups(hours: int) -> pa.Table:
    """Three and four who meet among themselves about every hour; 2 and 3 meet every third, 6 and 7 every fourth."""
    often = [(a, b) for group in (range(3), range(3, 7)) for a in group for b in group if a < b]
    rows = []
    for hour in range(hours):
        met = often + [(2, 3)] * (hour % 3 == 0) + [(6, 7)] * (hour % 4 == 1)
        rows += [(a, b, HOUR * hour + 60 * i, HOUR * hour + 60 * i + 40) for i, (a, b) in enumerate(met)]
    return table(rows)


def groups(labels: list[int]) -> set[frozenset[int]]:
    """Who says the same."""
    return {frozenset(i for i, other in enumerate(labels) if other == label) for label in labels}


def learned(contacts: pa.Table, count: int, **settings: Any) -> Any:
    return simulate((contacts, nodes_of(count)), "mops", MOPS_LIVE, settings=settings).outcome.state


def test_the_example_of_the_paper_has_a_mean_separation_of_20() -> None:
    """II-B: 5 and 8 met at 20 and 50, for 20 each, in 100."""
    history = new_live_state(2, 1, 0, World(1, ("tag",), 1, peer_start=np.array([0, 1]))).history
    state: Any = type("State", (), {"history": history})
    for start, end in ((20, 40), (50, 70)):
        note_meeting(state, 0, 8, start)
        note_parting(state, 0, end)
    readings = {"both": (True, True), "tail": (False, True), "inner": (False, False)}
    found = {name: mean_separation(history[0], 0, 100, *reading) - 1 for name, reading in readings.items()}
    assert found == {"both": 20, "tail": 20, "inner": 10}


def test_two_part_when_the_last_of_contacts_that_touch_is_over() -> None:
    a, b = np.array([0, 0, 1, 0], np.uint32), np.array([1, 1, 2, 1], np.uint32)
    start, end = np.array([0.0, 5.0, 6.0, 30.0]), np.array([5.0, 9.0, 7.0, 31.0])
    assert partings(a, b, start, end).tolist() == [2, 1, 3]
    assert partings(a[:0], b[:0], start[:0], end[:0]).tolist() == []


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_nodes_learn_the_closeness_communities_and_brokers_that_mops_is_given(boundary: Any) -> None:
    contacts = two_groups(24)
    state = learned(contacts, 8, boundary=boundary, every=HOUR, people=12)
    pairs = pairs_of(contacts, (0.0, 23 * HOUR), boundary)
    given = structure_of(pairs, 8).communities.to_pydict()
    assert groups(state.person["label"][:, 0].tolist()) == groups(given["community"])
    assert state.person["broker"][:, 0].tolist() == [role == "broker" for role in given["role"]]
    assert len(set(given["community"])) > 2
    for a, b, closeness in zip(*(pairs[name].to_pylist() for name in ("a", "b", "closeness")), strict=True):
        place = state.person["name"][a].tolist().index(b)
        assert state.person[a, place].direct == pytest.approx(closeness, abs=0.05)  # cards are up to an hour old


def test_who_knows_too_many_keeps_the_closest() -> None:
    state = learned(two_groups(16), 8, every=HOUR, people=6)
    assert state.node["people"].max() <= 6
    names = state.person["name"]
    known = [set(names[i, : state.node["people"][i]].tolist()) for i in range(8)]
    assert all({0, 1, 2} <= known[i] for i in range(3))
    assert 7 not in known[0]


def test_a_group_that_falls_apart_is_two_communities() -> None:
    """0 to 3 meet every hour for half a day; then 2 and 3 only each other."""
    first = [(a, b, h) for h in range(12) for a in range(4) for b in range(a + 1, 4)]
    then = [(a, b, h) for h in range(12, 100) for a, b in ((0, 1), (2, 3))]
    rows = [(a, b, HOUR * h + 60 * (4 * a + b), HOUR * h + 60 * (4 * a + b) + 30) for a, b, h in first + then]
    settings: Any = {"every": HOUR, "boundary": "tail", "people": 8}
    for until, expected in ((12, {frozenset(range(4))}), (100, {frozenset({0, 1}), frozenset({2, 3})})):
        state = learned(table([row for row in rows if row[2] < until * HOUR]), 4, **settings)
        assert groups(state.person["label"][:, 0].tolist()) == expected
