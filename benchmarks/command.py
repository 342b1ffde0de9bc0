"""What a whole command costs: CPU time of all its processes, whoever started them, how long it takes, and its memory.

    python -m benchmarks.command REPORT COMMAND...

does the measuring, in a process that inherits what the command leaves behind (a JVM is nobody's child when it ends).
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import psutil

__all__ = ["Cost", "cost_of", "hunet"]

ROOT = Path(__file__).parent.parent
_LOOK_EVERY = 0.5
_ADOPT_ORPHANS = 36
"""PR_SET_CHILD_SUBREAPER of Linux's prctl."""


class Cost(NamedTuple):
    """CPU seconds, seconds, and the most gigabytes at once; and what the command printed."""

    cpu: float
    seconds: float
    gigabytes: float
    printed: str


def hunet(words: str) -> list[str]:
    """The command of this checkout."""
    return [sys.executable, "-m", "hunet.cli", *words.split()]


def cost_of(command: Sequence[str], environment: dict[str, str]) -> Cost:
    """Run a command and say what it cost; one that fails raises RuntimeError with what it said."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        watcher = [sys.executable, "-m", "benchmarks.command", str(report), *command]
        paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        done = subprocess.run(
            watcher, env=os.environ | {"PYTHONPATH": paths} | environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} failed: {done.stderr[-2000:]}")
        cpu, seconds, gigabytes = json.loads(report.read_text(encoding="utf-8"))
        return Cost(cpu, seconds, gigabytes, done.stdout)


def _watch(report: str, *command: str) -> int:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
    began = time.perf_counter()
    started = subprocess.Popen(command)
    over, most, spent = threading.Event(), [0.0], dict[int, float]()
    looking = threading.Thread(target=_look, args=(over, most, spent))
    looking.start()
    code = started.wait()
    seconds = time.perf_counter() - began
    while True:  # all that it left behind
        try:
            os.wait()
        except ChildProcessError:
            break
    over.set()
    looking.join()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    largest = used.ru_maxrss / 2**20
    # PySpark's daemon lets its workers go unseen: the system adds up only what somebody waited for.
    cpu = max(used.ru_utime + used.ru_stime, sum(spent.values()))
    result = [cpu, seconds, max(most[0], largest)]
    Path(report).write_text(json.dumps(result), encoding="utf-8")
    return code


def _look(over: threading.Event, most: list[float], spent: dict[int, float]) -> None:
    """How much all processes have at once, of what they share each its part; and the CPU seconds of each so far."""
    while not over.wait(_LOOK_EVERY):
        total = 0.0
        for process in psutil.Process().children(recursive=True):
            try:
                total += process.memory_full_info().pss / 2**30
                used = process.cpu_times()
                spent[process.pid] = used.user + used.system
            except (psutil.Error, AttributeError):
                continue
        most[0] = max(most[0], total)


if __name__ == "__main__":
    sys.exit(_watch(*sys.argv[1:]))
