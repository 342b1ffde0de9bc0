"""Which runs go into one task."""

from __future__ import annotations

import heapq

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hunet.sweeps.grouping import Estimate, group

ESTIMATES = st.builds(Estimate, st.sampled_from("abc"), st.floats(0.01, 30.0), st.sampled_from([0.0, 10.0]))


@given(st.lists(ESTIMATES, max_size=60), st.integers(1, 8))
def test_every_run_is_in_one_group_and_a_group_has_one_kind(runs: list[Estimate], slots: int) -> None:
    groups = group(runs, slots)
    assert sorted(place for part in groups for place in part) == list(range(len(runs)))
    for part in groups:
        assert part == sorted(part)
        assert len({runs[place].kind for place in part}) == 1


@pytest.mark.parametrize(("count", "seconds"), [(64, 0.5), (2000, 0.02), (7, 30.0), (500, 3.0)])
@pytest.mark.parametrize("slots", [2, 16])
def test_all_processes_end_at_about_the_same_time(count: int, seconds: float, slots: int) -> None:
    groups = group([Estimate("a", seconds, 0.0)] * count, slots)
    ends = [0.0] * slots
    for part in groups:  # whoever is free takes the next task
        heapq.heappush(ends, heapq.heappop(ends) + 0.06 + len(part) * seconds)
    ideal = -(-count // slots) * seconds
    assert max(ends) <= 1.15 * ideal + 1.5


def test_few_runs_of_a_kind_stay_together_unless_somebody_would_be_idle() -> None:
    few = [Estimate("a", 0.1, 10.0)] * 20 + [Estimate("b", 0.1, 10.0)] * 20
    assert [len(part) for part in group(few, slots=2)] == [20, 20]
    assert len(group(few, slots=4)) > 2
