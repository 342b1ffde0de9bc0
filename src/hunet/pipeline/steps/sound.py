"""Rows become packs of what is sound in them: names as numbers of the pack, and a count of every row that was dropped.

The rules are those of `hunet.traces.clean`. Nothing is dropped silently: beside each pack stands how many rows it was
made of and how many of them had which fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from hunet.pipeline.packs import gathered, pack
from hunet.pipeline.schema import spark_schema
from hunet.traces.clean import sound_rows
from hunet.traces.names import Internal

FAULTS = ("self_contacts", "end_before_start", "external")
"""In the order in which they are looked for; a row has the first that applies."""

_COUNTS = ("rows", *FAULTS)
SOUND = pa.schema([*((name, pa.int64()) for name in _COUNTS), ("names", pa.binary()), ("pack", pa.binary())])
"""names: a pack of (name, class); pack: one of CONTACTS in which a and b are places in it."""


@dataclass(frozen=True)
class Rules:
    """What is sound depends on the experiment's own devices (None: all), and whether contacts with others stay."""

    internal: Internal | None = None
    keep_external: bool = False


def sound_packs(tables: Iterable[pa.Table], rules: Rules) -> Iterator[pa.Table]:
    """SOUND of tables of INTERVALS, a pack for each that has rows."""
    for intervals in filter(len, tables):
        found = sound_rows(intervals, rules.internal, keep_external=rules.keep_external)
        counts = asdict(found.counts)
        packs = {"names": pack(found.nodes), "pack": pack(found.rows)}
        yield pa.Table.from_pylist([{**{name: counts[name] for name in _COUNTS}, **packs}], SOUND)


def pack_sound(intervals: DataFrame, rules: Rules) -> DataFrame:
    """SOUND of rows that are intervals by name."""

    def walk(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for table in sound_packs(gathered(pa.Table.from_batches([batch]) for batch in batches), rules):
            yield from table.to_batches()

    columns = intervals.select("a", "b", "start", "end", "class_a", "class_b")
    return columns.mapInArrow(walk, spark_schema(SOUND))


def count_faults(packs: DataFrame) -> DataFrame:
    """One row: how many rows there were, and how many of them had each fault."""
    return packs.agg(*(sf.coalesce(sf.sum(name), sf.lit(0)).alias(name) for name in _COUNTS))
