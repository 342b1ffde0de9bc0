"""What nobody can check beforehand, as one line: full disks, memory, a Java machine that died."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from hunet.cli import main as edge
from hunet.cli.failures import INTERNAL, line_of


def test_a_full_disk_is_named_with_the_path_and_what_is_kept() -> None:
    line = line_of(OSError(errno.ENOSPC, "No space left on device", "/disk/x"))
    assert line.startswith("'/disk/x': the disk is full: make room")
    assert line.endswith("(what was stored before is as it was)")


@pytest.mark.parametrize(
    "error", [MemoryError(), RecursionError("deep"), UnicodeEncodeError("utf-8", "\udcff", 0, 1, "x")]
)
def test_what_the_machine_cannot_do_is_one_line(error: BaseException) -> None:
    assert "\n" not in line_of(error)
    assert INTERNAL not in line_of(error)


def test_a_java_machine_that_died_is_told_apart_from_a_mistake() -> None:
    died = type("Py4JNetworkError", (Exception,), {"__module__": "py4j.protocol"})(
        "Answer from Java side is empty\nat x"
    )
    assert line_of(died).startswith("Spark's Java machine stopped in the middle of the work (Answer from Java side")
    assert "\n" not in line_of(died)
    assert line_of(KeyError("x")).startswith(INTERNAL)


@pytest.mark.parametrize(
    ("thrown", "advice"),
    [
        ("java.io.IOException: No space left on device", "the disk is full"),
        ("java.lang.OutOfMemoryError: Java heap space", "--debug says more"),
    ],
)
def test_what_java_threw_is_said_and_not_that_it_stopped(thrown: str, advice: str) -> None:
    kind = type("Py4JJavaError", (Exception,), {"__module__": "py4j.protocol"})
    line = line_of(kind(f"An error occurred while calling o7.collect.\n: {thrown}\n\tat x.Y.z(Y.java:1)\n"))
    assert line.startswith(f"Spark could not go on ({thrown}): ")
    assert advice in line
    assert "\n" not in line


def test_a_disk_that_is_full_ends_a_command_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_arguments: object, **_options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path / "study.toml"))

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(SystemExit) as ended:
        edge.main(["study", "new", str(tmp_path / "study.toml")])
    assert ended.value.code == 1
    said = capsys.readouterr().err
    assert said.startswith(f"hunet: '{tmp_path / 'study.toml'}': the disk is full")
    assert said.count("\n") == 1
