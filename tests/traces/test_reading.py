"""Opening files and reading them whole."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hunet.model.errors import TraceError
from hunet.traces.lines import read_head, read_lines
from hunet.traces.reading import read_files

TEXT = "1 2 0 5 1 0\n1 3 2 9 1 0\n\n2 3 x 9 1 0\n2 3 7 9 1 0"


@pytest.mark.parametrize("suffix", ["dat", "gz", "zip"])
@pytest.mark.parametrize("piece_bytes", [1, 7, 1 << 20])
def test_plain_and_packed_files_have_the_same_numbered_lines(tmp_path: Path, suffix: str, piece_bytes: int) -> None:
    path = tmp_path / f"x.{suffix}"
    if suffix == "gz":
        path.write_bytes(gzip.compress(TEXT.encode()))
    elif suffix == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("folder/", "")
            archive.writestr("folder/x.dat", TEXT)
            archive.writestr("__MACOSX/x.dat", "junk")
    else:
        path.write_text(TEXT)
    table = pa.concat_tables(read_lines(path, piece_bytes))
    assert table["text"].to_pylist() == TEXT.split("\n")
    assert table["line"].to_pylist() == [1, 2, 3, 4, 5]
    name = f"{path}/folder/x.dat" if suffix == "zip" else str(path)
    assert set(table["file"].to_pylist()) == {name}


@given(text=st.text(st.sampled_from("ab\n\ré"), max_size=30), piece_bytes=st.integers(1, 9))
def test_pieces_of_any_size_make_the_same_lines(
    tmp_path_factory: pytest.TempPathFactory, text: str, piece_bytes: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(text.encode())
    lines = [line for piece in read_lines(path, piece_bytes) for line in piece["text"].to_pylist()]
    expected = text.removesuffix("\n").split("\n") if text else []
    assert lines == [line.rstrip("\r") for line in expected]


def test_a_byte_order_mark_and_windows_line_ends_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert read_head(path) == ["one", "two"]


def test_bytes_that_are_no_text_do_not_stop_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"caf\xe9\nbar\n")
    assert read_head(path) == ["caf\ufffd", "bar"]


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    (tmp_path / "x.txt").touch()
    assert read_head(tmp_path / "x.txt") == []


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"absent\.txt' does not exist"):
        read_head(tmp_path / "absent.txt")
    for name in ("x.gz", "x.zip"):
        (tmp_path / name).write_bytes(b"not packed at all")
        with pytest.raises(TraceError, match=f"{name}' cannot be read"):
            read_head(tmp_path / name)
    whole = gzip.compress(TEXT.encode() * 50)
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(TraceError, match=r"cut\.gz' cannot be read"):
        list(read_lines(tmp_path / "cut.gz"))


def test_reading_recognises_the_format_and_counts_bad_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    path.write_text(TEXT)
    reading = read_files([path], format_name="crawdad")
    assert (reading.format.name, reading.rows.num_rows) == ("crawdad", 3)
    assert reading.bad.to_pylist() == [
        {"file": str(path), "line": 4, "text": "2 3 x 9 1 0", "reason": "start 'x' is not a number"}
    ]


def test_strict_reading_stops_with_file_line_and_reason(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    path.write_text(TEXT)
    with pytest.raises(TraceError, match=r"x\.dat', line 4: start 'x' is not a number \(fix the line"):
        read_files([path], format_name="crawdad", strict=True)


def test_several_files_are_read_together(tmp_path: Path) -> None:
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text("a,b,start,end\n1,2,3,4\n")
    reading = read_files([tmp_path / "one.csv", tmp_path / "two.csv"])
    assert (reading.format.name, reading.rows.num_rows, reading.bad.num_rows) == ("csv", 2, 0)
    with pytest.raises(TraceError, match="no trace file"):
        read_files([])


def test_parquet_is_read_batch_by_batch(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    count = 100_000
    table = pa.table({"a": [1] * count, "b": [2] * count, "start": range(count), "end": range(count)})
    pq.write_table(table, path)
    reading = read_files([path])
    assert reading.rows["line"].to_pylist() == list(range(1, count + 1))
    assert reading.rows["start"].to_pylist()[-1] == count - 1
