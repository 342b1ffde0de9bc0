"""The command `hunet` as a script sees it: output, exit codes, and nothing heavy before it is needed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import hunet


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "hunet.cli", *arguments], capture_output=True, text=True, check=False)


def test_the_version_is_printed() -> None:
    assert run("--version").stdout == f"hunet {hunet.__version__}\n"


def test_help_names_every_command() -> None:
    answer = run("--help")
    assert answer.returncode == 0
    assert "filter" in answer.stdout
    assert "--version" in answer.stdout


def test_help_loads_nothing_heavy() -> None:
    """Half a second is promised for --help; what would break that is loading one of these."""
    code = "import sys, hunet.cli.main; print([m for m in sys.argv[1:] if m in sys.modules])"
    heavy = ["numpy", "numba", "pyarrow", "pandas", "pyspark", "matplotlib"]
    answer = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"


def test_the_size_calculator_speaks_json() -> None:
    answer = json.loads(run("filter", "size", "--keys", "38", "--json").stdout)
    assert answer["false_positive_rate"] == pytest.approx(0.0402, abs=5e-5)
    sizes = {row["encoding"]: row["bytes"] for row in answer["sizes"]}
    assert sizes["E0"] == 33


def test_a_job_that_cannot_be_done_is_one_line_and_exit_code_1() -> None:
    answer = run("filter", "size", "--keys", "-3")
    assert answer.returncode == 1
    assert answer.stdout == ""
    assert answer.stderr == "hunet: n must lie in 0..inf, got -3\n"


def test_how_it_came_to_an_error_is_told_to_who_asks() -> None:
    answer = run("--debug", "filter", "size", "--keys", "-3")
    assert answer.returncode == 1
    assert answer.stderr.startswith("Traceback (most recent call last):\n")
    assert answer.stderr.endswith("\nhunet: n must lie in 0..inf, got -3\n")


def test_a_wrong_command_line_is_exit_code_2() -> None:
    assert run("filter", "size").returncode == 2
    assert run("filter", "size", "--keys", "many").returncode == 2
    assert run("nonsense").returncode == 2


def test_the_tour_fills_every_filter_and_writes_the_pictures(tmp_path: Path) -> None:
    answer = run("filter", "tour", "--out", str(tmp_path), "--json")
    assert answer.returncode == 0, answer.stderr
    told = json.loads(answer.stdout)
    assert len(told["filters"]) == 8
    for row in told["filters"]:
        assert row["bytes"] > 0
        # Twenty thousand absent keys: five standard errors of a rate of 4 % are 0.7 points.
        assert row["false_positives_measured"] == pytest.approx(row["false_positives_expected"], abs=0.007)
    for picture in told["pictures"]:
        assert Path(picture).read_bytes().startswith(b"\x89PNG")
    assert len(told["pictures"]) == 3
