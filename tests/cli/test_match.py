"""`hunet match` as a script sees it, and the files it reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hunet.content.files import read_events, read_schema, read_subscriptions
from hunet.model.errors import ContentError

SCHEMA = """
[attributes.brand]
type = "category"
values = ["Canon", "Nikon", "Sony"]

[attributes.focal]
type = "number"
min = 8
max = 800
"""
SUBSCRIPTIONS = """
{"id": 7, "where": "brand = Nikon and 50 <= focal <= 105"}
{"id": "wide", "where": {"focal": [null, 24]}}
"""
EVENTS = [
    {"id": 1, "brand": "Nikon", "focal": 85.0, "title": "bright"},
    {"id": 2, "brand": "Canon", "focal": 24.0, "title": "wide"},
    {"id": 3, "brand": "Nikon", "focal": 105.5, "title": ""},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "camera.toml").write_text(SCHEMA)
    (tmp_path / "subs.jsonl").write_text(SUBSCRIPTIONS)
    rows = [",".join(map(str, event.values())) for event in EVENTS]
    (tmp_path / "events.csv").write_text("\n".join(["id,brand,focal,title", *rows]) + "\n")
    (tmp_path / "events.jsonl").write_text("".join(json.dumps(event) + "\n" for event in EVENTS))
    pq.write_table(pa.Table.from_pylist(EVENTS), tmp_path / "events.parquet")
    return tmp_path


def run(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    files = ["--schema", "camera.toml", "--subscriptions", "subs.jsonl", "--events", "events.csv"]
    command = [sys.executable, "-m", "hunet.cli", "match", *files, *more]
    uncompiled = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # quicker for so few
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=uncompiled)


def test_it_says_which_event_matched_which_subscription(folder: Path) -> None:
    answer = run(folder, "--json")
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout) == [
        {"event": 1, "subscriptions": [7]},
        {"event": 2, "subscriptions": ["wide"]},
        {"event": 3, "subscriptions": []},
    ]
    (folder / "subs.jsonl").write_text('{"id": 1, "where": "focl < 9"}\n')
    wrong = run(folder)
    assert wrong.returncode == 1
    assert wrong.stderr == "hunet: subs.jsonl, line 1: there is no attribute 'focl'; did you mean 'focal'?\n"


def test_csv_json_lines_and_parquet_say_the_same(folder: Path) -> None:
    schema = read_schema(folder / "camera.toml")
    assert list(read_subscriptions(folder / "subs.jsonl", schema)) == [7, "wide"]
    for ending in ("csv", "jsonl", "parquet"):
        events = read_events(folder / f"events.{ending}", schema)
        assert events.ids == [1, 2, 3]
        assert events.points.tolist() == [[1, 85], [0, 24], [1, 105.5]]


def read_all(folder: Path) -> None:
    schema = read_schema(folder / "camera.toml")
    read_subscriptions(folder / "subs.jsonl", schema)
    read_events(folder / "events.csv", schema)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("camera.toml", "[attributes", "camera.toml': this is not TOML"),
        ("camera.toml", "[attributes.x]\ntype = 'numbre'", "has the type 'numbre'; did you mean 'number'?"),
        ("subs.jsonl", "{", "subs.jsonl, line 1: this is not JSON"),
        ("subs.jsonl", "7", "line 1: a subscription is an object"),
        ("subs.jsonl", '{"id": 7}', "line 1: a subscription needs 'where'"),
        ("subs.jsonl", '{"id": null, "where": ""}', "an id is a whole number or text, got None"),
        ("subs.jsonl", '{"id": 1, "where": ""}\n\n{"id": 1, "where": ""}', "line 3: there is already a subscription 1"),
        ("events.csv", "brand,focal\nNikon,85\n", "events.csv: the events have no column 'id'"),
        ("events.csv", "id,brand,focl\n1,Nikon,85\n", "no column 'focal'; did you mean 'focl'?"),
        ("events.csv", "id,brand,focal\n1,Nikon,85\nx,Nikon,long\n", "event 'x': focal: 'long' is not a number"),
        ("events.csv", "id,brand,focal\n1,Nikon,\n", "event 1 has no focal"),
        ("events.csv", "id,brand,focal\n1,Nikon,900\n", "event 1: focal = 900 lies outside of 8 to 800"),
        ("events.csv", "id,brand\n1,2,3\n", "events.csv' cannot be read: CSV parse error"),
    ],
)
def test_a_wrong_file_gets_a_clear_answer(folder: Path, name: str, text: str, message: str) -> None:
    (folder / name).write_text(text)
    with pytest.raises(ContentError) as raised:
        read_all(folder)
    assert message in str(raised.value)


def test_a_file_that_is_not_there_or_of_no_known_kind_is_named(folder: Path) -> None:
    with pytest.raises(ContentError, match=r"none.toml' does not exist"):
        read_schema(folder / "none.toml")
    schema = read_schema(folder / "camera.toml")
    with pytest.raises(ContentError, match=r"events.xls: events are read from files that end in .csv, "):
        read_events(folder / "events.xls", schema)
    with pytest.raises(ContentError, match=r"none.csv' does not exist"):
        read_events(folder / "none.csv", schema)
