"""Cleaning, held against the slow rule; names and their order."""

from __future__ import annotations

from dataclasses import asdict

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hunet.model.errors import InvalidValueError, TraceError
from hunet.model.tables import CONTACTS, NODES
from hunet.traces.clean import Cleaned, CleanSettings, clean, to_intervals
from hunet.traces.formats.sociopatterns import SOCIOPATTERNS, read_metadata
from hunet.traces.names import Internal, natural_order
from tests.naive import traces as naive
from tests.traces.invented import events_of, intervals_of, lines_of

NAMES = st.sampled_from(["1", "2", "9", "10", "11"])
ROWS = st.lists(
    st.tuples(NAMES, NAMES, st.integers(0, 20), st.integers(-2, 6)).map(
        lambda row: (row[0], row[1], float(row[2]), float(row[2] + row[3]))
    ),
    max_size=40,
)
SECONDS = st.sampled_from([0.0, 1.0, 3.0])


def by_name(cleaned: Cleaned) -> list[naive.Interval]:
    names = cleaned.nodes["name"].to_pylist()
    rows = cleaned.contacts.to_pylist()
    ends = [(names[row["a"]], names[row["b"]], row["start"], row["end"]) for row in rows]
    return sorted((min(a, b), max(a, b), start, end) for a, b, start, end in ends)


@settings(deadline=None)
@given(rows=ROWS, outside=st.booleans(), lengthen=SECONDS, shortest=SECONDS, gap=SECONDS)
def test_cleaning_equals_the_slow_rule(
    rows: list[naive.Interval], outside: bool, lengthen: float, shortest: float, gap: float
) -> None:
    asked = CleanSettings("1-9" if outside else None, lengthen_to=lengthen, drop_shorter=shortest, gap=gap)
    cleaned = clean(intervals_of(rows), asked)
    expected, counts = naive.clean(rows, {"1", "2", "9"} if outside else None, lengthen, shortest, gap)
    assert by_name(cleaned) == expected
    assert asdict(cleaned.counts) == {name: counts[name] for name in asdict(cleaned.counts)}


@settings(deadline=None)
@given(rows=ROWS)
def test_a_cleaned_trace_keeps_the_contract_of_its_tables(rows: list[naive.Interval]) -> None:
    cleaned = clean(intervals_of(rows), CleanSettings(origin="first"))
    assert (cleaned.contacts.schema, cleaned.nodes.schema) == (CONTACTS, NODES)
    contacts = [tuple(row.values()) for row in cleaned.contacts.to_pylist()]
    assert contacts == sorted(contacts)
    assert all(a < b and start <= end for a, b, start, end in contacts)
    assert cleaned.nodes["node"].to_pylist() == list(range(cleaned.nodes.num_rows))
    assert {node for a, b, _start, _end in contacts for node in (a, b)} == set(range(cleaned.nodes.num_rows))
    names = cleaned.nodes["name"].to_pylist()
    assert names == sorted(names, key=int)
    assert min((start for _a, _b, start, _end in contacts), default=0.0) == 0.0


def test_the_counts_add_up() -> None:
    rows = [
        ("1", "1", 0.0, 1.0), ("1", "2", 5.0, 4.0), ("1", "99", 0.0, 1.0), ("1", "2", 0.0, 4.0), ("1", "2", 0.0, 4.0),
        ("2", "1", 3.0, 6.0), ("1", "3", 8.0, 8.0),
    ]  # fmt: skip
    counts = clean(intervals_of(rows), CleanSettings("1-9", drop_shorter=1.0)).counts
    assert asdict(counts) == {
        "rows": 7, "self_contacts": 1, "end_before_start": 1, "external": 1, "duplicates": 1, "lengthened": 0,
        "merged": 1, "too_short": 1, "contacts": 1,
    }  # fmt: skip
    assert counts.clean_rows == 4


def test_externals_may_be_kept_and_are_marked() -> None:
    cleaned = clean(intervals_of([("1", "99", 0.0, 1.0)]), CleanSettings("1-9", keep_external=True))
    assert cleaned.nodes["kind"].to_pylist() == ["internal", "external"]


