"""Sweeps on this machine, on Spark and in plain processes: what is done, kept, done again and refused."""

from __future__ import annotations

import importlib
import json
import math
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from hunet.model.errors import HunetError, InvalidValueError, SweepError
from hunet.sweeps import on_spark
from hunet.sweeps.experiment import Experiment, Run
from hunet.sweeps.folder import SweepFolder
from hunet.sweeps.identity import run_id
from hunet.sweeps.runner import Runner
from hunet.sweeps.supervisor import Limits
from tests.pipeline.clients import assert_same
from tests.sweeps.cheap import ADD, MISBEHAVE, NUMBERS, additions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NOWHERE = Runner.spark("spark://127.0.0.1:1")
"""A Spark that nobody can reach: whoever needs it fails."""


@pytest.fixture(params=["spark", "local"])
def runner(request: pytest.FixtureRequest, two_processes: Runner) -> Runner:
    """Where runs are done makes no difference."""
    return Runner.spark(session=request.getfixturevalue("spark")) if request.param == "spark" else two_processes


@pytest.fixture(scope="module")
def two_processes() -> Iterator[Runner]:
    runner = Runner.local(2)
    with runner.kept():
        yield runner


def test_the_tables_are_the_same_wherever_runs_were_done(spark: SparkSession, tmp_path: Path) -> None:
    runs = [*additions(6), Run(MISBEHAVE, {"how": "exit"}, 3), Run(MISBEHAVE, {"how": "refuse"}, 1)]
    there = Runner.spark(session=spark).sweep(runs, tmp_path / "spark")
    here = Runner.local(2).sweep(runs, tmp_path / "local")
    assert_same(there, here)
    assert_same(there, Runner.local(2).sweep(runs, tmp_path / "spark"))  # nothing is left to do


def test_a_sweep_hands_back_each_run_once_and_its_tables(runner: Runner, tmp_path: Path) -> None:
    told: list[tuple[int, int, int]] = []
    runs = additions(12)
    done = runner.sweep([*runs, runs[0]], tmp_path, progress=lambda *numbers: told.append(numbers))
    assert done.runs.column("run").to_pylist() == [run_id(run) for run in runs]
    assert done.runs.column("factor").to_pylist() == [factor for factor in range(1, 7) for _ in range(2)]
    assert set(done.runs.column("study").to_pylist()) == {"sums"}
    assert done.runs.column("error").null_count == 12
    assert min(done.runs.column("memory").to_pylist()) > 10e6
    rows = {row["run"]: row["value"] for row in done.measures.to_pylist() if row["measure"] == "total"}
    assert list(rows.values()) == [6.0 * run.inputs["factor"] + run.seed for run in runs]  # type: ignore[operator]
    nothing = [row["value"] for row in done.measures.to_pylist() if row["measure"] == "nothing"]
    assert len(nothing) == 12
    assert all(map(math.isnan, nothing))
    parts = done.table("parts").to_pylist()
    assert [(row["run"], row["part"]) for row in parts[:2]] == [(run_id(runs[0]), 7.0), (run_id(runs[0]), 1.0)]
    assert len(parts) == 24
    assert pq.read_table(tmp_path / "runs.parquet").equals(done.runs)
    assert told[-1] == (12, 0, 12)
    again = NOWHERE.sweep(runs, tmp_path)  # all is published
    assert again.runs.equals(done.runs)
    with pytest.raises(SweepError, match="has no table 'deliveries'"):
        done.table("deliveries")


BAD = {
    "refuse": "the value 7 is above its limit 5",
    "divide": "ZeroDivisionError: division by zero (cheap.py, line ",
    "leave": "SystemExit: 3",
    "exit": "ended its process with exit code 7",
    "crash": "its process was killed by SIGSEGV",
    "sleep": "took longer than its limit of 4 s",
    "eat": "out of memory: the process of this run would need more than its limit of 1 GB",
}


def test_a_run_that_fails_is_a_row_with_its_error_and_the_others_go_on(runner: Runner, tmp_path: Path) -> None:
    runs = [Run(MISBEHAVE, {"how": how}, 7) for how in (*BAD, "print")] + additions(4)
    done = runner.sweep(runs, tmp_path, limits=Limits(4.0, 1_000_000_000))
    errors = dict(zip(done.runs.column("how").to_pylist(), done.runs.column("error").to_pylist(), strict=True))
    assert errors.keys() == {*BAD, "print", None}
    for how, words in BAD.items():
        assert errors[how].startswith(words), how
    assert errors["print"] is None
    assert errors[None] is None
    assert set(done.measures.column("run").to_pylist()) == {run_id(run) for run in runs[len(BAD) :]}
    assert NOWHERE.sweep(runs, tmp_path).runs.equals(done.runs)  # failed runs are not tried again by themselves


