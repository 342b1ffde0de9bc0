"""Compiled loops are found again by the next process, and never where anything they are made of has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType

import llvmlite.binding
import pytest

import hunet
from hunet.kernel_level import FEATURES, LEVEL, has_level

STEP = """
from hunet.kernels import leaf

LENGTH = 1

@leaf
def step(x):
    return x + LENGTH
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


def make_package(folder: Path) -> Path:
    """A package named hunet that has kernels, a caption and little else."""
    folder = folder / "hunet"
    folder.mkdir()
    ours = Path(hunet.__file__).parent
    for source in (*ours.glob("kernel*.py"), ours / "private_folder.py", ours / "atomic.py"):
        (folder / source.name).write_text(source.read_text())
    (folder / "__init__.py").write_text("")
    (folder / "step.py").write_text(STEP)
    (folder / "caption.py").write_text("CAPTION = 'steps'")
    (folder / "probe.py").write_text(PROBE)
    return folder


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return make_package(tmp_path)


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    package = make_package(tmp_path_factory.mktemp("compiled"))
    assert tell(package, "tell(make(False))") == [[1, 0]]
    assert len(entries(package)) == 1
    return package


@pytest.fixture
def compiled(compiled_once: Path, tmp_path: Path) -> Path:
    """A package beside the cache of a process that compiled `make(False)`."""
    shutil.copytree(compiled_once.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / "hunet"


def tell(
    package: Path, code: str, cache: Path | None = None, settings: Mapping[str, str] = MappingProxyType({})
) -> list[list[int]]:
    """[result, times it was found on disk] of each loop, in a process of its own."""
    environment = os.environ | {
        "PYTHONPATH": str(package.parent),
        "XDG_CACHE_HOME": str(cache or package.parent / "cache"),
        "HOME": str(package.parent),
        "PYTHONDONTWRITEBYTECODE": "1",  # a source changed twice in a second would be taken for the older one
        **settings,
    }
    command = [sys.executable, "-c", f"from hunet.probe import *\n{code}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [[int(number) for number in line.split()] for line in done.stdout.splitlines()]


def entries(package: Path) -> list[Path]:
    return [path for path in package.parent.rglob("kernels/*") if path.is_file()]


def test_the_next_process_finds_what_was_compiled(compiled: Path) -> None:
    assert len(entries(compiled)) == 1
    assert tell(compiled, "tell(make(False))") == [[1, 1]]
    assert len(entries(compiled)) == 1


def test_loops_of_one_factory_are_told_apart(compiled: Path) -> None:
    # Compiled in two processes, so that numba counts both from the same number, and loaded into a third.
    assert tell(compiled, "tell(make(True))") == [[2, 0]]
    assert tell(compiled, "tell(make(False)), tell(make(True))") == [[1, 1], [2, 1]]


def test_a_change_in_another_file_is_noticed(compiled: Path) -> None:
    (compiled / "step.py").write_text(STEP.replace("x + LENGTH", "x + LENGTH + 4"))
    assert tell(compiled, "tell(make(False))") == [[5, 0]]
    (compiled / "step.py").write_text(STEP.replace("LENGTH = 1", "LENGTH = 3"))
    assert tell(compiled, "tell(make(False))") == [[3, 0]]
    (compiled / "step.py").write_text(STEP)
    assert tell(compiled, "tell(make(False))") == [[1, 1]]


def test_a_change_of_what_the_compiler_is_told_is_noticed(compiled: Path) -> None:
    kernels = (compiled / "kernels.py").read_text()
    (compiled / "kernels.py").write_text(kernels.replace('"error_model": "numpy"', '"error_model": "python"'))
    assert tell(compiled, "tell(make(False))") == [[1, 0]]


def test_a_change_of_words_is_none(compiled: Path) -> None:
    (compiled / "__init__.py").write_text("NAME = 'hunet'")
    (compiled / "caption.py").write_text("CAPTION = 'long steps'")
    step = STEP.replace("    return", '    """One step."""\n    # and no more\n    return')
    (compiled / "step.py").write_text(f'"""Steps."""\nfrom hunet.caption import CAPTION\n{step}')
    kernels = (compiled / "kernels.py").read_text()
    (compiled / "kernels.py").write_text(
        kernels.replace('"""How hunet\'s', '# said in one place\n"""How all of hunet\'s')
    )
    assert tell(compiled, "tell(make(False))") == [[1, 1]]


def test_a_kernel_from_elsewhere_is_kept_until_it_changes(package: Path) -> None:
    own = "from hunet.kernels import leaf\n@leaf\ndef own(x):\n    return x + {}"
    for place in (package.parent / "elsewhere.py", None):  # a module, and a script
        for by, found in ((7, 0), (7, 1), (8, 0)):
            code = own.format(by)
            if place is not None:
                place.write_text(code)
                code = "from elsewhere import own"
            assert tell(package, f"{code}\ntell(make(False, own))") == [[by, found]]


def test_what_cannot_be_described_is_not_kept(package: Path) -> None:
    code = "import numba\n@numba.njit\ndef own(x):\n    return x + 7\ntell(make(False, own))"
    assert tell(package, code) == [[7, 0]]
    assert tell(package, code) == [[7, 0]]
    assert not entries(package)


def test_a_damaged_entry_is_compiled_anew(compiled: Path) -> None:
    (entry,) = entries(compiled)
    whole = entry.read_bytes()
    for damaged in (b"", whole[:100], whole[:-1] + bytes([whole[-1] ^ 1])):
        entry.write_bytes(damaged)
        assert tell(compiled, "tell(make(False))") == [[1, 0]]
    assert tell(compiled, "tell(make(False))") == [[1, 1]]


def test_a_place_that_cannot_be_written_to_does_no_harm(package: Path) -> None:
    blocked = package.parent / "blocked"
    blocked.write_text("a file where a folder would have to be")
    assert tell(package, "tell(make(False))", blocked) == [[1, 0]]


@pytest.mark.parametrize("place", ["hunet", "hunet/kernels", "entry"])
def test_what_others_may_have_written_is_not_loaded(compiled: Path, place: str) -> None:
    (entry,) = entries(compiled)
    path = entry if place == "entry" else compiled.parent / "cache" / place
    assert path.stat().st_mode & 0o077 == 0
    path.chmod(0o777)
    assert tell(compiled, "tell(make(False))") == [[1, 0]]
    path.chmod(0o700)
    assert tell(compiled, "tell(make(False))") == [[1, 1]]


AT_LEVEL = {"NUMBA_CPU_NAME": LEVEL, "NUMBA_CPU_FEATURES": ""}


@pytest.mark.skipif(not has_level(), reason=f"this processor has not all of {LEVEL}")
def test_what_came_with_the_package_is_used_if_it_is_as_safe_as_that(compiled: Path) -> None:
    (for_this_processor,) = entries(compiled)
    for_this_processor.unlink()
    assert tell(compiled, "tell(make(False))", settings=AT_LEVEL) == [[1, 0]]
    (entry,) = entries(compiled)
    assert entry.name != for_this_processor.name
    came_with_it = compiled / "kernels"
    came_with_it.mkdir(mode=0o755)
    entry = entry.rename(came_with_it / entry.name)
    blocked = compiled.parent / "blocked"
    blocked.touch()
    assert tell(compiled, "tell(make(False))", blocked) == [[1, 1]]
    for path in (came_with_it, entry):
        mode = path.stat().st_mode
        path.chmod(0o777)
        assert tell(compiled, "tell(make(False))", blocked) == [[1, 0]]
        path.chmod(mode)
    assert tell(compiled, "tell(make(False)), tell(make(True))") == [[1, 1], [2, 0]]
    assert [path.parent.parent.name for path in entries(compiled) if path != entry] == ["hunet"]
    assert list(came_with_it.iterdir()) == [entry], "nothing is written there"


@pytest.mark.parametrize("absent", FEATURES)
def test_a_processor_that_lacks_a_feature_is_not_of_the_level(monkeypatch: pytest.MonkeyPatch, absent: str) -> None:
    features = dict.fromkeys(FEATURES, True)
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", lambda: features)
    assert has_level()
    features[absent] = False
    assert not has_level()


def test_entries_that_nobody_used_for_long_are_removed(compiled: Path) -> None:
    kernels = compiled.parent / "cache" / "hunet" / "kernels"
    (used,) = entries(compiled)
    folder, unused = kernels / "of an older version", kernels / "unused"
    folder.mkdir()
    (folder / "entry").touch()
    unused.touch()
    for path in (folder, unused, used):
        os.utime(path, (0, 0))
    assert tell(compiled, "tell(make(False))") == [[1, 1]]
    assert folder.exists(), "looking takes no time where nothing is written"
    assert tell(compiled, "tell(make(True))") == [[2, 0]]
    assert not folder.exists()
    assert not unused.exists()
    assert used in entries(compiled)
    assert len(entries(compiled)) == 2


def test_of_processes_that_start_at_once_one_compiles(package: Path) -> None:
    code = """
import hunet.kernel_cache as kept
write = kept._write
def say(path, data):
    print("1 1")
    write(path, data)
kept._write = say
tell(make(True))
"""
    with ThreadPoolExecutor(3) as pool:
        told = [line for lines in pool.map(lambda _: tell(package, code), range(3)) for line in lines]
    assert told.count([1, 1]) == 1
    assert len([line for line in told if line[0] == 2]) == 3
    assert len(list((package.parent / "cache").rglob("*.turn"))) == 0
