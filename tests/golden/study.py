"""The tables of a small study on a stored trace, from the commands that generate, store and run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.golden.canonical import FOLDER
from tests.golden.commands import run, tables

PEOPLE = ("--nodes", "20", "--days", "2", "--contacts-per-day", "80", "--acquaintances", "15", "--seed", "3")


def record(home: Path) -> dict[str, Any]:
    """Everything, as it is today; `home` is an empty folder."""
    run(home, "trace", "generate", "conference", *PEOPLE, "--name", "golden")
    run(home, "study", "run", FOLDER / "study.toml", "--master", "local[2]", "--out", home / "study")
    return tables(home / "study")
