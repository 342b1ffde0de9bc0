"""GPX, GeoJSON and JSON: documents that are read as the tables they stand for."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

import hunet as hn
from hunet.model.errors import TraceError
from hunet.traces.lines import read_head
from hunet.traces.reading import read_files
from tests.traces.files import FILES

GPX = """<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><metadata><time>2001-01-01T00:00:00Z</time></metadata>
<trk><name>a walk</name><trkseg>
<trkpt lat="37.75134" lon="-122.39488"><ele>4.9</ele><time>2026-05-01T09:00:00Z</time></trkpt>
<trkpt lat="37.75136" lon="-122.39527"><time>2026-05-01T09:00:10Z</time></trkpt>
</trkseg></trk></gpx>
"""

POINT = {"type": "Point", "coordinates": [-122.39488, 37.75134, 5.0]}
LINE = {"type": "LineString", "coordinates": [[-122.39488, 37.75134], [-122.39527, 37.75136]]}


def lines(folder: Path, name: str, text: str) -> list[str]:
    (folder / name).write_text(text)
    return read_head(folder / name)


def test_the_points_of_a_track_are_positions_of_a_node_named_by_its_file(tmp_path: Path) -> None:
    assert lines(tmp_path, "ann.gpx", GPX) == [
        "name\ttime\tlat\tlon",
        "ann\t2026-05-01T09:00:00Z\t37.75134\t-122.39488",
        "ann\t2026-05-01T09:00:10Z\t37.75136\t-122.39527",
    ]
    (tmp_path / "bob.gpx").write_text(GPX)
    trace = hn.read(tmp_path)
    assert trace.nodes["name"].to_pylist() == ["ann", "bob"]
    assert trace.contacts.num_rows == 1


def test_entities_are_refused_before_they_are_looked_at(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE gpx [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><gpx>&b;</gpx>'
    for encoding in ("utf-8", "utf-16"):
        (tmp_path / "x.gpx").write_bytes(bomb.encode(encoding))
        with pytest.raises(TraceError, match=r"x\.gpx' cannot be read as gpx: it declares a document type"):
            read_head(tmp_path / "x.gpx")


def test_points_and_lines_of_geojson_are_positions(tmp_path: Path) -> None:
    features = [
        {"type": "Feature", "geometry": POINT, "properties": {"user": "eve", "timestamp": 1213084687}},
        {"type": "Feature", "geometry": POINT, "properties": {"time": "2026-05-01T09:00:00Z"}},
        {"type": "Feature", "geometry": LINE, "properties": {"coordTimes": ["2026-05-01T09:00", "2026-05-01T09:01"]}},
    ]
    assert lines(tmp_path, "ann.geojson", json.dumps({"type": "FeatureCollection", "features": features})) == [
        "name\ttime\tlat\tlon",
        "eve\t1213084687\t37.75134\t-122.39488",
        "ann\t2026-05-01T09:00:00Z\t37.75134\t-122.39488",
        "ann\t2026-05-01T09:00\t37.75134\t-122.39488",
        "ann\t2026-05-01T09:01\t37.75136\t-122.39527",
    ]
    assert read_files([tmp_path / "ann.geojson"], strict=True).format.name == "positions"
    with pytest.raises(TraceError, match="feature 1 has no list `times`"):
        lines(tmp_path, "x.geojson", json.dumps({"type": "Feature", "geometry": LINE, "properties": None}))


@pytest.mark.parametrize(
    "document",
    [
        {"ann": {"bob": [[0, 60], [100, 160]], "eve": [[5, 6]]}},
        {"contacts": [["ann", "bob", 0, 60], ["ann", "bob", 100, 160], ["ann", "eve", 5, 6]]},
        [{"a": "ann", "b": "bob", "seen": [[0, 60], [100, 160]]}, {"a": "ann", "b": "eve", "seen": [[5, 6]]}],
        [
            {"who": "ann", "whom": "bob", "start": 0, "end": 60},
            {"who": "ann", "whom": "bob", "start": 100, "end": 160},
            {"who": "ann", "whom": "eve", "start": 5, "end": 6},
        ],
    ],
)
def test_nested_json_of_intervals_is_a_table_of_contacts(tmp_path: Path, document: object) -> None:
    (tmp_path / "x.json.gz").write_bytes(gzip.compress(json.dumps(document, indent=1).encode()))
    trace = hn.read(tmp_path / "x.json.gz")
    assert trace.contacts.to_pandas().to_numpy().tolist() == [[0, 1, 0, 60], [0, 2, 5, 6], [0, 1, 100, 160]]


def test_json_lines_stay_lines(tmp_path: Path) -> None:
    text = "\n".join(FILES["nodelog"].lines)
    assert lines(tmp_path, "log.json", text) == list(FILES["nodelog"].lines)
    assert lines(tmp_path, "one.json", FILES["nodelog"].lines[0]) == [FILES["nodelog"].lines[0]]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        "[]",
        "{}x",
        '{"a": 1}',
        '[{"a": [], "b": []}]',
        "[" * 100_000,
        '[[{"a": 1}]]',
        '{"a": {"b": [5]}}',
    ],
)
def test_other_json_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(TraceError, match=r"x\.json' cannot be read as json: ") as told:
        lines(tmp_path, "x.json", text)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("name", ["x.tar", "x.tar.gz", "x.tgz", "x.tar.xz"])
def test_the_members_of_a_tar_archive_are_read_one_after_the_other(tmp_path: Path, name: str) -> None:
    mode: Any = {".tar": "w", ".gz": "w:gz", ".tgz": "w:gz", ".xz": "w:xz"}[Path(name).suffix]
    with tarfile.open(tmp_path / name, mode) as archive:
        for title in ("cabs/ann.txt", "cabs/._ann.txt", "cabs/bob.txt"):
            item = tarfile.TarInfo(title)
            content = b"37.75134 -122.39488 0 1213084687\n37.75136 -122.39527 0 1213084659\n"
            item.size = len(content)
            archive.addfile(item, io.BytesIO(content))
        link = tarfile.TarInfo("cabs/eve.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    trace = hn.read(tmp_path / name)
    assert trace.nodes["name"].to_pylist() == ["ann", "bob"]
    packed = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(packed[: min(700, len(packed) // 2)])
    with pytest.raises(TraceError):
        read_files([tmp_path / name])
