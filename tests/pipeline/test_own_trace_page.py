"""The commands of `docs/your-own-trace.md`, as they stand there, print what they print there.

Simulations run uncompiled, which is quicker for so few contacts. What needs Spark shares the session of the tests.
"""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from hunet.cli.main import app
from tests.spark import environment_with_tests

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "your-own-trace.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"```console\n\$ (.*?)\n(.*?)```", PAGE, re.DOTALL)
"""Commands, and what follows them: `...` stands for what is left out or differs from machine to machine."""


@pytest.mark.slow
def test_every_command_prints_what_the_page_shows(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("hunet.pipeline.importing", "hunet.sweeps.on_spark"):
        monkeypatch.setattr(f"{module}.spark_session", lambda _settings: nullcontext(spark))
    monkeypatch.setattr("hunet.pipeline.importing.end_java", lambda: None)
    monkeypatch.setitem(spark.sparkContext.environment, "NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("HUNET_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    check = doctest.OutputChecker().check_output
    for command, expected in SHOWN:
        monkeypatch.setattr(sys, "argv", shlex.split(command))
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
    program, *words = shlex.split(command)
    if program == "hunet" and words[0] not in ("simulate", "compare"):
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, result.output
        return result.output
    start = [sys.executable, "-m", "hunet.cli"] if program == "hunet" else [program]
    done = subprocess.run(
        [*start, *words],
        env=environment_with_tests() | {"NUMBA_DISABLE_JIT": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
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
