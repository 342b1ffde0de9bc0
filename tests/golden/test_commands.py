"""A small study and a quick reproduction of all papers write the tables, and find the verdicts, that were recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import reproduction, study
from tests.golden.canonical import read
from tests.golden.reproduction import Reproduced

pytestmark = pytest.mark.slow


def test_a_study_on_a_stored_trace_writes_the_recorded_tables(tmp_path: Path) -> None:
    assert study.record(tmp_path) == read("study.json")


def test_a_quick_reproduction_finds_the_recorded_verdicts_and_writes_the_recorded_tables(
    reproduced: Reproduced,
) -> None:
    assert reproduction.summary(reproduced) == read("quick_reproduction.json")
