"""An import and a sweep in processes of their own, which a test can watch and kill."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa

import hunet as hn
from hunet.sweeps.compaction import Sweep
from hunet.sweeps.experiment import Run
from hunet.sweeps.folder import SweepFolder
from hunet.traces.pairs import first_part, pairs_of
from hunet.traces.store import TraceStore
from tests.spark import environment_with_tests
from tests.sweeps.cheap import MISBEHAVE, additions

RUNS = [*additions(40, 0.1), Run(MISBEHAVE, {"how": "exit"}, 3)]

IMPORT = """
import sys
from pathlib import Path
from hunet.pipeline.importing import import_trace
from hunet.pipeline.read import find_source
from hunet.pipeline.session import SparkSettings, spark_session
from hunet.pipeline.work import ImportSettings
from hunet.traces.store import TraceStore
from hunet.traces.storing import Label

path, home, where, address = sys.argv[1:]

def progress(title, number, total):
    print("stage", number, title, flush=True)

with spark_session(SparkSettings(**{where: address})) as spark:
    source = find_source([path], None, {}, 2000)
    import_trace(spark, TraceStore(Path(home)), source, Label("t"), ImportSettings(), progress)
"""

SWEEP = """
import signal
import sys
from pathlib import Path
from hunet.sweeps.runner import Runner
from tests.pipeline.clients import RUNS

def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell starts in the background
    where, address, out = sys.argv[1:]
    runner = Runner.local(int(address)) if where == "local" else Runner.spark(**{where: address})
    runner.sweep(RUNS, Path(out))

if __name__ == "__main__":
    main()
"""


def importer(path: Path, home: Path, where: str, address: str) -> subprocess.Popen[str]:
    """An import of a trace `t` that prints its stages; `where` is `master` or `remote`."""
    return _python(IMPORT, str(path), str(home), where, address)


def sweeper(where: str, address: str, out: Path) -> subprocess.Popen[str]:
    """The sweep of `RUNS`; `where` may also be `local`, and the address how many processes."""
    return _python(SWEEP, where, address, str(out))


def _python(script: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment_with_tests(),
    )


def wait_for_runs(process: subprocess.Popen[str], out: Path, count: int) -> set[str]:
    """Until so many runs of a sweep are published; hands back which."""
    deadline = time.monotonic() + 120
    while len(done := SweepFolder(out).published()[0]) < count:
        assert process.poll() is None, process.stdout and process.stdout.read()
        assert time.monotonic() < deadline, "nothing was published for 120 s"
        time.sleep(0.05)
    return done


def assert_imported(home: Path, path: Path) -> None:
    """The trace `t` of a store is what reading the file in memory gives."""
    expected = hn.read(path)
    trace = TraceStore(home).open("t")
    assert trace.contacts().equals(expected.contacts)
    assert trace.nodes().equals(expected.nodes)
    assert trace.pairs().equals(pairs_of(expected.contacts, first_part(expected.contacts, 1.0)))


def assert_same(one: Sweep, other: Sweep) -> None:
    """All tables of two sweeps are equal, but for what a clock and a memory gauge said."""
    runs, measures, parts = zip(_facts(one), _facts(other), strict=True)
    assert runs[0].equals(runs[1])
    assert measures[0].equals(measures[1])  # NaN equals NaN there
    assert parts[0].equals(parts[1])


def _facts(done: Sweep) -> tuple[pa.Table, pa.Table, pa.Table]:
    return done.runs.drop_columns(["seconds", "memory"]), done.measures.to_pandas(), done.table("parts")
