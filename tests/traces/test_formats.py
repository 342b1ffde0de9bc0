"""Every format on invented lines, good and bad ones."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest

from hunet.model.errors import InvalidValueError, TraceError
from hunet.traces.degrees import EARTH_RADIUS
from hunet.traces.format import BAD, ROWS, Format
from hunet.traces.formats import FORMATS
from hunet.traces.formats.crawdad import CRAWDAD
from hunet.traces.formats.csv import CSV, parse_table, settle_columns
from hunet.traces.formats.dtnsim2 import DTNSIM2
from hunet.traces.formats.nodelog import NODELOG, read_log
from hunet.traces.formats.one import ONE
from hunet.traces.formats.one_movement import ONE_MOVEMENT
from hunet.traces.formats.positions import POSITIONS
from hunet.traces.formats.sightings import SIGHTINGS
from hunet.traces.formats.sociopatterns import SOCIOPATTERNS, read_metadata
from tests.traces.invented import lines_of, parsed, picked

HEADS = {
    "csv": ["a,b,start,end"],
    "sightings": ["a b time"],
    "positions": ["id t x y"],
    "lengths": ["1 2 3 4"],
    "time-first": ["1 2 3"],
    "cabspotting": ["37.75 -122.39 0 1213084687"],
}


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_blank_lines_and_comments_are_neither_rows_nor_bad(form: Format) -> None:
    options = form.settle("x.txt", HEADS.get(form.name, []), {})
    for lines in (lines_of(), lines_of("", "   ", "# a comment", "\t")):
        rows, bad = form.parse(lines, options)
        assert (rows.schema, rows.num_rows) == (ROWS[form.yields], 0)
        assert (bad.schema, bad.num_rows) == (BAD, 0)


def test_crawdad_reads_directed_intervals_and_leaves_the_derived_columns() -> None:
    rows, bad = parsed(CRAWDAD, "1\t40\t100\t150\t1\t0", "  7   3  5.5  9 ", "1 2 180 120 1 0\r")
    assert picked(rows, "line", "a", "b", "start", "end") == [
        (1, "1", "40", 100.0, 150.0),
        (2, "7", "3", 5.5, 9.0),
        (3, "1", "2", 180.0, 120.0),
    ]
    assert rows[0]["class_a"] is None
    assert bad == {}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1 2 3", "expected `id1 id2 start end nth gap`, found 3 fields"),
        ("1 2 ten 20 1 0", "start 'ten' is not a number"),
        ("1 2 10 2O 1 0", "end '2O' is not a number"),
        ("1 2 nan 20 1 0", "start 'nan' is not a number"),
        ("1 2 10 inf 1 0", "end 'inf' is not a number"),
        ("1 2 1e999 20 1 0", "start '1e999' is not a number"),
        ("1 2 0x10 20 1 0", "start '0x10' is not a number"),
        ("1 2 1_0 20 1 0", "start '1_0' is not a number"),
    ],
)
def test_a_crawdad_line_that_cannot_be_used_says_why(line: str, reason: str) -> None:
    rows, bad = parsed(CRAWDAD, "1 2 0 5 1 0", line, "1 2 7 8 2 2")
    assert bad == {2: reason}
    assert picked(rows, "line") == [(1,), (3,)]


def test_crawdad_tables_in_milliseconds_become_seconds() -> None:
    rows, _bad = parsed(CRAWDAD, "0 5 1400000000000 1400000060500")
    assert picked(rows, "start", "end") == [(1_400_000_000.0, 1_400_000_060.5)]
    rows, _bad = parsed(CRAWDAD, "0 5 1000 2000", unit="ms")
    assert picked(rows, "start", "end") == [(1.0, 2.0)]


def test_times_that_are_dates_in_microseconds_only_are_microseconds() -> None:
    rows, _bad = parsed(CRAWDAD, "0 5 1400000000000000 1400000060500000")
    assert picked(rows, "start", "end") == [(1_400_000_000.0, 1_400_000_060.5)]
    rows, _bad = parsed(CSV, "a,b,start_us,end_us", "0,5,1000000,2000000")
    assert picked(rows, "start", "end") == [(1.0, 2.0)]


def test_an_unknown_unit_is_refused() -> None:
    with pytest.raises(InvalidValueError, match=r"there is no unit 'min'; .*s, ms"):
        parsed(CRAWDAD, "0 5 10 20", unit="min")


def test_one_reads_spaces_and_tabs_upper_and_lower_case_and_prefixes() -> None:
    rows, bad = parsed(ONE, "1.0 CONN n12 n7 up", "2\tCONN\t3\t4\tdown", "3    conn    5    6    UP", "4 Conn 1 2 Down")
    assert picked(rows, "time", "a", "b", "up") == [
        (1.0, "n12", "n7", True),
        (2.0, "3", "4", False),
        (3.0, "5", "6", True),
        (4.0, "1", "2", False),
    ]
    assert bad == {}


def test_one_tells_other_events_wrong_states_and_short_lines() -> None:
    _rows, bad = parsed(ONE, "1 CONN 1 2 sideways", "1 C M1 4 2", "x CONN 1 2 up", "1 CONN 1 up")
    assert bad == {
        1: "state 'sideways' is neither up nor down",
        2: "event 'C' is not CONN, so it is no contact",
        3: "time 'x' is not a number",
        4: "expected `time CONN a b up|down`, found 4 fields",
    }


def test_dtnsim2_reads_events_and_skips_the_number_of_nodes() -> None:
    rows, bad = parsed(
        DTNSIM2, "5", "@10 1 <-> 2 up", "@20.5 2 <-> 1 down", "30 1 <-> 2 up", "@4 1 -> 2 up", "@@4 1 <-> 2 up"
    )
    assert picked(rows, "time", "a", "b", "up") == [(10.0, "1", "2", True), (20.5, "2", "1", False)]
    assert bad == {
        4: "the time does not begin with @",
        5: "'->' stands where <-> should",
        6: "time '@4' is not a number",
    }


def test_sociopatterns_reads_records_with_and_without_classes() -> None:
    rows, bad = parsed(SOCIOPATTERNS, "20 7 9", "40\t7\t9\t5B\tTeachers", "60 7 9 5B", "soon 7 9")
    assert picked(rows, "time", "a", "b", "class_a", "class_b") == [
        (20.0, "7", "9", None, None),
        (40.0, "7", "9", "5B", "Teachers"),
    ]
    assert bad == {3: "expected `t i j [class_i class_j]`, found 4 fields", 4: "t 'soon' is not a number"}


def test_sociopatterns_has_records_of_20_seconds_unless_told() -> None:
    assert SOCIOPATTERNS.settle("x", [], {}) == {"period": 20.0, "gap": 0.0}
    assert SOCIOPATTERNS.settle("x", [], {"period": 5}) == {"period": 5.0, "gap": 0.0}
    with pytest.raises(InvalidValueError, match="period 0"):
        SOCIOPATTERNS.settle("x", [], {"period": 0})


def test_metadata_gives_classes_and_keeps_what_else_it_says() -> None:
    table = read_metadata(lines_of("7\t5B\tF", "", "9 Teachers Unknown tall", "11\tDISQ\r"))
    assert table.to_pylist() == [
        {"name": "7", "class": "5B", "attributes": "F"},
        {"name": "9", "class": "Teachers", "attributes": "Unknown tall"},
        {"name": "11", "class": "DISQ", "attributes": None},
    ]


def test_csv_finds_sensible_columns_in_any_order() -> None:
    rows, bad = parsed(CSV, "End Time;Node_B;rssi;Start Time;Node_A", "20;y;-70;10;x", "9;z;-71;5.5;x")
    assert picked(rows, "a", "b", "start", "end") == [("x", "y", 10.0, 20.0), ("x", "z", 5.5, 9.0)]
    assert bad == {}


def test_csv_takes_a_duration_for_an_end_and_milliseconds_from_a_columns_name() -> None:
    rows, _bad = parsed(CSV, "a,b,start_ms,duration", "1,2,1000,500")
    assert picked(rows, "start", "end") == [(1.0, 1.5)]


def test_csv_respects_quotes_and_names_bad_lines() -> None:
    rows, bad = parsed(
        CSV,
        "a,b,start,end",
        '"Smith, J.",bob,1,2',
        "ann,bob,1",
        "ann,bob,1,2,3",
        'ann,"bob,1,2',
        "ann,,1,2",
        "ann,bob,,2",
        'eve,"says ""hi""",3,4',
    )
    assert picked(rows, "line", "a", "b") == [(2, "Smith, J.", "bob"), (8, "eve", 'says "hi"')]
    assert bad == {
        3: "expected 4 fields, found 3",
        4: "expected 4 fields, found 5",
        5: "a quotation mark is not closed",
        6: "b is missing",
        7: "start is missing",
    }


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-02T00:00", 86_400.0),
        ("1970-01-02 00:00:30", 86_430.0),
        ("1970-01-02T00:00:00.125Z", 86_400.125),
        ("1970-01-02T02:00+02:00", 86_400.0),
        ("1970-01-01T19:00:00-0500", 86_400.0),
        ("86400", 86_400.0),
    ],
)
def test_tables_may_have_date_times_without_a_zone_they_are_utc(text: str, seconds: float) -> None:
    rows, bad = parsed(CSV, "who,whom,from,until", "ann,bob,1970-01-01T00:00,1970-01-01T00:10", f"eve,bob,{text},1e9")
    assert picked(rows, "a", "b", "start", "end") == [("ann", "bob", 0.0, 600.0), ("eve", "bob", seconds, 1e9)]
    assert bad == {}
    rows, _bad = parsed(SIGHTINGS, "time;observer;seen", f"{text};ann;bob")
    assert picked(rows, "a", "b", "time") == [("ann", "bob", seconds)]
    rows, _bad = parsed(POSITIONS, "id\ttime\tx\ty", f"ann\t{text}\t3\t4")
    assert picked(rows, "time", "x", "y") == [(seconds, 3.0, 4.0)]


