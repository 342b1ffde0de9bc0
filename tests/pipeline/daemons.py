"""Spark's own servers, started by a test on 127.0.0.1: a master with workers."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
import pytest

from hunet.pipeline.java import find_java, launcher_home
from tests.ports import free_port
from tests.spark import LIGHT, environment_with_tests


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


def start_cluster(started: list[subprocess.Popen[str]], folder: Path, workers: int) -> str:
    """A master, and workers, which follow it in `started`; hands back the master's address."""
    port, web = free_port(), free_port()
    master = f"spark://127.0.0.1:{port}"
    host = ("--host", "127.0.0.1")
    started.append(_spark_class(folder, "deploy.master.Master", *host, "--port", str(port), "--webui-port", str(web)))
    for number in range(workers):
        work = str(folder / f"worker{number}")
        options = (*host, "--webui-port", "0", "-c", "1", "-m", "1g", "-d", work, master)
        started.append(_spark_class(folder, "deploy.worker.Worker", *options))
    _wait_until(started, "the workers registered", lambda: _logged(folder, "Registering worker") >= workers)
    return master


def _logged(folder: Path, words: str) -> int:
    return sum(file.read_text().count(words) for file in folder.glob("*.log"))


def _wait_until(started: list[subprocess.Popen[str]], what: str, holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not holds():
        if time.monotonic() > deadline or any(process.poll() is not None for process in started):
            pytest.fail(f"a server ended, or 120 s went by, before {what}")
        time.sleep(0.2)


def _spark_class(folder: Path, name: str, *arguments: str) -> subprocess.Popen[str]:
    environment = environment_with_tests() | {
        "JAVA_HOME": str(launcher_home(find_java(os.environ))),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": LIGHT,
        "PYSPARK_PYTHON": sys.executable,
        "NUMBA_DISABLE_JIT": "1",  # for so little, compiling takes longer
    }
    program = Path(pyspark.__file__).parent / "bin" / "spark-class"
    with (folder / f"{name}-{time.monotonic_ns()}.log").open("w") as log:
        return subprocess.Popen(
            [program, f"org.apache.spark.{name}", *arguments],
            stdout=log,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
        )
