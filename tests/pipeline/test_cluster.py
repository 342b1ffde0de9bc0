"""An import and a sweep on a real cluster of several processes, of which some are killed in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from hunet.sweeps.runner import Runner
from tests.pipeline.clients import RUNS, assert_imported, assert_same, importer, sweeper, wait_for_runs
from tests.pipeline.daemons import processes, start_cluster
from tests.pipeline.test_import import write_table
from tests.spark import LIGHT

Cluster = tuple[str, list[subprocess.Popen[str]]]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The address of a cluster, and its workers: one for each test to kill, and one that stays."""
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "spark-defaults.conf").write_text(f"spark.executor.extraJavaOptions {LIGHT}\n")
    with processes() as started, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_CONF_DIR", str(folder))
        master = start_cluster(started, folder, workers=3)
        yield master, started[1:]


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_of_an_import_does_not_change_the_result(
    cluster: Cluster, tmp_path: Path
) -> None:
    path = write_table(tmp_path / "t.csv", seed=9)
    master, workers = cluster
    with processes() as started:
        job = importer(path, tmp_path / "cluster", "master", master)
        started.append(job)
        assert job.stdout is not None
        while (line := job.stdout.readline()) and "merging" not in line:
            pass
        assert "merging" in line  # its job starts now and takes seconds
        os.kill(workers[0].pid, signal.SIGKILL)
        rest = job.stdout.read()
        assert job.wait() == 0, rest
    assert_imported(tmp_path / "cluster", path)


@pytest.mark.slow
def test_a_sweep_survives_a_killed_worker_and_a_killed_driver(cluster: Cluster, tmp_path: Path) -> None:
    master, workers = cluster
    here = Runner.local(2).sweep(RUNS, tmp_path / "here")
    assert here.runs.column("error").null_count == len(RUNS) - 1
    out = tmp_path / "cluster"
    with processes() as started:
        first = sweeper("master", master, out)
        started.append(first)
        before = wait_for_runs(first, out, 3)
        os.kill(workers[1].pid, signal.SIGKILL)
        before = wait_for_runs(first, out, len(before) + 3)
        os.kill(first.pid, signal.SIGKILL)
        again = sweeper("master", master, out)
        started.append(again)
        output, _ = again.communicate(timeout=180)
        assert again.returncode == 0, output
    plan = pq.read_table(out / "plan.parquet").column("run").to_pylist()
    assert plan
    assert before.isdisjoint(plan)  # only what was missing was done again
    assert_same(here, Runner.local(2).sweep(RUNS, out))
