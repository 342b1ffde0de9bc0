"""`hn.read`: every format in memory, by the rules of an import. `tests/pipeline` holds it against Spark."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import hunet as hn
from hunet.model.errors import InvalidValueError, TraceError
from hunet.traces.formats import FORMATS
from hunet.traces.order import by_pair
from tests.traces.files import FILES, invented_file


def contacts_of(trace: hn.Trace) -> list[tuple[str, str, float, float]]:
    names = trace.nodes["name"].to_pylist()
    return [(names[row["a"]], names[row["b"]], row["start"], row["end"]) for row in by_pair(trace.contacts).to_pylist()]


@pytest.mark.parametrize("name", FILES)
def test_every_format_becomes_the_contacts_it_means(tmp_path: Path, name: str) -> None:
    trace = hn.read(invented_file(name, tmp_path))
    assert contacts_of(trace) == FILES[name].contacts
    assert trace.about.settings["format"] == name


def test_no_format_is_left_out() -> None:
    assert set(FILES) == {form.name for form in FORMATS}


def test_several_files_a_folder_and_a_packed_file_are_read_alike(tmp_path: Path) -> None:
    lines = ["1 2 0 5 1 0\n", "2 1 5 9 1 0\n", "1 3 7 8 1 0\n"]
    for number, line in enumerate(lines):
        (tmp_path / f"part{number}.dat").write_text(line)
    (tmp_path / "whole.dat.gz").write_bytes(gzip.compress("".join(lines).encode()))
    parts = sorted(tmp_path.glob("part*"))
    expected = [("1", "2", 0.0, 9.0), ("1", "3", 7.0, 8.0)]
    for files in (parts, str(tmp_path / "part*.dat"), tmp_path / "whole.dat.gz"):
        assert contacts_of(hn.read(files, format="crawdad")) == expected
    assert hn.read(parts, format="crawdad").about.origin == "part0.dat, part1.dat, part2.dat"


def test_columns_and_units_are_told_by_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("who;whom;from;until\nann;bob;1000;2000\n")
    told: dict[str, str | int] = {"a": "who", "b": "whom", "start": "from", "end": 4}
    trace = hn.read(file, columns=told, separator=";", unit="ms", name="theirs", licence="CC0")
    assert contacts_of(trace) == [("ann", "bob", 1.0, 2.0)]
    assert (trace.name, trace.about.licence) == ("theirs", "CC0")


def test_what_was_skipped_and_dropped_is_told(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("a,b,start,end\nx,x,0,1\nx,y,soon,2\nx,y,5,2\nx,y,0,9\nx,guest,0,9\n")
    trace = hn.read(file, internal="x,y")
    assert "bad lines skipped: 1" in repr(trace)
    told = {row["what"]: row["rows"] for row in trace.cleaning}
    assert (told["rows read"], told["with oneself: dropped"], told["external devices: dropped"]) == (4, 1, 1)
    assert told["contacts left"] == 1
    with pytest.raises(TraceError, match="line 3: start 'soon'"):
        hn.read(file, strict=True)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("a,b,start,end\nx,x,0,1\n", {}, "of 1 rows none is left"),
        ("a,b,start,end\nx,y,0,1\n", {"min_length": 60.0}, "all 1 contacts are shorter than 60 s"),
        ("id,t,x,y\np,0,0,0\nq,0,99,0\n", {"radius": 5.0}, "no two nodes come within 5 m"),
        ("id,t,x,y\np,0,0,0\nq,0,99,0\n", {"internal": "z"}, "no position is left"),
    ],
)
def test_a_trace_of_nothing_is_refused_with_the_reason(
    tmp_path: Path, text: str, options: dict[str, object], message: str
) -> None:
    file = tmp_path / "t.csv"
    file.write_text(text)
    with pytest.raises(TraceError, match=message):
        hn.read(file, **options)  # type: ignore[arg-type]


def test_wrong_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match="there is no way to pair events 'cuont'; did you mean 'count'"):
        hn.read(invented_file("one", tmp_path), events="cuont")
    with pytest.raises(TraceError, match="does not exist"):
        hn.read(tmp_path / "absent.csv")


def test_a_class_is_taken_from_rows_that_count(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("a,b,start,end,class_a\nx,x,0,1,alone\nx,y,0,9,\n")
    assert hn.read(file).nodes["class"].to_pylist() == [None, None]


def test_of_metadata_that_contradicts_itself_the_first_counts(tmp_path: Path) -> None:
    (tmp_path / "about.txt").write_text("x\tteacher\tF\nx\tpupil\tM\n")
    (tmp_path / "t.csv").write_text("a,b,start,end\nx,y,0,9\n")
    nodes = hn.read(tmp_path / "t.csv", metadata=tmp_path / "about.txt").nodes
    assert (nodes["class"].to_pylist(), nodes["attributes"].to_pylist()) == (["teacher", None], ["F", None])


def test_a_node_that_walks_alone_stays_a_node(tmp_path: Path) -> None:
    file = tmp_path / "walk.csv"
    file.write_text("id,t,x,y\np1,0,0,0\np2,0,500,0\np3,0,3,0\np1,60,0,0\np2,60,500,0\np3,60,3,0\n")
    trace = hn.read(file, min_length=1.0, origin="first")
    assert trace.nodes["name"].to_pylist() == ["p1", "p2", "p3"]
    assert contacts_of(trace)[0][:2] == ("p1", "p3")
    assert trace.positions["node"].to_pylist() == [0, 1, 2, 0, 1, 2]
