"""Contents that no file should have, by kind. Each generator yields a label and the bytes of a file."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
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


def no_tables(subject: str) -> Iterator[Content]:
    """Text in which no trace can be recognised, or which two readers would understand in two ways."""
    chance = dice(f"no tables {subject}")
    row = "ann,bob,0,100\n"
    for label, text in {
        "nothing": "",
        "blank lines": "\n\n\n",
        "comments": "# a\n# b\n",
        "words": "hello world\n" * 20,
        "markup": "[/b] [b] [/]\n" * 20,
        "one column": "1\n2\n3\n",
        "HTML": "<!doctype html><html><body>404</body></html>\n",
        "an endless line": "x" * (5 << 20),
        "a line of a mebibyte and a byte": "a,b,start,end\n" + "x" * ((1 << 20) + 1) + "\n",
        "SQL": "INSERT INTO t VALUES (1, 2);\n" * 5,
        "a start twice": "a,b,start,start,end\nann,bob,0,5,100\n",
        "an end twice": "a,b,start,end,End\nann,bob,0,5,100\n",
        "whom twice": "a,b,b,start,end\nann,bob,eve,0,100\n",
        "a time twice": "a;b;time;time\nann;bob;0;5\n",
        "a place twice": "id,t,x,y,x\nann,0,1,2,3\n",
        "a header of blanks": ", , ,\n" + row * 3,
        "separators that change": "".join(f"ann{sign}bob{sign}0{sign}100\n" for sign in ",;\t|:/"),
        "lines of other lengths": "".join("1," * count + "1\n" for count in range(1, 30)),
        "digits of another script": "a b c\n" + "ann bob ٣ ٤\n" * 20,
        "old Macintosh lines": "a,b,start,end\r" + "ann,bob,0,100\r" * 3,
        "a spreadsheet": "PK\x03\x04[Content_Types].xml",
        "YAML": "contacts:\n  - a: ann\n    b: bob\n",
        "a pickle": "\x80\x04\x95\x00\x00.",
    }.items():
        yield label, text.encode()
    for number in range(8):
        lines = (letters(chance, chance.randint(1, 60)).replace("\n", "") for _ in range(chance.randint(1, 9)))
        yield f"odd letters {number}", "\n".join(f"{line}x" for line in lines).encode()


def odd_containers(subject: str) -> Iterator[tuple[str, str, bytes]]:
    """(label, ending of the name, bytes) of archives, documents and tables that are sound, and hold no trace."""
    chance = dice(f"odd containers {subject}")
    for label, table in {
        "lists": pa.table({"a": [["ann"]], "b": [["bob"]], "start": [[0.0]], "end": [[1.0]]}),
        "structures": pa.table({"a": [{"x": 1}], "b": [{"x": 1}], "start": [{"x": 0}], "end": [{"x": 1}]}),
        "maps": pa.table({name: pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int64())) for name in _COLUMNS}),
        "dates of days": pa.table({**_WHO, "start": pa.array([1], pa.date32()), "end": pa.array([2], pa.date32())}),
        "lengths of time": pa.table({**_WHO, **{t: pa.array([1], pa.duration("s")) for t in ("start", "end")}}),
        "times of day": pa.table({**_WHO, **{t: pa.array([1], pa.time32("s")) for t in ("start", "end")}}),
        "no names": pa.table({"a": [b"\xff"], "b": [b"\xfe"], "start": [0.0], "end": [1.0]}),
    }.items():
        yield f"Parquet of {label}", ".parquet", _written(table)
    twice = pa.table([["ann"], ["bob"], [0.0], [1.0], [2.0]], names=["a", "b", "start", "start", "end"])
    yield "Parquet with a column twice", ".parquet", _written(twice)
    wide = pa.table({f"{letters(chance, 3)}{number}": [1] for number in range(500)})
    yield "Parquet of 500 columns", ".parquet", _written(wide)
    yield "zip of many empty files", ".zip", zip_of({f"{number}.csv": b"" for number in range(2000)})
    yield "zip of a zip", ".zip", zip_of({"inner.zip": zip_of({"a.csv": b"a,b,start,end\n1,2,3,4\n"})})
    yield "zip of places elsewhere", ".zip", zip_of({"../../x": b"no", "/etc/passwd": b"no"})
    yield "100 MB of zeros in a zip", ".zip", zip_of({"a.csv": bytes(100 << 20)}, zipfile.ZIP_DEFLATED)
    yield "gzip of gzip", ".csv.gz", gzip.compress(gzip.compress(b"a,b,start,end\n1,2,3,4\n"))
    for label, kind, target in (("a link", tarfile.SYMTYPE, "/etc/passwd"), ("a device", tarfile.CHRTYPE, ""),
                                ("a pipe", tarfile.FIFOTYPE, ""), ("a hard link", tarfile.LNKTYPE, "a.csv"),
                                ("a link in a circle", tarfile.LNKTYPE, "x.csv")):  # fmt: skip
        yield f"tar of {label}", ".tar", _tar_of(kind, target)
    yield "tar that says more than it holds", ".tar", _tar_of(tarfile.REGTYPE, "", size=1 << 40)
    for number in range(4):
        yield f"no tar {number}", chance.choice((".tar", ".tgz", ".tar.xz")), chance.randbytes(600)
    depth = chance.randint(2_000, 90_000)
    for label, ending, text in (
        ("deep JSON", ".json", "[" * depth + "]" * depth),
        ("JSON of other things", ".json", '{"a": {"b": {"c": 1}}}'),
        ("JSON of half a letter", ".json", '[["\\ud800", "bob", 0, 60], ["\\ud801", "bob", 5, 60]]'),
        ("JSON of a number without end", ".json", '[["ann", "bob", 0, ' + "9" * 5000 + "]]"),
        ("GeoJSON of polygons", ".geojson", '{"type": "Polygon", "coordinates": []}'),
        ("GeoJSON of nothing", ".geojson", '{"type": "FeatureCollection", "features": []}'),
        ("GeoJSON without places", ".geojson", '{"type": "Feature", "geometry": null, "properties": {}}'),
        ("GPX of entities", ".gpx", '<!DOCTYPE g [<!ENTITY a "aaaa">]><gpx>&a;</gpx>'),
        ("GPX without points", ".gpx", "<gpx></gpx>"),
        ("GPX without places", ".gpx", "<gpx><trkpt><time>0</time></trkpt></gpx>"),
        ("GPX that is cut", ".gpx", "<gpx><trkpt lat='1'"),
        ("deep GPX", ".gpx", "<a>" * 200_000),
    ):
        yield label, ending, text.encode()


_COLUMNS = ("a", "b", "start", "end")
_WHO = {"a": ["ann"], "b": ["bob"]}


def _written(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream)
    return stream.getvalue()


def _tar_of(kind: bytes, target: str, size: int = 0) -> bytes:
    item = tarfile.TarInfo("x.csv")
    item.type, item.linkname, item.size = kind, target, size
    return item.tobuf() + bytes(1024)


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


def zip_of(files: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
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
