"""Finding the columns of a table: its separator, its header, which column plays which part, and the unit of time.

The head of a file decides once (`find_layout`, `find_columns`, `find_unit`); the answers travel as plain options, so
every piece of the file is read the same way, wherever it is read.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from hunet.model.errors import InvalidValueError, TraceError
from hunet.model.names import unknown
from hunet.model.numbers import plain_number
from hunet.model.printable import printable
from hunet.traces.fields import Sheet, split_separated, split_words, without_blanks
from hunet.traces.format import Options
from hunet.traces.times import find_unit, plain_name, unix_time

SEPARATORS = (",", ";", "\t")
"""Tried in this order; None, white space of any length, comes last."""

# What people call the columns. A name matches after lower-casing and dropping a unit such as _ms or (s). The first
# alias that no other part has taken counts, so `from` and `to` are times where other columns name the people.
ALIASES: Mapping[str, tuple[str, ...]] = {
    "a": ("a", "id1", "id_1", "id_a", "node1", "node_1", "node_a", "user1", "user_1", "user_a", "device1", "device_1",
          "device_a", "person1", "person_1", "person_a", "name1", "name_1", "name_a", "who", "i", "u", "source", "src",
          "observer", "scanner", "device", "node", "user", "user_id", "person", "from"),
    "b": ("b", "id2", "id_2", "id_b", "node2", "node_2", "node_b", "user2", "user_2", "user_b", "device2", "device_2",
          "device_b", "person2", "person_2", "person_b", "name2", "name_2", "name_b", "whom", "j", "v", "target", "dst",
          "dest", "seen", "peer", "other", "neighbor", "neighbour", "seen_user_id", "met", "to"),
    "start": ("start", "begin", "start_time", "starttime", "time_start", "begin_time", "t_start", "tstart", "t0",
              "started", "started_at", "start_at", "from"),
    "end": ("end", "stop", "finish", "end_time", "endtime", "time_end", "stop_time", "t_end", "tend", "t1", "ended",
            "ended_at", "end_at", "until", "to"),
    "duration": ("duration", "length", "contact_duration"),
    "time": ("time", "t", "timestamp", "time_stamp", "unix_time", "unixtime", "at", "ts", "contact_time"),
    "class_a": ("class_a", "class1", "class_1", "ca", "ci"),
    "class_b": ("class_b", "class2", "class_2", "cb", "cj"),
    "name": ("id", "name", "node", "node_id", "user", "user_id", "device", "device_id"),
    "x": ("x", "pos_x", "easting"),
    "y": ("y", "pos_y", "northing"),
    "lat": ("lat", "latitude"),
    "lon": ("lon", "lng", "long", "longitude"),
}  # fmt: skip

_COMMENT = re.compile(r"^#\s*(format:)?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """How a text table is written: header is the line, perhaps a comment, that names the columns. Without one it is
    None and the names are numbers from 1."""

    separator: str | None
    header: str | None
    names: tuple[str, ...]


def find_layout(head: Sequence[str], separator: str | None = None) -> Layout | None:
    """The layout of a table by its first lines, or None where they are no table."""
    said = [line.strip() for line in head if line.strip() and not line.lstrip().startswith("#")]
    if not said:
        return None
    for candidate in (separator,) if separator is not None else (*SEPARATORS, None):
        first = split_head(said[0], candidate)
        alike = sum(len(split_head(line, candidate)) == len(first) for line in said)
        if len(first) >= 3 and alike > len(said) / 2:  # a few bad lines do not hide a table
            if not any(is_number(field) or unix_time(field) is not None for field in first):
                return Layout(candidate, said[0], tuple(first))
            for comment in (line.strip() for line in head if line.lstrip().startswith("#")):
                names = split_head(_COMMENT.sub("", comment), candidate)
                if len(names) == len(first) and _name_columns(names):
                    return Layout(candidate, comment, tuple(names))
            return Layout(candidate, None, tuple(str(place + 1) for place in range(len(first))))
    return None


def _name_columns(words: Sequence[str]) -> bool:
    """Are these names of columns rather than prose? Two of them must be known."""
    known = {alias for aliases in ALIASES.values() for alias in aliases}
    return sum(plain_name(word) in known for word in words) >= 2


def split_head(line: str, separator: str | None) -> list[str]:
    """The fields of one line of the head; none where it cannot be split, as where a line break stands inside it."""
    try:
        fields = line.split() if separator is None else next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []
    return [field.strip() for field in fields]


def is_number(text: str) -> bool:
    """Is this field of the head a number?"""
    return plain_number(text) is not None


def find_columns(names: Sequence[str], parts: Sequence[str], given: Mapping[str, object]) -> dict[str, int]:
    """Which column (from 0) plays which part: as the user says (a name, or a number from 1), else by its name."""
    found: dict[str, int] = {}
    for part, column in given.items():
        if part not in ALIASES:
            raise InvalidValueError(unknown("part of a column mapping", part, ALIASES))
        found[part] = _place(names, part, str(column))
    plain = [plain_name(name) for name in names]
    for part in parts:
        if part in found:
            continue
        places = [plain.index(alias) for alias in ALIASES[part] if alias in plain]
        free = [place for place in places if place not in found.values()]
        if free:
            found[part] = free[0]
    return found


def settle_table(file_name: str, head: Sequence[str], parts: Sequence[str], options: Options) -> dict[str, object]:
    """The settled options of a text table: separator, header, names, columns by place, unit, and dates.

    Options: `columns` (part to column name or number), `separator`, `unit` (s, ms or us).
    """
    layout = find_layout(head, given_separator(options))
    if layout is None:
        raise TraceError(f"trace file '{file_name}' does not look like a table: no line with at least three columns")
    columns = find_columns(layout.names, parts, given_columns(options))
    refuse_twins(file_name, layout.names, columns, given_columns(options))
    timed = [place for part, place in columns.items() if part in ("start", "end", "time")]
    sample = head_numbers(head, layout, timed[0]) if timed else []
    unit = find_unit(options, [layout.names[place] for place in timed], sample)
    written = {"separator": layout.separator, "header": layout.header, "names": list(layout.names)}
    dates = {"dates": True} if timed and _has_dates(head, layout, timed[0]) else {}
    return {**options, **written, "columns": columns, "unit": unit, **dates}


def read_table(lines: pa.Table, options: Options) -> tuple[Sheet, dict[str, pa.Array]]:
    """Lines by settled options: the sheet to judge them on, and the text of each part's column."""
    lines = without_blanks(lines)
    if options["header"] is not None:
        lines = lines.filter(pa.compute.not_equal(lines.column("text"), options["header"]))
    sheet = Sheet.of_text(lines)
    separator, names = options["separator"], options["names"]
    assert isinstance(names, Sequence)
    width = len(names)
    if separator is None:
        fields = split_words(sheet, (width,), f"{width} columns")
    else:
        fields = split_separated(sheet, str(separator), width)
    return sheet, {part: fields[place] for part, place in settled_columns(options).items()}


