"""Tests that take minutes where numba compiles the event loop for many protocols and contact models.

`make test` runs them without numba, in one process (`test_interpreted.py`); `make test-all` runs them compiled as well.
"""

from __future__ import annotations

import os

import pytest

from hunet.kernels import COMPILED

ALL = bool(os.environ.get("HUNET_SLOW"))

slow = pytest.mark.skipif(COMPILED and not ALL, reason="compiles for minutes: make test-all")
