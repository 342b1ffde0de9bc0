"""Ctrl-C of `hunet trace follow`: a look comes to its end, what was read is kept, and the same command goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hunet.cli.follow import _CtrlC
from hunet.pipeline import following
from hunet.traces.store import TraceStore
from tests.cli.test_node import run
from tests.traces.test_align import write_logs


class Looking:
    """Logs in which nothing is new; Ctrl-C is pressed while they are looked at."""

    def __init__(self) -> None:
        self.ended = 0

    def look(self) -> following.Taken:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)  # whatever Ctrl-C would break off
        self.ended += 1
        return following.Taken(None, 0)


def test_ctrl_c_lets_a_look_come_to_its_end_and_says_that_the_same_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking, before = Looking(), signal.getsignal(signal.SIGINT)

    @contextmanager
    def fake(*_about: Any) -> Iterator[Looking]:
        yield looking

    monkeypatch.setattr(following, "following", fake)
    monkeypatch.setenv("HUNET_HOME", str(tmp_path / "home"))
    (tmp_path / "logs").mkdir()
    answer = run("follow", str(tmp_path / "logs"), "--name", "live", first="trace")
    assert answer.code == 130
    assert "stopped: what was read is kept; the same command goes on with live" in answer.stderr
    assert "Traceback" not in answer.stderr
    assert looking.ended == 1
    assert signal.getsignal(signal.SIGINT) is before


def test_between_two_looks_it_ends_at_once() -> None:
    def wait() -> None:
        with _CtrlC():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        wait()
    assert time.monotonic() - began < 5


def test_pressed_twice_it_does_not_wait_for_the_look() -> None:
    script = (
        "import os, signal, time\n"
        "from hunet.cli.follow import _CtrlC\n"
        "with _CtrlC() as ctrl_c, ctrl_c.held():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print('still looking', flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print('never said')\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (130, "still looking\n")


@pytest.mark.slow
def test_a_command_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    """A Spark of its own, which Ctrl-C reaches too: a terminal sends it to all processes of the command."""
    logs, home = tmp_path / "logs", tmp_path / "home"
    logs.mkdir()
    write_logs(logs, 4, 60)
    command = [sys.executable, "-m", "hunet.cli", "trace", "follow", str(logs), "--name", "live", "--every", "600"]
    about: dict[str, Any] = {"env": {**os.environ, "HUNET_HOME": str(home)}, "text": True, "start_new_session": True}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **about) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        assert "live, version 1" in first
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(60) == 130
        said = process.stderr.read()
        assert "stopped: what was read is kept" in said
        assert "Traceback" not in said
    before = TraceStore(home).open("live").contacts()
    again = subprocess.run([*command, "--once"], capture_output=True, check=False, **about)
    assert again.returncode == 0, again.stderr
    assert "0 new lines" in again.stdout
    assert TraceStore(home).open("live").contacts().equals(before)
