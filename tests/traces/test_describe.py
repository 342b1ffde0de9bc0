"""The figures of a trace."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hunet.traces.clean import CleanSettings, clean
from hunet.traces.describe import ccdf, contacts_per_hour, describe
from hunet.traces.store import Trace, TraceStore
from tests.naive import pipeline as naive
from tests.traces.invented import intervals_of


def stored(home: Path, rows: list[tuple[str, str, float, float]]) -> Trace:
    cleaned = clean(intervals_of(rows), CleanSettings())
    with TraceStore(home).write_version("small") as draft:
        draft.write("contacts", cleaned.contacts)
        draft.write("nodes", cleaned.nodes)
    return TraceStore(home).open("small")


def test_the_figures_of_a_small_trace_by_hand(tmp_path: Path) -> None:
    rows = [("1", "2", 0.0, 100.0), ("1", "2", 300.0, 300.0), ("2", "3", 7000.0, 7200.0), ("1", "2", 400.0, 700.0)]
    summary, curves = describe(stored(tmp_path, rows))
    assert (summary.nodes, summary.internal, summary.contacts, summary.pairs) == (3, 3, 4, 2)
    assert (summary.start, summary.end, summary.days) == (0.0, 7200.0, 7200 / 86_400)
    assert (summary.contacts_per_hour, summary.contacts_per_pair) == (2.0, 2.0)
    assert (summary.zero_length, summary.mean_length, summary.median_length, summary.total_time) == (1, 150, 150, 600)
    assert (summary.mean_gap, summary.median_gap) == (150.0, 150.0)
    assert (summary.mean_degree, summary.max_degree, summary.density) == (4 / 3, 2, 2 / 3)
    assert curves.hours.tolist() == [0.0, 3600.0, 7200.0]
    assert curves.per_hour.tolist() == [3, 1, 0]
    assert curves.degrees.tolist() == [1, 2, 1]
    assert curves.per_node.tolist() == [3, 4, 1]
    assert (curves.gaps[0], curves.gaps[-1]) == (100.0, 200.0)
    assert (curves.gap_share[0], curves.gap_share[-1]) == (0.5, 0.0)


@pytest.mark.parametrize("block", [1, 50, 1000])
def test_gaps_degrees_and_hours_equal_the_plain_computation(
    tmp_path: Path, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hunet.traces.describe._BLOCK", block)  # contacts that are sorted at a time
    draw = random.Random(5)
    starts = [float(draw.randrange(0, 20_000, 50)) for _ in range(120)]
    rows = [(*draw.sample("123456", 2), start, start + draw.choice([0.0, 50.0, 700.0])) for start in starts]
    trace = stored(tmp_path, rows)  # type: ignore[arg-type]
    summary, curves = describe(trace)
    contacts = [tuple(row.values()) for row in trace.contacts().to_pylist()]
    gaps = naive.inter_contact_times(contacts)
    assert (summary.mean_gap, summary.median_gap) == pytest.approx((np.mean(gaps), np.median(gaps)))
    assert curves.gap_share == pytest.approx([sum(gap > point for gap in gaps) / len(gaps) for point in curves.gaps])
    assert dict(enumerate(curves.degrees.tolist())) == naive.degrees(contacts)
    hours = Counter(int((start - summary.start) // 3600) for _, _, start, _ in contacts)
    assert {hour: count for hour, count in enumerate(curves.per_hour.tolist()) if count} == hours


def test_a_trace_without_contacts_has_zeros(tmp_path: Path) -> None:
    summary, curves = describe(stored(tmp_path, []))
    assert (summary.nodes, summary.contacts, summary.days, summary.mean_gap, summary.density) == (0, 0, 0.0, None, 0.0)
    assert len(curves.hours) == len(curves.gaps) == len(curves.degrees) == 0


@given(starts=st.lists(st.integers(0, 40 * 3600), min_size=1, max_size=8), length=st.integers(0, 9_000))
def test_hours_that_are_not_told_are_like_the_last_one_that_is(starts: list[int], length: int) -> None:
    first, last = float(min(starts)), float(max(starts) + length)
    hours, told = contacts_per_hour(np.array(starts, np.float64), first, last)
    every = [sum(hour * 3600 <= start - first < (hour + 1) * 3600 for start in starts) for hour in range(50)]
    count = int((last - first) // 3600) + 1
    place = np.searchsorted(hours, first + 3600.0 * np.arange(count), side="right") - 1
    assert told[place].tolist() == every[:count]
    assert (hours[0], hours[-1]) == (first, first + 3600.0 * (count - 1))


@given(values=st.lists(st.integers(1, 10_000).map(float), min_size=1, max_size=50))
def test_the_ccdf_is_the_share_of_longer_gaps(values: list[float]) -> None:
    points, share = ccdf(np.array(values))
    assert share == pytest.approx([sum(value > point for value in values) / len(values) for point in points])
    assert share[-1] == 0.0
