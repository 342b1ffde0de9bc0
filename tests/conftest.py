"""What tests of every room share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def real_traces() -> Path:
    """The folder of real traces: $HUNET_TRACES, or ../shared/traces beside the repository. They are never shipped."""
    beside = Path(__file__).parents[2] / "shared" / "traces"
    folder = Path(os.environ.get("HUNET_TRACES", beside))
    if not folder.is_dir():
        pytest.skip("the real traces are under research terms and not part of hunet; set HUNET_TRACES to their folder")
    return folder
