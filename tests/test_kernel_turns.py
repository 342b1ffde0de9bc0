"""Who has the turn is waited for; who is gone is not."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hunet import kernel_turns
from hunet.kernel_turns import in_turn

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nobody waits there")

HOLD = """
import sys, time
from pathlib import Path
from hunet.kernel_turns import in_turn
with in_turn(Path(sys.argv[1])):
    print("mine", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has the turn, and keeps it."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "made")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "mine\n"
        yield process
        process.kill()


@pytest.mark.usefixtures("holder")
def test_others_wait_but_not_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_turns, "_LONGEST", 0.3)
    began = time.monotonic()
    with in_turn(tmp_path / "made"):
        assert time.monotonic() - began >= 0.3
    with in_turn(tmp_path / "another"):
        pass


def test_a_process_that_is_killed_has_no_turn(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.wait()
    began = time.monotonic()
    with in_turn(tmp_path / "made"):
        assert time.monotonic() - began < 30
    assert not list(tmp_path.iterdir())


def test_a_failure_gives_the_turn_back(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), in_turn(tmp_path / "made"):
        1 / 0  # noqa: B018
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_written_nobody_waits(tmp_path: Path) -> None:
    with in_turn(tmp_path / "absent" / "made"):
        pass
