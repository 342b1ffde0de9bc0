"""Pairing events, held against the slow rule, whole and in pieces."""

from __future__ import annotations

import itertools
from dataclasses import asdict

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hunet.model.errors import InvalidValueError
from hunet.traces.events import MODES, EventCounts, Mode, Pairer, order_events, pair_events, recognise_mode
from tests.naive import traces as naive
from tests.traces.invented import events_of

NAMES = st.sampled_from(["1", "2", "10", "n1"])
EVENTS = st.lists(st.tuples(NAMES, NAMES, st.integers(0, 12).map(float), st.booleans()), max_size=40)


def as_rows(intervals: pa.Table) -> list[naive.Interval]:
    columns = (intervals[name].to_pylist() for name in ("a", "b", "start", "end"))
    return sorted(zip(*columns, strict=True))


@settings(deadline=None)
@given(events=EVENTS, mode=st.sampled_from(MODES))
def test_pairing_equals_the_slow_rule(events: list[naive.Event], mode: Mode) -> None:
    intervals, counts = pair_events(events_of(events), mode)
    expected, expected_counts = naive.pair_events(events, mode)
    assert as_rows(intervals) == expected
    assert {name: count for name, count in asdict(counts).items() if count} == {
        name: count for name, count in expected_counts.items() if count
    }


@settings(deadline=None)
@given(events=EVENTS, mode=st.sampled_from(MODES), cuts=st.lists(st.integers(0, 40), max_size=5))
def test_events_in_pieces_pair_as_the_whole_does(events: list[naive.Event], mode: Mode, cuts: list[int]) -> None:
    whole, counts = pair_events(events_of(events), mode)
    ordered = order_events(events_of(events))
    pairer = Pairer(mode)
    bounds = [0, *sorted(min(cut, len(events)) for cut in cuts), len(events)]
    pieces = [pairer.feed(ordered.slice(low, high - low)) for low, high in itertools.pairwise(bounds)]
    assert pa.concat_tables(pieces).equals(whole)
    assert pairer.finish() == counts


def test_counts_of_parts_add_up() -> None:
    assert EventCounts(ups=2, closed=1) + EventCounts(ups=3, never_closed=4) == EventCounts(5, 0, 1, 0, 0, 4, 0)


def test_an_up_listed_after_a_down_of_the_same_time_reopens_the_link() -> None:
    events = [("1", "2", 0.0, True), ("1", "2", 5.0, False), ("1", "2", 5.0, True), ("2", "1", 9.0, False)]
    assert as_rows(pair_events(events_of(events), "flag")[0]) == [("1", "2", 0.0, 5.0), ("1", "2", 5.0, 9.0)]


def test_events_of_equal_time_keep_the_order_of_their_files() -> None:
    first = events_of([("1", "2", 5.0, True)]).set_column(0, "file", pa.array(["a.txt"]))
    second = events_of([("1", "2", 5.0, False)]).set_column(0, "file", pa.array(["b.txt"]))
    assert pair_events(pa.concat_tables([second, first]), "flag")[1].closed == 1


def mode_of(events: list[naive.Event]) -> str:
    return recognise_mode(pair_events(events_of(events), "count")[1])


def test_a_file_that_lists_both_directions_is_counted() -> None:
    both = [("1", "2", 0.0, True), ("2", "1", 0.0, True), ("1", "2", 5.0, False), ("2", "1", 6.0, False)]
    assert mode_of(both) == "count"


def test_a_file_that_lost_downs_is_read_by_a_flag() -> None:
    later = [("1", "2", float(time), up) for time in range(9, 2000, 9) for up in (True, False)]
    assert mode_of([("1", "2", 0.0, True), *later]) == "flag"


def test_a_file_that_lost_ups_is_read_by_a_flag() -> None:
    lost = [("1", "2", 0.0, True), ("1", "2", 1.0, True), *(("1", "2", 2.0 + i, False) for i in range(5))]
    assert mode_of(lost) == "flag"


def test_a_file_cut_while_links_were_open_may_still_count() -> None:
    nested = [(0.0, True), (1.0, True), (2.0, False), (3.0, False)]
    whole = [(str(i), "x", time, up) for i in range(20) for time, up in nested]
    assert mode_of([*whole, ("0", "x", 4.0, True), ("0", "x", 4.0, True)]) == "count"


def test_an_unknown_mode_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidValueError, match="count, flag"):
        pair_events(events_of([]), "guess")  # type: ignore[arg-type]