def test_the_origin_of_time_is_kept_first_or_given() -> None:
    rows = intervals_of([("1", "2", 100.0, 130.0)])
    assert clean(rows, CleanSettings()).contacts["start"].to_pylist() == [100.0]
    first = clean(rows, CleanSettings(origin="first"))
    assert (first.contacts["start"].to_pylist(), first.origin) == ([0.0], 100.0)
    given_one = clean(rows, CleanSettings(origin=40.0))
    assert (given_one.contacts["end"].to_pylist(), given_one.origin) == ([90.0], 40.0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"gap": -1.0}, "gap -1.0: give seconds"),
        ({"lengthen_to": float("nan")}, "lengthen_to nan"),
        ({"origin": "midnight"}, "origin 'midnight': use keep, first or a number"),
        ({"origin": float("nan")}, "origin nan: use keep, first or a number"),
    ],
)
def test_settings_outside_their_limits_are_refused(wrong: dict[str, float], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        CleanSettings(**wrong)  # type: ignore[arg-type]


def test_records_become_touching_intervals_and_classes_go_to_the_nodes() -> None:
    options = SOCIOPATTERNS.settle("x", [], {})
    records, _bad = SOCIOPATTERNS.parse(lines_of("20 9 10 4A 4B", "40 10 9 4B 4A", "80 9 10 4A 4B"), options)
    metadata = read_metadata(lines_of("9 4A F", "77 4A M"))
    cleaned = clean(to_intervals(records, "records", options).intervals, CleanSettings(), metadata)
    assert by_name(cleaned) == [("10", "9", 0.0, 40.0), ("10", "9", 60.0, 80.0)]
    assert cleaned.nodes.to_pylist() == [
        {"node": 0, "name": "9", "kind": "internal", "class": "4A", "attributes": "F"},
        {"node": 1, "name": "10", "kind": "internal", "class": "4B", "attributes": None},
    ]


def test_classes_come_from_the_metadata_where_rows_have_none() -> None:
    cleaned = clean(intervals_of([("1", "2", 0.0, 1.0)]), CleanSettings(), read_metadata(lines_of("2 DISQ")))
    assert cleaned.nodes["class"].to_pylist() == [None, "DISQ"]


def test_events_are_paired_in_the_mode_recognised_or_forced() -> None:
    both = [("1", "2", 0.0, True), ("2", "1", 1.0, True), ("1", "2", 5.0, False), ("2", "1", 6.0, False)]
    counted = to_intervals(events_of(both), "events", {})
    assert (counted.mode, counted.intervals.num_rows) == ("count", 2)
    flagged = to_intervals(events_of(both), "events", {}, "flag")
    assert (flagged.mode, flagged.intervals.num_rows) == ("flag", 1)
    assert flagged.events is not None
    assert flagged.events.orphan_downs == 1


def test_positions_are_no_intervals_yet() -> None:
    with pytest.raises(TraceError, match="by proximity"):
        to_intervals(pa.table({}), "positions", {})


def test_names_are_in_natural_order() -> None:
    assert natural_order({"10", "9", "n2", "n10", "b", "a", "01", "1", "n2b"}) == [
        "01", "1", "9", "10", "a", "b", "n2", "n2b", "n10",
    ]  # fmt: skip


def test_a_number_may_have_any_number_of_digits() -> None:
    long, longer = "9" * 5_000, "0" + "1" * 5_001
    assert natural_order([longer, long, "a", "8"]) == ["8", long, longer, "a"]
    internal = Internal.parse(f"1-20,{long}")
    assert [name in internal for name in (long, longer, "0" * 5_000 + "7")] == [True, False, True]
    assert f"{long}-{longer}" in Internal.parse(f"{long}-{longer}")


def test_internal_ids_are_ranges_names_and_numbers_behind_a_prefix() -> None:
    internal = Internal.parse("1-20, 25,base")
    assert [name in internal for name in ("1", "n20", "21", "25", "base", "n25", "1b")] == [
        True, True, False, True, True, False, False,
    ]  # fmt: skip
    for text, message in (("9-1", "write 1-9"), (" , ", "such as 1-41")):
        with pytest.raises(InvalidValueError, match=message):
            Internal.parse(text)
