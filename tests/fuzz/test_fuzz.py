"""Damaged byte strings through every decoder: 200,000 in `make test` together with those of `tests/filters`."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.fuzz.fuzz import fuzz
from tests.fuzz.spoken_decoders import spoken_decoders

CASES, SOAKED = 145_000, 10_000_000


@pytest.mark.interpreted
def test_what_devices_say_is_read_as_it_was_written_or_refused_in_bounded_memory() -> None:
    decoders = spoken_decoders()
    report = fuzz(decoders, CASES, seed=3)
    assert report.failures == []
    assert report.cases.total() == CASES
    assert all(report.accepted[decoder.name] for decoder in decoders if not decoder.sealed), "the cases are near misses"
    assert len(report.reasons) > 15


@pytest.mark.soak
def test_ten_million_damaged_byte_strings_find_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", f"--cases={SOAKED}", "--seed=4"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "cases in" in done.stdout
