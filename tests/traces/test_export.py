"""Exports: what other programs get, and that it comes back as the same trace."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hunet.atomic import PARTS
from hunet.model.errors import TraceError
from hunet.traces.clean import CleanSettings, clean, to_intervals
from hunet.traces.export import EXPORTS, export
from hunet.traces.order import by_time
from hunet.traces.reading import read_files
from hunet.traces.store import Trace, TraceStore
from tests.naive import traces as naive
from tests.traces.invented import intervals_of

NAMES = st.sampled_from(["ann", "bob", "n2", "n10", "Smith, J."])
ROWS = st.lists(
    st.tuples(NAMES, NAMES, st.integers(0, 40), st.integers(0, 12)).map(
        lambda row: (row[0], row[1], row[2] / 4, (row[2] + row[3]) / 4)
    ),
    min_size=1,
    max_size=20,
).filter(lambda rows: any(row[0] != row[1] for row in rows))


def stored(home: Path, rows: list[naive.Interval]) -> Trace:
    cleaned = clean(intervals_of(rows), CleanSettings())
    with TraceStore(home).write_version("small") as draft:
        draft.write("contacts", cleaned.contacts)
        draft.write("nodes", cleaned.nodes)
    return TraceStore(home).open("small")


def read_again(path: Path, format_name: str | None) -> tuple[pa.Table, pa.Table]:
    reading = read_files([path], format_name=format_name, strict=True)
    cleaned = clean(to_intervals(reading.rows, reading.format.yields, reading.options).intervals, CleanSettings())
    return cleaned.contacts, cleaned.nodes


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(rows=ROWS)
def test_an_exported_trace_comes_back(tmp_path: Path, rows: list[naive.Interval]) -> None:
    trace = stored(tmp_path, rows)
    for kind, format_name in (("csv", "csv"), ("parquet", None), ("one", "one")):
        export(trace, tmp_path / f"out.{kind}", kind)
        contacts, nodes = read_again(tmp_path / f"out.{kind}", format_name)
        assert by_time(contacts).equals(trace.contacts())
        if kind != "one":
            assert nodes.equals(trace.nodes())


def test_the_one_gets_dense_ids_in_the_order_of_time(tmp_path: Path) -> None:
    trace = stored(tmp_path, [("n5", "n9", 1.5, 4.0), ("n5", "n7", 4.0, 4.0)])
    assert export(trace, tmp_path / "out.txt") == "one"
    assert (tmp_path / "out.txt").read_text().splitlines() == [
        "1.5 CONN 0 2 up",
        "4 CONN 0 1 up",
        "4 CONN 0 1 down",
        "4 CONN 0 2 down",
    ]


def test_csv_has_the_original_names(tmp_path: Path) -> None:
    assert export(stored(tmp_path, [("n5", "n9", 1.5, 4.0)]), tmp_path / "out.csv") == "csv"
    assert (tmp_path / "out.csv").read_text() == '"a","b","start","end"\n"n5","n9",1.5,4\n'


def test_an_export_that_fails_leaves_no_file(tmp_path: Path) -> None:
    trace = stored(tmp_path, [("1", "2", 0.0, 1.0)])
    with pytest.raises(TraceError, match=f"no format of an export 'gexf'; there are: {', '.join(EXPORTS)}"):
        export(trace, tmp_path / "out", "gexf")
    with pytest.raises(TraceError, match="cannot write"):
        export(trace, tmp_path / "absent" / "out.csv")
    (tmp_path / "taken").mkdir()
    with pytest.raises(TraceError, match="cannot write"):
        export(trace, tmp_path / "taken", "csv")
    assert list(tmp_path.glob(PARTS)) == []
