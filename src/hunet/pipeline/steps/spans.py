"""How often and how long pairs met in windows, and from when to when: what closeness (`traces.pairs`) is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
from pyspark.sql import DataFrame

from hunet.model.tables import SPANS
from hunet.pipeline.packs import packs_in
from hunet.pipeline.schema import spark_schema
from hunet.traces.pairs import Window, spans_of


def pair_spans(packs: DataFrame, windows: Sequence[Window]) -> DataFrame:
    """The table SPANS: every pair that met in a window. Packs of CONTACTS have all of a pair in one."""

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for contacts in packs_in(batches):
            for window in windows:
                yield from spans_of(contacts, window).to_batches()

    return packs.select("pack").mapInArrow(walk, spark_schema(SPANS))
