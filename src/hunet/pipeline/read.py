"""Reading raw files with Spark: who reads which part of which file, and rows out of what is read.

Spark's own text source cannot say where in a file a line stood, and the order of lines matters. So the driver only
looks at names and sizes and cuts the inputs into tasks, and each task opens its part of the files itself: big plain
files are cut at any byte, Parquet files between row groups; packed files and documents are read whole, small files
together. Every path must be one that the workers can read too. What a part means is decided by `hunet.traces.formats`.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from hunet.input_files import readable
from hunet.model.errors import TraceError
from hunet.traces.clean import to_intervals
from hunet.traces.format import BAD, ROWS, Format, Options
from hunet.traces.formats import format_named
from hunet.traces.formats.csv import parse_table
from hunet.traces.lines import is_whole, line_number, read_lines, read_part
from hunet.traces.names import natural_order
from hunet.traces.reading import settle, surveyed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from hunet.pipeline.steps.sound import Rules

TASK_BYTES = 32 << 20
"""About how much of the inputs one task reads."""

SMALL_BYTES = 8 << 20
"""Inputs up to this size, unpacked, are read and cleaned by one task (`pipeline.small`)."""

_UNPACKED_FACTOR = 5


@dataclass(frozen=True)
class Part:
    """A part of a file: bytes (or row groups of a Parquet file) from `begin` to before `end`; or all of it."""

    path: str
    begin: int = 0
    end: int | None = None


@dataclass(frozen=True)
class Source:
    """Files of one format, how they are read and who reads what: `tasks` covers every file once.

    `why` says why the format was chosen.
    """

    format: Format
    options: Options
    files: tuple[str, ...]
    tasks: tuple[tuple[Part, ...], ...]
    bytes: int
    why: str = ""

    @property
    def is_small(self) -> bool:
        """Whether one task does all of it sooner than Spark starts a second job."""
        unpacked = sum(_unpacked_bytes(file) for file in self.files)
        return len(self.tasks) == 1 and unpacked <= SMALL_BYTES

    @property
    def is_uneven(self) -> bool:
        """Whether some task has far more to read than others because its file cannot be cut."""
        return any(
            Path(part.path).stat().st_size > TASK_BYTES for task in self.tasks for part in task if is_whole(part.path)
        )

    def rows(self, spark: SparkSession) -> DataFrame:
        """All rows, and the bad lines among them: see `read_rows`."""
        return read_rows(spark, self)

    def line_of(self, file: str, line: int) -> int:
        """The number of a line from 1, also where rows carry byte offsets because their file was cut."""
        parts = [part for task in self.tasks for part in task if part.path == file]
        cut_by_bytes = len(parts) > 1 and not file.endswith(".parquet")
        return line_number(Path(file), line) if cut_by_bytes else line


def find_source(
    patterns: Sequence[str], format_name: str | None, options: Options, task_bytes: int = TASK_BYTES
) -> Source:
    """Expand file names, recognise the format by the first file and cut the files into tasks."""
    files = expand(patterns)
    chosen, settled, why = settle(Path(files[0]), format_name, options)
    settled = surveyed(chosen, settled, [Path(file) for file in files])
    sizes = {file: Path(file).stat().st_size for file in files}
    return Source(chosen, settled, files, cut(sizes, task_bytes), sum(sizes.values()), why)


def expand(patterns: Sequence[str]) -> tuple[str, ...]:
    """The files that names, patterns and folders stand for, as absolute paths in natural order."""
    found: set[str] = set()
    for pattern in patterns:
        if os.path.isdir(pattern):  # noqa: PTH112 (pathlib's raises for a name that no file can have)
            matches = [str(file) for file in Path(pattern).iterdir() if file.is_file() and file.name[0] not in "._"]
        else:
            matches = [pattern] if os.path.isfile(pattern) else _matching(pattern)  # noqa: PTH113 (likewise)
        if not matches:
            raise TraceError(f"trace file '{pattern}' does not exist")
        found |= {str(Path(match).absolute()) for match in matches}
    files = tuple(natural_order(found))
    if len({file.endswith(".parquet") for file in files}) > 1:
        raise TraceError(f"{len(files)} files of Parquet and of text together: import them apart")
    return files


def _matching(pattern: str) -> list[str]:
    try:
        return glob.glob(pattern)  # noqa: PTH207 (it may be absolute)
    except (OSError, ValueError):  # a name that no file can have
        return []


def cut(sizes: Mapping[str, int], task_bytes: int = TASK_BYTES) -> tuple[tuple[Part, ...], ...]:
    """Tasks of about `task_bytes`: big files are cut if they can be, small ones are put together."""
    tasks: list[tuple[Part, ...]] = []
    small: list[Part] = []
    held = 0
    for file, size in sizes.items():
        if size <= task_bytes or is_whole(file):
            if small and held + size > task_bytes:
                tasks.append(tuple(small))
                small, held = [], 0
            small.append(Part(file))
            held += size
        elif file.endswith(".parquet"):
            with readable(Path(file), TraceError, "Parquet file"):
                groups = pq.read_metadata(file).num_row_groups
            tasks += [(Part(file, group, group + 1),) for group in range(groups)]
        else:
            tasks += [(Part(file, at, min(at + task_bytes, size)),) for at in range(0, size, task_bytes)]
    return (*tasks, tuple(small)) if small else tuple(tasks)


def read_rows(spark: SparkSession, source: Source) -> DataFrame:
    """All rows of a source, in the columns of what its format yields, and the bad lines among them.

    Bad lines have a `reason` and a `text`; their other columns beside file and line are null.
    """
    format_name, options = source.format.name, dict(source.options)
    schema = with_reason(ROWS[source.format.yields])

    def parse(parts: Sequence[Part]) -> Iterator[pa.Table]:
        for rows, bad in _pieces(parts, format_name, options):
            yield from (rows, bad)

    return _read(spark, source, parse, schema)


def read_sound(spark: SparkSession, source: Source, rules: Rules) -> DataFrame:
    """Packs of the sound rows (`steps.sound`) of a source of intervals or records, and the bad lines beside them."""
    from hunet.pipeline.steps.sound import SOUND, sound_packs

    format_name, options, yields = source.format.name, dict(source.options), source.format.yields

    def parse(parts: Sequence[Part]) -> Iterator[pa.Table]:
        for rows, bad in _pieces(parts, format_name, options):
            yield bad
            yield from sound_packs([to_intervals(rows, yields, options).intervals], rules)

    return _read(spark, source, parse, pa.schema([*BAD, *SOUND]))


def _read(
    spark: SparkSession, source: Source, parse: Callable[[Sequence[Part]], Iterator[pa.Table]], schema: pa.Schema
) -> DataFrame:
    from hunet.pipeline.schema import spark_schema

    tasks = source.tasks

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for task in batch.column("id").to_pylist():
                for table in parse(tasks[task]):
                    yield from widened(table, schema).to_batches()

    rows = spark.range(0, len(tasks), 1, len(tasks)).mapInArrow(read, spark_schema(schema))
    return rows.repartition(_UNPACKED_FACTOR * source.bytes // TASK_BYTES + 1) if source.is_uneven else rows


def _unpacked_bytes(file: str) -> int:
    """About how much a file holds: what packs contacts makes them several times smaller."""
    packed = file.endswith((".gz", ".zip", ".tgz", ".xz", ".bz2", ".parquet"))
    return Path(file).stat().st_size * (_UNPACKED_FACTOR if packed else 1)


def widened(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """A table in the columns of a schema, null in those that it lacks."""
    known = set(table.column_names)
    filled = [table.column(f.name) if f.name in known else pa.nulls(table.num_rows, f.type) for f in schema]
    return pa.table(filled, schema=schema)


def _pieces(parts: Sequence[Part], format_name: str, options: Options) -> Iterator[tuple[pa.Table, pa.Table]]:
    chosen = format_named(format_name)
    for part in parts:
        path = Path(part.path)
        if path.suffix == ".parquet":
            yield from _parquet_pieces(part, options)
            continue
        for lines in read_lines(path) if part.end is None else read_part(path, part.begin, part.end):
            yield chosen.parse(lines, options)


def _parquet_pieces(part: Part, options: Options) -> Iterator[tuple[pa.Table, pa.Table]]:
    with readable(Path(part.path), TraceError, "Parquet file"), pq.ParquetFile(part.path) as file:
        end = file.num_row_groups if part.end is None else part.end
        row = 1 + sum(file.metadata.row_group(group).num_rows for group in range(part.begin))
        for batch in file.iter_batches(row_groups=range(part.begin, end)):
            yield parse_table(pa.table(batch), options, part.path, row)
            row += batch.num_rows


def with_reason(schema: pa.Schema) -> pa.Schema:
    """The columns of rows, and of the bad lines that stand among them."""
    return pa.schema([*schema, ("text", pa.string()), ("reason", pa.string())])
