"""Symmetrise and merge: rows in any direction and order become disjoint contacts per pair.

Spark brings the rows of a pair into one part and sorts each part (spilling to disk if it must); the kernel of
`hunet.traces.merge` then walks the sorted rows batch by batch and carries the open contact over. So memory is bounded
by Spark's settings and the size of a batch. A pair is the smallest unit of work, and a hub's rows spread over as many
parts as it has peers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from hunet.model.tables import CONTACTS
from hunet.pipeline.schema import spark_schema
from hunet.traces.merge import Merger

COUNTED = pa.schema([*CONTACTS, ("duplicates", pa.int64()), ("lengthened", pa.int64())])


def merge_contacts(rows: DataFrame, gap: float = 0.0) -> DataFrame:
    """Contacts (a < b, per pair disjoint) from rows of integer ids; overlaps, touches and pauses up to `gap` merged."""

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        merger = Merger(gap=gap)
        for batch in batches:
            yield from merger.feed(_unpacked(batch)).to_batches()
        yield from merger.finish().to_batches()

    packed = rows.select(_pair().alias("pair"), "start", "end")
    by_pair = packed.repartition("pair").sortWithinPartitions("pair", "start")
    return by_pair.mapInArrow(walk, spark_schema(CONTACTS))


def merge_counting(rows: DataFrame, gap: float = 0.0, lengthen_to: float = 0.0) -> DataFrame:
    """The same contacts with two counts beside them, whose sums over all contacts are of interest.

    `duplicates` counts rows with the same direction, start and end as another; merging makes them disappear, and the
    sort puts them side by side, so counting them on the way costs no pass of its own. `lengthened` counts the others
    that are shorter than `lengthen_to` seconds and were made that long before merging.
    """

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        merger, tally = Merger(gap=gap), _Tally(lengthen_to)
        for batch in batches:
            yield from tally.attach(merger.feed(_unpacked(tally.take(batch))))
        yield from tally.attach(merger.finish())

    turned = sf.col("a") > sf.col("b")
    packed = rows.select(_pair().alias("pair"), "start", "end", turned.alias("turned"))
    by_pair = packed.repartition("pair").sortWithinPartitions("pair", "start", "end", "turned")
    return by_pair.mapInArrow(walk, spark_schema(COUNTED))


def drop_shorter(contacts: DataFrame, minimum: float) -> DataFrame:
    """Contacts that last at least `minimum` seconds."""
    return contacts.where(sf.col("end") - sf.col("start") >= minimum)


def _pair() -> Column:
    """Both ids in one number, the smaller one in front: sorts like (a, b), in half the time."""
    first, second = sf.least("a", "b").cast("long"), sf.greatest("a", "b").cast("long")
    return sf.shiftleft(first, 32).bitwiseOR(second)


def _unpacked(batch: pa.RecordBatch) -> pa.Table:
    pair = batch.column("pair").to_numpy()
    ends = {"a": (pair >> 32).astype(np.int32), "b": pair.astype(np.int32)}
    return pa.table({**ends, "start": batch.column("start"), "end": batch.column("end")})


class _Tally:
    """Counts repeated rows over batches of sorted rows, and lengthens short ones."""

    def __init__(self, lengthen_to: float) -> None:
        self._least = lengthen_to
        self._last: pa.RecordBatch | None = None
        self._duplicates = 0
        self._lengthened = 0

    def take(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The batch with its short rows lengthened, everything counted."""
        if batch.num_rows == 0:
            return batch
        repeated = self._repeated(batch)
        start, end = batch.column("start").to_numpy(), batch.column("end").to_numpy()
        short = end - start < self._least
        self._duplicates += int(repeated.sum())
        self._lengthened += int((short & ~repeated).sum())
        longer = pa.array(np.where(short, start + self._least, end))
        return batch.set_column(batch.schema.get_field_index("end"), "end", longer)

    def attach(self, contacts: pa.Table) -> Iterator[pa.RecordBatch]:
        """The contacts, the first of them with everything counted so far."""
        if contacts.num_rows == 0:
            return
        for name, count in (("duplicates", self._duplicates), ("lengthened", self._lengthened)):
            column = np.zeros(contacts.num_rows, np.int64)
            column[0] = count
            contacts = contacts.append_column(name, pa.array(column))
        self._duplicates = self._lengthened = 0
        yield from contacts.to_batches()

    def _repeated(self, batch: pa.RecordBatch) -> npt.NDArray[np.bool_]:
        rows = pa.Table.from_batches([batch.slice(0, 1) if self._last is None else self._last, batch])
        same = np.ones(batch.num_rows, np.bool_)
        for column in rows.columns:
            values = column.to_numpy()
            same &= values[1:] == values[:-1]
        if self._last is None:
            same[0] = False
        self._last = batch.slice(batch.num_rows - 1)
        return same
