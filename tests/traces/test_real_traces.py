"""Exact counts on real traces, and on files that stand in for them, in memory and without Spark."""

from __future__ import annotations

from pathlib import Path

import pytest

from hunet.traces.clean import Cleaned, CleanSettings, Paired, clean, to_intervals
from hunet.traces.formats.sociopatterns import read_metadata
from hunet.traces.lines import read_lines
from hunet.traces.reading import read_files
from tests.naive import traces as naive
from tests.traces.stand_ins import (
    HT2009,
    INFOCOM05,
    INFOCOM05_EVENTS,
    NCCU,
    REALITY,
    REALITY_BROKEN,
    SCHOOL,
    SCHOOL_PEOPLE,
    StandIns,
)


def imported(path: Path, internal: str | None = None) -> tuple[Paired, Cleaned]:
    reading = read_files([path], strict=True)
    paired = to_intervals(reading.rows, reading.format.yields, reading.options)
    gap = reading.options.get("gap", 0.0)
    assert isinstance(gap, float)
    return paired, clean(paired.intervals, CleanSettings(internal, gap=gap))


@pytest.mark.parametrize(
    ("file", "internal", "rows", "contacts", "nodes"),
    [
        ("haggle-infocom05/contacts.Exp3.dat", "1-41", 22_459, 17_712, 41),
        ("haggle-infocom05/one/Haggle3-Infocom5.csv", None, 22_459, 17_712, 41),
        ("haggle-intel/contacts.Exp1.dat", "1-9", 1_364, 1_001, 9),
        ("haggle-intel/one/haggle-one-intel.tsv", None, 1_364, 1_001, 9),
        ("haggle-cambridge-lab/contacts.Exp2.dat", "1-12", 4_228, 2_789, 12),
        ("haggle-cambridge-lab/one/haggle-one-computer-lab.tsv", None, 4_228, 2_789, 12),
        ("mit-reality/one/mit.txt.gz", None, 64_184, 64_175, 96),
        ("mit-reality/dtnsim2/MITcontacts.txt.gz", None, 35_659, 35_659, 102),
        ("mit-reality/sept2004-table/MIT97.txt", None, 3_109, 3_109, 90),
        ("st-andrews-sassy/sassy.txt.gz", None, 40_096, 40_065, 25),
        ("unimi-pmtr/pmtr.txt", None, 11_737, 11_737, 44),
        ("sociopatterns/ht2009_contact_list.dat.gz", None, 20_818, 9_865, 113),
        ("sociopatterns/primaryschool.csv.gz", None, 125_773, 77_521, 242),
        ("sociopatterns/SFHH_tij.dat.gz", None, 70_261, 26_040, 403),
        ("sociopatterns/highschool_2011.csv.gz", None, 28_560, 10_676, 126),
        ("sociopatterns/workplace_InVS_tij.dat.zip", None, 9_827, 4_592, 92),
        ("nccu/nccu.dat", None, 7_673, 7_673, 115),
        ("format-samples/one-uppercase/infocom.txt", None, 896, 448, 9),
        ("format-samples/dtnsim2/dartmouth.mit", None, 1_363, 1_363, 5),
    ],
)
def test_rows_contacts_and_nodes_are_exact(
    real_traces: Path, file: str, internal: str | None, rows: int, contacts: int, nodes: int
) -> None:
    _paired, cleaned = imported(real_traces / file, internal)
    assert (cleaned.counts.clean_rows, cleaned.contacts.num_rows, cleaned.nodes.num_rows) == (rows, contacts, nodes)


@pytest.mark.parametrize("file", [INFOCOM05, INFOCOM05_EVENTS, REALITY, REALITY_BROKEN, HT2009, SCHOOL, NCCU])
def test_contacts_of_what_stands_in_are_those_of_the_slow_rules(stand_ins: StandIns, file: str) -> None:
    internal = {str(number) for number in range(1, 42)} if file == INFOCOM05 else None
    paired, cleaned = imported(stand_ins.folder / file, "1-41" if internal else None)
    expected, counts = naive.clean(stand_ins.rows[file], internal)
    names = cleaned.nodes["name"].to_pylist()
    rows = cleaned.contacts.to_pylist()
    found = [(*sorted((names[row["a"]], names[row["b"]])), row["start"], row["end"]) for row in rows]
    assert sorted(found) == expected
    assert {name: getattr(cleaned.counts, name) for name in counts} == counts
    if file in stand_ins.events:
        assert paired.events is not None
        told = stand_ins.events[file]
        assert {name: getattr(paired.events, name) for name in told} == told
        assert paired.mode == ("count" if file == INFOCOM05_EVENTS else "flag")


