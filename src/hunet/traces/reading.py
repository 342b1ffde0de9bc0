"""Reading whole files in memory: recognise, settle, parse piece by piece, and say what could not be used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from hunet.input_files import readable
from hunet.model.errors import TraceError
from hunet.traces.columns import given_columns
from hunet.traces.format import BAD, ROWS, Format, Options
from hunet.traces.formats import format_named, recognise
from hunet.traces.formats.csv import CSV, parse_table, settle_columns
from hunet.traces.lines import HEAD_LINES, read_first_lines, read_head, read_lines

Parsed = tuple[pa.Table, pa.Table]

BATCH_ROWS = 65_536
"""Of a Parquet file, at once."""


@dataclass(frozen=True)
class Reading:
    """What was read: rows in the schema of what the format yields, bad lines (BAD), the options settled, and why the
    format was chosen."""

    format: Format
    options: Options
    rows: pa.Table
    bad: pa.Table
    why: str = ""


def read_files(
    paths: Sequence[Path], *, format_name: str | None = None, options: Options | None = None, strict: bool = False
) -> Reading:
    """Read files of one format together; the first decides on format and options. Strict: the first bad line stops."""
    if not paths:
        raise TraceError("no trace file was given")
    chosen, settled, why = settle(paths[0], format_name, {} if options is None else options)
    settled = surveyed(chosen, settled, paths)
    return replace(read_settled(paths, chosen, settled, strict=strict), why=why)


def read_settled(paths: Sequence[Path], chosen: Format, settled: Options, *, strict: bool = False) -> Reading:
    """Read files of which format and options are settled already."""
    if paths[0].suffix == ".parquet":
        pieces = (piece for path in paths for piece in _parse_batches(path, settled))
    else:
        pieces = (chosen.parse(lines, settled) for path in paths for lines in read_lines(path))
    return _collect(chosen, settled, pieces, strict)


def settle(path: Path, format_name: str | None, options: Options) -> tuple[Format, Options, str]:
    """The format of a file, recognised unless named; the options with all that its head decides; and why."""
    if path.suffix == ".parquet":
        with readable(path, TraceError, "Parquet file"):
            schema = pq.read_schema(path)
        return CSV, settle_columns(path.name, schema, options), "a Parquet file"
    head = read_head(path)
    if format_name is None:
        chosen, why = recognise(path.name, head, given_columns(options))
    else:
        chosen, why = format_named(format_name), "as you said"
    return chosen, chosen.settle(path.name, head, options), why


def surveyed(chosen: Format, settled: Options, paths: Sequence[Path]) -> Options:
    """The options with what only all files together can tell."""
    if chosen.survey is None:
        return settled
    return {**settled, **chosen.survey(lines for path in paths for lines in read_lines(path))}


def read_first(path: Path, format_name: str | None, options: Options) -> Reading:
    """The first rows and bad lines of one file as `read_files` would read them, by what recognition got to see."""
    chosen, settled, why = settle(path, format_name, options)
    if path.suffix == ".parquet":
        pieces = list(islice(_parse_batches(path, settled, HEAD_LINES), 1))
    else:
        pieces = [chosen.parse(read_first_lines(path), settled)]
    return replace(_collect(chosen, settled, pieces, strict=False), why=why)


def bad_line_error(bad: pa.Table) -> TraceError:
    """The error of strict mode, for the first of the bad lines."""
    row = bad.slice(0, 1).to_pylist()[0]
    return TraceError(
        f"trace file '{row['file']}', line {row['line']}: {row['reason']} "
        f"(fix the line, or import without --strict to skip and count such lines)"
    )


def _parse_batches(path: Path, settled: Options, rows: int = BATCH_ROWS) -> Iterator[Parsed]:
    first = 1
    with readable(path, TraceError, "Parquet file"):
        for batch in pq.ParquetFile(path).iter_batches(rows):
            yield parse_table(pa.table(batch), settled, str(path), first)
            first += batch.num_rows


def _collect(chosen: Format, settled: Options, pieces: Iterable[Parsed], strict: bool) -> Reading:
    rows, bad = [ROWS[chosen.yields].empty_table()], [BAD.empty_table()]
    for good_piece, bad_piece in pieces:
        if strict and bad_piece.num_rows:
            raise bad_line_error(bad_piece)
        rows.append(good_piece)
        bad.append(bad_piece)
    return Reading(chosen, settled, pa.concat_tables(rows), pa.concat_tables(bad))
