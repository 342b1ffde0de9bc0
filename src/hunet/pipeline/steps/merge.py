"""Symmetrise and merge: rows in any direction and order become disjoint contacts per pair.

Spark brings the rows of a pair into one part and sorts each part (spilling to disk if it must); the kernel of
`hunet.traces.merge` then walks the sorted rows batch by batch and carries the open contact over. So memory is bounded
by Spark's settings and the size of a batch. A pair is the smallest unit of work, and a hub's rows spread over as many
parts as it has peers.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from hunet.traces.merge import Merger

CONTACT_COLUMNS = "a int, b int, start double, end double"


def orient(rows: DataFrame) -> DataFrame:
    """(a, b, start, end) with a < b: a contact has no direction."""
    return rows.select(F.least("a", "b").alias("a"), F.greatest("a", "b").alias("b"), "start", "end")


def merge_contacts(rows: DataFrame, gap: float = 0.0) -> DataFrame:
    """Contacts (a < b, per pair disjoint) from rows of integer ids; overlaps, touches and pauses up to `gap` merged."""

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        merger = Merger(gap=gap)
        for batch in batches:
            yield from merger.feed(batch).to_batches()
        yield from merger.finish().to_batches()

    by_pair = orient(rows).repartition("a", "b").sortWithinPartitions("a", "b", "start")
    return by_pair.mapInArrow(walk, CONTACT_COLUMNS)


def drop_shorter(contacts: DataFrame, minimum: float) -> DataFrame:
    """Contacts that last at least `minimum` seconds."""
    return contacts.where(F.col("end") - F.col("start") >= minimum)
