"""Symmetrise and merge: rows in any direction and order become disjoint contacts per pair.

Spark brings the rows of a pair into one part and sorts each part (spilling to disk if it must); the kernel of
`hunet.traces.merge` then walks the sorted rows batch by batch and carries the open contact over. So memory is bounded
by Spark's settings and the size of a batch. A pair is the smallest unit of work, and a hub's rows spread over as many
parts as it has peers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from hunet.model.tables import CONTACTS
from hunet.traces.merge import Merger

CONTACT_COLUMNS = "a int, b int, start double, end double"
COUNTED_COLUMNS = f"{CONTACT_COLUMNS}, duplicates long"
_COUNTED = CONTACTS.append(pa.field("duplicates", pa.int64()))


def merge_contacts(rows: DataFrame, gap: float = 0.0) -> DataFrame:
    """Contacts (a < b, per pair disjoint) from rows of integer ids; overlaps, touches and pauses up to `gap` merged."""

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        merger = Merger(gap=gap)
        for batch in batches:
            yield from merger.feed(batch).to_batches()
        yield from merger.finish().to_batches()

    oriented = rows.select(sf.least("a", "b").alias("a"), sf.greatest("a", "b").alias("b"), "start", "end")
    by_pair = oriented.repartition("a", "b").sortWithinPartitions("a", "b", "start")
    return by_pair.mapInArrow(walk, CONTACT_COLUMNS)


def merge_counting_duplicates(rows: DataFrame, gap: float = 0.0) -> DataFrame:
    """The same contacts with a column `duplicates`, whose sum over all contacts is the number of repeated rows.

    A repeated row has the same direction, start and end as another. Merging makes repetitions disappear; the sort
    puts them side by side, so counting them on the way costs no pass over the data of its own.
    """

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        merger, repetitions = Merger(gap=gap), _Repetitions()
        for batch in batches:
            repetitions.feed(batch)
            yield from repetitions.attach(merger.feed(batch))
        yield from repetitions.attach(merger.finish())

    oriented = rows.select(
        sf.least("a", "b").alias("a"),
        sf.greatest("a", "b").alias("b"),
        "start",
        "end",
        (sf.col("a") > sf.col("b")).alias("turned"),
    )
    by_pair = oriented.repartition("a", "b").sortWithinPartitions("a", "b", "start", "end", "turned")
    return by_pair.mapInArrow(walk, COUNTED_COLUMNS)


def drop_shorter(contacts: DataFrame, minimum: float) -> DataFrame:
    """Contacts that last at least `minimum` seconds."""
    return contacts.where(sf.col("end") - sf.col("start") >= minimum)


class _Repetitions:
    """Counts rows that equal the row before them, over batches of sorted rows."""

    def __init__(self) -> None:
        self._last: pa.RecordBatch | None = None
        self._count = 0

    def feed(self, batch: pa.RecordBatch) -> None:
        if batch.num_rows == 0:
            return
        rows = pa.Table.from_batches([batch] if self._last is None else [self._last, batch])
        same = np.ones(rows.num_rows - 1, np.bool_)
        for column in rows.columns:
            values = column.to_numpy()
            same &= values[1:] == values[:-1]
        self._count += int(same.sum())
        self._last = batch.slice(batch.num_rows - 1)

    def attach(self, contacts: pa.Table) -> Iterator[pa.RecordBatch]:
        """The contacts, the first of them with everything counted so far."""
        if contacts.num_rows == 0:
            return
        counts = np.zeros(contacts.num_rows, np.int64)
        counts[0], self._count = self._count, 0
        yield from contacts.append_column(_COUNTED.field("duplicates"), pa.array(counts)).to_batches()
