"""Reading raw files: whatever the cuts and the packing, every line is read once and keeps its place."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hunet.model.errors import TraceError
from hunet.pipeline.read import cut, expand, find_source, read_rows
from hunet.traces.lines import line_number, read_lines, read_part

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

HEADER = "a,b,start,end\n"


def table_text(rows: int, wrong: tuple[int, ...] = ()) -> str:
    """An invented contact table; the rows numbered in `wrong` (from 1) have no number as end."""
    ends = {row: "oops" if row in wrong else f"{row * 10 + 5}" for row in range(1, rows + 1)}
    lines = [f"n{row % 5},n{5 + row % 7},{row * 10},{end}\n" for row, end in ends.items()]
    return HEADER + "".join(lines)


def found(rows: DataFrame) -> list[tuple[str, str, float, float]]:
    good = rows.where("reason is null").orderBy("file", "line").collect()
    return [(row.a, row.b, row.start, row.end) for row in good]


EXPECTED = [(f"n{row % 5}", f"n{5 + row % 7}", row * 10.0, row * 10.0 + 5) for row in range(1, 301)]


@pytest.mark.parametrize("size", [1, 3, 10, 64, 10_000])
@pytest.mark.parametrize("text", ["a\nbb\n\nccc\n", "a\nbb\r\nc", "\ufeffx\ny\n", "", "\n\n", "é\nß\n"])
def test_parts_of_any_size_give_every_line_once(tmp_path: Path, size: int, text: str) -> None:
    path = tmp_path / "f.txt"
    path.write_bytes(text.encode())
    whole = [line for table in read_lines(path) for line in table["text"].to_pylist()]
    length = path.stat().st_size
    parts = [table for begin in range(0, length, size) for table in read_part(path, begin, begin + size, 2)]
    assert [line for table in parts for line in table["text"].to_pylist()] == whole
    offsets = [offset for table in parts for offset in table["line"].to_pylist()]
    assert [line_number(path, offset) for offset in offsets] == list(range(1, len(whole) + 1))


def test_a_big_file_is_cut_and_small_ones_are_put_together() -> None:
    tasks = cut({"big.txt": 250, "one.txt": 40, "two.txt": 50, "three.txt": 60, "big.gz": 900}, 100)
    assert [[(part.path, part.begin, part.end) for part in task] for task in tasks] == [
        [("big.txt", 0, 100)],
        [("big.txt", 100, 200)],
        [("big.txt", 200, 250)],
        [("one.txt", 0, None), ("two.txt", 0, None)],
        [("three.txt", 0, None)],
        [("big.gz", 0, None)],
    ]


def test_plain_cut_gzip_zip_and_parquet_give_the_same_rows(spark: SparkSession, tmp_path: Path) -> None:
    text = table_text(300)
    plain = tmp_path / "plain.csv"
    plain.write_text(text)
    with gzip.open(tmp_path / "packed.csv.gz", "wt") as stream:
        stream.write(text)
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("inside.csv", text)
    one, other, start, end = zip(*EXPECTED, strict=True)
    table = pa.table({"start": start, "end": end, "from": one, "to": other})
    pq.write_table(table, tmp_path / "table.parquet", row_group_size=70)
    for name, task_bytes in (("plain.csv", 500), ("packed.csv.gz", 500), ("packed.zip", 500), ("table.parquet", 500)):
        source = find_source([str(tmp_path / name)], None, {}, task_bytes)
        assert len(source.tasks) == {"plain.csv": -(-len(text) // 500), "table.parquet": 5}.get(name, 1)
        assert found(read_rows(spark, source)) == EXPECTED, name


def test_an_error_names_the_line_also_in_a_file_that_was_cut(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(table_text(300, wrong=(17, 250)))
    for task_bytes in (1_000_000, 300):
        source = find_source([str(path)], None, {}, task_bytes)
        bad = read_rows(spark, source).where("reason is not null").orderBy("file", "line").collect()
        assert [source.line_of(row.file, row.line) for row in bad] == [18, 251]  # the header is line 1
        assert all("oops" in row.reason and "oops" in row.text for row in bad)


def test_every_line_is_a_row_or_a_named_bad_line(spark: SparkSession, tmp_path: Path) -> None:
    lines = table_text(120).splitlines()
    odd = {60: "n1\r,n7,1,2", 70: "n1,n7,1,2,3", 80: 'n"1,"n7,1,2', 90: "n1,n7,1,2\rn1,n7,3,4", 100: '"n1",n7,\r1,2'}
    for number, text in odd.items():
        lines[number - 1] = text
    path = tmp_path / "t.csv"
    path.write_bytes(("\n".join(lines) + "\n").encode())
    for task_bytes in (1_000_000, 300):
        source = find_source([str(path)], None, {}, task_bytes)
        rows = read_rows(spark, source)
        told = {source.line_of(row.file, row.line): row for row in rows.collect()}
        assert sorted(told) == list(range(2, len(lines) + 1))
        assert sorted(number for number, row in told.items() if row.reason is not None) == sorted(odd)
        assert found(rows) == [row for number, row in enumerate(EXPECTED[:120], start=2) if number not in odd]


def test_patterns_folders_and_names_are_expanded_in_natural_order(tmp_path: Path) -> None:
    for name in ("log10.csv", "log9.csv", "other.txt", ".hidden"):
        (tmp_path / name).write_text(HEADER)
    assert [Path(file).name for file in expand([str(tmp_path / "*.csv")])] == ["log9.csv", "log10.csv"]
    assert [Path(file).name for file in expand([str(tmp_path)])] == ["log9.csv", "log10.csv", "other.txt"]
    with pytest.raises(TraceError, match=r"nothing-here\*' does not exist"):
        expand([str(tmp_path / "nothing-here*")])


def test_text_and_parquet_are_not_mixed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(HEADER)
    (tmp_path / "b.parquet").write_text("")
    with pytest.raises(TraceError, match="apart"):
        expand([str(tmp_path / "a.csv"), str(tmp_path / "b.parquet")])
