"""Sweeps in plain processes: which are kept, and that none stays when the sweep is gone."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hunet.model.errors import InvalidValueError
from hunet.sweeps.experiment import Run
from hunet.sweeps.folder import SweepFolder
from hunet.sweeps.runner import Runner
from tests.pipeline.clients import RUNS, sweeper, wait_for_runs
from tests.pipeline.daemons import processes
from tests.sweeps.cheap import MISBEHAVE, additions

linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")


def children_of(parent: int) -> set[int]:
    """Living processes whose parent this is."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, _, rest = stat.read_text().rpartition(")")
        except OSError:
            continue  # it ended meanwhile
        state, above = rest.split()[:2]
        if int(above) == parent and state != "Z":
            found.add(int(stat.parent.name))
    return found


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@linux
def test_processes_are_kept_for_the_next_sweep_if_asked_for_and_end_with_the_block(tmp_path: Path) -> None:
    before = children_of(os.getpid())
    runner = Runner.local(2)
    runner.sweep(additions(4, 0.1), tmp_path / "one")
    assert children_of(os.getpid()) == before
    with runner.kept():
        runner.sweep(additions(4, 0.1), tmp_path / "two")
        kept = children_of(os.getpid()) - before
        with runner.kept():
            runner.sweep(additions(6, 0.1), tmp_path / "two")
        assert kept
        assert kept <= children_of(os.getpid())
    assert children_of(os.getpid()) == before


@linux
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_whatever_ends_a_sweep_nothing_of_it_goes_on(tmp_path: Path, how: signal.Signals) -> None:
    with processes() as started:
        job = sweeper("local", "2", tmp_path)
        started.append(job)
        wait_for_runs(job, tmp_path, 3)
        workers = children_of(job.pid)
        assert len(workers) == 2
        os.kill(job.pid, how)
        printed, _ = job.communicate(timeout=20)
        assert job.returncode != 0
        assert ("KeyboardInterrupt" in printed) == (how == signal.SIGINT)
        wait_until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
    well, failed = SweepFolder(tmp_path).published()
    assert 3 <= len(well) < len(RUNS)
    assert not failed  # a run that was cut off is missing, it did not fail
    assert Runner.local(2).sweep(RUNS, tmp_path).runs.column("error").null_count == len(RUNS) - 1


def test_a_task_that_cannot_go_on_stops_the_others_at_once(tmp_path: Path) -> None:
    (tmp_path / "done").mkdir()
    for shelf in range(256):
        (tmp_path / "done" / f"{shelf:02x}").touch()  # a file where a folder should be
    began = time.monotonic()
    with pytest.raises(Exception, match="cannot publish in"):
        Runner.local(2).sweep([Run(MISBEHAVE, {"how": "sleep"}, 1), *additions(2)], tmp_path)
    assert time.monotonic() - began < 60  # the one that sleeps would take an hour


def test_no_processes_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="0 processes can do nothing"):
        Runner.local(0)
