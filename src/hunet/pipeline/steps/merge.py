"""Symmetrise and merge: rows in any direction and order become disjoint contacts per pair.

The rows of a pair come into one part, in packs; a task sorts its part, and the kernel of `hunet.traces.merge` walks
the sorted rows. So a task holds the rows of one part, of which there are more where there is more to merge. A pair is
the smallest unit of work, and a hub's rows spread over as many parts as it has peers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from hunet.model.tables import CONTACTS
from hunet.pipeline.packs import PARTED, each_part, gathered, pack, packs_in, parted, parts_of, rows_in
from hunet.pipeline.schema import spark_schema
from hunet.traces.merge import Merger

_TURNED = pa.schema([("pair", pa.int64()), ("start", pa.float64()), ("end", pa.float64()), ("turned", pa.bool_())])
"""Rows of an unordered pair, both ids in one number; turned: the larger one came first."""

_SAMPLE = 200
"""Of so many contacts of each part the starts are told, by which all can be cut into even parts of time."""

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: products with it spread numbers evenly (Knuth, vol. 3, 6.4)."""

_SUMS = ("contacts", "duplicates", "lengthened", "too_short")
_TIMES = ("first", "last", "together", "longest")
MERGED = pa.schema(
    [
        *((name, pa.int64()) for name in _SUMS),
        *((name, pa.float64()) for name in _TIMES),
        ("starts", pa.list_(pa.float64())),
        ("pack", pa.binary()),
    ]
)
"""Packs of CONTACTS by (a, b, start), all of a pair in one, and what was counted on the way.

first and last: from when to when they last; together: the sum of their lengths; starts: of a few, evenly chosen."""


@dataclass(frozen=True)
class Merging:
    """How rows become contacts; the fields are those of `hunet.traces.clean.CleanSettings`."""

    gap: float = 0.0
    lengthen_to: float = 0.0
    drop_shorter: float = 0.0


def merge_contacts(rows: DataFrame, how: Merging = Merging()) -> DataFrame:  # noqa: B008 (it is frozen)
    """MERGED (a < b, per pair disjoint) from rows of integer ids; overlaps, touches and pauses up to a gap merged."""
    parts = parts_of(rows)

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for table in gathered(pa.Table.from_batches([batch]) for batch in batches):
            yield from by_pair(table, parts)

    return merge_packs(rows.select(*CONTACTS.names).mapInArrow(walk, spark_schema(PARTED)), parts, how)


def by_pair(rows: pa.Table, parts: int) -> Iterator[pa.RecordBatch]:
    """PARTED packs of rows of integer ids, as `merge_packs` wants them."""
    a, b = (rows.column(end).to_numpy() for end in ("a", "b"))
    pair = np.minimum(a, b).astype(np.int64) << 32 | np.maximum(a, b)
    part = (pair.view(np.uint64) * _SPREAD >> np.uint64(32)) % np.uint64(parts)
    table = pa.table([pair, rows.column("start"), rows.column("end"), pa.array(a > b)], schema=_TURNED)
    yield from parted(table, part.astype(np.int64))


def merge_packs(packs: DataFrame, parts: int, how: Merging) -> DataFrame:
    """MERGED of the packs of `by_pair`.

    `duplicates` counts rows with the same direction, start and end as another, `lengthened` the others that are shorter
    than `lengthen_to` seconds and were made that long before merging.
    """

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        tables = list(packs_in(batches))
        if tables:
            yield from _merged(pa.concat_tables(tables), how).to_batches()

    return each_part(packs, parts, walk, MERGED)


def contacts_in(merged: DataFrame) -> DataFrame:
    """The contacts of MERGED, one by one."""
    return rows_in(merged, CONTACTS)


def count_merged(merged: DataFrame) -> DataFrame:
    """One row: what was counted over all parts, and all the starts that are told."""
    sums = (sf.sum(name).alias(name) for name in (*_SUMS, "together"))
    starts = sf.flatten(sf.collect_list("starts")).alias("starts")
    return merged.agg(
        *sums, sf.min("first").alias("first"), sf.max("last").alias("last"), sf.max("longest").alias("longest"), starts
    )


def _merged(rows: pa.Table, how: Merging) -> pa.Table:
    rows = rows.take(pc.sort_indices(rows, sort_keys=[(name, "ascending") for name in rows.column_names]))
    repeated = _repeated(rows)
    start, end = rows.column("start").to_numpy(), rows.column("end").to_numpy()
    short = end - start < how.lengthen_to
    merger, pair = Merger(gap=how.gap), rows.column("pair").to_numpy()
    ends = {"a": (pair >> 32).astype(np.int32), "b": pair.astype(np.int32)}
    longer = pa.table({**ends, "start": start, "end": np.where(short, start + how.lengthen_to, end)})
    whole = pa.concat_tables([merger.feed(longer), merger.finish()])
    lengths = whole.column("end").to_numpy() - whole.column("start").to_numpy()
    kept = lengths >= how.drop_shorter
    contacts = whole if kept.all() else whole.filter(pa.array(kept))
    starts = np.sort(contacts.column("start").to_numpy())
    counted = {
        "contacts": contacts.num_rows,
        "duplicates": int(repeated.sum()),
        "lengthened": int((short & ~repeated).sum()),
        "too_short": whole.num_rows - contacts.num_rows,
        "first": pc.min(contacts.column("start")).as_py(),
        "last": pc.max(contacts.column("end")).as_py(),
        "together": float(lengths[kept].sum()),
        "longest": float(lengths[kept].max(initial=0.0)),
        "starts": starts[:: max(1, len(starts) // _SAMPLE)].tolist(),
        "pack": pack(contacts),
    }
    return pa.Table.from_pylist([counted], MERGED)


def _repeated(rows: pa.Table) -> npt.NDArray[np.bool_]:
    """Which rows are the same as the one before."""
    same = np.ones(rows.num_rows, np.bool_)
    same[:1] = False
    for column in rows.columns:
        values = column.to_numpy()
        same[1:] &= values[1:] == values[:-1]
    return same
