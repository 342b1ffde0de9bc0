"""Logs that grow: what was added to files since they were last looked at, as whole lines.

A mark says how far a file was read, and what it began with then. By the mark a look knows a file that has grown from
one that took its place: shorter, or beginning otherwise, it is read from its beginning. So nothing is missed when logs
are rotated, cut off and begun anew, or copied once more; what is read twice is the same line again, and whoever uses
the lines counts an entry once. The rest of a line that is still being written waits for the next look.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import IO

import pyarrow as pa

from hunet.input_files import readable
from hunet.model.errors import TraceError
from hunet.traces.lines import MOST_LINE_BYTES, is_whole, read_lines, read_part

__all__ = ["Look", "Mark", "look"]

HEAD_BYTES = 4096
"""How much of a file's beginning is remembered."""
_BLOCK = 1 << 16


@dataclass(frozen=True)
class Mark:
    """How far a file was read: so many bytes, and a digest of the first of them."""

    bytes: int = 0
    head: str = ""


@dataclass
class Look:
    """What a look at files found; `marks` and the counts are complete when all pieces of `lines` were taken."""

    marks: dict[str, Mark]
    """By file; those of files that are gone stay, since a file may come back."""
    lines: Iterator[pa.Table] = field(default_factory=lambda: iter(()))
    """LINES; `line` is the byte at which it begins, or its number in a packed file."""
    begun_anew: list[str] = field(default_factory=list)
    """Files that are not the ones that were read before: rotated, cut off, or copied anew."""
    unfinished: list[str] = field(default_factory=list)
    """Files whose last line, or last part, is not there yet."""
    refused: dict[str, str] = field(default_factory=dict)
    """Files that cannot be read now, and why."""


def look(files: Iterable[str], marks: Mapping[str, Mark]) -> Look:
    """What was added to files since the marks were set."""
    found = Look(dict(marks))
    found.lines = _lines(files, found)
    return found


def _lines(files: Iterable[str], found: Look) -> Iterator[pa.Table]:
    for file in files:
        path = Path(file)
        try:
            with readable(path, TraceError, "log"):
                yield from _packed(path, found) if is_whole(file) else _plain(path, found)
        except TraceError as error:
            found.refused[file] = str(error)


def _plain(path: Path, found: Look) -> Iterator[pa.Table]:
    file, mark = str(path), found.marks.get(str(path), Mark())
    with path.open("rb") as stream:
        size = stream.seek(0, 2)
        if size < mark.bytes or _digest(stream, mark.bytes) != mark.head:
            found.begun_anew.append(file)
            mark = Mark()
        end = _end_of_lines(stream, max(mark.bytes, size - MOST_LINE_BYTES), size)
        if end is None and size - mark.bytes > MOST_LINE_BYTES:
            raise TraceError(f"log '{path}' has a line of more than {MOST_LINE_BYTES:,} bytes, so it is none")
        end = mark.bytes if end is None else end
        head = _digest(stream, end)
    if end < size:
        found.unfinished.append(file)
    yield from list(read_part(path, mark.bytes, end))  # all of it, or nothing: what is refused is not half taken
    found.marks[file] = Mark(end, head)


def _packed(path: Path, found: Look) -> Iterator[pa.Table]:
    """A packed file is taken whole, once it has come whole."""
    file, mark = str(path), found.marks.get(str(path), Mark())
    with path.open("rb") as stream:
        size = stream.seek(0, 2)
        seen = Mark(size, _digest(stream, size))
    if seen == mark:
        return
    try:
        pieces = list(read_lines(path))
    except TraceError:
        found.unfinished.append(file)
        return
    if mark.bytes:
        found.begun_anew.append(file)
    yield from pieces
    found.marks[file] = seen


def _digest(stream: IO[bytes], read: int) -> str:
    """Of the first bytes of a file of which so many were read."""
    if not read:
        return ""
    stream.seek(0)
    return blake2b(stream.read(min(read, HEAD_BYTES)), digest_size=16).hexdigest()


def _end_of_lines(stream: IO[bytes], begin: int, size: int) -> int | None:
    """Where the last line that ends after `begin` does so."""
    end = size
    while end > begin:
        start = max(begin, end - _BLOCK)
        stream.seek(start)
        place = stream.read(end - start).rfind(b"\n")
        if place >= 0:
            return start + place + 1
        end = start
    return None
