"""Up and down events of links become intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from hunet.pipeline.read import widened
from hunet.pipeline.schema import spark_schema
from hunet.traces.events import EventCounts, Mode, Pairer
from hunet.traces.format import INTERVALS

COUNTS = tuple(field.name for field in fields(EventCounts))
_SCHEMA = pa.schema([*INTERVALS, *((name, pa.int64()) for name in COUNTS)])


def told_once(events: DataFrame) -> DataFrame:
    """Each event once, by the rule of `hunet.traces.events.told_once`."""
    same = events.groupBy("time", "a", "b", "up").agg(sf.min(sf.struct("file", "line")).alias("first"))
    return same.select("first.file", "first.line", "time", "a", "b", "up")


def pair_events(events: DataFrame, mode: Mode) -> DataFrame:
    """Intervals, and beside them one row of counts from every part (its interval columns are null).

    The events of an unordered pair meet in one part, in the order (time, file, line), and the kernel of
    `hunet.traces.events` walks them. `intervals_of` and `event_counts` take the answer apart.
    """

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        pairer = Pairer(mode)
        for batch in batches:
            intervals = pairer.feed(pa.Table.from_batches([batch]))
            yield from _widened(intervals).to_batches()
        counted = {name: [value] for name, value in asdict(pairer.finish()).items()}
        yield from _widened(pa.table(counted)).to_batches()

    undirected = events.withColumns({"a": sf.least("a", "b"), "b": sf.greatest("a", "b")})
    in_order = undirected.repartition("a", "b").sortWithinPartitions("a", "b", "time", "file", "line")
    return in_order.select("file", "line", "time", "a", "b", "up").mapInArrow(walk, spark_schema(_SCHEMA))


def intervals_of(paired: DataFrame) -> DataFrame:
    """The intervals in the answer of `pair_events`."""
    return paired.where(sf.col("a").isNotNull()).drop(*COUNTS)


def event_counts(paired: DataFrame) -> DataFrame:
    """One row: what was counted over all parts."""
    return paired.where(sf.col("a").isNull()).agg(
        *(sf.coalesce(sf.sum(name), sf.lit(0)).alias(name) for name in COUNTS)
    )


def _widened(table: pa.Table) -> pa.Table:
    return widened(table, _SCHEMA).combine_chunks()
