"""Every step against an independent computation in plain Python, on random small traces and on literal frames."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as sf

from hunet.model import tables
from hunet.pipeline.packs import rows_in
from hunet.pipeline.steps.events import event_counts, intervals_of, pair_events
from hunet.pipeline.steps.merge import Merging, contacts_in, count_merged, merge_contacts, merge_packs
from hunet.pipeline.steps.names import close_ranks, is_internal, names_in, number_names, with_ids, with_new_ids
from hunet.pipeline.steps.order import even_borders, in_time, shift_origin
from hunet.pipeline.steps.sound import Rules, count_faults, pack_sound
from hunet.traces.names import Internal, natural_order
from tests.naive import pipeline as naive
from tests.pipeline.conftest import Contact, random_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

NODES = "node int, name string, kind string, class string"
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
    assert tuples(contacts_in(merge_contacts(frame(spark, rows), Merging(gap)))) == naive.merge(rows, gap)


def test_merging_counts_what_it_does_whatever_batches_the_rows_come_in(spark: SparkSession) -> None:
    rows = random_rows(7, nodes=3, rows=400)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "3")
    try:
        merged = merge_contacts(frame(spark, rows), Merging(lengthen_to=60.0, drop_shorter=100.0))
        counted = count_merged(merged).collect()[0]
        found = tuples(contacts_in(merged))
    finally:
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "16384")
    distinct = set(rows)
    longer = [(a, b, start, max(end, start + 60.0)) for a, b, start, end in distinct]
    whole = naive.merge(longer)
    assert found == [row for row in whole if row[3] - row[2] >= 100.0]
    assert counted.duplicates == len(rows) - len(distinct) > 0
    assert counted.lengthened == sum(end - start < 60.0 for _a, _b, start, end in distinct) > 0
    assert counted.too_short == len(whole) - len(found) > 0
    assert (counted.contacts, counted.first) == (len(found), min(row[2] for row in found))
    assert (counted["last"], counted.longest) == (max(row[3] for row in found), max(row[3] - row[2] for row in found))
    assert counted.together == sum(row[3] - row[2] for row in found)
    assert set(counted.starts) == {row[2] for row in found}  # of so few, all


def test_merging_nothing_gives_nothing(spark: SparkSession) -> None:
    assert tuples(contacts_in(merge_contacts(frame(spark, [])))) == []


def test_a_literal_frame_is_symmetrised_and_merged(spark: SparkSession) -> None:
    rows = [(1, 0, 10.0, 20.0), (0, 1, 20.0, 30.0), (0, 1, 31.0, 40.0), (2, 1, 0.0, 0.0), (2, 1, 0.0, 0.0)]
    merged = contacts_in(merge_contacts(frame(spark, rows)))
    assert tuples(merged) == [(0, 1, 10.0, 30.0), (0, 1, 31.0, 40.0), (1, 2, 0.0, 0.0)]


def test_contacts_below_the_minimum_length_go_and_so_do_their_nodes(spark: SparkSession) -> None:
    rows = [(0, 1, 0.0, 0.0), (1, 2, 5.0, 6.0), (1, 3, 8.0, 10.0)]
    left = merge_contacts(frame(spark, rows), Merging(drop_shorter=1.0))
    assert tuples(contacts_in(left)) == rows[1:]
    nodes = spark.createDataFrame([(node, f"n{node}", "internal", None) for node in range(4)], NODES)
    dense = close_ranks(nodes, left)
    assert sorted((row.node, row.name) for row in dense.collect()) == [(0, "n1"), (1, "n2"), (2, "n3")]
    assert tuples(contacts_in(with_new_ids(left, nodes, dense))) == [(0, 1, 5.0, 6.0), (0, 2, 8.0, 10.0)]


@pytest.mark.parametrize("parts", [1, 3, 50])
def test_contacts_come_in_the_order_of_time_from_all_parts(spark: SparkSession, parts: int) -> None:
    rows = naive.merge(random_rows(3, nodes=8, rows=300))
    packs = merge_contacts(frame(spark, rows))
    ordered = in_time(packs, even_borders(count_merged(packs).collect()[0].starts, parts))
    found = [(row.a, row.b, row.start, row.end) for row in ordered.collect()]
    assert found == sorted(rows, key=lambda row: (row[2], row[0], row[1]))


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


def test_each_row_has_its_first_fault_and_the_counts_add_up(spark: SparkSession) -> None:
    rows = [("1", "2", 0.0, 5.0), ("1", "1", 9.0, 5.0), ("1", "2", 9.0, 5.0), ("1", "99", 0.0, 5.0)]
    for keep_external in (False, True):
        packs = pack_sound(intervals(spark, rows), Rules(Internal.parse("1-41"), keep_external))
        counted = count_faults(packs).collect()[0].asDict()
        external = int(not keep_external)
        assert counted == {"rows": 4, "self_contacts": 1, "end_before_start": 1, "external": external}
        assert rows_in(packs, tables.CONTACTS).count() == 2 - external


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
    packs = pack_sound(table, Rules(Internal.parse("1-20"), keep_external=True))
    nodes = number_names(names_in(packs), Internal.parse("1-20"))
    found = [(row.node, row.name, row.kind, row["class"]) for row in nodes.orderBy("node").collect()]
    assert found == [
        (0, "n1", "internal", None),
        (1, "n9", "internal", "A"),
        (2, "n10", "internal", None),
        (3, "z", "external", None),
    ]
    assert [name for _, name, _, _ in found] == natural_order(["z", "n10", "n9", "n1"])
    merged = merge_packs(with_ids(packs, nodes, 3), 3, Merging())
    assert tuples(contacts_in(merged)) == [(0, 1, 2.0, 3.0), (0, 3, 2.0, 3.0), (1, 2, 0.0, 1.0)]


def test_the_time_origin_moves_both_ends(spark: SparkSession) -> None:
    packs = merge_contacts(frame(spark, [(0, 1, 100.0, 130.0)]))
    assert tuples(contacts_in(shift_origin(packs, 100.0))) == [(0, 1, 0.0, 30.0)]
