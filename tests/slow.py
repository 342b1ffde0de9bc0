"""Tests that take minutes: they start a Spark of their own, or compile the event loop for many protocols.

`make test-all` runs them with the others.
"""

from __future__ import annotations

import os

import pytest

slow = pytest.mark.skipif(not os.environ.get("HUNET_SLOW"), reason="takes minutes: make test-all")
