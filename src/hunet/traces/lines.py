"""Opening raw files: plain, gzip or zip, as tables of LINES of bounded size."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import TraceError
from hunet.traces.format import LINES

PIECE_BYTES = 16 << 20
"""How much of a file is read at once. A line that is longer is still read whole."""

HEAD_LINES = 50
"""How many lines recognition gets to see."""

_Stream = IO[bytes] | gzip.GzipFile
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_lines(path: Path, piece_bytes: int = PIECE_BYTES) -> Iterator[pa.Table]:
    """The lines of a file in pieces, numbered from 1; the members of a zip archive one after the other.

    Bytes that are not UTF-8 become the replacement character, as they do on Spark.
    """
    with _readable(path):
        for name, stream in _members(path):
            yield from _pieces(name, stream, piece_bytes)


def read_head(path: Path, count: int = HEAD_LINES) -> list[str]:
    """The first lines of a file (of the first member of an archive), for recognition."""
    first = next(read_lines(path, 1 << 16), None)
    return [] if first is None else [str(text) for text in first.column("text")[:count].to_pylist()]


def _pieces(name: str, stream: _Stream, piece_bytes: int) -> Iterator[pa.Table]:
    number = 1
    rest = stream.read(len(_BYTE_ORDER_MARK)).removeprefix(_BYTE_ORDER_MARK)
    at_end = False
    while not at_end:
        block = stream.read(piece_bytes)
        at_end = not block
        whole, newline, rest = (rest + block).rpartition(b"\n") if not at_end else (rest, b"", b"")
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
    breaks = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + 1
    ends = breaks if len(breaks) and breaks[-1] == len(block) else np.append(breaks, len(block))
    offsets = np.concatenate(([0], ends)).astype(np.int32)
    return pa.StringArray.from_buffers(len(ends), pa.py_buffer(offsets), pa.py_buffer(block))


def _members(path: Path) -> Iterator[tuple[str, _Stream]]:
    if path.suffix == ".gz":
        with gzip.open(path) as unpacked:
            yield str(path), unpacked
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                # macOS adds a folder of attributes to its archives
                if not name.endswith("/") and not name.startswith("__MACOSX/"):
                    with archive.open(name) as member:
                        yield f"{path}/{name}", member
    else:
        with path.open("rb") as plain:
            yield str(path), plain


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise TraceError(f"trace file '{path}' does not exist") from None
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise TraceError(f"trace file '{path}' cannot be read: {error}") from error
