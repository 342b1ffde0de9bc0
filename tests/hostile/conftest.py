"""The small world of every test here. No case may start a Java machine: what gets as far was wrongly accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.main import get_command

from hunet.cli import main
from hunet.pipeline import importing, session
from tests.hostile.harness import Tally
from tests.hostile.scene import Scene

COMMAND = get_command(main.app)
"""Built once: that takes longer than most cases."""


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    made = Scene(tmp_path)
    monkeypatch.setenv("HUNET_HOME", str(made.home))
    monkeypatch.chdir(made.files)
    monkeypatch.setattr(main, "app", COMMAND)
    for module in (session, importing):
        monkeypatch.setattr(module, "spark_session" if module is importing else "open_session", _no_java)
    return made


@pytest.fixture(scope="session")
def tally() -> Tally:
    """How many cases there were so far, and what they took."""
    return Tally()


def _no_java(*_arguments: object) -> None:
    raise AssertionError("a bad input reached Spark")
