"""What tests of every room share: how thorough hypothesis is, and where the real traces are.

Hypothesis always draws the same examples, so that a run can be repeated. The profile `short` is for the run that
measures coverage without compilation.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

for _name, _examples in (("usual", 100), ("short", 50)):
    settings.register_profile(
        _name,
        max_examples=_examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))


_DAEMONS = ("test_cluster.py", "test_connect.py", "test_java.py", "test_study_run.py")
"""Tests that start a Spark of their own."""


def _lot(file: str) -> str:
    """Tests of one file stay together, and so do those that share Spark, or a cluster, to start it once."""
    folder, _, name = file.rpartition("/")
    if folder != "tests/pipeline":
        return file
    return "daemons" if name in _DAEMONS else "spark"


class Lots(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Which tests stay together where they run in several processes."""

    def _split_scope(self, nodeid: str) -> str:
        return _lot(nodeid.partition("::")[0])


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Lots:
    return Lots(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first, so that no process waits for it at the end."""
    first = ("daemons", "spark", "tests/test_interpreted.py")
    lots = {item: _lot(item.nodeid.partition("::")[0]) for item in items}
    items.sort(key=lambda item: first.index(lots[item]) if lots[item] in first else len(first))


@pytest.fixture(scope="session")
def real_traces() -> Path:
    """The folder of real traces: $HUNET_TRACES, or ../shared/traces beside the repository. They are never shipped."""
    beside = Path(__file__).parents[2] / "shared" / "traces"
    folder = Path(os.environ.get("HUNET_TRACES", beside))
    if not folder.is_dir():
        pytest.skip("the real traces are under research terms and not part of hunet; set HUNET_TRACES to their folder")
    return folder
