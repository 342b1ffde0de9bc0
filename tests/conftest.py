"""Which tests run, which stay together in one process, how thorough hypothesis is, and where the real traces are.

There are two runs, one with numba and one without. A test belongs to the first unless it is marked:

* `interpreted`: to the second only. It calls protocols from Python, or needs loops that nothing else does.
* `compiles`: to the second, and in `make test-all` to the first too. It needs loops that nothing else does.
* `slow`: to `make test-all` only; `soak`: to `make soak` only.

Tests of filters belong to both: with numba off coverage sees every line of the filters.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from hunet.kernels import COMPILED
from tests.golden.reproduction import Reproduced, reproduce
from tests.slow import ALL, SOAK
from tests.spark import spark_for_tests
from tests.traces.stand_ins import StandIns, write_stand_ins

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

for _name, _examples in (("compiled", 200 if ALL else 60), ("interpreted", 100 if ALL else 25)):
    settings.register_profile(
        _name,
        max_examples=_examples,
        deadline=None,
        derandomize=True,  # always the same examples, so that a run can be repeated
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("compiled" if COMPILED else "interpreted")


def _runs(item: pytest.Item) -> bool:
    """Whether a test belongs to this run."""
    marks = {mark.name for mark in item.iter_markers()}
    if SOAK or "soak" in marks:
        return SOAK and "soak" in marks and COMPILED
    if "slow" in marks and not ALL:
        return False
    if COMPILED:
        return "interpreted" not in marks and ("compiles" not in marks or ALL)
    return bool(marks & {"interpreted", "compiles"}) or item.nodeid.startswith("tests/filters/")


_FILTERS = Path(__file__).parent / "filters"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Without numba, files that have no test of that run are not even imported, which is most of collecting."""
    if COMPILED or collection_path.suffix != ".py" or _FILTERS in collection_path.parents:
        return None
    text = collection_path.read_text(encoding="utf-8")
    return None if "mark.interpreted" in text or "mark.compiles" in text else True


_SWEEP = "tests/sweeps/test_sweep.py"
# In `make test-all` a second Spark: one process would be busy with those of one long after all others are done.
_SPARK_TOO = (
    *(
        f"tests/pipeline/test_{name}.py"
        for name in ("connect", "following", "loop", "odd_files", "own_trace_page", "small_import", "study_run")
    ),
    _SWEEP,
)
_PAPERS = (
    "tests/golden/test_commands.py",
    *(f"tests/studies/test_{name}_reproduction.py" for name in ("bsub", "mops", "sptbf", "zigzag")),
)
_RECORDED = ("tests/golden/test_simulations.py", "tests/sim/engine/test_event_log.py")
_LOOPS = (
    "tests/conformance/test_battery.py",
    "tests/sim/engine/test_earliest_arrival.py",
    "tests/sim/engine/test_naive.py",
)


def _lot(nodeid: str) -> str:
    """Tests of one file stay together, and so do those that share a Spark, a reproduction, simulations or loops."""
    file = nodeid.partition("::")[0]
    if file == "tests/pipeline/test_cluster.py":
        return "cluster"
    if file in _SPARK_TOO and ALL:
        return "spark too"
    if file.startswith("tests/pipeline/") or file == _SWEEP:
        return "spark"
    if file in _PAPERS:
        return "papers"
    if file in _RECORDED:
        return "recorded"
    if file.startswith("tests/hostile/"):
        return "hostile"
    if file in _LOOPS:
        return "loops" if "start" in nodeid else "loops that last"
    return file


class Lots(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Which tests stay together where they run in several processes."""

    def _split_scope(self, nodeid: str) -> str:
        return _lot(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Lots:
    return Lots(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what does not belong to this run; what takes longest begins first, so that nobody waits at the end."""
    others = [item for item in items if not _runs(item)]
    config.hook.pytest_deselected(items=others)
    first = ("spark", "spark too", "cluster", "loops", "loops that last", "papers")
    kept = [item for item in items if _runs(item)]
    items[:] = sorted(kept, key=lambda item: first.index(_lot(item.nodeid)) if _lot(item.nodeid) in first else 9)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """One Spark session for all tests of a process: starting a JVM costs more than most of them."""
    with spark_for_tests(tmp_path_factory.mktemp("spark")) as session:
        yield session


@pytest.fixture(scope="session")
def reproduced(tmp_path_factory: pytest.TempPathFactory) -> Reproduced:
    """All papers, reproduced quickly on generated traces."""
    return reproduce(tmp_path_factory.mktemp("papers"))


@pytest.fixture(scope="session")
def real_traces() -> Path:
    """The folder of real traces: $HUNET_TRACES, or ../shared/traces beside the repository. They are never shipped."""
    beside = Path(__file__).parents[2] / "shared" / "traces"
    folder = Path(os.environ.get("HUNET_TRACES", beside))
    if not folder.is_dir():
        pytest.skip("the real traces are under research terms and not part of hunet; set HUNET_TRACES to their folder")
    return folder


@pytest.fixture(scope="session")
def stand_ins(tmp_path_factory: pytest.TempPathFactory) -> StandIns:
    """Generated files that stand in for the real ones, and what is in them."""
    return write_stand_ins(tmp_path_factory.mktemp("stand-ins"))


@pytest.fixture(scope="session", params=["real", "generated"])
def trace_files(request: pytest.FixtureRequest) -> Path:
    """A folder with real traces, and then one with those that stand in for them."""
    if request.param == "generated":
        folder: Path = request.getfixturevalue("stand_ins").folder
        return folder
    return request.getfixturevalue("real_traces")  # type: ignore[no-any-return]