@pytest.mark.parametrize("text", ["2026-02-30T10:00", "2026-05-01", "01.05.2026 10:00", "2026-05-01T25:00", "noon"])
def test_what_is_no_moment_is_a_bad_line(text: str) -> None:
    rows, bad = parsed(CSV, "a,b,start,end", f"ann,bob,{text},2026-05-01T10:00", "ann,bob,2026-05-01T09:00,NaN")
    complaint = "is neither a number nor a date-time such as 2026-05-01T18:00"
    assert (rows, bad) == ([], {2: f"start '{text}' {complaint}", 3: f"end 'NaN' {complaint}"})


@pytest.mark.parametrize(("column", "end"), [("duration", 61.5), ("duration (ms)", 60.0015), ("duration_s", 61.5)])
def test_a_duration_beside_date_times_is_in_seconds_unless_its_name_says(column: str, end: float) -> None:
    rows, _bad = parsed(CSV, f"a,b,start,{column}", "ann,bob,1970-01-01T00:01,1.5")
    assert picked(rows, "start", "end") == [(60.0, end)]


def test_from_and_to_are_times_where_other_columns_name_the_people() -> None:
    rows, _bad = parsed(CSV, "from,to,person_a,person_b", "1,2,ann,bob")
    assert picked(rows, "a", "b", "start", "end") == [("ann", "bob", 1.0, 2.0)]
    rows, _bad = parsed(CSV, "from,to,start,end", "ann,bob,1,2")
    assert picked(rows, "a", "b", "start", "end") == [("ann", "bob", 1.0, 2.0)]


