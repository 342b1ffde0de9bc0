"""Reading whole files in memory: recognise, settle, parse piece by piece, and say what could not be used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from hunet.input_files import readable
from hunet.model.errors import TraceError
from hunet.traces.columns import given_columns
from hunet.traces.format import BAD, ROWS, Format, Options
from hunet.traces.formats import format_named, recognise
from hunet.traces.formats.csv import CSV, parse_table, settle_columns
from hunet.traces.lines import read_head, read_lines

Parsed = tuple[pa.Table, pa.Table]


@dataclass(frozen=True)
class Reading:
    """What was read: rows in the schema of what the format yields, bad lines (BAD), and the options settled."""

    format: Format
    options: Options
    rows: pa.Table
    bad: pa.Table


def read_files(
    paths: Sequence[Path], *, format_name: str | None = None, options: Options | None = None, strict: bool = False
) -> Reading:
    """Read files of one format together; the first decides on format and options. Strict: the first bad line stops."""
    if not paths:
        raise TraceError("no trace file was given")
    chosen, settled = settle(paths[0], format_name, {} if options is None else options)
    if paths[0].suffix == ".parquet":
        pieces = (piece for path in paths for piece in _parse_batches(path, settled))
    else:
        pieces = (chosen.parse(lines, settled) for path in paths for lines in read_lines(path))
    return _collect(chosen, settled, pieces, strict)


def settle(path: Path, format_name: str | None, options: Options) -> tuple[Format, Options]:
    """The format of a file, recognised unless it is named, and the options with all that the head of it decides."""
    if path.suffix == ".parquet":
        with readable(path, TraceError, "Parquet file"):
            schema = pq.read_schema(path)
        return CSV, settle_columns(path.name, schema, options)
    head = read_head(path)
    chosen = recognise(path.name, head, given_columns(options)) if format_name is None else format_named(format_name)
    return chosen, chosen.settle(path.name, head, options)


def bad_line_error(bad: pa.Table) -> TraceError:
    """The error of strict mode, for the first of the bad lines."""
    row = bad.slice(0, 1).to_pylist()[0]
    return TraceError(
        f"trace file '{row['file']}', line {row['line']}: {row['reason']} "
        f"(fix the line, or import without --strict to skip and count such lines)"
    )


def _parse_batches(path: Path, settled: Options) -> Iterator[Parsed]:
    first = 1
    with readable(path, TraceError, "Parquet file"):
        for batch in pq.ParquetFile(path).iter_batches():
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
