"""Every step against an independent computation in plain Python, on random small traces and on literal frames."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as sf

from hunet.pipeline.steps.clean import Rules, count_faults, flag_faults, keep_clean, shift_origin
from hunet.pipeline.steps.events import event_counts, intervals_of, pair_events
from hunet.pipeline.steps.merge import drop_shorter, merge_contacts, merge_counting
from hunet.pipeline.steps.names import is_internal, number_nodes, with_ids
from hunet.pipeline.steps.records import records_to_intervals
from hunet.traces.names import Internal, natural_order
from tests.naive import pipeline as naive
from tests.pipeline.conftest import Contact, random_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CONTACTS = "a int, b int, start double, end double"
INTERVALS = "file string, line long, a string, b string, start double, end double, class_a string, class_b string"


def frame(spark: SparkSession, rows: list[Contact]) -> DataFrame:
    return spark.createDataFrame(rows, CONTACTS)


def tuples(contacts: DataFrame) -> list[Contact]:
    return sorted((row.a, row.b, row.start, row.end) for row in contacts.collect())


def intervals(spark: SparkSession, rows: list[tuple[str, str, float, float]]) -> DataFrame:
    lines = [("f", line, a, b, start, end, None, None) for line, (a, b, start, end) in enumerate(rows, 1)]
    return spark.createDataFrame(lines, INTERVALS)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("gap", [0.0, 120.0])
def test_merging_gives_the_contacts_of_the_plain_computation(spark: SparkSession, seed: int, gap: float) -> None:
    rows = random_rows(seed)
    assert tuples(merge_contacts(frame(spark, rows), gap)) == naive.merge(rows, gap)


def test_merging_carries_over_from_batch_to_batch(spark: SparkSession) -> None:
    rows = random_rows(7, nodes=3, rows=400)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "3")
    try:
        counted = merge_counting(frame(spark, rows))
        assert tuples(counted) == naive.merge(rows)
        repeated = sum(count - 1 for count in Counter(rows).values())
        assert counted.agg(sf.sum("duplicates")).collect()[0][0] == repeated > 0
    finally:
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "16384")


def test_merging_nothing_gives_nothing(spark: SparkSession) -> None:
    assert tuples(merge_contacts(frame(spark, []))) == []
    assert tuples(merge_counting(frame(spark, []))) == []


def test_a_literal_frame_is_symmetrised_and_merged(spark: SparkSession) -> None:
    rows = [(1, 0, 10.0, 20.0), (0, 1, 20.0, 30.0), (0, 1, 31.0, 40.0), (2, 1, 0.0, 0.0), (2, 1, 0.0, 0.0)]
    assert tuples(merge_contacts(frame(spark, rows))) == [(0, 1, 10.0, 30.0), (0, 1, 31.0, 40.0), (1, 2, 0.0, 0.0)]


def test_contacts_below_the_minimum_length_go(spark: SparkSession) -> None:
    rows = [(0, 1, 0.0, 0.0), (0, 1, 5.0, 6.0), (0, 1, 8.0, 10.0)]
    assert tuples(drop_shorter(frame(spark, rows), 1.0)) == rows[1:]


@pytest.mark.parametrize("seed", range(2))
def test_pairing_events_equals_the_plain_computation(spark: SparkSession, seed: int) -> None:
    draw = random.Random(seed)
    rows = []
    for line in range(1, 200):
        a, b = draw.sample(["n1", "n2", "n10"], 2)
        rows.append(("f", line, float(draw.randrange(100)), a, b, draw.random() < 0.55))
    events = spark.createDataFrame(rows, "file string, line long, time double, a string, b string, up boolean")
    plain = [(time, line, a, b, up) for _, line, time, a, b, up in rows]
    for mode, expected in (("flag", naive.pair_flags(plain)), ("count", naive.pair_counts(plain))):
        paired = pair_events(events, mode)  # type: ignore[arg-type]
        assert sorted((row.a, row.b, row.start, row.end) for row in intervals_of(paired).collect()) == expected
        (counts,) = event_counts(paired).collect()
        assert (counts.ups, counts.closed) == (sum(row[5] for row in rows), len(expected))
        assert counts.closed + counts.orphan_downs == counts.downs == len(rows) - counts.ups


def test_records_cover_the_period_that_ends_with_them(spark: SparkSession) -> None:
    columns = "file string, line long, time double, a string, b string, class_a string, class_b string"
    records = spark.createDataFrame([("f", 1, 20.0, "x", "y", "A", None)], columns)
    (row,) = records_to_intervals(records, 20.0).collect()
    assert (row.a, row.b, row.start, row.end, row.class_a) == ("x", "y", 0.0, 20.0, "A")


def test_each_row_has_its_first_fault_and_the_counts_add_up(spark: SparkSession) -> None:
    rows = [("1", "2", 0.0, 5.0), ("1", "1", 9.0, 5.0), ("1", "2", 9.0, 5.0), ("1", "99", 0.0, 5.0)]
    flagged = flag_faults(intervals(spark, rows), Rules(Internal.parse("1-41")))
    assert [row.fault for row in flagged.orderBy("line").collect()] == [
        None,
        "self-contact",
        "end before start",
        "external device",
    ]
    assert keep_clean(flagged).count() == 1
    counts = {row.fault: row.rows for row in count_faults(flagged).collect()}
    assert counts == {None: 1, "self-contact": 1, "end before start": 1, "external device": 1}
    kept = flag_faults(intervals(spark, rows), Rules(Internal.parse("1-41"), keep_external=True))
    assert keep_clean(kept).count() == 2


def test_the_rule_for_internal_devices_is_the_same_inside_spark(spark: SparkSession) -> None:
    names = ["1", "41", "42", "n7", "base", "n7x", "x", "0041", "9" * 50, "7n"]
    for text in ("1-41", "2-3,base,x", "base"):
        internal = Internal.parse(text)
        table = spark.createDataFrame([(name,) for name in names], "name string")
        found = table.select("name", is_internal(sf.col("name"), internal).alias("inside")).collect()
        assert {row.name for row in found if row.inside} == {name for name in names if name in internal}


def test_nodes_get_dense_ids_in_natural_order_with_class_and_kind(spark: SparkSession) -> None:
    rows = [
        ("f", 1, "n10", "n9", 0.0, 1.0, None, "B"),
        ("f", 2, "n9", "n1", 2.0, 3.0, "A", None),
        ("f", 3, "z", "n1", 2.0, 3.0, None, None),
    ]
    table = spark.createDataFrame(rows, INTERVALS)
    nodes = number_nodes(table, Internal.parse("1-20"))
    found = [(row.node, row.name, row.kind, row["class"]) for row in nodes.orderBy("node").collect()]
    assert found == [
        (0, "n1", "internal", None),
        (1, "n9", "internal", "A"),
        (2, "n10", "internal", None),
        (3, "z", "external", None),
    ]
    assert [name for _, name, _, _ in found] == natural_order(["z", "n10", "n9", "n1"])
    assert tuples(with_ids(table, nodes)) == [(1, 0, 2.0, 3.0), (2, 1, 0.0, 1.0), (3, 0, 2.0, 3.0)]


def test_the_time_origin_moves_both_ends(spark: SparkSession) -> None:
    assert tuples(shift_origin(frame(spark, [(0, 1, 100.0, 130.0)]), 100.0)) == [(0, 1, 0.0, 30.0)]