@pytest.mark.parametrize("separator", [",", ";", "\t", " "])
def test_four_columns_without_a_header_are_a_b_start_end(separator: str) -> None:
    lines = [separator.join(row.split()) for row in ("ann bob 1 2", "ann eve 2026-05-01T09:00Z 1777626001")]
    rows, bad = parsed(CSV, *lines)
    assert picked(rows, "a", "b", "start", "end") == [("ann", "bob", 1.0, 2.0), ("ann", "eve", 1777626e3, 1777626001.0)]
    assert bad == {}


def test_csv_takes_a_mapping_by_name_or_number_and_needs_no_header_then() -> None:
    mapping = {"a": "2", "b": "3", "start": "4", "end": "5"}
    rows, _bad = parsed(CSV, "0,ann,bob,1,2", "0,ann,eve,3,4", columns=mapping)
    assert picked(rows, "a", "b", "start", "end") == [("ann", "bob", 1.0, 2.0), ("ann", "eve", 3.0, 4.0)]
    rows, _bad = parsed(CSV, "who|whom|t0|t1", "ann|bob|1|2", columns={"a": "WHO", "b": "whom"}, separator="|")
    assert picked(rows, "a", "b", "start", "end") == [("ann", "bob", 1.0, 2.0)]


def test_a_comment_may_name_the_columns() -> None:
    rows, bad = parsed(SIGHTINGS, "# Format: timestamp;user_id;seen_user_id;major", "7;ann;bob;1", "x;ann;bob;1")
    assert picked(rows, "a", "b", "time") == [("ann", "bob", 7.0)]
    assert bad == {3: "time 'x' is neither a number nor a date-time such as 2026-05-01T18:00"}


