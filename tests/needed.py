"""What a machine must have for some tests: a user may lack it, CI may not."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_or_fail(reason: str) -> NoReturn:
    """Skip a test on a user's machine; on CI, where everything is installed, fail it."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"on CI nothing may be missing: {reason}")
    pytest.skip(reason)
