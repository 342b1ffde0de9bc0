"""Tests that take minutes, because they compile the event loop for many protocols and contact models.

`make test-all` runs them with the others.
"""

from __future__ import annotations

import os

import pytest

slow = pytest.mark.skipif(not os.environ.get("HUNET_SLOW"), reason="takes minutes: make test-all")