def test_columns_of_a_table_with_names_may_be_given_by_number() -> None:
    rows, _bad = parsed(CSV, "x,who,whom,t0,t1", "0,ann,bob,1,2", columns={"a": 2, "b": "3"})
    assert picked(rows, "a", "b", "start", "end") == [("ann", "bob", 1.0, 2.0)]


def test_csv_keeps_classes() -> None:
    rows, _bad = parsed(CSV, "a b start end class_a class_b", "1 2 3 4 x y")
    assert picked(rows, "class_a", "class_b") == [("x", "y")]


def test_csv_without_the_needed_columns_says_what_it_has() -> None:
    with pytest.raises(TraceError, match="among who, whom, start; say which"):
        CSV.settle("x.csv", ["who,whom,start"], {})
    with pytest.raises(
        InvalidValueError, match=r"end=bit: .*did you mean 'bis'\? .*: a, b, von, bis \(or a number, 1 to 4"
    ):
        CSV.settle("x.csv", ["a,b,von,bis"], {"columns": {"start": "von", "end": "bit"}})
    with pytest.raises(InvalidValueError, match="there is no part of a column mapping 'alpha'"):
        CSV.settle("x.csv", ["a,b,t"], {"columns": {"alpha": "a"}})
    with pytest.raises(InvalidValueError, match="give a mapping"):
        CSV.settle("x.csv", ["a,b,t"], {"columns": "a=1"})
    with pytest.raises(TraceError, match="does not look like a table"):
        CSV.settle("x.csv", ["a"], {})


def test_parquet_goes_through_the_same_mapping() -> None:
    table = pa.table({"node1": [1, 2, 3], "node2": ["4", "5", None], "begin": [1.5, math.nan, 2.0], "stop": [2, 3, 4]})
    rows, bad = parse_table(table, settle_columns("x.parquet", table.schema, {}), "x.parquet", 11)
    assert picked(rows.to_pylist(), "file", "line", "a", "b", "start", "end") == [("x.parquet", 11, "1", "4", 1.5, 2.0)]
    assert picked(bad.to_pylist(), "line", "text", "reason") == [
        (12, "2,5,nan,3", "start 'nan' is neither a number nor a date-time such as 2026-05-01T18:00"),
        (13, "3,,2,4", "b is missing"),
    ]


def test_parquet_timestamps_become_unix_seconds() -> None:
    moments = pa.array([60_000_000_001, None], pa.int64()).cast(pa.timestamp("ns"))  # finer than microseconds
    table = pa.table({"a": [1, 1], "b": [2, 2], "start": moments, "end": moments})
    rows, bad = parse_table(table, settle_columns("x.parquet", table.schema, {}))
    assert picked(rows.to_pylist(), "start", "end") == [(60.0, 60.0)]
    assert bad["reason"].to_pylist() == ["start is missing"]


def test_parquet_may_have_date_times_as_text() -> None:
    table = pa.table({"a": [1], "b": [2], "start": ["1970-01-01T00:01"], "end": ["90"]})
    rows, _bad = parse_table(table, settle_columns("x.parquet", table.schema, {}))
    assert picked(rows.to_pylist(), "start", "end") == [(60.0, 90.0)]


def test_sightings_are_records_of_no_length_with_a_gap() -> None:
    options = SIGHTINGS.settle("x", ["a,b,time"], {})
    assert (options["period"], options["gap"]) == (0.0, 300.0)
    rows, bad = parsed(SIGHTINGS, "timestamp,device,seen", "100,ann,bob", "late,ann,bob", gap=60)
    assert picked(rows, "a", "b", "time") == [("ann", "bob", 100.0)]
    assert bad == {3: "time 'late' is neither a number nor a date-time such as 2026-05-01T18:00"}


def test_sightings_without_a_header_are_a_b_time() -> None:
    rows, _bad = parsed(SIGHTINGS, "9 2 100", "1 2 160")
    assert picked(rows, "a", "b", "time") == [("9", "2", 100.0), ("1", "2", 160.0)]


