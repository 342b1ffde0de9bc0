"""From tables to the arrays of the event loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hunet.model.errors import WorkloadError
from hunet.sim.deliverable import wanted_by
from hunet.sim.make_scene import make_scene
from tests.sim.small_traces import TRIANGLE, Interest, contacts_table, nodes_table, workload


def test_contacts_are_ordered_by_start_then_pair_and_messages_by_creation() -> None:
    contacts = contacts_table((1, 2, 5.0, 6.0), (0, 2, 5.0, 9.0), (0, 1, 7.0, 8.0))
    scene = make_scene(contacts, nodes_table("a", "b", "c"), workload([(2, 9.0, "x"), (1, 1.0, "y;x")], [(0, "x")]))
    assert list(zip(scene.a.tolist(), scene.b.tolist(), strict=True)) == [(0, 2), (1, 2), (0, 1)]
    assert scene.source.tolist() == [1, 2]
    assert scene.tag_start.tolist() == [0, 2, 3]
    assert scene.tag.tolist() == [1, 0, 0]
    assert scene.expires.tolist() == [np.inf, np.inf]


def test_interests_without_times_hold_from_the_start_and_others_are_changes_in_time_order() -> None:
    wants: Sequence[Interest] = [
        (0, "x"),
        (1, "x", 5.0, 8.0),
        (1, "x", 8.0, 9.0),
        (2, "y", -3.0, 4.0),
        (2, "x", -5.0, -1.0),
        (0, "y", 1.0, np.inf),
    ]
    scene = make_scene(*TRIANGLE, workload([(0, 1.0, "x")], wants))
    assert (scene.wants > 0).tolist() == [[True, False], [False, False], [False, True]]
    changes = zip(scene.change_at, scene.change_node, scene.change_tag, scene.change_to > 0, strict=True)
    # The spans 5-8 and 8-9 touch and are one; what ended before time 0 never was.
    assert [tuple(map(float, one)) for one in changes] == [(1, 0, 1, 1), (4, 2, 1, 0), (5, 1, 0, 1), (9, 1, 0, 0)]


def test_overlapping_interests_are_united() -> None:
    wants: Sequence[Interest] = [(0, "x", 1.0, 9.0), (0, "x", 2.0, 3.0), (0, "x", 4.0, 12.0)]
    scene = make_scene(*TRIANGLE, workload([(1, 1.0, "x")], wants))
    assert (scene.change_at.tolist(), scene.change_to.tolist()) == ([1.0, 12.0], [1, 0])


def test_interests_have_a_level_a_hop_limit_and_an_end_and_one_may_follow_another() -> None:
    wants: Sequence[Interest] = [(0, "x"), (1, "x", -1.0, 5.0, 0.5, 3), (1, "x", 5.0, 8.0, 0.25, 3), (2, "x", 2.0, 5.0)]
    scene = make_scene(*TRIANGLE, workload([(1, 1.0, "x")], wants))

    def told(places: npt.NDArray[Any]) -> list[tuple[float, ...]]:
        return [(float(one.level), int(one.hops), float(one.until)) for one in scene.interests[places]]

    assert told(scene.wants[:, 0]) == [(1.0, 0, np.inf), (0.5, 3, 5.0), (0.0, 0, 0.0)]
    assert list(zip(scene.change_at.tolist(), scene.change_node.tolist(), told(scene.change_to), strict=True)) == [
        (2.0, 2, (1.0, 0, 5.0)),
        (5.0, 1, (0.25, 3, 8.0)),
        (5.0, 2, (0.0, 0, 0.0)),
        (8.0, 1, (0.0, 0, 0.0)),
    ]


def test_interests_that_differ_at_the_same_time_are_refused() -> None:
    wants: Sequence[Interest] = [(0, "x"), (1, "x", 1.0, 9.0, 0.5, 0), (1, "x", 4.0, 5.0, 0.25, 0)]
    with pytest.raises(WorkloadError, match="row 3: node 1 wants 'x' at the same time with another level or hop limit"):
        make_scene(*TRIANGLE, workload([(1, 1.0, "x")], wants))


@pytest.mark.parametrize(
    ("level", "hops", "said"),
    [
        (0.0, 0, "row 2: level 0.0 of node 1 in 'x': give above 0 up to 1"),
        (1.5, 0, "row 2: level 1.5"),
        (np.nan, 0, "row 2: level nan"),
        (1.0, -1, "row 2: hops -1 of node 1 in 'x': give 0 for no limit, or up to 65535"),
    ],
)
def test_levels_and_hop_limits_that_cannot_be_are_refused(level: float, hops: int, said: str) -> None:
    with pytest.raises(WorkloadError, match=said):
        workload([(0, 1.0, "x")], [(0, "x"), (1, "x", 0.0, 1.0, level, hops)])


def test_a_node_that_is_not_in_the_trace_is_refused() -> None:
    with pytest.raises(WorkloadError, match="node 3 of a message is not in the trace"):
        make_scene(*TRIANGLE, workload([(3, 1.0, "x")], [(0, "x")]))
    with pytest.raises(WorkloadError, match="node 9 of an interest is not in the trace"):
        make_scene(*TRIANGLE, workload([(0, 1.0, "x")], [(9, "x")]))


def pairs(
    messages: Sequence[tuple[int, float, str]],
    wants: Sequence[Interest],
    ttl: float = np.inf,
) -> list[int]:
    load = workload(messages, wants, ttl)
    return [int(count) for count in wanted_by(load, make_scene(*TRIANGLE, load)).of_message]


def test_a_pair_counts_once_and_never_for_the_source() -> None:
    assert pairs([(0, 1.0, "x"), (2, 2.0, "x")], [(0, "x"), (1, "x")]) == [1, 2]
    assert pairs([(0, 1.0, "x;y")], [(0, "y"), (1, "x"), (1, "y"), (2, "y")]) == [2]


def test_a_pair_counts_if_interest_and_life_of_the_message_meet() -> None:
    wants: Sequence[Interest] = [(1, "x", 10.0, 20.0), (1, "x", 40.0, 50.0)]
    message = [(0, 25.0, "x")]
    assert pairs(message, wants) == [1]
    assert pairs(message, wants, ttl=15.0) == [1]  # alive at 40, when the interest begins
    assert pairs(message, wants, ttl=14.0) == [0]
    assert pairs([(0, 20.0, "x")], wants, ttl=1.0) == [0]  # at 20 the interest is gone
    assert pairs([(0, 19.0, "x")], wants, ttl=0.5) == [1]


def test_counting_by_tag_and_counting_one_by_one_agree() -> None:
    chance = np.random.default_rng(1)
    wants: Sequence[Interest] = [
        (int(node), f"t{tag}") for node in range(3) for tag in range(4) if chance.random() < 0.5
    ]
    messages = [(int(chance.integers(3)), float(i), f"t{chance.integers(4)}") for i in range(50)]
    # An interest that ends long after everything forces the careful way and changes no count.
    ending: Sequence[Interest] = [(*wants[0], -np.inf, 1e9), *wants[1:]]
    assert pairs(messages, wants) == pairs(messages, ending)
    by_node = [
        wanted_by(load, make_scene(*TRIANGLE, load)).of_node.tolist()
        for load in (workload(messages, wants), workload(messages, ending))
    ]
    assert by_node[0] == by_node[1]
    assert sum(by_node[0]) == sum(pairs(messages, wants))
