"""Contents that no file should have, by kind. Each generator yields a label and the bytes of a file."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.dice import dice, letters

Content = tuple[str, bytes]


def no_text(subject: str) -> Iterator[Content]:
    """Bytes that are no UTF-8, and UTF-8 that is no document of any kind."""
    chance = dice(f"no text {subject}")
    for number in range(6):
        yield f"random bytes {number}", b"\xff\xfe" + chance.randbytes(chance.randint(1, 4000))
    yield "UTF-16", "name = 'é'\n".encode("utf-16")
    yield "UTF-16 without a mark", "name = 'é'\n".encode("utf-16-be")
    yield "latin-1", "name = 'café'\n".encode("latin-1")
    yield "zeros", bytes(1000)
    yield "gzip", gzip.compress(b"name = 'a'\n")
    yield "an image", b"\x89PNG\r\n\x1a\n" + chance.randbytes(100)
    yield "a lone surrogate", b'name = "\xed\xa0\x80"\n'


def no_toml(subject: str) -> Iterator[Content]:
    """Text that is no TOML, or TOML without measure."""
    yield from no_text(subject)
    chance = dice(f"no toml {subject}")
    depth = chance.randint(60, 5000)
    yield "lists inside each other", f"a = {'[' * depth}{']' * depth}\n".encode()
    yield "open lists", f"a = {'[' * 100_000}".encode()
    yield "tables inside each other", f"a = {'{b = ' * depth}1{'}' * depth}\n".encode()
    yield "keys inside each other", f"{'.'.join('a' * depth)} = 1\n".encode()
    yield "sections inside each other", f"[{'.'.join('a' * depth)}]\nb = 1\n".encode()
    yield "a number of thousands of digits", f"seeds = {'9' * chance.randint(4301, 50_000)}\n".encode()
    yield "a number beyond 64 bits", f"seeds = {chance.randint(1 << 63, 1 << 200)}\n".encode()
    yield "a negative number beyond 64 bits", f"seeds = -{chance.randint(1 << 64, 1 << 200)}\n".encode()
    yield "no number", b"seeds = nan\n"
    yield "a key twice", b"name = 'a'\nname = 'b'\n"
    yield "an open text", b'name = "abc\n'
    yield "too large", b"# " + b"x" * (2 << 20) + b"\n"
    yield "a long key", f"{'k' * 100_000} = 1\n".encode()
    yield "markup", b"[/b] = 1\n"
    yield "markup as a key", b'"[/b]" = 1\n'
    yield "colours", b'"\\u001b[31m" = 1\n'
    yield "control characters", b"a = '\x01'\n"
    yield "carriage returns", b"a = 1\rb = 2\r"
    yield "JSON", b'{"name": "a"}\n'
    yield "a merge conflict", b"<<<<<<< HEAD\nname = 'a'\n=======\n"
    yield "an unknown section", b"[nonsense]\na = 1\n"
    for number in range(12):
        yield f"odd letters {number}", (letters(chance, chance.randint(5, 300)).replace("#", "") + "\n=").encode()


def no_json(subject: str) -> Iterator[Content]:
    """Text that is no JSON, or JSON without measure, or not an object."""
    yield from no_text(subject)
    chance = dice(f"no json {subject}")
    depth = chance.randint(60, 900)
    yield "lists inside each other", b"[" * depth + b"]" * depth
    yield "open lists", b"[" * 200_000
    yield "objects inside each other", b'{"a":' * depth + b"1" + b"}" * depth
    yield "a number of thousands of digits", b'{"id": ' + b"9" * chance.randint(4301, 50_000) + b"}"
    yield "a number beyond 64 bits", f'{{"id": {chance.randint(1 << 64, 1 << 300)}}}'.encode()
    yield "infinity", b'{"id": Infinity}'
    for value in (
        "null",
        "true",
        "3",
        '"text"',
        "[]",
        "[1, 2]",
        "{}",
        '{"[/b]": 1}',
        '{"id": {}}',
        "nonsense",
        "{'a': 1}",
    ):
        yield value, value.encode()
    for number in range(8):
        yield f"odd letters {number}", ("{" + letters(chance, chance.randint(5, 300)).replace("\n", "")).encode()


def broken_containers(subject: str) -> Iterator[tuple[str, str, bytes]]:
    """(label, ending of the name, bytes) of archives and Parquet files that are not what they are called."""
    chance = dice(f"containers {subject}")
    packed = gzip.compress(b"a,b,start,end\nann,bob,0,1\n" * 50)
    for number in range(8):
        yield f"gzip cut {number}", ".csv.gz", packed[: chance.randint(1, 25)]
        yield f"no gzip {number}", ".gz", chance.randbytes(chance.randint(1, 300))
        yield f"no zip {number}", ".zip", chance.randbytes(chance.randint(1, 300))
        yield f"no Parquet {number}", ".parquet", chance.randbytes(chance.randint(1, 300))
        yield f"Parquet with both marks {number}", ".parquet", b"PAR1" + chance.randbytes(100) + b"PAR1"
    yield "100 MB in one line", ".csv.gz", gzip.compress(b"x" * (100 << 20), 1)
    yield "zeros", ".gz", gzip.compress(bytes(8 << 20), 1)
    for name, files in (("empty", {}), ("of folders", {"a/": b""}), ("of an empty file", {"a.csv": b""})):
        yield f"zip {name}", ".zip", zip_of(files)
    whole = zip_of({"a.csv": b"a,b,start,end\nann,bob,0,1\n"})
    for number in range(6):
        yield f"zip cut {number}", ".zip", whole[: chance.randint(4, len(whole) - 1)]
    yield "encrypted zip", ".zip", _with_flag(whole, 1)
    yield "zip of an unknown kind", ".zip", _with_method(whole, 97)
    table = parquet_of({"a": ["ann"], "b": ["bob"], "start": [0.0], "end": [1.0]})
    for number in range(8):
        yield f"Parquet cut {number}", ".parquet", table[: chance.randint(1, len(table) - 1)]
    yield "CSV called Parquet", ".parquet", b"a,b,start,end\nann,bob,0,1\n"
    yield "Parquet of other columns", ".parquet", parquet_of({"[/b]": [1], "x\x1b[31m": [2]})
    yield "Parquet without columns", ".parquet", parquet_of({})
    yield "empty", ".parquet", b""


def zip_of(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def _with_flag(archive: bytes, flag: int) -> bytes:
    changed = bytearray(archive)
    changed[6] |= flag
    changed[archive.index(b"PK\x01\x02") + 8] |= flag
    return bytes(changed)


def _with_method(archive: bytes, method: int) -> bytes:
    changed = bytearray(archive)
    changed[8] = method
    changed[archive.index(b"PK\x01\x02") + 10] = method
    return bytes(changed)


def parquet_of(columns: dict[str, object]) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


WRONG_VALUES = (
    "[]", "{}", "[[1]]", "true", "-1", "-0.5", "inf", "-inf", "1e308", "9223372036854775807", "-9223372036854775808",
    '""', '" "', '"[/b]"', '"\\u001b[31m"', '"\\u202e"', '"nan"', '"1_000"', '"٣"', '"1e-12s"', '"-3h"', '"1e999d"',
    '"../../etc/passwd"', "1979-05-27T07:32:00Z", "07:32:00", '["a", 1, {b = 2}]', '{ from = 1, to = inf, step = 1 }',
    '{ from = 5, to = 1, step = 1 }', '{ from = 1, to = 9 }', "[1, 1]", '"' + "x" * 5000 + '"',
    "[" + "1, " * 3000 + "]",
)  # fmt: skip
"""What a key of a TOML file may be given; whether it is right for one is said where the key stands."""


def json_values() -> Iterator[tuple[str, object]]:
    """What a key of a JSON file may be given."""
    odd: tuple[object, ...] = (
        None,
        True,
        -1,
        1e308,
        1 << 62,
        "",
        "[/b]",
        "\x1b[31m",
        "x" * 5000,
        [],
        [[]],
        [1],
        {},
        {"a": 1},
    )
    for value in odd:
        yield json.dumps(value)[:30], value
