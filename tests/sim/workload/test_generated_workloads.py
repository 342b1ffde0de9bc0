"""Workloads made by chance: the papers' profiles and general ones."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from hunet.model.errors import InvalidValueError, WorkloadError
from hunet.sim.workload.generate import InterestSettings, MessageSettings, WorkloadSettings, generate
from hunet.sim.workload.profiles import BSUB10, BSUB13
from hunet.sim.workload.tag_pool import TagPool, trends_2009, zipf_pool
from tests.sim.small_traces import contacts_table

DAY = 86400.0
# Node 0 meets everybody, the others meet it alone; 9 meets nobody.
STAR = contacts_table(*((0, i, 100.0 * i, 100.0 * i + 10) for i in range(1, 9)), (0, 1, DAY, DAY + 100))


def test_the_same_seed_gives_the_same_workload_and_another_seed_another() -> None:
    one, again, other = (generate(BSUB13, STAR, seed) for seed in (1, 1, 2))
    assert one.messages.equals(again.messages)
    assert one.interests.equals(again.interests)
    assert not one.messages.equals(other.messages)


def test_a_change_of_one_setting_leaves_the_other_draws_alone() -> None:
    longer = dataclasses.replace(BSUB13, interests=InterestSettings(per_node=3, weighted=True))
    assert generate(longer, STAR, 1).messages.equals(generate(BSUB13, STAR, 1).messages)


def test_nodes_that_meet_nobody_take_no_part() -> None:
    workload = generate(BSUB10, STAR, 1)
    assert set(workload.interests.column("node").to_pylist()) == set(range(9))
    assert set(workload.messages.column("source").to_pylist()) == set(range(9))


def test_in_bsub13_every_node_has_two_different_interests_and_publishes_at_uniform_intervals() -> None:
    workload = generate(BSUB13, contacts_table((0, 1, 0.0, 1.0), (0, 1, 400 * DAY, 400 * DAY)), 1)
    wanted = workload.interests.to_pylist()
    for node in (0, 1):
        assert len({row["tag"] for row in wanted if row["node"] == node}) == 2
    times = workload.messages.filter(workload.messages.column("source").to_numpy() == 0).column("created").to_numpy()
    gaps = np.diff(times)
    assert gaps.max() <= 3600
    # Uniform on [0, 3600]: mean 1800, standard deviation 1039; 19,200 gaps.
    assert abs(gaps.mean() - 1800) < 4 * 1039 / np.sqrt(gaps.size)
    assert abs(gaps.std() - 1039.2) < 20
    assert set(workload.messages.column("size").to_pylist()) == {140}
    assert (workload.buffer, workload.ttl, workload.bytes_per_second) == (100, np.inf, np.inf)


def test_in_bsub10_sizes_are_uniform_from_1_to_140_and_the_link_carries_250_kilobits() -> None:
    workload = generate(BSUB10, STAR, 1)
    sizes = workload.messages.column("size").to_numpy()
    assert sizes.min() >= 1
    assert sizes.max() <= 140
    assert abs(sizes.mean() - 70.5) < 4 * 40.4 / np.sqrt(sizes.size)
    assert workload.bytes_per_second == 31250.0


def test_poisson_times_have_the_mean_asked_for_and_stay_inside_the_trace() -> None:
    settings = WorkloadSettings("p", zipf_pool(5), messages=MessageSettings("poisson", every=60.0))
    times = generate(settings, STAR, 3).messages.column("created").to_numpy()
    expected = 9 * DAY / 60
    assert abs(times.size - expected) < 5 * np.sqrt(expected)
    assert times.min() >= 100
    assert times.max() <= DAY + 100
    assert (np.diff(times) >= 0).all()


def test_interests_that_come_and_go_follow_one_another_and_are_present_for_the_share_asked_for() -> None:
    settings = WorkloadSettings("i", zipf_pool(50), InterestSettings(per_node=4, stay=600.0, away=200.0))
    rows = generate(settings, STAR, 1).interests.to_pylist()
    present = sum(min(row["until"], DAY + 100) - row["from"] for row in rows)
    assert present / (9 * 4 * DAY) == pytest.approx(0.75, abs=0.02)
    assert all(row["from"] < row["until"] for row in rows)


def test_several_tags_of_a_message_differ_and_the_popular_come_more_often() -> None:
    settings = WorkloadSettings("t", zipf_pool(6, 1.5), messages=MessageSettings("poisson", every=300.0, tags=3))
    tags = generate(settings, STAR, 1).messages.column("tags").to_pylist()
    assert all(len(set(one)) == 3 for one in tags)
    counts = [sum(name in one for one in tags) for name in settings.pool.names]
    assert counts == sorted(counts, reverse=True)


def test_zipf_weights_fall_with_the_rank() -> None:
    assert zipf_pool(3, 1.0).weights == pytest.approx((6 / 11, 3 / 11, 2 / 11))
    assert set(zipf_pool(4, 0.0).weights) == {0.25}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TagPool((), ()), "at least one tag"),
        (lambda: TagPool(("a", "b"), (1.0,)), "2 tags have 1 weights"),
        (lambda: TagPool(("a", "a"), (1.0, 1.0)), "tag 'a' occurs twice"),
        (lambda: TagPool(("a;b",), (1.0,)), "no semicolon"),
        (lambda: TagPool(("a",), (0.0,)), "not all 0"),
        (lambda: trends_2009().draw(np.random.default_rng(1), 1, 39), "39 different tags"),
        (lambda: zipf_pool(0), "0 tags"),
        (lambda: MessageSettings("now and then"), "use periodic, poisson, uniform"),
        (lambda: MessageSettings(every=0.0), "every 0 s"),
        (lambda: MessageSettings(tags=0), "0 tags per message"),
        (lambda: MessageSettings(smallest=9, largest=3), "from 9 to 3"),
        (lambda: InterestSettings(per_node=-1), "-1 is below 0"),
        (lambda: InterestSettings(stay=0.0), "stay 0 s"),
        (lambda: generate(BSUB13, STAR, -1), "seed -1"),
    ],
)
def test_settings_outside_their_limits_are_refused(make: object, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        make()  # type: ignore[operator]


def test_a_trace_without_contacts_has_no_workload() -> None:
    with pytest.raises(WorkloadError, match="no contacts"):
        generate(BSUB13, STAR.slice(0, 0), 1)
