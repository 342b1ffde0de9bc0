"""The pipeline on a real Spark cluster of several processes, one of which is killed in the middle of a job."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
import pytest

import hunet
from hunet.pipeline.java import find_java, launcher_home
from tests.pipeline.conftest import environment_with_tests
from tests.pipeline.test_import import write_table

IMPORT = """
import sys
from pathlib import Path
from hunet.pipeline.importing import Label, import_trace
from hunet.pipeline.read import find_source
from hunet.pipeline.session import SparkSettings, spark_session
from hunet.pipeline.work import ImportSettings
from hunet.traces.store import TraceStore

path, home, master = sys.argv[1:]

def progress(title, number, total):
    print("stage", number, title, flush=True)

with spark_session(SparkSettings(master=master)) as spark:
    source = find_source([path], None, {}, 2000)
    report = import_trace(spark, TraceStore(Path(home)), source, Label("t"), ImportSettings(), progress)
    print("hash", report.manifest.content_hash)
"""


@contextmanager
def processes() -> Iterator[list[subprocess.Popen[str]]]:
    """Processes started by a test; whatever happens, each is ended by its own id."""
    started: list[subprocess.Popen[str]] = []
    try:
        yield started
    finally:
        for process in reversed(started):
            if process.poll() is None:
                process.terminate()
            process.wait(30)
            if process.stdout is not None:
                process.stdout.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def spark_class(name: str, *arguments: str, folder: Path) -> subprocess.Popen[str]:
    environment = dict(
        os.environ,
        JAVA_HOME=str(launcher_home(find_java(os.environ))),
        SPARK_LOCAL_IP="127.0.0.1",
        SPARK_DAEMON_MEMORY="256m",
        PYSPARK_PYTHON=sys.executable,
        PYTHONPATH=environment_with_tests()["PYTHONPATH"],
        SPARK_LOG_DIR=str(folder),
    )
    program = Path(pyspark.__file__).parent / "bin" / "spark-class"
    log = (folder / f"{name}-{time.monotonic_ns()}.log").open("w")
    with log:
        return subprocess.Popen(
            [program, f"org.apache.spark.deploy.{name}", *arguments],
            stdout=log,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
        )


def importer(path: Path, home: Path, master: str) -> subprocess.Popen[str]:
    environment = dict(os.environ, PYTHONPATH=str(Path(hunet.__file__).parents[1]))
    return subprocess.Popen(
        [sys.executable, "-c", IMPORT, str(path), str(home), master],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )


def wait_for_workers(log_folder: Path, count: int) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        logs = "".join(file.read_text() for file in log_folder.glob("master.Master-*.log"))
        if logs.count("Registering worker") >= count:
            return
        time.sleep(0.2)
    pytest.fail("the workers did not register with the master within 120 s")


def start_cluster(started: list[subprocess.Popen[str]], folder: Path) -> str:
    """A master and two workers, which are second and third of `started` then; hands back the master's address."""
    port = free_port()
    master = f"spark://127.0.0.1:{port}"
    web = str(free_port())
    started.append(
        spark_class("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", web, folder=folder)
    )
    for number in range(2):
        work = str(folder / f"worker{number}")
        options = ("--host", "127.0.0.1", "--webui-port", "0", "-c", "1", "-m", "1g", "-d", work, master)
        started.append(spark_class("worker.Worker", *options, folder=folder))
    wait_for_workers(folder, 2)
    return master


def test_a_worker_killed_in_the_middle_of_an_import_does_not_change_the_result(tmp_path: Path) -> None:
    path = write_table(tmp_path / "t.csv", seed=9)
    with processes() as started:
        master = start_cluster(started, tmp_path)
        job = importer(path, tmp_path / "cluster", master)
        started.append(job)
        assert job.stdout is not None
        while (line := job.stdout.readline()) and "merging" not in line:
            pass
        assert "merging" in line  # its job starts now and takes seconds
        os.kill(started[1].pid, signal.SIGKILL)
        rest = job.stdout.read()
        assert job.wait() == 0
    alone = importer(path, tmp_path / "alone", "local[1]")
    answer, _ = alone.communicate()
    assert alone.returncode == 0
    assert rest.splitlines()[-1].startswith("hash ")
    assert rest.splitlines()[-1] == answer.splitlines()[-1]
