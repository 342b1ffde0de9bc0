"""The workload of MOPS: categories are a partition of the values, and what comes before it begins is history."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from hunet.model.errors import InvalidValueError, WorkloadError
from hunet.sim.centrality import delivery_by_centrality
from hunet.sim.history import history, lengthened, since
from hunet.sim.simulate import conditions_of, simulate
from hunet.sim.workload.numbers import NumberSettings, generate_numbers
from hunet.sim.workload.profiles import MOPS, MOPS_CHANGING, workload_named
from hunet.sim.workload.workload import Workload
from hunet.sweeps.data import Data, store_data
from hunet.sweeps.simulation import run as run_of_a_sweep
from hunet.sweeps.simulation import workload_data
from hunet.traces.pairs import first_part, pairs_of
from tests.sim.small_traces import TRIANGLE, contacts_table, workload

DAY = 86400.0
# 60 people in a ring for 100 days.
RING = contacts_table(*((i, i + 1, 100.0 * i, 100.0 * i + 50) for i in range(59)), (0, 59, 100 * DAY - 20, 100 * DAY))


@pytest.fixture(scope="module")
def ring() -> Workload:
    return workload_named("mops", RING, 1)


@pytest.mark.parametrize("categories", [1, 5, 10, 20, 100])
def test_categories_part_the_values_from_1_to_100(categories: int) -> None:
    tags = generate_numbers(NumberSettings("x", categories=categories), TRIANGLE[0], 3).tags
    ranges = [range(int(low), int(high) + 1) for low, high in (tag.split("-") for tag in tags)]
    assert [value for one in ranges for value in one] == list(range(1, 101))
    assert len(tags) == categories


def test_events_come_in_the_last_60_percent_10_an_hour_from_anybody_by_the_width_of_their_category(
    ring: Workload,
) -> None:
    events = 60 * 24 * 10
    created = ring.messages["created"].to_numpy()
    assert ring.begins == pytest.approx(40 * DAY)
    assert created.min() >= ring.begins
    assert abs(len(created) - events) < 5 * np.sqrt(events)
    sources = np.bincount(ring.messages["source"].to_numpy(), minlength=60)
    assert ((sources - events / 60) ** 2 / (events / 60)).sum() < 120  # chi square with 59 degrees of freedom
    tags = np.array([tag for (tag,) in ring.messages["tags"].to_pylist()])
    for tag in ring.tags:
        low, high = map(int, tag.split("-"))
        share = (high - low + 1) / 100
        assert abs((tags == tag).mean() - share) < 5 * np.sqrt(share / events)
    assert set(ring.messages["size"].to_pylist()) == {625_000}
    assert ring.messages["size"][0].as_py() / ring.bytes_per_second == 10.0
    assert (ring.ttl, ring.buffer, ring.shared) == (DAY, None, True)
    assert len(ring.interests) / (60 * 10) == pytest.approx(0.2, abs=0.07)


def test_a_third_of_the_nodes_draw_their_interests_anew_half_way() -> None:
    steady, changing = workload_named("mops", RING, 1), generate_numbers(MOPS_CHANGING, RING, 1)
    assert steady.messages.equals(changing.messages)
    half = 70 * DAY

    def wanted(load: Workload, at: float) -> set[tuple[int, str]]:
        return {(row["node"], row["tag"]) for row in load.interests.to_pylist() if row["from"] <= at < row["until"]}

    assert wanted(changing, half - 1) == wanted(steady, 0.0)
    others = {node for node, _ in wanted(changing, half) ^ wanted(steady, 0.0)}
    assert 10 < len(others) <= 20  # by chance some draw what they had


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"categories": 0}, "0 categories"),
        ({"categories": 101}, "101 categories"),
        ({"interest": 1.2}, "interest 1.2"),
        ({"changing": -0.1}, "changing -0.1"),
        ({"training": 1.0}, "training 1"),
        ({"per_hour": 0.0}, "0 events per hour"),
    ],
)
def test_settings_that_cannot_be_are_refused(change: dict[str, object], reason: str) -> None:
    with pytest.raises(InvalidValueError, match=reason):
        replace(MOPS, **change)  # type: ignore[arg-type]


@pytest.mark.compiles
def test_contacts_of_the_history_are_not_simulated_and_those_that_last_over_its_end_begin_with_it() -> None:
    contacts = TRIANGLE[0]  # ann and bob 10-20, 40-50; bob and cid 30-35
    assert since(contacts, -np.inf) is contacts
    kept = since(contacts, 32.0)
    assert sorted(kept["start"].to_pylist()) == [32.0, 40.0]
    with pytest.raises(WorkloadError, match="no contacts after its history, which ends at 60 s"):
        since(contacts, 60.0)
    assert history(contacts, 30.0) == (10.0, 30.0)
    assert history(contacts, -np.inf) == first_part(contacts) == (10.0, 26.0)
    load = replace(workload([(0, 5.0, "x")], [(1, "x")]), begins=30.0)
    result = simulate(TRIANGLE, load, "push")
    assert result.measures["contacts"] == 2
    assert result.deliveries["at"].to_pylist() == [40.0]


def test_short_contacts_last_longer_but_not_into_the_next_of_the_pair() -> None:
    contacts = contacts_table((0, 1, 0.0, 0.0), (0, 1, 100.0, 300.0), (0, 2, 50.0, 50.0), (1, 2, 60.0, 70.0))
    assert lengthened(contacts, 120.0)["end"].to_pylist() == [100.0, 300.0, 170.0, 180.0]
    assert lengthened(contacts, 0.0) is contacts
    with pytest.raises(WorkloadError, match="at least -1 s"):
        replace(workload([], []), min_contact=-1.0)


def test_utility_by_quarters_goes_from_the_least_to_the_most_central() -> None:
    pairs = {"a": [0, 1, 2, 3], "b": [4, 4, 4, 4], "closeness": [0.4, 0.3, 0.2, 0.1]}
    wanted = np.array([10, 10, 10, 10, 0, 0])  # the most central and a stranger want nothing
    got = np.array([4, 3, 2, 1, 0, 0])
    found = delivery_by_centrality(pa.table(pairs), wanted, got)
    assert list(found.values()) == [0.1, 0.2, 0.3, 0.4]
    assert list(found) == [f"delivery_ratio_q{quarter}" for quarter in range(1, 5)]


def test_a_run_of_a_sweep_is_the_same_by_name_and_by_data(ring: Workload, tmp_path: Path) -> None:
    nodes = pa.table({"node": pa.array(range(60), pa.int32())})
    data = Data.of(contacts=RING, nodes=nodes, **workload_data(ring).tables)
    store_data(tmp_path, data)
    place = tmp_path / data.hash
    inputs = {"trace": place, "protocol": "push", "contacts": "start", "extras": "centrality", "deliveries": False}
    by_name, _ = run_of_a_sweep({**inputs, "workload": "mops", "min_contact": 10.0}, 1)
    by_data, _ = run_of_a_sweep({**inputs, "workload": place, "min_contact": 10.0}, 1)
    assert by_name == pytest.approx(by_data, nan_ok=True)
    load = replace(ring, min_contact=10.0)
    here = simulate((RING, nodes), load, "push", 1, measures=["centrality"], conditions=conditions_of(load))
    assert {name: here.measures[name] for name in by_name} == pytest.approx(by_name, nan_ok=True)
    learnt = pairs_of(RING, history(RING, ring.begins))
    assert len(learnt) == 59  # the 60th pair meets after the history
