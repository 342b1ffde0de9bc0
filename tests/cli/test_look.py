"""`hunet trace look`: what would be read, and why, without importing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from hunet.cli.main import app
from hunet.model.errors import TraceError

RUN = CliRunner()


def look(*words: str) -> str:
    result = RUN.invoke(app, ["trace", "look", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def lengths(tmp_path: Path) -> Path:
    file = tmp_path / "lengths.csv"
    file.write_text("1,16,1334127549000,96000\n1,3,1334127612000,0\n16,3,1334127611000,1200\nbad\n" + "1,2,3,4\n" * 99)
    return file


def test_it_says_format_reason_columns_and_unit_and_shows_rows_and_bad_lines(lengths: Path) -> None:
    told = json.loads(look(str(lengths), "--format", "lengths", "--unit", "ms", "--json"))
    assert (told["format"], told["unit"], told["files"]) == ("lengths", "ms", 1)
    assert told["columns"] == ["columns: a = 1, b = 2, start = 3, duration = 4"]
    assert len(told["rows"]) == 10
    assert told["rows"][0] == {"line": 1, "a": "1", "b": "16", "start": 1334127549.0, "end": 1334127645.0}
    assert told["bad"] == [{"line": 4, "text": "bad", "reason": "expected 4 fields, found 1"}]
    lengths.write_text("1,16,1334127549000,96000\n1,3,1334127612000,0\n")
    text = look(str(lengths))
    assert "because: columns 1 and 2 are names or whole numbers, column 3 has dates of our time" in text
    assert "2012-04-11 06:59:09" in text


def test_a_folder_of_files_named_by_their_nodes_is_looked_at_by_its_first(tmp_path: Path) -> None:
    for cab in ("ann", "bob"):
        (tmp_path / f"{cab}.txt").write_text("37.75134 -122.39488 0 1213084687\n37.75136 -122.39527 0 1213084659\n")
    told = json.loads(look(str(tmp_path), "--json"))
    assert (told["format"], told["files"]) == ("cabspotting", 2)
    assert [row["name"] for row in told["rows"]] == ["ann", "ann"]


def test_parquet_is_looked_at_too(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"a": ["x"] * 99, "b": ["y"] * 99, "start": range(99), "end": range(99)}), tmp_path / "t.parquet"
    )
    told = json.loads(look(str(tmp_path / "t.parquet"), "--json"))
    assert (told["format"], len(told["rows"])) == ("csv", 10)


def test_what_can_be_read_in_two_ways_is_refused_until_one_is_named(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_text("5 6 1 300\n7 6 10 290\n7 9 20 300\n")
    with pytest.raises(TraceError, match="can be read in 2 ways"):
        look(str(file))
    assert "   301 s" in look(str(file), "--format", "lengths")
    assert "   300 s" in look(str(file), "--format", "crawdad")


def test_it_starts_no_java_and_stores_nothing(lengths: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from hunet.cli.main import app; "
        f"app(['trace', 'look', {str(lengths)!r}, '--format', 'lengths'], standalone_mode=False); "
        "print('pyspark.sql' in sys.modules)"
    )
    env = {"HUNET_HOME": str(tmp_path / "home"), "PYTHONPATH": ":".join(sys.path), "HOME": str(tmp_path)}
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert answer.stdout.endswith("False\n")
    assert not (tmp_path / "home").exists()
