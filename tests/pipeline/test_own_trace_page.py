"""The commands of `docs/your-own-trace.md`, as they stand there, print what they print there.

Those that simulate run uncompiled, which is quicker for so few contacts. The import shares the session of the tests.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from hunet.cli.main import app
from tests.pipeline.conftest import environment_with_tests

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "your-own-trace.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"```console\n\$ (.*?)\n(.*?)```", PAGE, re.DOTALL)
"""Commands, and what follows them: `...` stands for what is left out or differs from machine to machine."""


def test_every_command_prints_what_the_page_shows(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def shared(_settings: object) -> Iterator[SparkSession]:
        yield spark

    monkeypatch.setattr("hunet.pipeline.session.spark_session", shared)
    monkeypatch.setenv("HUNET_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    check = doctest.OutputChecker().check_output
    for command, expected in SHOWN:
        printed = output_of(command)
        assert check(expected, printed, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE), f"{command}\n{printed}"
    settings = tomllib.loads((tmp_path / "out" / "tune-mine-bsub13" / "bsub13.toml").read_text(encoding="utf-8"))
    assert settings["trace"]["name"] == "mine"
    assert settings["judged"]["delivery_of_push"][1] <= settings["judged"]["delivery_of_push"][0]
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "bsub13 tuned for mine" in page
    assert "ERR-14" in page


def output_of(command: str) -> str:
    """What a command prints, on stdout and stderr."""
    words = shlex.split(command)
    if words[:3] == ["hunet", "trace", "import"]:
        result = CliRunner().invoke(app, words[1:])
        assert result.exit_code == 0, result.output
        return result.output
    if words[0] == "hunet":
        words = [sys.executable, "-m", "hunet.cli", *words[1:]]
    environment = os.environ | environment_with_tests() | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_page_on_tuning_has_the_same_commands() -> None:
    block = re.search(r"```sh\n(.*?)```", (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8"), re.DOTALL)
    assert block
    commands = [shlex.split(line, comments=True) for line in block[1].splitlines()]
    tune, simulate, report = ([word for word in words if word != "hunet"] for words in commands)
    run = [shlex.split(command)[1:] for command, _ in SHOWN]
    assert [*tune, "--min-delivery", "0.8"] in run
    assert simulate in run
    assert report == ["report", "out/tune-mine-bsub13"]  # run on the folder above it, which has it as a chapter
