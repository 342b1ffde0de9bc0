"""From lines of text to typed columns: splitting, strict numbers, and a reason for every line that cannot be used.

Everything here is vectorised: a `Sheet` holds whole columns, and a line is looked at as an object of its own only when
it is bad and somebody asks why.
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from hunet.model.errors import TraceError
from hunet.model.numbers import MOST_SECONDS, NUMBER
from hunet.traces.format import BAD

MOST_METRES = 1e9
"""Of a place from the origin: farther than anybody walks, and near enough for every number of a cell."""

_CONTROL = r"[\p{Cc}\p{Zl}\p{Zp}]"
"""What a reason quotes from a line must not break the line it is printed on."""

_STRANGE = "\N{REPLACEMENT CHARACTER}".encode()

_SHOWN = 100
"""How much of a field a reason quotes."""


def without_blanks(lines: pa.Table, comment: str = "#") -> pa.Table:
    """The lines that say something, trimmed: neither blank nor a comment."""
    text = trimmed(one_array(lines.column("text")))
    said = pc.and_(pc.not_equal(text, ""), pc.invert(pc.starts_with(text, comment)))
    return lines.set_column(lines.schema.get_field_index("text"), "text", text).filter(said).combine_chunks()


class Sheet:
    """Lines under judgement: each column asked for may find some of them bad; the first reason found is kept."""

    def __init__(self, lines: pa.Table) -> None:
        self.lines = lines.combine_chunks()
        self._reason: pa.Array = pa.nulls(lines.num_rows, pa.string())

    @classmethod
    def of_text(cls, lines: pa.Table) -> Sheet:
        """A sheet of lines of a text file: one with a line break inside is bad, since it may be several; and so is one
        with bytes that are no UTF-8.

        Programs of old end lines by a carriage return alone; nobody else does, and no two readers agree about it.
        """
        sheet = cls(lines)
        text = one_array(sheet.lines.column("text"))
        if any((_bytes_of(text) == sign).any() for sign in b"\r\n"):
            broken = pc.match_substring_regex(text, r"[\r\n]")
            sheet.reject(broken, "a carriage return stands inside the line (lines must end in \\n or \\r\\n)")
        if (_bytes_of(text) == _STRANGE[0]).any():
            # Two names of which nobody knows the letters could be the same afterwards.
            strange = pc.match_substring(text, _STRANGE.decode())
            sheet.reject(strange, "a letter is not UTF-8 (save the file with the encoding UTF-8)")
        return sheet

    def reject(self, wrong: pa.Array, reason: str | pa.Array) -> None:
        """Mark the lines where `wrong` is true; those that are bad already keep their reason."""
        first = pc.and_(pc.fill_null(wrong, False), pc.is_null(self._reason))
        if pc.any(first).as_py():
            self._reason = pc.if_else(one_array(first), reason, self._reason)

    def reject_lines(self, reasons: Mapping[int, str]) -> None:
        """Mark single lines by their place in the sheet, each with a reason of its own."""
        places = pa.array(np.arange(self.lines.num_rows))
        which = pc.index_in(places, pa.array(reasons.keys(), pa.int64()))
        self.reject(pc.is_valid(which), pa.array(reasons.values(), pa.string()).take(which))

    def usable(self) -> pa.Array:
        """Which lines nothing was found against so far."""
        return pc.is_null(self._reason)

    def number(self, column: pa.Array, name: str) -> pa.Array:
        """The column as float64; lines where it is absent, no number or not finite are bad (and null here)."""
        column = one_array(column)
        return self.require(parse_numbers(column), column, name, "is not a number")

    def require(self, values: pa.Array, column: pa.Array, name: str, complaint: str) -> pa.Array:
        """The float64 values read from a column; lines where it is absent, or the value null or not finite, are bad."""
        shown = column if is_text(column.type) else pc.cast(column, pa.string())
        self.reject(pc.fill_null(pc.equal(shown, ""), True), f"{name} is missing")
        wrong = pc.invert(pc.fill_null(pc.is_finite(values), False))
        said = pc.utf8_slice_codeunits(pc.if_else(wrong, shown, None), 0, _SHOWN)  # of the few that are told
        self.reject(wrong, _join(f"{name} '", said, f"' {complaint}"))
        return pc.if_else(wrong, None, values)

    def name(self, column: pa.Array, what: str) -> pa.Array:
        """The column as text; lines where it is absent or empty are bad."""
        names = trimmed(pc.cast(one_array(column), pa.string()))
        self.reject(pc.fill_null(pc.equal(names, ""), True), f"{what} is missing")
        return names

    def sort_out(self, schema: pa.Schema, columns: Mapping[str, pa.Array]) -> tuple[pa.Table, pa.Table]:
        """(rows of the good lines in `schema`, the bad lines). Columns that are not given are null."""
        limits = dict.fromkeys(("start", "end", "time"), (MOST_SECONDS, "s"))
        for name, (most, unit) in (limits | dict.fromkeys(("x", "y"), (MOST_METRES, "m"))).items():
            if name in columns and pa.types.is_floating(columns[name].type):
                too_far = pc.greater(pc.abs(one_array(columns[name])), most)
                self.reject(too_far, f"{name} is more than {most:.0e} {unit} from 0")
        good = pc.is_null(self._reason)
        size = self.lines.num_rows
        known = {"file": self.lines.column("file"), "line": self.lines.column("line"), **columns}
        arrays = [known[field.name] if field.name in known else pa.nulls(size, field.type) for field in schema]
        rows = pa.table(arrays, schema=schema).filter(good)
        bad = self.lines.select(["file", "line", "text"]).append_column("reason", self._reason).filter(pc.invert(good))
        reason = pc.replace_substring_regex(bad.column("reason"), _CONTROL, "\N{REPLACEMENT CHARACTER}")
        return rows, bad.set_column(BAD.get_field_index("reason"), "reason", reason).cast(BAD)


def split_words(sheet: Sheet, widths: tuple[int, ...], layout: str) -> list[pa.Array]:
    """The fields of lines separated by white space, null where a line is too short.

    Lines whose number of fields is none of `widths` are bad; `layout` tells the user what was expected.
    """
    words = pc.ascii_split_whitespace(one_array(sheet.lines.column("text")))
    found = pc.list_value_length(words)
    sheet.reject(
        pc.invert(pc.is_in(found, pa.array(widths, pa.int32()))),
        _join(f"expected `{layout}`, found ", pc.cast(found, pa.string()), " fields"),
    )
    padded = pc.list_slice(words, 0, max(widths), return_fixed_size_list=True)
    return [pc.list_element(padded, field) for field in range(max(widths))]


def split_separated(sheet: Sheet, separator: str, width: int) -> list[pa.Array]:
    """The fields of lines in CSV style (quotes respected); lines with another number of fields are bad."""
    text = one_array(sheet.lines.column("text"))
    if len(text) == 0:
        return [text] * width
    if (_bytes_of(text) == ord('"')).any():  # which is found sooner than that all are closed
        sheet.reject(pc.invert(pc.match_substring_regex(text, _closed(separator))), "a quotation mark is not closed")
    # An empty stand-in keeps the rows aligned: an open quotation mark would swallow the next line, and a line break
    # inside a line would make two rows of it.
    text = pc.if_else(sheet.usable(), text, separator * (width - 1))
    odd: dict[int, str] = {}

    def note(row: arrow_csv.InvalidRow) -> str:
        odd[row.number - 1] = f"expected {width} fields, found {row.actual_columns}"
        return "skip"

    names = [str(field) for field in range(width)]
    parsed = arrow_csv.read_csv(
        pa.py_buffer(_one_text(text)),
        arrow_csv.ReadOptions(use_threads=False, column_names=names, block_size=max(1 << 20, _size(text) + 1)),
        arrow_csv.ParseOptions(delimiter=separator, invalid_row_handler=note, ignore_empty_lines=False),
        arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False),
    )
    if parsed.num_rows + len(odd) != len(text):
        raise TraceError(
            f"trace file '{sheet.lines.column('file')[0]}': {len(text)} lines were read as "
            f"{parsed.num_rows + len(odd)} rows (look for unusual quotation marks or control characters in it)"
        )
    if odd:
        sheet.reject_lines(odd)
        read = np.ones(len(text), np.bool_)
        read[list(odd)] = False
        parsed = parsed.take(pa.array(np.cumsum(read) - 1, mask=~read))
    return [trimmed(one_array(parsed.column(name))) for name in names]


def _closed(separator: str) -> str:
    """Matches a line in which every field that begins with a quotation mark ends with one, perhaps with more after it.

    Inside such a field two quotation marks stand for one; in other fields they are letters like any other.
    """
    between = rf"\x{ord(separator):02x}"
    quoted = rf'"(?:[^"]|"")*"(?:[^"{between}][^{between}]*)?'
    field = rf'(?:{quoted}|[^"{between}][^{between}]*|)'
    return f"^{field}(?:{between}{field})*$"


def parse_numbers(column: pa.Array) -> pa.Array:
    """A column as float64, null where it is text that is no number, and where it says true or false."""
    if pa.types.is_boolean(column.type):
        return pa.nulls(len(column), pa.float64())
    if not is_text(column.type):
        return pc.cast(column, pa.float64(), safe=False)  # of more than 53 bits the nearest
    try:
        return pc.cast(column, pa.float64())
    except pa.ArrowInvalid:
        whole = pc.ascii_is_decimal(column)  # digits alone, which is found ten times sooner
        others = pc.invert(whole)
        numeric = pc.replace_with_mask(whole, others, pc.match_substring_regex(column.filter(others), f"^{NUMBER}$"))
        return pc.cast(pc.if_else(numeric, column, None), pa.float64())


def trimmed(text: pa.Array) -> pa.Array:
    """Text without white space around it. Where there is none, bytes tell that ten times sooner than letters."""
    found = _bytes_of(text)
    return pc.utf8_trim_whitespace(text) if ((found <= ord(" ")) | (found >= 0x80)).any() else text


def _bytes_of(text: pa.Array) -> npt.NDArray[np.uint8]:
    """The bytes of all texts, perhaps with others: what is not among them is in no text."""
    content = text.buffers()[2]
    return np.empty(0, np.uint8) if content is None else np.frombuffer(content, np.uint8)


def _join(*parts: str | pa.Array) -> pa.Array:
    return pc.binary_join_element_wise(*parts, "")


def _one_text(text: pa.Array) -> bytes:
    """All lines, after a mark of byte order: Arrow takes one away, which would be that of a line otherwise."""
    whole = pc.binary_join(pa.ListArray.from_arrays(pa.array([0, len(text)], pa.int32()), text), "\n")
    joined: bytes = whole[0].as_buffer().to_pybytes()
    return codecs.BOM_UTF8 + joined + b"\n"


def _size(text: pa.Array) -> int:
    return len(codecs.BOM_UTF8) + int(pc.sum(pc.binary_length(text)).as_py() or 0) + len(text)


def is_text(kind: pa.DataType) -> bool:
    """Is this the type of a column of text?"""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def one_array(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """A column in one piece."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