def test_infocom05_is_the_same_trace_from_both_formats(trace_files: Path) -> None:
    _paired, table = imported(trace_files / INFOCOM05, "1-41")
    _paired, events = imported(trace_files / INFOCOM05_EVENTS)
    assert table.contacts.equals(events.contacts)
    assert table.nodes["name"].to_pylist() == [str(number) for number in range(1, 42)]
    assert events.nodes["name"].to_pylist() == [str(number) for number in range(41)]


def test_infocom05_lasts_as_long_as_known(real_traces: Path) -> None:
    _paired, table = imported(real_traces / INFOCOM05, "1-41")
    start, end = table.contacts["start"].to_numpy().min(), table.contacts["end"].to_numpy().max()
    assert round((end - start) / 86_400, 2) == 2.94
    assert (start, end) == (20_733.0, 274_883.0)


def test_cleaning_counts_say_what_was_removed(real_traces: Path) -> None:
    _paired, lab = imported(real_traces / "haggle-cambridge-lab/contacts.Exp2.dat", "1-12")
    assert (lab.counts.rows, lab.counts.self_contacts, lab.counts.external) == (6_732, 1, 2_503)
    _paired, school = imported(real_traces / "sociopatterns/highschool_2011.csv.gz")
    assert (school.counts.rows, school.counts.self_contacts) == (28_561, 1)
    _paired, reality = imported(real_traces / "mit-reality/sept2004-table/MIT.txt.gz")
    assert (reality.counts.rows, reality.counts.self_contacts, reality.counts.end_before_start) == (34_822, 60, 11)


@pytest.mark.parametrize(
    ("file", "mode"),
    [
        ("haggle-infocom05/one/Haggle3-Infocom5.csv", "count"),
        ("haggle-intel/one/haggle-one-intel.tsv", "count"),
        ("haggle-cambridge-lab/one/haggle-one-computer-lab.tsv", "count"),
        ("format-samples/one-uppercase/infocom.txt", "count"),
        ("mit-reality/dtnsim2/MITcontacts.txt.gz", "flag"),
    ],
)
def test_the_meaning_of_repeated_ups_is_recognised(real_traces: Path, file: str, mode: str) -> None:
    paired, _cleaned = imported(real_traces / file)
    assert paired.mode == mode


def test_reality_has_the_known_numbers_of_broken_events(real_traces: Path) -> None:
    paired, _cleaned = imported(real_traces / "mit-reality/dtnsim2/MITcontacts.txt.gz")
    counts = paired.events
    assert counts is not None
    assert (counts.ups, counts.downs, counts.closed) == (41_770, 42_710, 35_659)
    assert (counts.repeated_ups, counts.orphan_downs, counts.never_closed) == (5_598, 7_051, 513)


def test_infocom05_reopens_links_as_often_as_known(real_traces: Path) -> None:
    paired, _cleaned = imported(real_traces / "haggle-infocom05/one/Haggle3-Infocom5.csv")
    assert paired.events is not None
    assert paired.events.repeated_ups == 4_732


def test_classes_and_metadata_of_the_primary_school_are_kept(trace_files: Path) -> None:
    paired, _cleaned = imported(trace_files / SCHOOL)
    (lines,) = read_lines(trace_files / SCHOOL_PEOPLE)
    nodes = clean(paired.intervals, CleanSettings(), read_metadata(lines)).nodes
    assert nodes.num_rows == len((trace_files / SCHOOL_PEOPLE).read_text().splitlines())
    assert nodes["class"].null_count == 0
    assert len(set(nodes["class"].to_pylist())) == 11
    assert set(nodes["attributes"].to_pylist()) == {"F", "M", "Unknown"}


def test_the_positions_of_the_campus_are_all_read(real_traces: Path) -> None:
    reading = read_files(sorted(real_traces.glob("nccu/day*.csv.gz")), strict=True)
    assert reading.rows.num_rows == 1_924_368
    assert len(reading.rows["name"].unique()) == 115
