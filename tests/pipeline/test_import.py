"""Whole imports: equal to cleaning in memory, the same the second time, and never half done."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hunet as hn
from hunet.api.reading import ReadOptions
from hunet.model.errors import SparkError, TraceError
from hunet.pipeline.importing import import_trace
from hunet.pipeline.plan import FACTS, PLANS
from hunet.pipeline.read import find_source
from hunet.pipeline.work import ImportSettings
from hunet.pipeline.write import jobs_of
from hunet.traces.order import by_time
from hunet.traces.pairs import first_part, pairs_of
from hunet.traces.proximity import Proximity, contacts_from_positions
from hunet.traces.store import TraceStore
from hunet.traces.storing import Label
from hunet.traces.whole import counts_of
from tests.pipeline.conftest import import_without_facts, random_rows
from tests.traces.files import invented_file

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from hunet.pipeline.importing import ImportReport


def write_table(path: Path, seed: int) -> Path:
    """An invented contact table with every kind of fault, and a class column."""
    rows = [(f"n{a}", f"n{b}", start, end) for a, b, start, end in random_rows(seed, nodes=12, rows=200)]
    rows += [("n1", "n1", 0.0, 5.0), ("n2", "n3", 9.0, 5.0), ("n2", "guest", 1.0, 5.0), ("n11", "n4", 1.0, 1.0)]
    random.Random(seed).shuffle(rows)
    lines = [f"{a},{b},{start:g},{end:g},{'staff' if a < b else ''}\n" for a, b, start, end in rows]
    path.write_text("a,b,start,end,class_a\n" + "".join(lines))
    return path


def run(
    spark: SparkSession, home: Path, path: Path, settings: ImportSettings, options: dict[str, object] | None = None
) -> ImportReport:
    source = find_source([str(path)], None, options or {}, 2000)
    return import_trace(spark, TraceStore(home), source, Label("t", "invented"), settings)


@pytest.mark.parametrize(
    ("made", "asked"),
    [
        ("faulty", {"internal": "0-10", "lengthen_to": 60.0, "origin": "first"}),
        pytest.param("faulty", {"min_length": 120.0, "gap": 60.0, "origin": 100.0}, marks=pytest.mark.slow),
        ("one", {}),
        ("sociopatterns", {"metadata": "about.txt", "keep_external": True, "internal": "7-9"}),
        pytest.param("cabspotting", {}, marks=pytest.mark.slow),
        pytest.param("lengths", {}, marks=pytest.mark.slow),
        ("positions", {"min_length": 25.0, "origin": "first", "metadata": "about.txt"}),
    ],
    ids=["lengthened", "shortened", "events", "records", "a file per node", "lengths", "positions"],
)
def test_an_import_equals_reading_in_memory(
    spark: SparkSession, tmp_path: Path, made: str, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "about.txt").write_text("7\tteacher\tF\np10\tpupil\tM\n")
    path = write_table(tmp_path / "t.csv", seed=1) if made == "faulty" else invented_file(made, tmp_path)
    options = ReadOptions(**asked)
    source = find_source([str(path)], None, options.of_format, 2000)
    learnt = import_without_facts(spark, source, ImportSettings.of(options.rules), tmp_path)
    expected = hn.read(path, **asked)
    assert pq.read_table(tmp_path / "contacts").equals(expected.contacts)  # in the order of time, too
    assert pq.read_table(tmp_path / "nodes").sort_by("node").equals(expected.nodes)
    if made == "positions":
        order = [(name, "ascending") for name in ("t", "node")]
        assert pq.read_table(tmp_path / "positions").sort_by(order).equals(expected.positions)
    told = counts_of(learnt.counts, learnt.lines_bad, learnt.mode, learnt.events, learnt.positions, learnt.origin)
    assert told == expected.about.counts


def test_the_plan_writes_what_it_says_and_nothing_else(spark: SparkSession, tmp_path: Path) -> None:
    settings = ImportSettings(training=(0.7,))
    run(spark, tmp_path, write_table(tmp_path / "t.csv", seed=2), settings)
    trace = TraceStore(tmp_path).open("t")
    kept = {stage.output for stage in PLANS["intervals"] if stage.kept == "trace"}
    assert {path.name for path in trace.path.iterdir()} == kept | {"manifest.json"}
    spans = pq.read_table(trace.table_path("spans"))
    contacts = trace.contacts()
    windows = [first_part(contacts, share) for share in (1.0, 0.4, 0.7)]
    assert set(spans["window_end"].to_pylist()) == {window.end for window in windows}
    assert trace.pairs().equals(trace.pairs(windows[0]))
    for window in windows:
        assert trace.pairs(window).equals(pairs_of(contacts, window))


@pytest.mark.parametrize("yields", sorted(PLANS))
def test_every_stage_of_a_plan_reads_what_an_earlier_one_made(yields: str) -> None:
    made: set[str] = set()
    for stage in PLANS[yields]:
        assert set(stage.inputs) <= made, stage.output
        assert stage.output not in made
        made.add(stage.output)
    assert {stage.output for stage in FACTS} | {"contacts", "nodes"} <= made


def test_folders_may_have_blanks_and_other_scripts(spark: SparkSession, tmp_path: Path) -> None:
    home = tmp_path / "my traces 漢字, 100% #1 it's [a] {b,c}"
    home.mkdir()
    path = write_table(home / "a b+c (1).csv", seed=3)
    run(spark, home, path, ImportSettings())
    trace = TraceStore(home).open("t")
    assert trace.contacts().equals(hn.read(path).contacts)
    assert [child.name for child in tmp_path.iterdir()] == [home.name]


def test_a_second_import_changes_nothing(spark: SparkSession, tmp_path: Path) -> None:
    path = write_table(tmp_path / "t.csv", seed=3)
    first = run(spark, tmp_path, path, ImportSettings())
    files = sorted((str(file), file.stat().st_mtime_ns) for file in (tmp_path / "traces").rglob("*.parquet"))
    second = run(spark, tmp_path, path, ImportSettings())
    assert not second.changed
    assert hn.read(path, name="t").about.settings == first.manifest.settings
    assert second.manifest == first.manifest
    assert sorted((str(file), file.stat().st_mtime_ns) for file in (tmp_path / "traces").rglob("*.parquet")) == files


def test_bad_lines_are_counted_with_examples_and_stop_a_strict_import(spark: SparkSession, tmp_path: Path) -> None:
    path = write_table(tmp_path / "t.csv", seed=4)
    lines = path.read_text().splitlines()
    lines[200] = "n1,n2,soon,9,"
    path.write_text("\n".join(lines) + "\n")
    report = run(spark, tmp_path, path, ImportSettings())
    assert report.lines_bad == 1
    assert (report.bad_examples[0].line, report.bad_examples[0].text) == (201, "n1,n2,soon,9,")
    with pytest.raises(
        TraceError, match=r"t\.csv', line 201: start 'soon' is neither a number nor a date-time .*--strict"
    ):
        run(spark, tmp_path / "strict", path, ImportSettings(strict=True))
    assert TraceStore(tmp_path / "strict").list() == []


def test_an_import_that_leaves_nothing_says_why(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,start,end\nx,x,0,1\nx,y,soon,2\n")
    with pytest.raises(
        TraceError, match=r"of 1 rows none is left .*1 self-contacts.*; line 3: start 'soon' is neither"
    ):
        run(spark, tmp_path, path, ImportSettings())


@pytest.mark.parametrize("mode", ["count", "flag"])
def test_the_way_of_pairing_events_is_recognised(spark: SparkSession, tmp_path: Path, mode: str) -> None:
    lines = []
    for start in range(0, 5000, 100):
        lines += [f"{start} CONN 1 2 up", f"{start + 40} CONN 2 1 up", f"{start + 60} CONN 1 2 down"]
        lines += [f"{start + 80} CONN 2 1 down"] if mode == "count" else []
    path = tmp_path / "events.txt"
    path.write_text("\n".join(lines) + "\n")
    learnt = import_without_facts(spark, find_source([str(path)], None, {}), ImportSettings(), tmp_path)
    assert learnt.mode == mode
    contacts = pq.read_table(tmp_path / "contacts")
    assert contacts.num_rows == 50
    assert contacts["end"][0].as_py() == (80.0 if mode == "count" else 60.0)


def test_positions_are_imported_with_the_contacts_found_in_them(spark: SparkSession, tmp_path: Path) -> None:
    chance = np.random.default_rng(5)
    samples = sorted((float(t), f"p{node}", *chance.random(2) * 60) for node in range(6) for t in range(0, 900, 7))
    path = tmp_path / "walk.csv"
    path.write_text("id,t,x,y\n" + "".join(f"{name},{t},{x},{y}\n" for t, name, x, y in samples))
    rule = Proximity(radius=20.0, step=5.0, gap=15.0, hold=60.0)
    learnt = import_without_facts(spark, find_source([str(path)], None, {}), ImportSettings(proximity=rule), tmp_path)
    table = pa.table(
        {
            "node": pa.array([int(name[1:]) for _, name, _, _ in samples], pa.int32()),
            "t": [t for t, _, _, _ in samples],
            "x": [x for _, _, x, _ in samples],
            "y": [y for _, _, _, y in samples],
        }
    )
    assert pq.read_table(tmp_path / "contacts").equals(by_time(contacts_from_positions(table, rule)))
    assert pq.read_table(tmp_path / "positions").num_rows == len(samples) == learnt.positions
    assert pq.read_table(tmp_path / "nodes")["name"].to_pylist() == [f"p{node}" for node in range(6)]


def test_metadata_and_classes_are_kept_in_the_nodes(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "about.txt").write_text("n1\tteacher\tF\nn2\tpupil\tM\nn99\tghost\n")
    path = tmp_path / "t.csv"
    path.write_text("a,b,start,end,class_a\nn1,n2,0,5,\nn3,n2,0,5,guest\n")
    settings = ImportSettings(metadata=tmp_path / "about.txt")
    import_without_facts(spark, find_source([str(path)], None, {}), settings, tmp_path)
    nodes = pq.read_table(tmp_path / "nodes").sort_by("node")
    assert nodes["class"].to_pylist() == ["teacher", "pupil", "guest"]
    assert nodes["attributes"].to_pylist() == ["F", "M", None]


def test_an_error_of_ours_comes_out_of_a_task_as_it_went_in(spark: SparkSession) -> None:
    def fail(_batches: object) -> object:
        raise TraceError("trace file 'x', line 3: broken")

    with pytest.raises(TraceError, match=r"^trace file 'x', line 3: broken$"), jobs_of("reading"):
        spark.range(1).mapInArrow(fail, "id long").collect()  # type: ignore[arg-type]
    with pytest.raises(SparkError, match="could not finish counting"), jobs_of("counting"):
        spark.range(1).selectExpr("raise_error('no')").collect()


def test_a_failure_of_python_in_a_task_is_told_by_the_line_that_says_what_it_was(spark: SparkSession) -> None:
    def fail(_batches: object) -> object:
        raise ValueError("five is\nno number")

    with (
        pytest.raises(SparkError, match=r"^Spark could not finish counting: ValueError: five is$"),
        jobs_of("counting"),
    ):
        spark.range(1).mapInArrow(fail, "id long").collect()  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_file_that_breaks_off_is_one_line_and_no_stack(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("a,b,start,end\nann,bob,0,100\nbob,cat,200,300\n")
    whole = gzip.compress("".join(f"ann,bob,{start},{start + 5}\n" for start in range(5_000)).encode())
    (tmp_path / "2.csv.gz").write_bytes(whole[: len(whole) // 2])
    environment = dict(os.environ, PYTHONPATH=str(Path(hn.__file__).parents[1]), HUNET_HOME=str(tmp_path / "home"))
    command = [sys.executable, "-m", "hunet.cli", "trace", "import", str(tmp_path / "*.*"), "--master", "local[1]"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    told, because, columns, error = done.stderr.splitlines()
    assert (told[:8], because[:9], columns[:9]) == ("format: ", "because: ", "columns: ")
    assert error.startswith(f"hunet: trace file '{tmp_path / '2.csv.gz'}' cannot be read: ")


KILLED = """
import sys
from pathlib import Path
from hunet.pipeline.importing import import_trace
from hunet.pipeline.read import find_source
from hunet.pipeline.session import SparkSettings, spark_session
from hunet.pipeline.work import ImportSettings
from hunet.traces.store import TraceStore
from hunet.traces.storing import Label

