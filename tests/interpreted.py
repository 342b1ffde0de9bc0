"""Tests that call protocols from Python: compiling each small function for that would take minutes."""

from __future__ import annotations

import pytest

from hunet.kernels import COMPILED

interpreted_only = pytest.mark.skipif(COMPILED, reason="runs in a process without numba, see test_interpreted.py")
