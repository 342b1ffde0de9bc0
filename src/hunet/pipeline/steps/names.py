"""From names to nodes: which devices belong to the experiment, and dense ids in the natural order of names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from hunet.model.tables import NODES
from hunet.traces.names import Internal, natural_order

NODE_COLUMNS = "node int, name string, kind string, class string"


def is_internal(name: Column, internal: Internal | None) -> Column:
    """Whether a name is one of the experiment's own devices; all are, if nobody said which.

    The rule is `Internal.__contains__`, written as an expression so that it runs inside Spark.
    """
    if internal is None:
        return sf.lit(True)
    number = sf.regexp_extract(name, "^[^0-9]*([0-9]+)$", 1).try_cast("decimal(38,0)")
    inside = sf.lit(False)
    for low, high in internal.ranges:
        inside = inside | sf.coalesce(number.between(low, high), sf.lit(False))
    return inside | name.isin(*sorted(internal.names))


def number_nodes(rows: DataFrame, internal: Internal | None) -> DataFrame:
    """The nodes table (`model.tables.NODES`) of rows with a, b, class_a, class_b.

    Nodes are few beside contacts, so one task puts their names in order. Of several classes of a node the first in
    the alphabet is kept.
    """
    ends = rows.select(sf.col("a").alias("name"), sf.col("class_a").alias("class")).unionByName(
        rows.select(sf.col("b").alias("name"), sf.col("class_b").alias("class"))
    )
    kind = sf.when(is_internal(sf.col("name"), internal), "internal").otherwise("external")
    named = ends.groupBy("name").agg(sf.min("class").alias("class")).withColumn("kind", kind)
    return named.select("name", "kind", "class").repartition(1).mapInArrow(_in_natural_order, NODE_COLUMNS)


def with_ids(rows: DataFrame, nodes: DataFrame) -> DataFrame:
    """(a, b, start, end) with node ids in place of names."""
    first = nodes.select(sf.col("name").alias("a"), sf.col("node").alias("node_a"))
    second = nodes.select(sf.col("name").alias("b"), sf.col("node").alias("node_b"))
    return (
        rows.join(first, "a")
        .join(second, "b")
        .select(sf.col("node_a").alias("a"), sf.col("node_b").alias("b"), "start", "end")
    )


def _in_natural_order(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    pieces = list(batches)
    if not pieces:
        return
    found = pa.Table.from_batches(pieces)
    place = {name: row for row, name in enumerate(found.column("name").to_pylist())}
    order = [place[name] for name in natural_order(place)]
    ids = pa.array(np.arange(len(order), dtype=np.int32))
    yield from found.take(order).add_column(0, "node", ids).cast(NODES).combine_chunks().to_batches()
