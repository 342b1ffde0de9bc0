"""hunet's own node logs, as `model.node_log` describes them: what a network lived through is a trace again.

Logs whose lines name their contacts are brought to one clock first, see `traces.align`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as arrow_json

from hunet.model.node_log import KINDS, NEEDED, VERSION
from hunet.traces.align import CLOCKS, align, aligned
from hunet.traces.fields import Sheet, without_blanks
from hunet.traces.format import EVENTS, Evidence, Format, Options

_FIELDS = pa.schema(
    [
        ("hunet", pa.int64()),
        ("kind", pa.string()),
        ("time", pa.float64()),
        ("node", pa.string()),
        ("peer", pa.string()),
        ("up", pa.bool_()),
        ("message", pa.string()),
        ("tags", pa.list_(pa.string())),
        ("size", pa.int64()),
        ("ttl", pa.float64()),
        ("from", pa.string()),
        ("hops", pa.int64()),
        ("wanted", pa.bool_()),
        ("contact", pa.string()),
        ("peer_time", pa.float64()),
        ("protocol", pa.string()),
        ("settings", pa.string()),
    ]
)
_COLUMN = re.compile(r"Column\(/(\w+)")

ENTRIES = pa.schema([("file", pa.string()), ("line", pa.int64()), *_FIELDS])
"""All that a log says; the fields of other kinds are null."""


def evidence(_file_name: str, head: Sequence[str]) -> Evidence | None:
    """The first line is an object with the schema's version."""
    first = next((line for line in head if line.strip()), "")
    try:
        entry = json.loads(first)
    except (ValueError, RecursionError):
        return None
    if isinstance(entry, dict) and "hunet" in entry and "kind" in entry:
        return Evidence("the first line is an entry of a node's log", sure=True)
    return None


def survey(parts: Iterable[pa.Table]) -> Options:
    """How far clocks are apart, from the lines of all logs; nothing where lines do not name their contacts."""
    return align(read_log(lines)[0] for lines in parts)


def parse(lines: pa.Table, options: Options) -> tuple[pa.Table, pa.Table]:
    """The contact events. Other kinds are no contacts, and not bad either: `read_log` returns them."""
    entries, bad = read_log(lines)
    return contact_events(entries, options), bad


def contact_events(entries: pa.Table, options: Options) -> pa.Table:
    """The contact events among entries, each told by one end and on the common clock where the options have clocks."""
    contacts = entries.filter(pc.equal(entries.column("kind"), "contact"))
    if CLOCKS in options:
        contacts = aligned(contacts, options)
    columns = [contacts.column(name) for name in ("file", "line", "time", "node", "peer", "up")]
    return pa.table(columns, schema=EVENTS)


def read_log(lines: pa.Table) -> tuple[pa.Table, pa.Table]:
    """(ENTRIES of every kind, bad lines)."""
    sheet = Sheet.of_text(without_blanks(lines))
    text = sheet.lines.column("text").combine_chunks()
    # Only what begins and ends as an object does is read with others: no line can be the rest of the one before it.
    whole = pc.and_(sheet.usable(), pc.match_substring_regex(text, r"^\{.*\}$"))
    alone = np.flatnonzero(pc.invert(whole))
    reasons = {int(place): _why(text[int(place)].as_py(), "") for place in alone}
    pieces = _decode(pc.if_else(whole, text, "{}"), 0, reasons)
    fields = pa.concat_tables([_FIELDS.empty_table(), *pieces])
    sheet.reject_lines(reasons)
    columns = {name: fields.column(name).combine_chunks() for name in _FIELDS.names}
    _check(sheet, columns)
    return sheet.sort_out(ENTRIES, columns)


def _check(sheet: Sheet, columns: dict[str, pa.Array]) -> None:
    version, kind = columns["hunet"], columns["kind"]
    sheet.reject(pc.is_null(version), "the field 'hunet' (the version of the log) is missing")
    sheet.reject(
        pc.not_equal(version, VERSION),
        pc.binary_join_element_wise(
            "log version ", pc.cast(version, pa.string()), f" is not known (this hunet reads version {VERSION})", ""
        ),
    )
    sheet.reject(
        pc.invert(pc.is_in(kind, pa.array(KINDS))),
        pc.binary_join_element_wise("kind '", pc.fill_null(kind, ""), f"' is none of {', '.join(KINDS)}", ""),
    )
    for name in ("time", "node"):
        sheet.reject(pc.is_null(columns[name]), f"the field '{name}' is missing")
    for name in ("time", "ttl", "peer_time"):
        told = pc.cast(columns[name], pa.string())
        finite = pc.is_finite(columns[name])
        sheet.reject(pc.invert(finite), pc.binary_join_element_wise(f"the {name} ", told, " is not finite", ""))
    for one, names in NEEDED.items():
        for name in names:
            sheet.reject(pc.and_(pc.equal(kind, one), pc.is_null(columns[name])), f"a {one} without the field '{name}'")


def _decode(text: pa.Array, first: int, reasons: dict[int, str]) -> list[pa.Table]:
    """Tables that together have one row per line. One bad line fails a whole block, so halves are tried until it is
    alone: a handful of bad lines costs a handful of extra passes over ever smaller blocks."""
    if len(text) == 0:
        return []
    try:
        table = _read(text)
    except pa.ArrowInvalid as error:
        if len(text) == 1:
            reasons[first] = _why(text[0].as_py(), str(error))
            return [pa.table([pa.nulls(1, field.type) for field in _FIELDS], schema=_FIELDS)]
        half = len(text) // 2
        return [*_decode(text[:half], first, reasons), *_decode(text[half:], first + half, reasons)]
    return [table]


def _read(text: pa.Array) -> pa.Table:
    whole = pc.binary_join(pa.ListArray.from_arrays(pa.array([0, len(text)], pa.int32()), text), "\n")
    block = whole[0].as_buffer()
    table = arrow_json.read_json(
        pa.BufferReader(block),
        arrow_json.ReadOptions(use_threads=False, block_size=block.size + 1),
        arrow_json.ParseOptions(explicit_schema=_FIELDS, unexpected_field_behavior="ignore"),
    )
    if table.num_rows != len(text):
        raise pa.ArrowInvalid("more or fewer values than lines")
    return table


def _why(line: str, arrow_says: str) -> str:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    if not isinstance(value, dict):
        return "not a JSON object"
    column = _COLUMN.search(arrow_says)
    return f"the field '{column[1]}' has the wrong type" if column is not None else f"not readable: {arrow_says}"


NODELOG = Format("nodelog", "hunet node log (JSON lines)", "events", evidence, parse, survey=survey, tells_once=True)
