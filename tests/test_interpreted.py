"""Runs, in a process without numba, the tests that would compile for minutes or that call protocols from Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hunet.kernels import COMPILED

ROOT = Path(__file__).parents[1]
SIMULATOR = ("naive", "extras", "layouts", "events", "range_workload", "earliest_arrival", "simulate")
JUDGED = "tests/studies/test_judges.py::test_a_judge_says_of_its_claim_what_the_ledger_says"
FILES = [
    *(
        "tests/twin",
        "tests/protocols",
        "tests/conformance",
        "tests/cli/test_simulate.py",
        "tests/test_add_a_protocol.py",
        "tests/golden/test_simulations.py",
        "tests/golden/test_wire.py",
    ),
    *(f"{JUDGED}[{claim}]" for claim in ("MOPS-17", "MOPS-18", "MOPS-21")),
    *(f"tests/sim/test_{name}.py" for name in SIMULATOR),
]
COMPILED_ONLY = "not infocom05 and not without_numba"
"""Real traces take too long here, and what is compared with this process is not repeated in it."""


@pytest.mark.skipif(not COMPILED, reason="this is that process")
def test_what_would_compile_for_minutes_passes_without_numba() -> None:
    path = os.pathsep.join([str(ROOT), str(Path(sys.modules["hunet"].__file__ or "").parents[1])])
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-k", COMPILED_ONLY, *FILES],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
    assert "skipped" not in result.stdout