def progress(title, number, total):
    print(number, flush=True)

with spark_session(SparkSettings(master="local[1]")) as spark:
    source = find_source([sys.argv[1]], None, {}, 2000)
    import_trace(spark, TraceStore(Path(sys.argv[2])), source, Label("t", "invented"), ImportSettings(), progress)
"""


@pytest.mark.slow
def test_a_killed_import_leaves_the_old_trace(spark: SparkSession, tmp_path: Path) -> None:
    old = run(spark, tmp_path, write_table(tmp_path / "old.csv", seed=5), ImportSettings()).manifest
    new = write_table(tmp_path / "new.csv", seed=6)
    environment = dict(os.environ, PYTHONPATH=str(Path(hn.__file__).parents[1]))
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(new), str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    ) as importer:
        assert importer.stdout is not None
        facts = len(PLANS["intervals"]) - len(FACTS)
        while (stage := importer.stdout.readline().strip()) and int(stage) < facts:
            pass  # contacts and nodes are written then, the facts are not
        os.killpg(importer.pid, signal.SIGKILL)
        importer.wait()
    assert stage == str(facts)
    trace = TraceStore(tmp_path).open("t")
    assert trace.manifest == old
    assert trace.contacts().num_rows == old.counts["contacts"]
    _wait_until_gone(tmp_path)
    report = run(spark, tmp_path, new, ImportSettings())
    assert report.changed
    assert report.manifest.version > old.version
    assert not list((tmp_path / "traces" / "t").glob(".draft-*"))


def _wait_until_gone(home: Path) -> None:
    """The killed importer's JVM may still hold the lock it inherited for a moment."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            with TraceStore(home).write_version("t"):
                raise InterruptedError
        except InterruptedError:
            return
        except TraceError:
            time.sleep(0.2)
