"""An import and a sweep through a Spark Connect server, whose client is killed in the middle."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from hunet.sweeps.runner import Runner
from tests.pipeline.clients import RUNS, assert_imported, assert_same, importer, sweeper, wait_for_runs
from tests.pipeline.daemons import processes
from tests.pipeline.test_import import write_table


def test_an_import_through_connect_gives_the_same_trace(server: str, tmp_path: Path) -> None:
    path = write_table(tmp_path / "t.csv", seed=9)
    job = importer(path, tmp_path / "connect", "remote", server)
    printed, _ = job.communicate(timeout=180)
    assert job.returncode == 0, printed
    assert_imported(tmp_path / "connect", path)


@pytest.mark.slow
def test_a_killed_client_of_connect_started_again_gives_the_same_tables(server: str, tmp_path: Path) -> None:
    here = Runner.local(2).sweep(RUNS, tmp_path / "here")
    out = tmp_path / "connect"
    with processes() as started:
        first = sweeper("remote", server, out)
        started.append(first)
        wait_for_runs(first, out, 3)
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        again = sweeper("remote", server, out)
        started.append(again)
        output, _ = again.communicate(timeout=180)
        assert again.returncode == 0, output
    assert_same(here, Runner.local(2).sweep(RUNS, out))
