"""Commands in processes of their own, that can be watched and killed with all they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.spark import environment_with_tests

__all__ = ["Victim"]

_MARK = "HUNET_VICTIM"
"""In the environment of a command and of everything that it starts."""
_PATIENCE = 60.0
"""Seconds for what a command started to notice that it is gone, on a busy machine."""


class Victim:
    """A running `hunet` command."""

    def __init__(self, arguments: Sequence[str], folder: Path) -> None:
        self._mark = f"{_MARK}={uuid.uuid4().hex}"
        name, _, value = self._mark.partition("=")
        environment = environment_with_tests() | {
            name: value,
            "HUNET_HOME": str(folder / "home"),
            "COLUMNS": "200",
        }
        self._said = folder / "said.txt"
        with self._said.open("w") as said:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "hunet.cli", *arguments],
                cwd=folder,
                stdout=said,
                stderr=subprocess.STDOUT,
                env=environment,
                start_new_session=True,
            )

    def wait(self, seconds: float | None = None) -> int | None:
        """The exit code; None if it still runs after so many seconds."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def kill(self, java: bool) -> None:
        """End the command itself, or only the Java machine that it started, if it has; without any warning."""
        machines = [process for process, name in self.alive().items() if name == "java"] if java else []
        for process in machines or [self._process.pid]:
            with suppress(ProcessLookupError):  # it ended by itself meanwhile
                os.kill(process, signal.SIGKILL)

    def said(self) -> str:
        """What it printed so far."""
        return self._said.read_text()

    def alive(self) -> dict[int, str]:
        """The processes that are left of it, by id, with the names of their programs."""
        found = {}
        for place in Path("/proc").glob("[0-9]*"):
            try:
                if self._mark.encode() in (place / "environ").read_bytes().split(b"\0"):
                    found[int(place.name)] = (place / "comm").read_text().strip()
            except OSError:
                continue  # it ended meanwhile, or belongs to somebody else
        return found

    def orphans(self) -> dict[int, str]:
        """What is still there a while after its end; it is ended then, so that no other test suffers."""
        until = time.monotonic() + _PATIENCE
        while (left := self.alive()) and time.monotonic() < until:
            time.sleep(0.2)
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        return left
