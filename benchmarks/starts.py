"""How long people wait for commands: CPU time of whole processes, beside what the same took before, on another day.

A first run compiles its event loop, with nothing in the cache; a warm one finds it there. The figures beside are of two
quiet cores and hold for that machine: a ratio below 1 elsewhere may be the machine's.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import Row, compare

CORES = 1
BEFORE = "before records went by address"
WARM = {"--help": (0.25, 0.25), "trace list": (1.05, 0.4), "simulate crowd --protocol push": (2.4, 1.2)}
"""Command: seconds before, and the target."""
FIRST = {"push": (7.0, 5.0), "bsub13": (9.0, 7.0), "mops": (20.4, 14.0)}
"""Protocol: seconds before of a first `hunet simulate`, and the target."""
REPEATS = 5


def run() -> list[Row]:
    """All rows of the report."""
    with tempfile.TemporaryDirectory() as folder:
        place = {"HUNET_HOME": f"{folder}/home", "XDG_CACHE_HOME": f"{folder}/cache"}
        _cpu([sys.executable, "-c", "import hunet; hunet.generate('conference').save('crowd')"], place)
        rows = []
        for name, (before, target) in FIRST.items():
            place["XDG_CACHE_HOME"] = str(Path(folder, name))  # nothing is there yet
            seconds = _cpu(_hunet(f"simulate crowd --protocol {name}"), place)
            rows.append(_row(f"first simulation, {name}", seconds, before, target))
        place["XDG_CACHE_HOME"] = str(Path(folder, "push"))
        for words, (before, target) in WARM.items():
            seconds = min(_cpu(_hunet(words), place) for _ in range(REPEATS))
            rows.append(_row(f"hunet {words}, warm", seconds, before, target))
    return rows


def _row(what: str, seconds: float, before: float, target: float) -> Row:
    return compare(f"{what} (target {target:g} s)", "s", seconds, BEFORE, before, target=before / target)


def _hunet(words: str) -> list[str]:
    return [sys.executable, "-m", "hunet.cli", *words.split()]


def _cpu(command: list[str], environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=os.environ | environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
