"""Messages and interests as people keep them: CSV or Parquet with the trace's original node names.

    messages    time, source, tag[, size, ttl]     several tags separated by ;
    interests   node, tag[, from, until, level, hops]

Times are seconds on the trace's clock. A column that may be missing may also have empty cells. Whatever is wrong is
said with file, line and value.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq

from hunet.input_files import readable
from hunet.model.errors import InvalidValueError, WorkloadError
from hunet.model.names import unknown
from hunet.model.numbers import plain_number
from hunet.model.tables import INTERESTS, MESSAGES
from hunet.sim.workload.units import parse_seconds
from hunet.sim.workload.workload import MOST_HOPS, is_hop_limit, is_level

__all__ = ["DEFAULT_SIZE", "node_numbers", "read_interests", "read_messages"]

DEFAULT_SIZE = 140
"""Bytes of a message whose size is not given: a full post of the papers."""

Floats = npt.NDArray[np.float64]


def node_numbers(nodes: pa.Table) -> dict[str, int]:
    """Original name to number."""
    return dict(zip(nodes.column("name").to_pylist(), nodes.column("node").to_pylist(), strict=True))


def read_messages(file: Path, nodes: Mapping[str, int]) -> pa.Table:
    """MESSAGES from a file."""
    sheet = _Sheet(file, ("time", "source", "tag"), ("size", "ttl"))
    created = sheet.numbers("time")
    sheet.refuse("time", created < 0, "is below 0")
    source = sheet.nodes("source", nodes)
    tags = sheet.tags("tag")
    size = sheet.numbers("size", DEFAULT_SIZE)
    sheet.refuse("size", (size < 0) | (size != np.floor(size)), "is not a whole number of bytes")
    ttl = sheet.numbers("ttl", math.nan, parse_seconds)
    sheet.refuse("ttl", ttl < 0, "is below 0")
    lifetimes = pa.array(ttl, mask=np.isnan(ttl))
    return pa.table([source, created, tags, size.astype(np.int64), lifetimes], schema=MESSAGES)


def read_interests(file: Path, nodes: Mapping[str, int]) -> pa.Table:
    """INTERESTS from a file; a row with several tags is an interest in each."""
    sheet = _Sheet(file, ("node", "tag"), ("from", "until", "level", "hops"))
    node = sheet.nodes("node", nodes)
    tags = sheet.tags("tag")
    begin = sheet.numbers("from", -math.inf)
    end = sheet.numbers("until", math.inf)
    sheet.refuse("until", ~(begin < end), "is not after from")
    level, hops = sheet.numbers("level", 1.0), sheet.numbers("hops", 0.0)
    sheet.refuse("level", ~is_level(level), "is not above 0 and at most 1")
    sheet.refuse("hops", ~is_hop_limit(hops), f"is not a whole number from 0 (no limit) to {MOST_HOPS}")
    rows = pc.list_parent_indices(tags).to_numpy()
    columns = [node[rows], pc.list_flatten(tags), begin[rows], end[rows], level[rows], hops[rows].astype(np.int32)]
    return pa.table(columns, schema=INTERESTS)


class _Sheet:
    """A file as columns of text (CSV) or of whatever type they have (Parquet)."""

    def __init__(self, file: Path, needed: tuple[str, ...], optional: tuple[str, ...]) -> None:
        self.file = file
        self.parquet = file.suffix == ".parquet"
        with readable(file, WorkloadError, "file"):
            self.table = pq.read_table(file) if self.parquet else _read_csv(file)
        columns = dict.fromkeys((*needed, *optional))
        for name in self.table.column_names:
            if self.table.column_names.count(name) > 1:
                raise WorkloadError(f"'{file}', line 1: the column {name!r} occurs twice")
            if name not in columns:
                raise WorkloadError(f"'{file}', line 1: {unknown('column', name, columns)}")
        for name in needed:
            if name not in self.table.column_names:
                raise WorkloadError(f"'{file}', line 1: the column {name!r} is missing")

    def refuse(self, column: str, wrong: npt.NDArray[np.bool_], reason: str) -> None:
        """Raise for the first row that is wrong."""
        if wrong.any():
            row = int(np.argmax(wrong))
            raise WorkloadError(f"{self.place(row)}: {column} {self.table.column(column)[row].as_py()!r} {reason}")

    def place(self, row: int) -> str:
        """Where a row stands, for people."""
        if self.parquet:
            return f"'{self.file}', row {row + 1}"
        with self.file.open(newline="", encoding="utf-8-sig") as stream:
            reader = csv.reader(stream)
            found = 0
            with suppress(csv.Error):  # a field of more than 128 KiB, which may well be what is wrong
                for fields in reader:  # the header is row 0
                    if fields and found == row + 1:
                        break
                    found += bool(fields)
            return f"'{self.file}', line {reader.line_num}"

    def numbers(
        self, column: str, default: float | None = None, parse: Callable[[str, str], float] | None = None
    ) -> Floats:
        """A column of finite numbers; `parse` reads cells that are none, such as 10h."""
        if column not in self.table.column_names:
            assert default is not None
            return np.full(self.table.num_rows, default)
        cells = self.table.column(column)
        missing = pc.is_null(cells).to_numpy()
        is_text = pa.types.is_string(cells.type)
        if is_text:
            missing |= pc.equal(pc.utf8_trim_whitespace(cells), "").to_numpy()
        if default is None:
            self.refuse(column, missing, "is empty; write a number")
        if pa.types.is_boolean(cells.type):
            raise WorkloadError(f"'{self.file}': the column {column!r} is of truth values; it must have numbers")
        text = pc.if_else(pa.array(missing), None, cells)
        try:
            values = pc.cast(text, pa.float64())
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            values = pa.array([self._number(column, row, cell, parse) for row, cell in enumerate(text.to_pylist())])
        found = np.array(pc.fill_null(values, 0.0).to_numpy(), np.float64)
        unlimited = np.isposinf(found) & (parse is not None)
        if unlimited.any() and is_text:
            unlimited &= ~pc.match_substring_regex(pc.fill_null(text, ""), "[0-9]").to_numpy()  # 1e999
        self.refuse(column, ~np.isfinite(found) & ~unlimited, "is not a finite number")
        found[missing] = 0.0 if default is None else default
        return found

    def _number(self, column: str, row: int, cell: object, parse: Callable[[str, str], float] | None) -> float | None:
        if cell is None:
            return None
        try:
            found = parse(str(cell), column) if parse else plain_number(str(cell))
        except InvalidValueError as error:
            raise WorkloadError(f"{self.place(row)}: {error}") from None
        if found is None:
            raise WorkloadError(f"{self.place(row)}: {column} {cell!r} is not a finite number")
        return found

    def _texts(self, column: str) -> pa.ChunkedArray:
        try:
            return pc.cast(self.table.column(column), pa.string())
        except pa.ArrowException:
            kind = self.table.column(column).type
            raise WorkloadError(f"'{self.file}': the column {column!r} is of type {kind}; it must be text") from None

    def nodes(self, column: str, numbers: Mapping[str, int]) -> npt.NDArray[np.int32]:
        """A column of original node names, as numbers."""
        names = pc.utf8_trim_whitespace(self._texts(column))
        places = pc.index_in(names, pa.array(numbers.keys(), pa.string()))
        absent = pc.is_null(places).to_numpy()
        if absent.any():
            row = int(np.argmax(absent))
            name = names[row].as_py()
            reason = unknown("node", name, numbers) if name else f"{column} is empty; write the name of a node"
            raise WorkloadError(f"{self.place(row)}: {reason}")
        return np.fromiter(numbers.values(), np.int32)[places.to_numpy()] if len(names) else np.empty(0, np.int32)

    def tags(self, column: str) -> pa.ListArray:
        """A column of tags, each cell a list; no tag is empty or occurs twice in a cell."""
        cells = pc.fill_null(self._texts(column), "").combine_chunks()
        lists = pc.split_pattern(cells, ";")
        lists = lists if isinstance(lists, pa.Array) else pa.concat_arrays(lists.chunks or [pa.array([], lists.type)])
        trimmed = pc.utf8_trim_whitespace(lists.flatten())
        rows = pc.list_parent_indices(lists).to_numpy()
        empty = pc.equal(trimmed, "").to_numpy(zero_copy_only=False)
        wrong = np.zeros(len(lists), np.bool_)
        wrong[rows[empty]] = True
        self.refuse(column, wrong, "has an empty tag")
        lists = pa.ListArray.from_arrays(lists.offsets, trimmed)
        if len(trimmed) > len(lists):
            for row in np.flatnonzero(pc.greater(pc.list_value_length(lists), 1).to_numpy(zero_copy_only=False)):
                tags = lists[int(row)].as_py()
                wrong[row] = len(set(tags)) < len(tags)
            self.refuse(column, wrong, "names a tag twice")
        return lists


def _read_csv(file: Path) -> pa.Table:
    with file.open(newline="", encoding="utf-8-sig") as stream:
        header = next(csv.reader(stream), None)
    if not header:
        raise WorkloadError(f"'{file}' is empty: its first line must name the columns")
    names = [name.strip() for name in header]
    wrong: list[arrow_csv.InvalidRow] = []

    def note(row: arrow_csv.InvalidRow) -> str:
        wrong.append(row)
        return "skip"

    table = arrow_csv.read_csv(
        file,
        arrow_csv.ReadOptions(use_threads=False, column_names=names, skip_rows=1),
        arrow_csv.ParseOptions(invalid_row_handler=note),
        arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False),
    )
    if wrong:
        row = wrong[0]
        found = f"{row.text!r} has {row.actual_columns} fields"
        raise WorkloadError(f"'{file}', line {row.number}: {found}, the first line has {len(names)}")
    return table