def test_sightings_refuse_a_negative_gap_and_missing_columns() -> None:
    with pytest.raises(InvalidValueError, match="gap -1"):
        SIGHTINGS.settle("x", ["a,b,time"], {"gap": -1})
    with pytest.raises(TraceError, match="no column found for time"):
        SIGHTINGS.settle("x", ["a,b,rssi"], {})


def test_positions_in_metres_are_kept() -> None:
    rows, bad = parsed(POSITIONS, "id,t,x,y", "7,1,2.5,-3", "8,1,east,4")
    assert picked(rows, "name", "time", "x", "y") == [("7", 1.0, 2.5, -3.0)]
    assert bad == {3: "x 'east' is not a number"}


def test_positions_without_a_header_are_id_t_x_y() -> None:
    rows, _bad = parsed(POSITIONS, "n7 1 2.5 -3")
    assert picked(rows, "name", "time", "x", "y") == [("n7", 1.0, 2.5, -3.0)]


def test_degrees_are_projected_around_the_first_position() -> None:
    rows, bad = parsed(POSITIONS, "id time lat lon", "1 0 60.0 10.0", "1 5 60.001 10.002", "1 6 91 10", "1 7 60 -181")
    degree = math.pi / 180 * EARTH_RADIUS
    assert (rows[0]["x"], rows[0]["y"]) == (0.0, 0.0)
    assert rows[1]["x"] == pytest.approx(0.002 * degree * 0.5)
    assert rows[1]["y"] == pytest.approx(0.001 * degree)
    assert bad == {4: "latitude 91 is outside -90 to 90", 5: "longitude -181 is outside -180 to 180"}


def test_degrees_may_have_their_origin_and_columns_given() -> None:
    columns = {"lat": 3, "lon": 4}
    rows, _bad = parsed(POSITIONS, "1 0 1 0", columns=columns, origin="0,0")
    assert rows[0]["y"] == pytest.approx(math.pi / 180 * EARTH_RADIUS)
    with pytest.raises(InvalidValueError, match="origin 'north'"):
        parsed(POSITIONS, "1 0 1 0", columns=columns, origin="north")
    with pytest.raises(TraceError, match="no position found"):
        POSITIONS.settle("x", ["id t lat lon"], {})
    with pytest.raises(TraceError, match="no columns found for all of name"):
        POSITIONS.settle("x", ["id t lat"], {})


def test_one_movement_skips_its_header_wherever_files_begin() -> None:
    rows, bad = parsed(ONE_MOVEMENT, "0 100 0 50 0 50", "1 7 2.5 3", "0 100 0 50 0 50", "2 7 east 3", "2 7 3")
    assert picked(rows, "time", "name", "x", "y") == [(1.0, "7", 2.5, 3.0)]
    assert bad == {4: "x 'east' is not a number", 5: "expected `time id x y`, found 3 fields"}


CONTACT = '{"hunet": 1, "kind": "contact", "time": 5, "node": "ann", "peer": "bob", "up": true}'
MESSAGE = (
    '{"hunet": 1, "kind": "message", "time": 6.5, "node": "ann", '
    '"message": "m1", "tags": ["x"], "size": 9, "ttl": null}'
)
DELIVERY = (
    '{"hunet": 1, "kind": "delivery", "time": 7, "node": "bob", '
    '"message": "m1", "from": "ann", "hops": 1, "wanted": true}'
)


SETTINGS = '{"hunet": 1, "kind": "settings", "time": 8, "node": "bob", "protocol": "pull", "settings": "{\\"k\\": 3}"}'


def test_node_logs_give_contact_events() -> None:
    rows, bad = parsed(NODELOG, CONTACT, MESSAGE, DELIVERY, CONTACT.replace("true", "false"), SETTINGS)
    assert picked(rows, "line", "time", "a", "b", "up") == [(1, 5.0, "ann", "bob", True), (4, 5.0, "ann", "bob", False)]
    assert bad == {}


