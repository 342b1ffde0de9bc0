"""The contacts of a trace in the order of time, in which they are stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame

from hunet.model.tables import CONTACTS
from hunet.pipeline.packs import PACKS, PARTED, each_part, pack, packs_in, parted
from hunet.pipeline.schema import spark_schema
from hunet.traces.clean import shift
from hunet.traces.order import by_time


def shift_origin(packs: DataFrame, origin: float) -> DataFrame:
    """Packs of CONTACTS with times counted from `origin`."""

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for contacts in packs_in(batches):
            yield pa.record_batch([[pack(shift(contacts, origin)[0])]], schema=PACKS)

    return packs.select("pack").mapInArrow(walk, spark_schema(PACKS))


def in_time(packs: DataFrame, borders: Sequence[float]) -> DataFrame:
    """The rows of packs of CONTACTS by (start, a, b); parts are cut at the borders, which are times in their order."""
    until = np.array(borders)

    def cut(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for contacts in packs_in(batches):
            yield from parted(contacts, np.searchsorted(until, contacts.column("start").to_numpy(), side="right"))

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        tables = list(packs_in(batches))
        if tables:
            yield from by_time(pa.concat_tables(tables)).to_batches()

    cuts = packs.select("pack").mapInArrow(cut, spark_schema(PARTED))
    return each_part(cuts, len(until) + 1, walk, CONTACTS)


def even_borders(starts: Sequence[float], parts: int) -> list[float]:
    """Times that cut what begins at `starts` into at most so many parts of equal size."""
    return sorted({float(time) for time in np.quantile(starts, np.arange(1, parts) / parts)}) if parts > 1 else []
