"""Compiled loops are found again by the next process, and never where anything they are made of has changed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hunet
from hunet.kernels import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="without numba nothing is compiled")

STEP = """
from hunet.kernels import leaf

@leaf
def step(x):
    return x + 1
"""

PROBE = """
import sys
import numpy as np
from hunet.kernels import loop
from hunet.step import step

def make(twice, function=step):
    @loop
    def run(out):
        out[0] = function(out[0])
        if twice:
            out[0] = function(out[0])
    return run

def tell(run):
    out = np.zeros(1, np.int64)
    run(out)
    print(out[0], sum(run.stats.cache_hits.values()))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package named hunet that has kernels and little else."""
    folder = tmp_path / "hunet"
    folder.mkdir()
    for name in ("kernels.py", "kernel_cache.py", "private_folder.py", "atomic.py"):
        (folder / name).write_text((Path(hunet.__file__).parent / name).read_text())
    (folder / "__init__.py").write_text("")
    (folder / "step.py").write_text(STEP)
    (folder / "probe.py").write_text(PROBE)
    return folder


def tell(package: Path, code: str, cache: Path | None = None) -> list[list[int]]:
    """[result, times it was found on disk] of each loop, in a process of its own."""
    environment = os.environ | {
        "PYTHONPATH": str(package.parent),
        "XDG_CACHE_HOME": str(cache or package.parent / "cache"),
        "HOME": str(package.parent),
    }
    command = [sys.executable, "-c", f"from hunet.probe import *\n{code}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [[int(number) for number in line.split()] for line in done.stdout.splitlines()]


def entries(package: Path) -> list[Path]:
    return [path for path in package.parent.rglob("kernels/*/*") if path.is_file()]


def test_the_next_process_finds_what_was_compiled(package: Path) -> None:
    assert tell(package, "tell(make(False))") == [[1, 0]]
    assert len(entries(package)) == 1
    assert tell(package, "tell(make(False))") == [[1, 1]]
    assert len(entries(package)) == 1


def test_loops_of_one_factory_are_told_apart(package: Path) -> None:
    # Compiled in two processes, so that numba counts both from the same number, and loaded into a third.
    assert tell(package, "tell(make(False))") == [[1, 0]]
    assert tell(package, "tell(make(True))") == [[2, 0]]
    assert tell(package, "tell(make(False)), tell(make(True))") == [[1, 1], [2, 1]]


def test_a_change_in_another_file_is_noticed(package: Path) -> None:
    assert tell(package, "tell(make(False))") == [[1, 0]]
    (package / "step.py").write_text(STEP.replace("x + 1", "x + 5"))
    assert tell(package, "tell(make(False))") == [[5, 0]]
    (package / "step.py").write_text(STEP)
    assert tell(package, "tell(make(False))") == [[1, 1]]


def test_what_is_made_of_functions_from_elsewhere_is_not_kept(package: Path) -> None:
    code = "from hunet.kernels import leaf\n@leaf\ndef own(x):\n    return x + 7\ntell(make(False, own))"
    assert tell(package, code) == [[7, 0]]
    assert tell(package, code) == [[7, 0]]
    assert not entries(package)


def test_a_damaged_entry_is_compiled_anew(package: Path) -> None:
    tell(package, "tell(make(False))")
    (entry,) = entries(package)
    whole = entry.read_bytes()
    for damaged in (b"", whole[:100], whole[:-1] + bytes([whole[-1] ^ 1])):
        entry.write_bytes(damaged)
        assert tell(package, "tell(make(False))") == [[1, 0]]
    assert tell(package, "tell(make(False))") == [[1, 1]]


def test_a_place_that_cannot_be_written_to_does_no_harm(package: Path) -> None:
    blocked = package.parent / "blocked"
    blocked.write_text("a file where a folder would have to be")
    assert tell(package, "tell(make(False))", blocked) == [[1, 0]]


@pytest.mark.parametrize("place", ["hunet", "hunet/kernels", "entry's folder", "entry"])
def test_what_others_may_have_written_is_not_loaded(package: Path, place: str) -> None:
    tell(package, "tell(make(False))")
    (entry,) = entries(package)
    cache = package.parent / "cache"
    path = {"entry": entry, "entry's folder": entry.parent}.get(place, cache / place)
    assert path.stat().st_mode & 0o077 == 0
    path.chmod(0o777)
    assert tell(package, "tell(make(False))") == [[1, 0]]
    path.chmod(0o700)
    assert tell(package, "tell(make(False))") == [[1, 1]]


def test_entries_of_sources_long_gone_are_removed(package: Path) -> None:
    old = package.parent / "cache" / "hunet" / "kernels" / "old"
    old.mkdir(parents=True)
    os.utime(old, (0, 0))
    tell(package, "tell(make(False))")
    assert not old.exists()
    assert len(entries(package)) == 1
