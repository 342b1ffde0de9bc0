"""Packs: rows that travel together, as a table in one field of a frame.

A row costs Spark about a microsecond whenever it goes from Python to Java or back, is shuffled, sorted or written; ten
million of them do all that several times in an import. A pack costs what its bytes cost. So what Python reads stays in
packs until it is a table of the trace: Spark moves, spreads and keeps them, and a task opens those of its part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark.sql import DataFrame

from hunet.pipeline.schema import spark_schema

PACKS = pa.schema([("pack", pa.binary())])
PARTED = pa.schema([("part", pa.int32()), ("pack", pa.binary())])
"""Packs, and which part of all rows each belongs to."""

PACK_ROWS = 1 << 18
"""Rows that come one by one are gathered until they are so many."""


def pack(table: pa.Table) -> bytes:
    """A table as bytes."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def unpack(content: pa.Scalar | bytes) -> pa.Table:
    """The table in a pack, which stays where it is in memory."""
    return pa.ipc.open_stream(content.as_buffer() if isinstance(content, pa.Scalar) else content).read_all()


def packs_in(batches: Iterable[pa.RecordBatch], column: str = "pack") -> Iterator[pa.Table]:
    """The tables that lie in a column."""
    for batch in batches:
        for content in batch.column(column):
            yield unpack(content)


def gathered(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The same rows in tables that are worth a pack."""
    held: list[pa.Table] = []
    for table in tables:
        held.append(table)
        if sum(one.num_rows for one in held) >= PACK_ROWS:
            yield pa.concat_tables(held)
            held = []
    if any(one.num_rows for one in held):
        yield pa.concat_tables(held)


def parted(table: pa.Table, part: npt.NDArray[np.int64]) -> Iterator[pa.RecordBatch]:
    """PARTED: the rows of a table by the part that each belongs to."""
    small = part.astype(np.uint16) if part.max(initial=0) < 1 << 16 else part  # sorted ten times faster
    order = np.argsort(small, kind="stable")
    there, begins = np.unique(small[order], return_index=True)
    rows = table.take(pa.array(order))
    ends = np.append(begins[1:], table.num_rows)
    packs = [pack(rows.slice(begin, end - begin)) for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]
    yield from pa.table([pa.array(there, pa.int32()), packs], schema=PARTED).to_batches()


def each_part(
    packs: DataFrame, parts: int, walk: Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]], made: pa.Schema
) -> DataFrame:
    """What `walk` makes of all packs of a part (PARTED), for every part; the parts of the answer are in their order."""
    return packs.repartitionById(parts, "part").mapInArrow(walk, spark_schema(made))


def parts_of(frame: DataFrame) -> int:
    """How many parts a shuffle is to have."""
    return int(frame.sparkSession.conf.get("spark.sql.shuffle.partitions") or 1)


def rows_in(packs: DataFrame, schema: pa.Schema) -> DataFrame:
    """The rows of all packs, one by one."""

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for table in packs_in(batches):
            yield from table.to_batches()

    return packs.select("pack").mapInArrow(walk, spark_schema(schema))
