"""A process that runs may ruin, and how the task that needs it goes on.

Two other ways were considered. Runs inside Spark's own Python worker: a run that exits takes the task with it, and in
local mode the job. A mark before each run, so that a second attempt knows what killed the first: it also blames the
run that happened to be there when a machine was switched off. A child's exit is the fault of its run, and of nothing
else.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, NamedTuple

from hunet.model.errors import InvalidValueError

__all__ = ["USUAL_LIMITS", "Limits", "Reply", "Supervisor"]

_ONE_CORE = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
_LEAST_MEMORY = 500_000_000
"""What a process has that loaded everything and did nothing yet, with room to spare."""


@dataclass(frozen=True)
class Limits:
    """What one run may take: seconds, compilation included, and bytes of memory of its process."""

    seconds: float = 600.0
    memory: int = 4_000_000_000

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise InvalidValueError(f"a limit of {self.seconds:g} seconds per run must be above 0")
        if self.memory < _LEAST_MEMORY:
            least = f"{_LEAST_MEMORY / 1e6:g} MB, without which nothing runs"
            raise InvalidValueError(f"a limit of {self.memory / 1e6:g} MB per run is below {least}")


USUAL_LIMITS = Limits()


class Reply(NamedTuple):
    """What came of a run."""

    seconds: float
    memory: float | None
    error: str | None
    measures: Mapping[str, float]
    tables: tuple[str, ...]
    """Names of those that it wrote into the folder of the sweep."""
    exhausted: bool = False
    """Whether memory ran out: this process is not to be trusted with another run."""
    unwritten: str | None = None
    """Why its tables could not be written, which is no fault of the run."""


class Supervisor:
    """Does runs in a child, and starts another when that one is gone."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._child: subprocess.Popen[bytes] | None = None
        self._replies: SimpleQueue[Reply | None] = SimpleQueue()
        self._words: IO[bytes] = io.BytesIO()

    def do(self, run: str, order: str, folder: Path) -> Reply:
        """Do a run in the folder of a sweep; whatever happens to the child is part of the reply."""
        child = self._child
        if child is None or child.poll() is not None:
            self.stop()
            child = self._start()
        assert child.stdin is not None
        self._words.seek(0)  # the child writes where this file stands: what earlier runs printed goes
        self._words.truncate()
        began = time.perf_counter()
        try:
            child.stdin.write(json.dumps([run, order, str(folder)]).encode() + b"\n")
            child.stdin.flush()
            reply = self._replies.get(timeout=self._limits.seconds)
        except Empty:
            reply = self._failure(
                began, f"took longer than its limit of {self._limits.seconds:g} s, compilation included"
            )
            self.stop()
            return reply
        except BrokenPipeError:
            reply = None
        if reply is None:
            child.wait()
            return self._failure(began, self._last_words(child.returncode))
        if reply.exhausted:
            self.stop()
            limit = f"more than its limit of {self._limits.memory / 1e9:.3g} GB"
            return reply._replace(error=f"out of memory: the process of this run would need {limit}")
        return reply

    def kill(self) -> None:
        """End the child in the middle of a run, from another thread; the run's reply says that it was killed."""
        if (child := self._child) is not None:
            child.kill()

    def stop(self) -> None:
        """End the child."""
        if (child := self._child) is None:
            return
        self._child = None
        child.kill()
        child.wait()
        assert child.stdin is not None
        with suppress(BrokenPipeError):  # of an order that it did not take any more
            child.stdin.close()
        self._words.close()

    def _start(self) -> subprocess.Popen[bytes]:
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
        environment |= dict.fromkeys(_ONE_CORE, "1")  # there is one run for every core
        environment["ARROW_DEFAULT_MEMORY_POOL"] = "system"  # others reserve more than they use, and that counts
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 (as long as the child)
        self._child = subprocess.Popen(
            [sys.executable, "-m", "hunet.sweeps.child", str(self._limits.memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._words,
            env=environment,
            start_new_session=True,  # signals to its parent are not for it: it ends when its parent has
        )
        assert self._child.stdout is not None
        self._replies = SimpleQueue()
        Thread(target=_pass_on, args=(self._child.stdout, self._replies), daemon=True).start()
        return self._child

    def _failure(self, began: float, error: str) -> Reply:
        return Reply(time.perf_counter() - began, None, error, {}, ())

    def _last_words(self, code: int) -> str:
        """Why a child is gone, as far as can be known."""
        self._words.seek(0)
        lines = self._words.read().decode(errors="replace").strip().splitlines()
        said = f"; it said: {lines[-1].strip()}" if lines else ""
        if code >= 0:
            return f"ended its process with exit code {code}{said}"
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        perhaps = " (out of memory, perhaps)" if -code == 9 else ""
        return f"its process was killed by {name}{perhaps}{said}"


def _pass_on(stream: IO[bytes], replies: SimpleQueue[Reply | None]) -> None:
    """Replies as they come, and None when no more can come."""
    with stream:
        try:
            while True:
                replies.put(pickle.load(stream))
        except (EOFError, OSError, pickle.UnpicklingError):
            replies.put(None)
