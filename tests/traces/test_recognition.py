"""Telling the formats apart by the first lines of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from hunet.model.errors import InvalidValueError, TraceError
from hunet.traces.formats import FORMATS, format_named, recognise
from hunet.traces.lines import read_head
from tests.traces.stand_ins import StandIns

INVENTED = {
    "nodelog": ['{"hunet": 1, "kind": "contact", "time": 5, "node": "ann", "peer": "bob", "up": true}'],
    "one": ["0 CONN 1 2 up", "5\tconn\tn1\tn2\tDOWN"],
    "dtnsim2": ["2", "@1 1 <-> 2 up", "@3 1 <-> 2 down"],
    "one-movement": ["0 100 0 50 0 50", "1 7 3 4", "2 7 4 4"],
    "csv": ["a,b,start,end", "1,2,3,4"],
    "sightings": ["time;observer;seen", "5;x;y"],
    "positions": ["id,timestamp,latitude,longitude", "1,5,60,10"],
    "sociopatterns": ["20\t1\t2", "20\t3\t4", "60\t1\t2"],
    "lengths": ["1,16,1334127549000,96000", "1,3,1334127612000,0", "16,3,1334127611000,1200"],
    "time-first": ["5 ann bob", "7 bob eve"],
    "cabspotting": ["37.75134 -122.39488 0 1213084687", "37.75136 -122.39527 1 1213084659"],
    "crawdad": ["1\t40\t100\t150\t1\t0", "1\t29\t100\t100\t1\t0"],
}

WITHOUT_HEADER = {
    "sightings": ["9 2 100", "1 2 101", "4 7 101"],
    "positions": ["# four words of prose", "1 0 30 20", "2 0 10 40", "1 5 31.5 20"],
    "crawdad": ["5 6 10 20", "7 6 10 10"],
}

WITH_NAMES_AND_DATE_TIMES = {
    "csv": ["ann,bob,2026-05-01T09:00,2026-05-01T09:10", "ann,eve,2026-05-01T09:05,2026-05-01T09:06"],
    "sightings": ["ann;bob;2026-05-01 09:00", "ann;eve;2026-05-01 09:05"],
    "positions": ["ann 2026-05-01T09:00 30 20", "bob 2026-05-01T09:00 10 40"],
}

WITH_COMMENTED_HEADER = {
    "csv": ["# contacts of one day", "# a b begin end", "1 2 3 4"],
    "sightings": ["# Format: timestamp;user_id;seen_user_id", "5;1;2"],
    "positions": ["#id,t,x,y", "1,5,60,10"],
}

REAL = {
    "haggle-infocom05/contacts.Exp3.dat": "crawdad",
    "haggle-infocom05/one/Haggle3-Infocom5.csv": "one",
    "haggle-intel/contacts.Exp1.dat": "crawdad",
    "haggle-intel/one/haggle-one-intel.tsv": "one",
    "haggle-cambridge-lab/contacts.Exp2.dat": "crawdad",
    "haggle-cambridge-lab/one/haggle-one-computer-lab.tsv": "one",
    "mit-reality/one/mit.txt.gz": "one",
    "mit-reality/dtnsim2/MITcontacts.txt.gz": "dtnsim2",
    "mit-reality/sept2004-table/MIT97.txt": "crawdad",
    "mit-reality/sept2004-table/MIT.txt.gz": "crawdad",
    "st-andrews-sassy/sassy.txt.gz": "one",
    "unimi-pmtr/pmtr.txt": "one",
    "sociopatterns/ht2009_contact_list.dat.gz": "sociopatterns",
    "sociopatterns/primaryschool.csv.gz": "sociopatterns",
    "sociopatterns/SFHH_tij.dat.gz": "sociopatterns",
    "sociopatterns/highschool_2011.csv.gz": "sociopatterns",
    "sociopatterns/workplace_InVS_tij.dat.zip": "sociopatterns",
    "nccu/nccu.dat": "crawdad",
    "format-samples/one-uppercase/infocom.txt": "one",
    "format-samples/dtnsim2/dartmouth.mit": "dtnsim2",
}
NCCU_DAYS = "nccu/day*.csv.gz"


@pytest.mark.parametrize("head", [INVENTED, WITHOUT_HEADER, WITH_NAMES_AND_DATE_TIMES, WITH_COMMENTED_HEADER])
def test_invented_heads_are_recognised(head: dict[str, list[str]]) -> None:
    assert {name: recognise("file.txt", lines).format.name for name, lines in head.items()} == {
        name: name for name in head
    }


def test_there_is_an_invented_head_for_every_format() -> None:
    assert {form.name for form in FORMATS} == set(INVENTED)


@pytest.mark.parametrize(
    "head",
    [
        [],
        [""],
        ["just some prose"],
        ["1 2"],
        ["10.5\tC\tM7\t3\t1\t900"],
        ["# Format: a;b", "1;2"],
        ["{}"],
        ["1 a b c"],
        ["1334127549 1334127600 1 2", "1334127560 1334127590 2 4", "1334127571 1334127700 1 4"],
        ["0 50 1 2", "10 40 2 4", "21 300 1 4"],
    ],
)
def test_what_is_no_trace_is_refused_with_the_formats_that_are(head: list[str]) -> None:
    with pytest.raises(TraceError, match=r"'x\.txt': its format is not recognised .* --format: nodelog, one, "):
        recognise("x.txt", head)


@pytest.mark.parametrize(
    "line",
    ["-- MySQL dump 10.13", "CREATE TABLE contacts (", "INSERT INTO `c` VALUES (1,2,3,4);", "SQLite format 3\0x"],
)
def test_a_dump_of_a_database_is_refused_with_the_way_to_a_table(line: str) -> None:
    with pytest.raises(TraceError, match=r"x\.sql' is a database or a dump of one.*export the table as CSV"):
        recognise("x.sql", ["", line])


def test_a_format_can_be_named() -> None:
    assert format_named("one").name == "one"
    with pytest.raises(InvalidValueError, match=r"no format 'cvs'; did you mean 'csv'\? There are: nodelog, one"):
        format_named("cvs")


NO_MARKS: dict[str, tuple[str, list[str]]] = {
    "names and a length behind a date-time": (
        "lengths",
        ["ann,bob,2026-05-01T09:00,600", "ann,eve,2026-05-01T09:05,60"],
    ),
    "lengths behind times that grow": ("lengths", ["5 9 10 40", "7 9 900 20", "7 6 1000 25", "7 8 1001 2"]),
    "rows that go backwards": ("sightings", ["9 2 103", "1 2 102", "4 7 100"]),
    "Unix times first": ("time-first", ["1334127549 1 2", "1334127541 1 3", "1334127560 4 5"]),
    "Unix times last": ("sightings", ["1 2 1334127549", "2 3 1334127541", "3 4 1334127560"]),
    "numbers with names in common behind a time": ("time-first", ["100 1 2", "101 1 3", "103 2 3"]),
    "a latitude below its longitude": (
        "positions",
        ["1 1211033530 37.75153 121.39447", "2 1211033531 37.7511 121.3941"],
    ),
    "coordinates larger than a day": ("positions", ["1 0 400000 90000", "2 0 410000 80000", "1 9 400010 90000"]),
}


@pytest.mark.parametrize(("name", "head"), NO_MARKS.values(), ids=NO_MARKS.keys())
def test_bare_tables_are_recognised_by_what_their_columns_can_be(name: str, head: list[str]) -> None:
    found = recognise("x.txt", head)
    assert found.format.name == name
    assert "column" in found.why


@pytest.mark.parametrize(
    ("head", "one", "other"),
    [
        (["1 2 2", "2 3 3", "3 4 4"], "sightings", "time-first"),
        (["1 0 30 20", "2 0 40 40", "1 5 50 20"], "positions", "lengths"),
        (["5 6 1 300", "7 6 10 290", "7 9 20 300"], "crawdad", "lengths"),
        (["ann,bob,1,300", "ann,eve,10,290", "bob,eve,20,300"], "csv", "lengths"),
    ],
)
def test_two_plausible_readings_are_refused_with_the_options_that_decide(head: list[str], one: str, other: str) -> None:
    with pytest.raises(TraceError, match=f"can be read in 2 ways.*--format {one}: .*; or --format {other}: "):
        recognise("x.txt", head)


@pytest.mark.parametrize(
    "head",
    [
        ["37.75153 -122.39447 0 9", "37.75149 -122.39447 0 12"],
        ["1.5 2.5 10 20", "1.5 3.5 11 21"],
    ],
)
def test_fractions_are_no_names(head: list[str]) -> None:
    with pytest.raises(TraceError, match="not recognised"):
        recognise("x.txt", head)


HEAD_IN_GERMAN = ["wer;wen;von;bis", "Ann;Bob;2026-05-01T09:00;2026-05-01T09:10"]


@pytest.mark.parametrize(
    ("mapped", "name"),
    [
        (["start"], "csv"),
        (["a", "b"], "csv"),
        (["a", "b", "time"], "sightings"),
        (["name", "time", "lat", "lon"], "positions"),
    ],
)
def test_a_column_mapping_tells_the_format(mapped: list[str], name: str) -> None:
    assert recognise("x.csv", HEAD_IN_GERMAN, mapped).format.name == name


def test_a_table_with_columns_of_other_names_comes_with_advice() -> None:
    with pytest.raises(TraceError, match=r"such as --columns 'a=wer,b=wen,start=von,end=bis' \(times are numbers or"):
        recognise("x.csv", HEAD_IN_GERMAN)


@pytest.mark.parametrize(("file", "name"), REAL.items())
def test_real_files_are_recognised(real_traces: Path, file: str, name: str) -> None:
    assert recognise(file, read_head(real_traces / file)).format.name == name


def test_files_that_stand_in_for_real_ones_are_recognised_as_these(stand_ins: StandIns) -> None:
    for file in stand_ins.rows:
        assert recognise(file, read_head(stand_ins.folder / file)).format.name == REAL[file]


def test_movement_files_are_recognised(trace_files: Path) -> None:
    days = sorted(trace_files.glob(NCCU_DAYS))
    assert {recognise(day.name, read_head(day)).format.name for day in days} == {"one-movement"}


def test_no_other_file_is_taken_for_a_trace(trace_files: Path) -> None:
    traces = {trace_files / file for file in REAL} | set(trace_files.glob(NCCU_DAYS))
    for path in sorted(trace_files.rglob("*")):
        if path.is_file() and path not in traces:
            with pytest.raises(TraceError, match=r"not recognised|this is no trace"):
                recognise(path.name, read_head(path))
