"""The same sweep embedded, on a cluster of two worker processes and through Spark Connect, with disasters."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from hunet.pipeline.sweep.compaction import Sweep
from hunet.pipeline.sweep.driver import sweep
from hunet.pipeline.sweep.experiment import Run
from hunet.pipeline.sweep.folder import SweepFolder
from tests.pipeline.cheap import MISBEHAVE, additions
from tests.pipeline.conftest import environment_with_tests
from tests.pipeline.test_cluster import processes, start_cluster

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RUNS = [*additions(40, 0.1), Run(MISBEHAVE, {"how": "exit"}, 3)]

SWEEP = """
import sys
from pathlib import Path
from hunet.pipeline.session import SparkSettings
from hunet.pipeline.sweep.driver import sweep
from tests.pipeline.test_sweep_cluster import RUNS

def main():
    settings = SparkSettings(**{sys.argv[1]: sys.argv[2]})
    sweep(RUNS, Path(sys.argv[3]), settings)

if __name__ == "__main__":
    main()
"""


def sweeper(where: str, address: str, out: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SWEEP, where, address, str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment_with_tests(),
    )


def wait_for_runs(process: subprocess.Popen[str], out: Path, count: int) -> set[str]:
    deadline = time.monotonic() + 120
    while len(done := SweepFolder(out).published()[0]) < count:
        assert process.poll() is None, process.stdout and process.stdout.read()
        assert time.monotonic() < deadline, "nothing was published for 120 s"
        time.sleep(0.05)
    return done


def facts(done: Sweep) -> tuple[pa.Table, pa.Table, pa.Table]:
    """All tables, without what a clock and a memory gauge said."""
    return done.runs.drop_columns(["seconds", "memory"]), done.measures.to_pandas(), done.table("parts")


def assert_same(one: Sweep, other: Sweep) -> None:
    runs, measures, parts = zip(facts(one), facts(other), strict=True)
    assert runs[0].equals(runs[1])
    assert measures[0].equals(measures[1])  # NaN equals NaN there
    assert parts[0].equals(parts[1])


def test_a_cluster_that_loses_a_worker_connect_and_a_killed_driver_give_the_same_tables(
    spark: SparkSession, tmp_path: Path
) -> None:
    here = sweep(RUNS, tmp_path / "here", spark)
    assert here.runs.column("error").null_count == len(RUNS) - 1

    with processes() as started:
        master = start_cluster(started, tmp_path)
        on_cluster = sweeper("master", master, tmp_path / "cluster")
        started.append(on_cluster)
        wait_for_runs(on_cluster, tmp_path / "cluster", 3)
        os.kill(started[1].pid, signal.SIGKILL)
        output, _ = on_cluster.communicate(timeout=180)
        assert on_cluster.returncode == 0, output
    assert_same(here, sweep(RUNS, tmp_path / "cluster", spark))

    with processes() as started:
        by_connect = sweeper("remote", "local[2]", tmp_path / "connect")
        started.append(by_connect)
        before = wait_for_runs(by_connect, tmp_path / "connect", 3)
        os.kill(by_connect.pid, signal.SIGKILL)
        by_connect.wait()
        again = sweeper("remote", "local[2]", tmp_path / "connect")
        started.append(again)
        output, _ = again.communicate(timeout=180)
        assert again.returncode == 0, output
    assert_same(here, sweep(RUNS, tmp_path / "connect", spark))
    records = {run: SweepFolder(tmp_path / "connect").read(run) for run in before}
    plan = pq.read_table(tmp_path / "connect" / "plan.parquet").column("run").to_pylist()
    assert not records.keys() & set(plan)  # only what was missing was done again
