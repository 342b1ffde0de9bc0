"""Runs the tests marked `interpreted_only` in a process without numba."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hunet.kernels import COMPILED

ROOT = Path(__file__).parents[1]
FILES = ["tests/twin", "tests/protocols", "tests/conformance/test_digests.py"]


@pytest.mark.skipif(not COMPILED, reason="this is that process")
def test_the_tests_that_call_protocols_from_python_pass_without_numba() -> None:
    path = os.pathsep.join([str(ROOT), str(Path(sys.modules["hunet"].__file__ or "").parents[1])])
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", *FILES],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
    assert "skipped" not in result.stdout
