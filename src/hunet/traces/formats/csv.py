"""Contact tables in CSV style or Parquet, with any column names: a, b, start, and end or duration; classes if present.

Columns are found by sensible names (start, begin, t_start, ..., see `hunet.traces.columns`) or given. Times may be
Unix or relative, in seconds or milliseconds: a unit in a column's name counts (start_ms), and times too big for seconds
are milliseconds; or ISO 8601 date-times. Parquet tables go through the same mapping (`settle_columns`, `parse_table`)
and may have timestamps. Four columns without a header are `a b start end`.

Options: `columns` (part to column name or number from 1), `separator`, `unit` (s, ms or us).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import TraceError
from hunet.traces.columns import (
    find_columns,
    find_layout,
    given_columns,
    read_table,
    refuse_twins,
    settle_table,
    settled_columns,
    shown_names,
)
from hunet.traces.evidence import Sample, bare_contacts
from hunet.traces.fields import Sheet, is_text
from hunet.traces.format import INTERVALS, LINES, Evidence, Format, Options
from hunet.traces.times import find_unit, in_seconds, read_times, unit_in

_PARTS = ("a", "b", "start", "end", "duration", "class_a", "class_b")
_WITHOUT_HEADER = {"a": 1, "b": 2, "start": 3, "end": 4}


def evidence(_file_name: str, head: Sequence[str]) -> Evidence | None:
    """A header in which both ends of a contact and its time are found; or four bare columns `a b start end`."""
    layout = find_layout(head)
    if layout is None:
        return None
    if layout.header is not None:
        complete = _is_complete(find_columns(layout.names, _PARTS, {}))
        return Evidence("its header names who, whom, start and end or duration", sure=True) if complete else None
    sample = Sample.of(head)
    if sample is None or len(layout.names) != 4 or (layout.separator is None and sample.is_numeric):
        return None  # four numbers between white space are CRAWDAD's
    why = bare_contacts(head)
    return None if why is None else Evidence(why)


def settle(file_name: str, head: Sequence[str], options: Options) -> Options:
    """Settle separator, header, columns and unit."""
    layout = find_layout(head)
    if layout is not None and layout.header is None and len(layout.names) == 4:
        given = given_columns(options)
        usual = {part: place for part, place in _WITHOUT_HEADER.items() if part != "end" or "duration" not in given}
        options = {**options, "columns": {**usual, **given}}
    return _checked(file_name, settle_table(file_name, head, _PARTS, options))


def parse(lines: pa.Table, options: Options) -> tuple[pa.Table, pa.Table]:
    """Intervals from the lines of a text table."""
    sheet, columns = read_table(lines, options)
    return _intervals(sheet, columns, options)


def settle_columns(file_name: str, schema: pa.Schema, options: Options) -> Options:
    """Settle the options of a Parquet file by its column names and types."""
    columns = find_columns(schema.names, _PARTS, given_columns(options))
    refuse_twins(file_name, schema.names, columns, given_columns(options))
    for part, place in columns.items():
        _check_type(file_name, part, schema.field(place))
    timed = [schema.names[place] for part, place in columns.items() if part in ("start", "end")]
    stamps = timed and all(pa.types.is_timestamp(schema.field(name).type) for name in timed)
    unit = "s" if stamps else find_unit(options, timed, ())
    dates = {"dates": True} if stamps else {}
    return _checked(file_name, {**options, "names": schema.names, "columns": columns, "unit": unit, **dates})


def _check_type(file_name: str, part: str, column: pa.Field) -> None:
    """Refuse a column of a Parquet file whose type no name or time can have."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    fits = (is_text, pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_null)
    is_moment = part in ("start", "end") and pa.types.is_timestamp(kind)
    if not is_moment and not any(is_such(kind) for is_such in fits):
        raise TraceError(
            f"trace file '{file_name}': the column {column.name!r} has the type {kind}, which cannot be {part}: write "
            "names as text and times as numbers or timestamps"
        )


def parse_table(
    table: pa.Table, options: Options, file_name: str = "", first_row: int = 1
) -> tuple[pa.Table, pa.Table]:
    """Intervals from an Arrow table by settled options; `line` is the number of the row, `text` shows its values."""
    columns = {part: table.column(place).combine_chunks() for part, place in settled_columns(options).items()}
    shown = [pc.fill_null(pc.cast(column, pa.string()), "") for column in columns.values()]
    text = pc.binary_join_element_wise(*shown, ",")
    numbers = np.arange(first_row, first_row + table.num_rows)
    sheet = Sheet(pa.table([pa.repeat(file_name, table.num_rows), numbers, text], schema=LINES))
    return _intervals(sheet, columns, options)


def _intervals(sheet: Sheet, columns: Mapping[str, pa.Array], options: Options) -> tuple[pa.Table, pa.Table]:
    unit = str(options["unit"])
    start = read_times(sheet, columns["start"], "start", unit)
    if "end" in columns:
        end = read_times(sheet, columns["end"], "end", unit)
    else:
        lasts = in_seconds(sheet.number(columns["duration"], "duration"), _duration_unit(options))
        end = pc.add(start, lasts)
        sheet.reject(pc.invert(pc.is_finite(end)), "start and duration are too large together")
    found = {"a": sheet.name(columns["a"], "a"), "b": sheet.name(columns["b"], "b"), "start": start, "end": end}
    for part in ("class_a", "class_b"):
        if part in columns:
            label = pc.cast(columns[part], pa.string())
            found[part] = pc.if_else(pc.equal(label, ""), None, label)
    return sheet.sort_out(INTERVALS, found)


def _duration_unit(options: Options) -> str:
    """Durations may have another unit than start (date-times have none): what the column's own name says."""
    names = options["names"]
    assert isinstance(names, Sequence)
    return unit_in(names[settled_columns(options)["duration"]]) or str(options["unit"])


def _is_complete(columns: Mapping[str, int]) -> bool:
    return {"a", "b", "start"} <= columns.keys() and bool({"end", "duration"} & columns.keys())


def _checked(file_name: str, settled: Options) -> Options:
    if not _is_complete(settled_columns(settled)):
        raise TraceError(
            f"trace file '{file_name}': no columns found for all of a, b, start and end (or duration) among "
            f"{shown_names(settled)}; say which they are, such as --columns a=2,b=3,start=5,end=6"
        )
    return settled


CSV = Format("csv", "contact table with named columns (a, b, start, end)", "intervals", evidence, parse, settle)
