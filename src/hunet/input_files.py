"""Files that somebody else wrote: read whole, or refused in one sentence that names the file. Imports model only.

Whoever reads such a file gives the error to raise and the word for the file. Everything that can be wrong before its
content is looked at (no such file, a pipe or a device, too large, no UTF-8, no TOML, damaged Parquet) is said here.
"""

from __future__ import annotations

import csv
import json
import lzma
import math
import re
import stat
import tarfile
import tomllib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hunet.model.errors import HunetError

__all__ = ["parse_json", "parse_toml", "read_text", "readable", "reason_of", "require_regular"]

MOST_BYTES = 64 << 20
"""Of a file that is read whole as text."""
MOST_TOML_BYTES = 1 << 20
"""Of what people write by hand; a larger one takes Python's reader minutes."""
MOST_DEPTH = 50
"""Lists and sections inside each other."""
MOST_WHOLE = (1 << 63) - 1
"""Whole numbers have 64 bits, here as in the tables they end up in."""

_UNREADABLE = (
    OSError,
    EOFError,
    ValueError,  # with it: no UTF-8, Arrow's word for a damaged file, numbers of thousands of digits
    TypeError,
    RuntimeError,  # with it: an encrypted zip, a compression that is not known, nesting without end
    ArithmeticError,
    LookupError,
    MemoryError,
    zlib.error,
    zipfile.BadZipFile,
    lzma.LZMAError,
    tarfile.TarError,
    csv.Error,
)


@contextmanager
def readable(path: Path, error: type[HunetError], what: str) -> Iterator[None]:
    """A block that reads a regular file by a library; whatever that raises becomes `error`, in one line."""
    require_regular(path, error, what)
    try:
        yield
    except HunetError:
        raise
    except _UNREADABLE as found:
        raise error(f"{what} '{path}' cannot be read: {reason_of(found)}") from found


def require_regular(path: Path, error: type[HunetError], what: str) -> None:
    """Refuse what does not exist, and pipes and devices, which may never end."""
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        raise error(f"{what} '{path}' does not exist") from None
    except (OSError, ValueError) as found:
        raise error(f"{what} '{path}' cannot be read: {reason_of(found)}") from None
    if stat.S_ISDIR(kind):
        raise error(f"{what} '{path}' is a folder: give a file")
    if not stat.S_ISREG(kind):
        raise error(f"{what} '{path}' is a pipe or a device: write its content to a file first, and give that")


def read_text(path: Path, error: type[HunetError], what: str, most: int = MOST_BYTES) -> str:
    """A text file whole, in UTF-8 with or without a byte order mark."""
    with readable(path, error, what):
        size = path.stat().st_size
        if size > most:
            raise error(f"{what} '{path}' has {size:,} bytes: the limit is {most:,}")
        try:
            return path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as found:
            raise error(
                f"{what} '{path}' is not UTF-8 text (byte {found.start + 1:,}): save it with the encoding UTF-8"
            ) from None


def parse_toml(text: str, path: Path, error: type[HunetError], *, own: bool = False) -> dict[str, Any]:
    """A TOML document, no part of which is nested too deeply or too large a number.

    `own`: a file that hunet writes, with measures among it, one of which may be no number.
    """
    if len(text) > MOST_TOML_BYTES:
        raise error(f"'{path}' has {len(text):,} characters: the limit of a TOML file is {MOST_TOML_BYTES:,}")
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as found:
        what, _, where = str(found).partition(" (at ")
        line = re.match(r"line (\d+)", where)
        raise error(f"'{path}'{f', line {line[1]}' if line else ''}: this is not TOML: {what}") from None
    except (ValueError, RecursionError) as found:
        raise error(f"'{path}': this is not TOML: {reason_of(found)}") from None
    _check(content, f"'{path}'", error, nan=own)
    return content


def parse_json(text: str, place: str, error: type[HunetError], *, own: bool = False) -> Any:
    """A JSON document under the same limits; `place` says where it stands.

    JSON knows neither infinity nor NaN, but those that are hunet's `own` may have them.
    """
    try:
        content = json.loads(text, parse_constant=None if own else _refuse_constant)
    except (ValueError, RecursionError) as found:
        raise error(f"{place}: this is not JSON: {reason_of(found)}") from None
    _check(content, place, error, nan=own)
    return content


def reason_of(error: BaseException) -> str:
    """What an error says, as the end of a sentence of one line."""
    if isinstance(error, RecursionError):
        return f"its parts are nested too deeply (the limit is {MOST_DEPTH})"
    if isinstance(error, MemoryError):
        return "it needs more memory than there is"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    said = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    if "integer string conversion" in said:
        return "a number has thousands of digits"
    return said or type(error).__name__


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is not a number of JSON")


def _has_surrogates(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def _check(content: Any, place: str, error: type[HunetError], *, nan: bool) -> None:
    """Walks without recursion, so that depth does no harm here either."""
    left = [(content, "", 0)]
    while left:
        value, key, depth = left.pop()
        if depth > MOST_DEPTH:
            raise error(f"{place}: its parts are nested too deeply (the limit is {MOST_DEPTH})")
        if isinstance(value, str) and not value.isascii() and _has_surrogates(value):
            raise error(f"{place}: {key} has half a letter (a lone surrogate such as \\ud800)")
        if isinstance(value, dict):
            left += [(name, "a key", depth + 1) for name in value]
            left += [(one, str(name), depth + 1) for name, one in value.items()]
        elif isinstance(value, list):
            left += [(one, key, depth + 1) for one in value]
        elif isinstance(value, int) and abs(value) > MOST_WHOLE:
            raise error(f"{place}: {key} is a whole number of more than 64 bits: the limit is {MOST_WHOLE}")
        elif isinstance(value, float) and math.isnan(value) and not nan:
            raise error(f"{place}: {key} = nan is not a number")
