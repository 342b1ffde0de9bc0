"""From names to nodes: which devices belong to the experiment, and dense ids in the natural order of names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from hunet.model.tables import NODES
from hunet.pipeline.schema import spark_schema
from hunet.traces.names import Internal, natural_order

MOST_HELD = 100_000
"""How many names a task keeps in mind to tell them once; where there are more, some are told again."""

_ENDS = pa.schema([("name", pa.string()), ("class", pa.string())])


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
    """The nodes table (`model.tables.NODES`) of rows with a, b, class_a, class_b."""
    ends = rows.select("a", "class_a", "b", "class_b").mapInArrow(_distinct_ends, spark_schema(_ENDS))
    return number_names(ends, internal)


def number_names(names: DataFrame, internal: Internal | None) -> DataFrame:
    """The nodes table of (name, class) rows in which names repeat.

    Nodes are few beside contacts, so one task puts their names in order. Of several classes of a node the first in
    the alphabet is kept.
    """
    kind = sf.when(is_internal(sf.col("name"), internal), "internal").otherwise("external")
    named = names.groupBy("name").agg(sf.min("class").alias("class")).withColumn("kind", kind)
    return named.select("name", "kind", "class").repartition(1).mapInArrow(_in_natural_order, spark_schema(NODES))


def with_ids(rows: DataFrame, nodes: DataFrame) -> DataFrame:
    """(a, b, start, end) with node ids in place of names."""
    first = nodes.select(sf.col("name").alias("a"), sf.col("node").alias("node_a"))
    second = nodes.select(sf.col("name").alias("b"), sf.col("node").alias("node_b"))
    return (
        rows.join(first, "a")
        .join(second, "b")
        .select(sf.col("node_a").alias("a"), sf.col("node_b").alias("b"), "start", "end")
    )


def close_ranks(nodes: DataFrame, contacts: DataFrame) -> DataFrame:
    """The nodes that have a contact, numbered anew without holes, in the same order."""
    met = contacts.select(sf.explode(sf.array("a", "b")).alias("node")).distinct()
    left = nodes.join(met, "node", "left_semi")
    return left.select("name", "kind", "class").repartition(1).mapInArrow(_in_natural_order, spark_schema(NODES))


def with_new_ids(contacts: DataFrame, before: DataFrame, after: DataFrame) -> DataFrame:
    """Contacts with the ids of `after` in place of those of `before`; the names say which is which."""
    new = before.select("name", sf.col("node").alias("old")).join(after.select("name", "node"), "name")
    first = new.select(sf.col("old").alias("a"), sf.col("node").alias("new_a"))
    second = new.select(sf.col("old").alias("b"), sf.col("node").alias("new_b"))
    renumbered = contacts.join(first, "a").join(second, "b")
    return renumbered.withColumns({"a": sf.col("new_a"), "b": sf.col("new_b")}).drop("new_a", "new_b")


def with_metadata(nodes: DataFrame, metadata: DataFrame) -> DataFrame:
    """Nodes with what a metadata table (name, class, attributes) adds; a class in the trace itself comes first."""
    told = metadata.groupBy("name").agg(sf.first("class").alias("told"), sf.first("attributes").alias("attributes"))
    joined = nodes.join(told, "name", "left")
    return joined.select("node", "name", "kind", sf.coalesce("class", "told").alias("class"), "attributes")


def _distinct_ends(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Names and classes of both ends, most of them once: one scan, and less than half of what Spark takes."""
    found = _ENDS.empty_table()
    for batch in batches:
        ends = [batch.select([end, f"class_{end}"]).rename_columns(_ENDS.names) for end in "ab"]
        both = pa.concat_tables([found, pa.Table.from_batches(ends).cast(_ENDS)])
        found = both.group_by(_ENDS.names, use_threads=False).aggregate([])
        if found.num_rows > MOST_HELD:
            yield from found.to_batches()
            found = _ENDS.empty_table()
    yield from found.to_batches()


def _in_natural_order(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    pieces = list(batches)
    if not pieces:
        return
    found = pa.Table.from_batches(pieces)
    place = {name: row for row, name in enumerate(found.column("name").to_pylist())}
    order = [place[name] for name in natural_order(place)]
    ids = pa.array(np.arange(len(order), dtype=np.int32))
    yield from found.take(order).add_column(0, "node", ids).cast(NODES).combine_chunks().to_batches()