def test_failed_runs_are_done_again_when_asked_for(runner: Runner, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    runs = [Run(MISBEHAVE, {"how": "wait", "for": str(flag)}, 1), *additions(2)]
    failed = runner.sweep(runs, tmp_path / "out")
    assert failed.runs.column("error").to_pylist() == ["it is not there yet", None, None]
    kept = (tmp_path / "out" / "done" / run_id(runs[1])[:2] / f"{run_id(runs[1])}.json").stat().st_mtime_ns
    flag.touch()
    done = runner.sweep(runs, tmp_path / "out", retry_failed=True)
    assert done.runs.column("error").null_count == 3
    assert len(done.measures.to_pylist()) == 5
    assert (tmp_path / "out" / "done" / run_id(runs[1])[:2] / f"{run_id(runs[1])}.json").stat().st_mtime_ns == kept


def test_a_job_that_loses_a_process_of_spark_is_followed_by_another(spark: SparkSession, tmp_path: Path) -> None:
    runs = [Run(MISBEHAVE, {"how": "kill the task once", "for": str(tmp_path / "flag")}, 1), *additions(6)]
    done = Runner.spark(session=spark).sweep(runs, tmp_path / "out")  # in local mode, a job does not survive that
    assert done.runs.column("error").null_count == 7


def test_workers_with_other_code_are_refused_before_anything_runs(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_spark, "sources_of", lambda modules: "something else")
    with pytest.raises(SweepError, match=r"the worker on .* has other code than this driver .*install the same hunet"):
        Runner.spark(session=spark).sweep(additions(2), tmp_path)
    assert SweepFolder(tmp_path).published() == (set(), set())


def test_a_worker_that_joins_later_with_other_code_is_refused(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_spark, "sources_of", lambda modules: "something else")
    monkeypatch.setattr(on_spark, "_check_workers", lambda *arguments: 2)
    with pytest.raises(SweepError, match=r"the worker on .* has other code than the driver"):
        Runner.spark(session=spark).sweep(additions(2), tmp_path)


def test_workers_that_lack_a_module_are_named(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "only_here.py").write_text("def run(inputs, seed):\n    return {}, {}\n")
    monkeypatch.syspath_prepend(tmp_path)
    experiment = Experiment("here", importlib.import_module("only_here").run)
    with pytest.raises(SweepError, match=r"the worker on .*: there is no module 'only_here'.*install it there"):
        Runner.spark(session=spark).sweep([Run(experiment, {}, 1)], tmp_path / "out")


def test_a_worker_that_cannot_publish_stops_the_sweep_and_says_why(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "done").mkdir()
    for shelf in range(256):
        (tmp_path / "done" / f"{shelf:02x}").touch()  # a file where a folder should be
    with pytest.raises(SweepError, match=r"cannot publish in .*exists"):
        runner.sweep(additions(2), tmp_path)


def test_two_sweeps_in_one_folder_do_not_meet(two_processes: Runner, tmp_path: Path) -> None:
    began = threading.Event()
    slow = threading.Thread(
        target=two_processes.sweep, args=(additions(2, 0.5), tmp_path), kwargs={"progress": lambda *_: began.set()}
    )
    slow.start()
    began.wait()
    try:
        with pytest.raises(HunetError, match="another sweep is at work in"):
            two_processes.sweep(additions(2), tmp_path)
    finally:
        slow.join()


def test_an_interruption_ends_the_job_and_the_next_call_goes_on(runner: Runner, tmp_path: Path) -> None:
    runs = additions(20, 0.5)

    def interrupt(done: int, _failed: int, _total: int) -> None:
        if done >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runner.sweep(runs, tmp_path, progress=interrupt)
    deadline = time.monotonic() + 3
    while time.monotonic() < deadline:  # Spark gives its workers 2 s to end by themselves
        time.sleep(0.1)
        well, failed = SweepFolder(tmp_path).published()
    assert 3 <= len(well) < 18
    assert not failed
    assert not (tmp_path / "runs.parquet").exists()
    first: list[int] = []
    done = runner.sweep(runs, tmp_path, progress=lambda done, _failed, _total: first.append(done))
    assert first[0] >= len(well)
    assert done.runs.column("error").null_count == 20


def test_what_cannot_be_swept_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match="at least one run"):
        NOWHERE.sweep([], tmp_path)
    with pytest.raises(InvalidValueError, match="must stand at the top of a module"):
        Experiment("nested", lambda inputs, seed: ({}, {}))
    with pytest.raises(InvalidValueError, match="100 MB per run is below 500 MB"):
        Limits(memory=100_000_000)
    with pytest.raises(InvalidValueError, match="'seconds' cannot be an input or label"):
        Run(ADD, {"seconds": 1}, 1)
    with pytest.raises(InvalidValueError, match="input 'x' is a list: give a number"):
        Run(ADD, {"x": [1]}, 1)  # type: ignore[dict-item]
    with pytest.raises(InvalidValueError, match="0 seconds per run"):
        Limits(seconds=0)


def test_a_damaged_record_is_named(tmp_path: Path, two_processes: Runner) -> None:
    runs = additions(2)
    two_processes.sweep(runs, tmp_path)
    (tmp_path / "done" / run_id(runs[0])[:2] / f"{run_id(runs[0])}.json").write_text("{")
    with pytest.raises(SweepError, match=r"\.json' is damaged .*: remove it and start the sweep again"):
        NOWHERE.sweep(runs, tmp_path)


def test_the_name_of_a_run_depends_on_what_its_answer_depends_on() -> None:
    run = Run(ADD, {"numbers": NUMBERS, "factor": 1}, 1)
    assert run_id(run) == run_id(Run(ADD, {"factor": 1, "numbers": NUMBERS}, 1, {"study": "another"}))
    others = [
        Run(ADD, {"numbers": NUMBERS, "factor": 2}, 1),
        Run(ADD, {"numbers": NUMBERS, "factor": 1}, 2),
        Run(MISBEHAVE, {"numbers": NUMBERS, "factor": 1}, 1),
        Run(ADD, {"numbers": type(NUMBERS).of(numbers=NUMBERS.tables["numbers"].slice(1)), "factor": 1}, 1),
    ]
    assert len({run_id(one) for one in (run, *others)}) == 5


def test_records_of_published_runs_are_plain_json(two_processes: Runner, tmp_path: Path) -> None:
    runs = additions(2)
    two_processes.sweep(runs, tmp_path)
    record = json.loads((tmp_path / "done" / run_id(runs[0])[:2] / f"{run_id(runs[0])}.json").read_text())
    assert record["run"] == run_id(runs[0])
    assert record["measures"]["total"] == 7.0
    assert list(tmp_path.glob("done/*/.*")) == []
