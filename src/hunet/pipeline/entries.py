"""What was read of logs that are followed: entries and bad lines as Parquet, a folder for each batch of the stream.

An entry may be there more than once (a batch that was done again after a crash, a log that was read again after it was
rotated): whoever reads them takes equal ones for one.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from hunet.pipeline.read import widened, with_reason
from hunet.pipeline.schema import spark_schema
from hunet.pipeline.write import keep, pattern_of
from hunet.traces.format import BAD, EVENTS, Format, Options
from hunet.traces.formats.nodelog import ENTRIES, NODELOG, contact_events, read_log
from hunet.traces.reading import Reading

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["KEPT", "Entries", "parsed"]

KEPT = with_reason(ENTRIES)
"""Entries, and the bad lines among them."""
_MOST_FOLDERS = 50


def parsed(lines: DataFrame) -> DataFrame:
    """KEPT from LINES."""

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for table in read_log(pa.Table.from_batches([batch])):
                yield from widened(table, KEPT).to_batches()

    return lines.mapInArrow(read, spark_schema(KEPT))


@dataclass(frozen=True)
class Entries:
    """All that was kept, and, once the clocks are known, how it becomes rows (`pipeline.work.Rows`)."""

    folder: Path
    options: Options
    format: Format = NODELOG

    def keep(self, batch: DataFrame, number: int) -> None:
        """Keep a batch; done again, it takes its own place."""
        place = self.folder / str(number)
        shutil.rmtree(place, ignore_errors=True)
        keep(batch.sparkSession, batch, place)

    def compact(self, spark: SparkSession) -> None:
        """Put folders together where there are many. Killed on the way, it leaves entries twice, which does no harm."""
        folders = self._folders()
        if len(folders) < _MOST_FOLDERS:
            return
        draft = self.folder / ".together"
        shutil.rmtree(draft, ignore_errors=True)
        keep(spark, self._all(spark).dropDuplicates().coalesce(1), draft)
        draft.rename(self.folder / f"together-{secrets.token_hex(8)}")
        for folder in folders:
            shutil.rmtree(folder)

    def contacts(self) -> Iterator[pa.Table]:
        """ENTRIES of contacts, piece by piece."""
        for table in self._pieces(ENTRIES.names):
            yield table.filter(pc.equal(table["kind"], "contact"))

    def all_entries(self) -> Iterator[pa.Table]:
        """ENTRIES of every kind, piece by piece."""
        for table in self._pieces(ENTRIES.names):
            yield table.filter(pc.is_valid(table["kind"]))

    def of_batches(self, numbers: Sequence[int]) -> pa.Table:
        """ENTRIES of some batches."""
        pieces = self._pieces(ENTRIES.names, [self.folder / str(number) for number in numbers])
        return pa.concat_tables(
            [ENTRIES.empty_table(), *(piece.filter(pc.is_valid(piece["kind"])) for piece in pieces)]
        )

    def reading(self) -> Reading:
        """The contact events in memory, as if the logs had just been read."""
        contacts = pa.concat_tables([ENTRIES.empty_table(), *self.contacts()])
        events = contact_events(contacts, self.options)
        bad = [table.filter(pc.is_valid(table["reason"])) for table in self._pieces(BAD.names)]
        return Reading(NODELOG, self.options, _distinct(events), _distinct(pa.concat_tables([BAD.empty_table(), *bad])))

    def rows(self, spark: SparkSession) -> DataFrame:
        """The contact events and the bad lines, by Spark."""
        options, schema = dict(self.options), with_reason(EVENTS)

        def taken(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                table = pa.Table.from_batches([batch]).cast(KEPT)
                good, bad = table.filter(pc.is_null(table["reason"])), table.filter(pc.is_valid(table["reason"]))
                for some in (contact_events(good.select(ENTRIES.names), options), bad.select(BAD.names)):
                    yield from widened(some, schema).to_batches()

        return self._all(spark).mapInArrow(taken, spark_schema(schema)).dropDuplicates()

    def line_of(self, _file: str, line: int) -> int:
        """The byte at which it began: logs are rotated, and nobody counts their lines again."""
        return line

    def _all(self, spark: SparkSession) -> DataFrame:
        return spark.read.schema(spark_schema(KEPT)).parquet(*(pattern_of(folder) for folder in self._folders()))

    def _folders(self) -> list[Path]:
        return sorted(one for one in self.folder.iterdir() if one.name[0] != ".") if self.folder.is_dir() else []

    def _pieces(self, columns: Sequence[str], folders: Sequence[Path] | None = None) -> Iterator[pa.Table]:
        for folder in self._folders() if folders is None else folders:
            for file in sorted(folder.glob("[!._]*.parquet")):
                with pq.ParquetFile(file) as opened:
                    known = [name for name in columns if name in opened.schema_arrow.names]  # logs gain fields
                    found = opened.read(columns=known).select(known).cast(_columns(known))
                yield widened(found, _columns(columns))


def _columns(names: Sequence[str]) -> pa.Schema:
    return pa.schema([KEPT.field(name) for name in names])


def _distinct(table: pa.Table) -> pa.Table:
    return table.group_by(table.column_names, use_threads=False).aggregate([]).select(table.column_names)
