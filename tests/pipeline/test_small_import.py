"""A small import is one job, and its trace is the one that the plan for large ones makes."""

from __future__ import annotations

import io
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

from hunet.api.reading import ReadOptions
from hunet.model.errors import TraceError
from hunet.model.tables import SPANS
from hunet.pipeline import read
from hunet.pipeline.importing import import_trace
from hunet.pipeline.read import find_source
from hunet.pipeline.work import ImportSettings
from hunet.traces.store import TraceStore
from hunet.traces.storing import Label
from tests.pipeline.test_import import write_table
from tests.traces.files import FILES, invented_file
from tests.traces.test_documents import GPX
from tests.traces.test_odd_files import DOCUMENTS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from hunet.pipeline.importing import ImportReport

ASKED: dict[str, dict[str, Any]] = {
    "csv": {"internal": "0-10,ann,bob", "keep_external": True, "lengthen_to": 60.0, "origin": "first"},
    "sociopatterns": {"metadata": "about.txt"},
    "positions": {"min_length": 25.0, "origin": "first", "metadata": "about.txt"},
}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, nothing_is_small: None) -> None:
    monkeypatch.setattr(read, "SMALL_BYTES", 1 << 20)


def report_of(spark: SparkSession, home: Path, files: list[Path], asked: dict[str, Any]) -> ImportReport:
    options = ReadOptions(yes=True, **asked)
    source = find_source([str(file) for file in files], None, options.of_format)
    settings = ImportSettings.of(options.rules, (0.7,))
    return import_trace(spark, TraceStore(home), source, Label("t", "invented"), settings)


def assert_alike(
    spark: SparkSession, folder: Path, files: list[Path], asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> ImportReport:
    """Import files in one job and by the plan: tables, manifests and reports are equal but for times."""
    monkeypatch.setattr(read, "SMALL_BYTES", 1 << 20)
    at_once = report_of(spark, folder / "small", files, asked)
    monkeypatch.setattr(read, "SMALL_BYTES", 0)
    by_plan = report_of(spark, folder / "large", files, asked)
    assert replace(at_once, seconds={}) == replace(by_plan, seconds={})
    assert list(at_once.seconds) != list(by_plan.seconds)
    one, other = (TraceStore(folder / home).open("t") for home in ("small", "large"))
    assert one.contacts().equals(other.contacts())
    assert one.nodes().equals(other.nodes())
    assert one.positions().equals(other.positions())
    order = [(name, "ascending") for name in ("window_start", "window_end", "a", "b")]
    spans = [pq.read_table(trace.table_path("spans")).cast(SPANS).sort_by(order) for trace in (one, other)]
    assert spans[0].equals(spans[1])
    return at_once


@pytest.mark.parametrize(
    "made", [name if name in ASKED else pytest.param(name, marks=pytest.mark.slow) for name in FILES]
)
def test_one_job_makes_the_trace_that_the_plan_makes(
    spark: SparkSession, tmp_path: Path, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "about.txt").write_text("7\tteacher\tF\np10\tpupil\tM\n")
    assert_alike(spark, tmp_path, [invented_file(made, tmp_path)], ASKED.get(made, {}), monkeypatch)


@pytest.mark.parametrize("kind", [*(pytest.param(kind, marks=pytest.mark.slow) for kind in ("gpx", "geojson")), "tar"])
def test_documents_and_archives_are_imported_alike(
    spark: SparkSession, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = GPX.encode() if kind == "tar" else DOCUMENTS[kind]
    files = [tmp_path / f"{name}.{kind}" for name in ("ann", "bob")]
    for file in files:
        file.write_bytes(content)
    if kind == "tar":
        files = [tmp_path / "walks.tar"]
        with tarfile.open(files[0], "w") as archive:
            for name in ("ann", "bob"):
                item = tarfile.TarInfo(f"walks/{name}.gpx")
                item.size = len(content)
                archive.addfile(item, io.BytesIO(content))
    report = assert_alike(spark, tmp_path, files, {}, monkeypatch)
    trace = TraceStore(tmp_path / "small").open("t")
    assert trace.nodes()["name"].to_pylist() == ["ann", "bob"]
    assert (trace.contacts().num_rows, report.lines_bad) == (1, 0)


def test_what_a_task_refuses_is_one_line_and_stores_nothing(spark: SparkSession, tmp_path: Path, small: None) -> None:
    file = write_table(tmp_path / "t.csv", seed=1)
    with pytest.raises(TraceError, match=r"^nothing to import: all [0-9]+ contacts are shorter than 1e\+06 s$"):
        report_of(spark, tmp_path, [file], {"min_length": 1e6})
    file.write_text("a,b,start,end\nann,bob,0,5\nann,bob,soon,5\n")
    with pytest.raises(TraceError, match=r"t\.csv', line 3: start 'soon' is neither"):
        report_of(spark, tmp_path, [file], {"strict": True})
    assert not (tmp_path / "traces" / "t").exists()


def test_only_what_one_task_can_hold_is_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "SMALL_BYTES", 10_000)
    plain = tmp_path / "t.csv"
    plain.write_text("a,b,start,end\n" + "ann,bob,0,5\n" * 400)
    assert find_source([str(plain)], None, {}).is_small
    assert not find_source([str(plain)], None, {}, 2000).is_small, "it was cut"
    plain.write_text("a,b,start,end\n" + "ann,bob,0,5\n" * 900)
    assert not find_source([str(plain)], None, {}).is_small