def settled_columns(options: Options) -> dict[str, int]:
    """The places of the columns in settled options."""
    columns = options["columns"]
    assert isinstance(columns, Mapping)
    return {str(part): int(place) for part, place in columns.items()}


def shown_names(options: Options) -> str:
    """The names of the columns in settled options, for messages."""
    names = options["names"]
    assert isinstance(names, Sequence)
    return printable(", ".join(names))


def refuse_twins(file_name: str, names: Sequence[str], columns: Mapping[str, int], given: Mapping[str, object]) -> None:
    """Refuse a table in which a column was found by a name that another has too: only the user can know which."""
    plain = [plain_name(name) for name in names]
    for part, place in columns.items():
        if part not in given and plain.count(plain[place]) > 1:
            raise TraceError(
                f"trace file '{file_name}': several columns are called {names[place]!r}; say which is meant by its "
                f"number, such as --columns {part}={place + 1}"
            )


def given_separator(options: Options) -> str | None:
    """The user's separator, or None."""
    separator = options.get("separator")
    if separator is None:
        return None
    text = {"\\t": "\t", "tab": "\t"}.get(str(separator), str(separator))
    if len(text) != 1 or not text.isascii() or text.isalnum() or text in '"\r\n\0+-.':
        raise InvalidValueError(f"separator {separator!r}: give one sign, such as ';' or '|', or the word tab")
    return text


def given_columns(options: Options) -> Mapping[str, object]:
    """The user's column mapping, or none."""
    columns = options.get("columns", {})
    if not isinstance(columns, Mapping):
        raise InvalidValueError(f"columns {columns!r}: give a mapping such as a=device, start=first_seen")
    return columns


def head_numbers(head: Sequence[str], layout: Layout, place: int) -> list[float]:
    """The numbers that stand in one column of the head."""
    rows = (split_head(line, layout.separator) for line in head)
    return [float(row[place]) for row in rows if len(row) > place and is_number(row[place])]


def _has_dates(head: Sequence[str], layout: Layout, place: int) -> bool:
    """Do date-times stand in one column of the head?"""
    rows = (split_head(line, layout.separator) for line in head)
    return any(unix_time(row[place]) is not None for row in rows if len(row) > place)


def _place(names: Sequence[str], part: str, column: str) -> int:
    lowered = [name.lower() for name in names]
    if column.lower() in lowered:
        return lowered.index(column.lower())
    if re.fullmatch(r"[0-9]{1,6}", column) and 1 <= int(column) <= len(names):
        return int(column) - 1
    raise InvalidValueError(f"{part}={column}: {unknown('column', column, names)} (or a number, 1 to {len(names)})")
