"""Merging intervals, held against the slow rule, whole and in pieces."""

from __future__ import annotations

import itertools

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from hunet.model.tables import CONTACTS
from hunet.traces.merge import Merger, merge_contacts
from tests.naive import traces as naive

Row = tuple[int, int, float, float]

TIMES = st.integers(0, 30).map(float)
ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), TIMES, st.integers(0, 6)).map(
        lambda row: (row[0], row[1], row[2], row[2] + row[3])
    ),
    max_size=40,
)
GAPS = st.sampled_from([0.0, 1.0, 2.5])


def table_of(rows: list[Row]) -> pa.Table:
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[], [], [], []]
    return pa.table(columns, schema=CONTACTS)


def rows_of(table: pa.Table) -> list[Row]:
    return [tuple(row.values()) for row in table.to_pylist()]


def expected(rows: list[Row], gap: float) -> list[Row]:
    named = [(str(a), str(b), start, end) for a, b, start, end in rows]
    return [(int(a), int(b), start, end) for a, b, start, end in naive.merge(named, gap)]


@settings(deadline=None)
@given(rows=ROWS, gap=GAPS)
def test_merging_equals_the_slow_rule(rows: list[Row], gap: float) -> None:
    merged = merge_contacts(table_of(rows), gap=gap)
    assert merged.schema == CONTACTS
    assert rows_of(merged) == expected(rows, gap)


@settings(deadline=None)
@given(rows=ROWS, gap=GAPS, cuts=st.lists(st.integers(0, 40), max_size=6))
def test_sorted_rows_in_pieces_merge_as_the_whole_does(rows: list[Row], gap: float, cuts: list[int]) -> None:
    ordered = table_of(sorted((min(a, b), max(a, b), start, end) for a, b, start, end in rows))
    merger = Merger(gap=gap)
    bounds = [0, *sorted(min(cut, len(rows)) for cut in cuts), len(rows)]
    pieces = [merger.feed(ordered.slice(low, high - low)) for low, high in itertools.pairwise(bounds)]
    assert rows_of(pa.concat_tables([*pieces, merger.finish()])) == expected(rows, gap)


def test_a_merger_takes_record_batches_and_starts_anew_after_finish() -> None:
    merger = Merger()
    batch = table_of([(0, 1, 0.0, 2.0)]).to_batches()[0]
    for _round in range(2):
        assert merger.feed(batch).num_rows == 0
        assert rows_of(merger.finish()) == [(0, 1, 0.0, 2.0)]
    assert merger.finish().num_rows == 0


def test_an_interval_inside_an_earlier_one_does_not_shorten_it() -> None:
    assert rows_of(merge_contacts(table_of([(0, 1, 0.0, 9.0), (1, 0, 2.0, 3.0), (0, 1, 8.0, 10.0)]))) == [
        (0, 1, 0.0, 10.0)
    ]
