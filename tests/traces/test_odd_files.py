"""Broken and odd files of every format: whatever is in them, they are read or refused in one line.

Everything is seeded; HUNET_SEED=n draws other files of the same kinds.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import tarfile
import warnings
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hunet.model.errors import HunetError
from hunet.traces.formats import FORMATS
from hunet.traces.reading import read_first
from hunet.traces.sanity import judge
from hunet.traces.whole import TraceRules, read_trace
from tests.traces.files import FILES
from tests.traces.test_documents import GPX, LINE

SEED = int(os.environ.get("HUNET_SEED", "15"))
FILES_IN_ALL = 500

_FEATURE = {"type": "Feature", "geometry": LINE, "properties": {"times": [1213084687, 1213084697]}}
DOCUMENTS = {
    "gpx": GPX.encode(),
    "geojson": json.dumps(_FEATURE).encode(),
    "json": json.dumps({"ann": {"bob": [[0, 60], [100, 160]]}}).encode(),
}
"""By how their names end."""

TEXTS = {name: "".join(f"{line}\n" for line in file.lines).encode() for name, file in FILES.items()}
ODD_FIELDS = (
    b"nan", b"-inf", b"1e999", b"9" * 400, b"", b'"', b"\0", b"\xff\xfe", b"1_000", b"-0", b"1e18", b"1970-02-30T00:00",
    "\u0663".encode(), b"[/b]", b"{", b"]", b"\r", b"\t", b";", b",", b"<", b"&x;", b"null", b"37.75153", b"x" * 9_000,
)  # fmt: skip

Spoil = Callable[[random.Random, bytes], bytes]


def _cut(draw: random.Random, content: bytes) -> bytes:
    return content[: draw.randrange(len(content) + 1)]


def _insert(draw: random.Random, content: bytes) -> bytes:
    at = draw.randrange(len(content) + 1)
    return content[:at] + draw.choice(ODD_FIELDS) + content[at:]


def _replace_field(draw: random.Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    at = draw.randrange(len(lines))
    fields = lines[at].replace(b",", b" ").replace(b";", b" ").split()
    old = draw.choice(fields) if fields else b""
    lines[at] = lines[at].replace(old, draw.choice(ODD_FIELDS), 1)
    return b"\n".join(lines)


def _flip(draw: random.Random, content: bytes) -> bytes:
    spoilt = bytearray(content)
    for _times in range(draw.randint(1, 5)):
        if spoilt:
            spoilt[draw.randrange(len(spoilt))] = draw.randrange(256)
    return bytes(spoilt)


def _turn_round(_draw: random.Random, content: bytes) -> bytes:
    return b"\n".join(reversed(content.split(b"\n")))


def _mix(draw: random.Random, content: bytes) -> bytes:
    return content + draw.choice([*TEXTS.values(), *DOCUMENTS.values()])


def _other_encoding(draw: random.Random, content: bytes) -> bytes:
    return content.decode("latin-1").encode(draw.choice(("utf-16", "utf-32", "utf-8-sig", "cp037")))


def _other_separator(draw: random.Random, content: bytes) -> bytes:
    return content.replace(
        draw.choice((b",", b" ", b";", b"\t", b"\n")), draw.choice((b"\t", b"|", b"\r", b",,", b" "))
    )


SPOILS: tuple[Spoil, ...] = (
    _cut, _insert, _replace_field, _flip, _turn_round, _mix, _other_encoding, _other_separator
)  # fmt: skip


def _pack(draw: random.Random, suffix: str, inner: str, content: bytes) -> bytes:
    if suffix == ".gz":
        return gzip.compress(content)
    held = io.BytesIO()
    if suffix == ".zip":
        with zipfile.ZipFile(held, "w") as archive:
            archive.writestr(inner, content)
    else:
        with tarfile.open(fileobj=held, mode="w:gz" if suffix == ".tgz" else "w") as packed:
            item = tarfile.TarInfo(inner)
            item.size = len(content)
            packed.addfile(item, io.BytesIO(content))
    packed_content = held.getvalue()
    return draw.choice((_cut, _flip))(draw, packed_content) if draw.random() < 0.5 else packed_content


ODD_COLUMNS: tuple[tuple[pa.DataType, list[object]], ...] = (
    (pa.string(), ["ann", "bob", "", None, "5", "1e999", "\0", "2026-05-01T18:00"]),
    (pa.large_string(), ["ann", "x" * 9_000, "٣", "nan"]),
    (pa.int64(), [0, 5, -(1 << 63), (1 << 63) - 1, None, 1_700_000_000_000]),
    (pa.uint64(), [0, 7, (1 << 64) - 1]),
    (pa.float64(), [0.0, 5.5, float("nan"), float("inf"), -1e300]),
    (pa.decimal128(38, 3), [Decimal("1.5"), Decimal("9" * 30)]),
    (pa.timestamp("ns", "Europe/Zurich"), [1_700_000_000_000_000_001, 5]),
    (pa.timestamp("s"), [-(1 << 52), 1_700_000_000]),
    (pa.date32(), [19_000, -700_000]),
    (pa.bool_(), [True, False]),
    (pa.binary(), [b"\xff", b"ann"]),
    (pa.list_(pa.int64()), [[1], []]),
    (pa.struct([("a", pa.int64())]), [{"a": 1}]),
    (pa.dictionary(pa.int32(), pa.string()), ["ann", "bob"]),
    (pa.null(), [None]),
)
"""Types that columns of a Parquet file may have, with values; some of them may stand for names and times."""


def odd_table(draw: random.Random) -> bytes:
    """A Parquet file with the columns of contacts, of which one or two have a type or values of their own."""
    rows = draw.randint(0, 4)
    plain = {
        "a": ODD_COLUMNS[0][0],
        "b": ODD_COLUMNS[0][0],
        "start": pa.float64(),
        draw.choice(("end", "duration")): pa.float64(),
    }
    columns = {
        name: pa.array([["ann", "bob"][row % 2] if kind == pa.string() else float(row) for row in range(rows)], kind)
        for name, kind in plain.items()
    }
    for name in draw.sample(sorted(columns), draw.randint(1, 2)):
        kind, values = draw.choice(ODD_COLUMNS)
        columns[name] = pa.array([draw.choice(values) for _row in range(rows)], kind)
    held = io.BytesIO()
    pq.write_table(pa.table(columns), held)
    return held.getvalue()


def odd_file(draw: random.Random, number: int, folder: Path) -> tuple[Path, str | None]:
    """A file, and the format that is forced on it, or None."""
    kinds = [*TEXTS, *DOCUMENTS, "parquet"]
    kind = kinds[number % len(kinds)]
    if kind == "parquet":
        path = folder / f"{number}.parquet"
        table = odd_table(draw)
        path.write_bytes(draw.choice((_cut, _flip))(draw, table) if draw.random() < 0.3 else table)
        return path, None
    content = {**TEXTS, **DOCUMENTS}[kind]
    for _times in range(draw.randint(1, 3)):
        content = draw.choice(SPOILS)(draw, content)
    name = f"{number}.{kind if kind in DOCUMENTS else 'txt'}"
    suffix = draw.choice(("", "", "", ".gz", ".zip", ".tar", ".tgz"))
    path = folder / f"{name}{suffix}"
    path.write_bytes(_pack(draw, suffix, name, content) if suffix else content)
    forced = draw.choice((None, kind, draw.choice(FORMATS).name))
    return path, None if forced in DOCUMENTS else forced


@pytest.mark.parametrize("part", range(10))
def test_every_odd_file_is_read_or_refused_in_one_line(part: int, tmp_path: Path) -> None:
    draw = random.Random(f"{SEED} {part}")
    refusals = []
    for number in range(FILES_IN_ALL // 10):
        path, forced = odd_file(draw, number, tmp_path)
        for reader in (read_whole, read_first_rows):
            try:
                reader(path, forced)
            except HunetError as error:
                refusals.append(str(error))
            except Exception as error:
                raise AssertionError(f"{path.name} as {forced}: {path.read_bytes()[:300]!r}") from error
    assert all(len(refusal.splitlines()) == 1 for refusal in refusals)
    assert 10 < len(refusals) < 2 * FILES_IN_ALL // 10 - 10


def read_whole(path: Path, forced: str | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole = read_trace([path], TraceRules(), forced)
    assert whole.contacts.num_rows > 0
    judge(whole.figures)


def read_first_rows(path: Path, forced: str | None) -> None:
    read_first(path, forced, {})
