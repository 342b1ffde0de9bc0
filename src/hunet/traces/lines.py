"""Opening raw files: plain, gzip, zip or tar, as tables of LINES of bounded size; documents are unfolded to lines."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from hunet.input_files import readable
from hunet.model.errors import TraceError
from hunet.traces.documents import MOST_BYTES, is_document, unfold
from hunet.traces.format import LINES

PIECE_BYTES = 16 << 20
"""How much of a file is read at once."""

MOST_LINE_BYTES = 1 << 20
"""A line with more bytes before its line feed is none of a trace: the file is refused before it fills the memory."""

HEAD_LINES, HEAD_BYTES = 50, 1 << 16
"""How many lines recognition gets to see, in how much of a file they are sought."""

_TAR = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_Stream = IO[bytes] | gzip.GzipFile
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_lines(path: Path, piece_bytes: int = PIECE_BYTES) -> Iterator[pa.Table]:
    """The lines of a file in pieces, numbered from 1; the members of an archive one after the other.

    Bytes that are not UTF-8 become the replacement character, as they do on Spark.
    """
    with _readable(path):
        for name, stream in _members(path):
            yield from _pieces(name, _unfolded(name, stream), piece_bytes)


def read_head(path: Path, count: int = HEAD_LINES) -> list[str]:
    """The first lines of a file (of the first member of an archive), for recognition."""
    return [str(text) for text in read_first_lines(path, count).column("text").to_pylist()]


def read_first_lines(path: Path, count: int = HEAD_LINES) -> pa.Table:
    """The first LINES of a file, or of the first member of an archive."""
    found = LINES.empty_table()
    for piece in read_lines(path, HEAD_BYTES):
        if found.num_rows >= count or (found.num_rows and piece["file"][0] != found["file"][0]):
            break
        found = pa.concat_tables([found, piece])
    return found.slice(0, count)


def read_part(path: Path, begin: int, end: int, piece_bytes: int = PIECE_BYTES) -> Iterator[pa.Table]:
    """The lines of a plain file that begin at a byte from `begin` to before `end`, in pieces.

    `line` is the byte at which a line begins. Parts that cover a file give each of its lines once, whatever the cuts.
    """
    with _readable(path), path.open("rb") as stream:
        position = begin
        if begin > 0:
            # A line begins at `begin` only if the byte before it ends one.
            stream.seek(begin - 1)
            position += len(_rest_of_line(path, stream)) - 1
            stream.seek(position)
        while position < end:
            block = stream.read(min(piece_bytes, end - position))
            if not block:
                return
            block += b"" if block.endswith(b"\n") else _rest_of_line(path, stream)
            text = block.removeprefix(_BYTE_ORDER_MARK) if position == 0 else block
            if (row := _overlong(text)) is not None:
                raise _too_long(str(path), line_number(path, position) + row)
            table = _table(str(path), 0, text)
            starts = position + np.append(0, _breaks(block))[: table.num_rows]
            yield table.set_column(LINES.get_field_index("line"), LINES.field("line"), pa.array(starts, pa.int64()))
            position += len(block)


def line_number(path: Path, offset: int) -> int:
    """The number, from 1, of the line that begins at a byte of a plain file."""
    number = 1
    with _readable(path), path.open("rb") as stream:
        while offset > 0 and (block := stream.read(min(offset, PIECE_BYTES))):
            number += block.count(b"\n")
            offset -= len(block)
    return number


def _rest_of_line(path: Path, stream: IO[bytes]) -> bytes:
    begin = stream.tell()
    rest = stream.readline(MOST_LINE_BYTES + 2)
    if _overlong(rest) is not None:
        raise _too_long(str(path), line_number(path, begin))
    return rest


def _overlong(block: bytes) -> int | None:
    """Which line of a block, from 0, is the first that is too long; None if all are short enough."""
    if len(block) <= MOST_LINE_BYTES:
        return None
    breaks = _breaks(block)
    begins, ends = np.append(0, breaks), np.append(breaks - 1, len(block))
    found = np.flatnonzero(ends - begins > MOST_LINE_BYTES)
    return int(found[0]) if len(found) else None


def _too_long(name: str, line: int) -> TraceError:
    return TraceError(f"trace file '{name}', line {line}: longer than {MOST_LINE_BYTES:,} bytes, so this is no trace")


def _pieces(name: str, stream: _Stream, piece_bytes: int) -> Iterator[pa.Table]:
    number = 1
    rest = stream.read(len(_BYTE_ORDER_MARK)).removeprefix(_BYTE_ORDER_MARK)
    at_end = False
    while not at_end:
        block = stream.read(piece_bytes)
        at_end = not block
        whole, newline, rest = (rest + block).rpartition(b"\n") if not at_end else (rest, b"", b"")
        if (row := _overlong(whole)) is not None:
            raise _too_long(name, number + row)
        if len(rest) > MOST_LINE_BYTES:
            raise _too_long(name, number + whole.count(b"\n") + len(newline))
        if whole or newline:
            table = _table(name, number, whole + newline)
            number += table.num_rows
            yield table


def _table(name: str, first: int, block: bytes) -> pa.Table:
    text = _split(block)
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        text = _split(block.decode("utf-8", "replace").encode())
    # Offsets of neighbours must meet, so every line brought its line break along.
    text = pc.ascii_rtrim(text, "\r\n")
    count = len(text)
    return pa.table([pa.repeat(name, count), np.arange(first, first + count), text], schema=LINES)


def _split(block: bytes) -> pa.Array:
    breaks = _breaks(block)
    ends = breaks if len(breaks) and breaks[-1] == len(block) else np.append(breaks, len(block))
    offsets = np.concatenate(([0], ends)).astype(np.int32)
    return pa.StringArray.from_buffers(len(ends), pa.py_buffer(offsets), pa.py_buffer(block))


def _breaks(block: bytes) -> npt.NDArray[np.int64]:
    """Where lines end: the places after the line breaks."""
    return np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + 1


def is_whole(name: str) -> bool:
    """Must a file be read as a whole by its name, since it is packed or a document?"""
    return name.endswith((".gz", ".zip", *_TAR)) or is_document(name)


def _unfolded(name: str, stream: _Stream) -> _Stream:
    if not is_document(name):
        return stream
    content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise TraceError(
            f"trace file '{name}' is a document of more than {MOST_BYTES >> 20} MB: write it as CSV "
            "(or, if it is JSON by lines, let its name end in .jsonl)"
        )
    content = content.removeprefix(_BYTE_ORDER_MARK)
    lines = unfold(name, content)
    return io.BytesIO(content if lines is None else lines)


def _members(path: Path) -> Iterator[tuple[str, _Stream]]:
    if path.name.endswith(_TAR):
        with tarfile.open(path) as packed:
            for item in packed:
                unpacked_item = packed.extractfile(item) if item.isfile() and not _is_attribute(item.name) else None
                if unpacked_item is not None:
                    yield f"{path}/{item.name}", unpacked_item
    elif path.suffix == ".gz":
        with gzip.open(path) as unpacked:
            yield str(path), unpacked
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if not name.endswith("/") and not _is_attribute(name):
                    with archive.open(name) as member:
                        yield f"{path}/{name}", member
    else:
        with path.open("rb") as plain:
            yield str(path), plain


def _is_attribute(name: str) -> bool:
    """macOS adds a folder of attributes to its zip archives, and a file beside each file to tar archives."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith("._")


def _readable(path: Path) -> AbstractContextManager[None]:
    return readable(path, TraceError, "trace file")
