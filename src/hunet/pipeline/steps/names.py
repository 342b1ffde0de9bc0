"""From names to nodes: which devices belong to the experiment, and dense ids in the natural order of names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from hunet.model.tables import CONTACTS, NODES
from hunet.pipeline.packs import PACKS, PARTED, pack, packs_in, unpack
from hunet.pipeline.read import widened
from hunet.pipeline.schema import spark_schema
from hunet.pipeline.steps.merge import by_pair
from hunet.traces.names import Internal, natural_order

MOST_HELD = 100_000
"""How many names a task keeps in mind to tell them once; where there are more, some are told again."""

_ENDS = pa.schema([("name", pa.string()), ("class", pa.string())])
_MET = pa.schema([NODES.field("node")])
_ALL = pa.schema([("all", pa.binary())])


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


def names_in(packs: DataFrame) -> DataFrame:
    """(name, class) of who is in packs of sound rows, most of them once."""

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from _told_once(packs_in(batches, "names"))

    return packs.select("names").where(sf.col("names").isNotNull()).mapInArrow(walk, spark_schema(_ENDS))


def names_of(rows: DataFrame) -> DataFrame:
    """(name, class) of rows that have a name and no class, most of them once."""

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from _told_once(widened(pa.Table.from_batches([batch]), _ENDS) for batch in batches)

    return rows.select("name").mapInArrow(walk, spark_schema(_ENDS))


def number_names(names: DataFrame, internal: Internal | None) -> DataFrame:
    """The nodes table of (name, class) rows in which names repeat.

    Nodes are few beside contacts, so one task puts their names in order. Of several classes of a node the first in
    the alphabet is kept.
    """
    kind = sf.when(is_internal(sf.col("name"), internal), "internal").otherwise("external")
    named = names.groupBy("name").agg(sf.min("class").alias("class")).withColumn("kind", kind)
    return named.select("name", "kind", "class").repartition(1).mapInArrow(_in_natural_order, spark_schema(NODES))


def with_ids(packs: DataFrame, nodes: DataFrame, parts: int) -> DataFrame:
    """PARTED packs by pair (`merge.by_pair`) of SOUND, with node ids in place of names."""

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            known = unpack(batch.column("all")[0])
            for rows, names in zip(packs_in([batch]), packs_in([batch], "names"), strict=True):
                ids = pc.index_in(names.column("name"), known.column("name").combine_chunks()).to_numpy()
                yield from by_pair(_renumbered(rows, ids), parts)

    there = packs.select("names", "pack").where(sf.col("pack").isNotNull())
    return there.crossJoin(sf.broadcast(_in_one_pack(nodes))).mapInArrow(walk, spark_schema(PARTED))


def close_ranks(nodes: DataFrame, packs: DataFrame) -> DataFrame:
    """The nodes that have one of the CONTACTS in packs, numbered anew without holes, in the same order."""

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for table in packs_in(batches):
            ends = pa.chunked_array([*table.column("a").chunks, *table.column("b").chunks], pa.int32())
            yield pa.record_batch([ends.unique()], schema=_MET)

    left = nodes.join(packs.select("pack").mapInArrow(walk, spark_schema(_MET)), "node", "left_semi")
    return left.select("name", "kind", "class").repartition(1).mapInArrow(_in_natural_order, spark_schema(NODES))


def with_new_ids(packs: DataFrame, before: DataFrame, after: DataFrame) -> DataFrame:
    """Packs of CONTACTS with the ids of `after` in place of those of `before`; the names say which is which."""

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            ids = unpack(batch.column("all")[0]).column("new").fill_null(-1).to_numpy()
            for contacts in packs_in([batch]):
                yield pa.record_batch([[pack(_renumbered(contacts, ids))]], schema=PACKS)

    new = before.select("name", "node").join(after.select("name", sf.col("node").alias("new")), "name", "left")
    both = packs.select("pack").crossJoin(sf.broadcast(_in_one_pack(new)))
    return both.mapInArrow(walk, spark_schema(PACKS))


def with_metadata(nodes: DataFrame, metadata: DataFrame) -> DataFrame:
    """Nodes with what a metadata table (name, class, attributes) adds; a class in the trace itself comes first."""
    told = metadata.groupBy("name").agg(sf.first("class").alias("told"), sf.first("attributes").alias("attributes"))
    joined = nodes.join(told, "name", "left")
    return joined.select("node", "name", "kind", sf.coalesce("class", "told").alias("class"), "attributes")


def _told_once(tables: Iterable[pa.Table]) -> Iterator[pa.RecordBatch]:
    found = _ENDS.empty_table()
    for table in tables:
        both = pa.concat_tables([found, table.cast(_ENDS)])
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


def _in_one_pack(nodes: DataFrame) -> DataFrame:
    """One row, so that every task can have it: all nodes by their ids, in a pack called `all`."""

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        pieces = list(batches)
        if pieces:
            yield pa.record_batch([[pack(pa.Table.from_batches(pieces).sort_by("node"))]], schema=_ALL)

    return nodes.repartition(1).mapInArrow(walk, spark_schema(_ALL))


def _renumbered(rows: pa.Table, ids: npt.NDArray[np.int32]) -> pa.Table:
    ends = (ids[rows.column(end).to_numpy()] for end in ("a", "b"))
    return pa.table([*ends, rows.column("start"), rows.column("end")], schema=CONTACTS)
