"""Places that are odd but right, and disks and clocks that fail: blanks and scripts, full, read-only, two at once."""

from __future__ import annotations

import itertools
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import hunet as hn
from hunet.traces.locking import exclusive
from hunet.traces.store import TraceStore
from tests.hostile.harness import run
from tests.hostile.scene import Scene
from tests.spark import environment_with_tests

ODD_NAMES = ("my traces, données 漢字", "100% sure #1 it's", '[b]"مرحبا"[b]', "a;b&c|d 🦊")
GENERATE: tuple[str, ...] = (
    "trace", "generate", "conference", "--nodes", "9", "--days", "1", "--contacts-per-day", "40",
    "--acquaintances", "4",
)  # fmt: skip


@pytest.mark.parametrize("name", ODD_NAMES)
def test_folders_may_be_called_as_people_like(scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    home, out = scene.folder / name / "home", scene.folder / name / "out put"
    monkeypatch.setenv("HUNET_HOME", str(home))
    out.mkdir(parents=True)
    file = scene.folder / name / f"{name}.csv"
    file.write_text("a,b,start,end\nann,bob,0,100\nbob,cat,200,300\n")
    for command in (
        (*GENERATE, "--name", "t"),
        ("trace", "describe", "t", "--no-plots"),
        ("trace", "export", "t", str(out / f"{name}.csv")),
        ("trace", "look", str(file)),
        ("trace", "communities", "t", "--out", str(out / "groups")),
        ("study", "new", str(out / f"{name}.toml")),
        ("study", "check", str(out / f"{name}.toml")),
    ):
        answer = run(command)
        assert answer.code == 0, (command, answer.err)
    assert hn.read(out / f"{name}.csv").contacts.num_rows == hn.load("t").contacts.num_rows


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 300 KB."""
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(place)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("only a user who may mount a disk can fill one")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_a_full_disk_ends_a_command_with_one_line_and_keeps_what_was_there(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUNET_HOME", str(disk))
    assert run((*GENERATE, "--name", "t")).code == 0
    before = hn.load("t").contacts
    large = ("trace", "generate", "conference", "--nodes", "60", "--days", "3", "--name")
    for name in ("t", "u"):
        answer = run((*large, name))
        assert answer.code == 1
        assert answer.err.startswith("hunet: ")
        assert "the disk is full: make room and run the same command again" in answer.err
        assert answer.err.count("\n") == 1
    assert hn.load("t").contacts.equals(before)
    assert [manifest.name for manifest in TraceStore(disk).list()] == ["t"]
    assert run(("trace", "remove", "t", "--yes")).code == 0
    assert run((*GENERATE, "--name", "t")).code == 0, "there is room again"


def test_a_store_that_cannot_be_written_can_be_read(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUNET_HOME", str(disk))
    assert run((*GENERATE, "--name", "t")).code == 0
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    for reading in (("trace", "list"), ("trace", "describe", "t"), ("trace", "describe", "t", "--json")):
        assert run(reading).code == 0
    for command in ((*GENERATE, "--name", "t"), (*GENERATE, "--name", "u"), ("trace", "remove", "t", "--yes")):
        answer = run(command)
        assert answer.code == 1
        assert answer.err.count("\n") == 1
        assert str(disk) in answer.err
        assert "cannot be written" in answer.err
    assert hn.load("t").contacts.num_rows > 0


def test_a_file_that_may_not_grow_is_one_line_too(tmp_path: Path) -> None:
    """Where nobody may mount a disk, a limit on the size of files is as good."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    done = subprocess.run(
        [sys.executable, "-m", "hunet.cli", *GENERATE, "--contacts-per-day", "900", "--name", "t"],
        env=environment_with_tests() | {"HUNET_HOME": str(tmp_path), "NUMBA_DISABLE_JIT": "1"},
        preexec_fn=limited,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("hunet: ")
    assert done.stderr.count("\n") == 1
    assert "mistake in hunet" not in done.stderr
    assert not list((tmp_path / "traces").glob("*"))


def test_two_writers_at_once_make_one_whole_trace(tmp_path: Path) -> None:
    environment = environment_with_tests() | {"HUNET_HOME": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    writers = [
        subprocess.Popen(
            [sys.executable, "-m", "hunet.cli", *GENERATE, "--seed", str(seed), "--name", "t"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in range(2)
    ]
    ends = [(writer.communicate(timeout=120)[1], writer.returncode) for writer in writers]
    assert [code for _, code in ends].count(0) >= 1
    for said, code in ends:
        assert (code, said.count("\n")) == (0, 0) or "is being written by another command" in said
    trace = TraceStore(tmp_path).open("t")
    assert trace.contacts().num_rows == trace.manifest.counts["contacts"]


@pytest.mark.parametrize(
    "command", [(*GENERATE, "--name", "tiny"), ("trace", "remove", "tiny", "--yes"), ("trace", "import", "x.csv")]
)
def test_a_second_writer_is_refused_while_the_first_is_at_work(scene: Scene, command: tuple[str, ...]) -> None:
    Path("x.csv").write_text("a,b,start,end\nann,bob,0,100\nbob,cat,200,300\n")
    words = (*command, "--name", "tiny") if "import" in command else command
    with exclusive(scene.home / "traces" / "tiny" / ".lock", "taken"):
        answer = run(words)
    assert answer.code == 1
    assert answer.err.splitlines()[-1] == (
        "hunet: trace 'tiny' is being written by another command: wait until it is done"
    )


def test_a_clock_that_jumps_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def result() -> list[object]:
        trace = hn.generate("conference", nodes=8, days=1, contacts_per_day=20).save("clock")
        found = hn.sweep(hn.load("clock"), "push", ttl=["1h", "2h"], seeds=2, runner=hn.Runner.local(1))
        return [trace.about.content_hash, found["delivered"].tolist(), found["error"].isna().all()]

    monkeypatch.setenv("HUNET_HOME", str(tmp_path / "steady"))
    steady = result()
    day, now = 86_400.0, time.time()
    jumps = itertools.cycle((now + 9000 * day, now - 9000 * day, 0.0, now))
    monkeypatch.setattr(time, "time", lambda: next(jumps))
    monkeypatch.setenv("HUNET_HOME", str(tmp_path / "jumping"))
    assert result() == steady
    for path in (tmp_path / "jumping").rglob("*"):
        os.utime(path, (4e9, 4e9))
    assert hn.load("clock").about.content_hash == steady[0]
