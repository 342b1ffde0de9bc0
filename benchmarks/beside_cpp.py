"""B-SUB beside the same written by hand in C++ (`bsub.cpp`), compiled here for this processor, on the same contacts.

Both must forward, deliver and drop the same number of messages. hunet adds up the bytes of digests as well, which the
program by hand does not.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.measure import Row, compare
from hunet.protocols.bsub13 import BSUB13
from hunet.protocols.protocol import World
from hunet.sim.engine.run import Conditions
from hunet.sim.engine.run import run as simulate
from hunet.sim.engine.scene import Scene

__all__ = ["beside_cpp"]

NANO = 1e9
MOST_TIMES, BEFORE = 1.25, 1.2
"""Of the time by hand."""


def beside_cpp(what: str, of: Scene, tags: list[str], ttl: float, room: int, repeats: int) -> list[Row]:
    """One row; none where there is no compiler of C++."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        return []
    settings, conditions = BSUB13.settings(), Conditions("start", buffer=room)
    outcomes = [simulate(BSUB13, settings, of, tags, conditions) for _ in range(repeats)]
    ours = min(outcome.cpu_seconds for outcome in outcomes) / of.a.size
    with tempfile.TemporaryDirectory() as folder:
        program, data = Path(folder) / "bsub", Path(folder) / "data"
        source = Path(__file__).with_name("bsub.cpp")
        subprocess.run([compiler, "-O3", "-march=native", "-std=c++17", "-o", program, source], check=True)
        table = BSUB13.prepare(settings, World(of.wants.shape[0], tags, 1)).table
        _write(data, of, table.astype(np.uint8), ttl, room, repeats)
        printed = subprocess.run([program, data], check=True, capture_output=True, text=True).stdout.split()
    theirs, *counts = map(float, printed)
    found = outcomes[0].forwards, len(outcomes[0].deliveries), int(outcomes[0].dropped.sum())
    if list(found) != counts:
        raise RuntimeError(f"hunet and C++ do not agree on forwards, deliveries, drops: {found} and {counts}")
    before = BEFORE * theirs * NANO
    return [compare(f"bsub13, {what}", "ns/contact", ours * NANO, "C++ by hand", theirs * NANO, 1 / MOST_TIMES, before)]


def _write(path: Path, of: Scene, table: npt.NDArray[np.uint8], ttl: float, room: int, repeats: int) -> None:
    nodes, tags = of.wants.shape
    with path.open("wb") as file:
        file.write(np.array([nodes, of.a.size, of.created.size, tags, room, repeats], np.int64).tobytes())
        file.write(np.array([ttl]).tobytes())
        for column in (of.a, of.b, of.start, of.created, of.source, of.tag, of.wants, table):
            file.write(np.ascontiguousarray(column).tobytes())