def test_node_logs_keep_messages_and_deliveries() -> None:
    entries, bad = read_log(lines_of(CONTACT, MESSAGE, DELIVERY, SETTINGS))
    assert bad.num_rows == 0
    _contact, message, delivery, settings = entries.to_pylist()
    assert (settings["protocol"], settings["settings"]) == ("pull", '{"k": 3}')
    assert (message["node"], message["message"], message["tags"], message["size"], message["ttl"]) == (
        "ann", "m1", ["x"], 9, None,
    )  # fmt: skip
    assert (delivery["from"], delivery["hops"], delivery["wanted"]) == ("ann", 1, True)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (CONTACT[:-5], "not JSON: "),
        ("[1]", "not a JSON object"),
        (CONTACT + CONTACT, "not JSON: "),
        (CONTACT.replace('"time": 5', '"time": "noon"'), "the field 'time' has the wrong type"),
        (CONTACT.replace('"hunet": 1', '"hunet": 2'), "log version 2 is not known (this hunet reads version 1)"),
        (CONTACT.replace('"hunet": 1, ', ""), "the field 'hunet' (the version of the log) is missing"),
        (CONTACT.replace('"contact"', '"party"'), "kind 'party' is none of contact, message, delivery"),
        (CONTACT.replace('"time": 5, ', ""), "the field 'time' is missing"),
        (CONTACT.replace('"time": 5', '"time": NaN'), "the time nan is not finite"),
        (CONTACT.replace('"time": 5', '"time": -Infinity'), "the time -inf is not finite"),
        (CONTACT.replace('"time": 5', '"time": 1e999'), "not readable: "),
        (MESSAGE.replace('"ttl": null', '"ttl": NaN'), "the ttl nan is not finite"),
        (CONTACT.replace(', "up": true', ""), "a contact without the field 'up'"),
        (DELIVERY.replace(', "hops": 1', ""), "a delivery without the field 'hops'"),
    ],
)
def test_a_log_line_that_cannot_be_used_says_why_and_spoils_no_other(line: str, reason: str) -> None:
    rows, bad = parsed(NODELOG, *[CONTACT] * 5, line, *[CONTACT] * 6)
    assert [number for number, _why in bad.items()] == [6]
    assert bad[6].startswith(reason)
    assert picked(rows, "line") == [(number,) for number in range(1, 13) if number != 6]


TIMED = {
    "nodelog": ([], CONTACT.replace("5", "{}")),
    "one": ([], "{} CONN ann bob up"),
    "dtnsim2": ([], "@{} ann <-> bob up"),
    "one-movement": ([], "{} ann 2.5 3"),
    "csv": (["a,b,start,end"], "ann,bob,{},5"),
    "sightings": (["a;b;time"], "ann;bob;{}"),
    "positions": (["id,t,x,y"], "ann,{},2.5,3"),
    "sociopatterns": ([], "{} ann bob"),
    "crawdad": ([], "1 2 {} 20 1 0"),
    "lengths": ([], "1,2,{},20"),
    "time-first": ([], "{} 1 2"),
    "cabspotting": ([], "37.75 -122.39 0 {}"),
}
"""By format: the head that settles its options, and a line with a place for its time."""


@pytest.mark.parametrize(
    "time", ["NaN", "nan", "Infinity", "-Infinity", "inf", "-inf", "1e999", "-1e999", "NAN", "null"]
)
@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_no_format_takes_a_time_that_is_not_finite(form: Format, time: str) -> None:
    head, line = TIMED[form.name]
    options = form.settle("x.txt", [*head, line.replace("{}", "1")], {})
    rows, bad = form.parse(lines_of(line.replace("{}", "1"), line.replace("{}", time)), options)
    assert rows["line"].to_pylist() == [1]
    assert bad["line"].to_pylist() == [2]


def test_a_duration_that_leads_beyond_all_numbers_is_a_bad_line() -> None:
    rows, bad = parsed(CSV, "a,b,start,duration", "ann,bob,1e308,1e308", "ann,bob,1,2")
    assert (len(rows), bad) == (1, {2: "start and duration are too large together"})


@pytest.mark.parametrize("value", [math.inf, math.nan])
def test_settings_of_formats_are_finite(value: float) -> None:
    with pytest.raises(InvalidValueError, match="period"):
        SOCIOPATTERNS.settle("x", [], {"period": value})
    with pytest.raises(InvalidValueError, match="gap"):
        SIGHTINGS.settle("x", ["a,b,time"], {"gap": value})
    with pytest.raises(InvalidValueError, match="origin"):
        POSITIONS.settle("x", ["id t lat lon"], {"origin": f"{value},0"})


def test_fields_a_version_may_gain_are_ignored() -> None:
    rows, bad = parsed(NODELOG, CONTACT.replace('"up"', '"rssi": {"dbm": -70}, "up"'))
    assert (len(rows), bad) == (1, {})
