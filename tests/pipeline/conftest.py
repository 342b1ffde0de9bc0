"""One Spark session for the whole run: starting a JVM costs more than most of these tests."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import hunet
from hunet.pipeline.plan import FACTS, PLANS, run
from hunet.pipeline.read import Source
from hunet.pipeline.session import SparkSettings, open_session
from hunet.pipeline.work import ImportSettings, Notes, Work

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Contact = tuple[int, int, float, float]


def environment_with_tests() -> dict[str, str]:
    """The environment for a Spark whose workers can import hunet, as it is here, and what tests define."""
    paths = (str(Path(hunet.__file__).parents[1]), str(Path(__file__).parents[2]))
    return dict(os.environ, PYTHONPATH=os.pathsep.join(paths))


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", environment_with_tests()["PYTHONPATH"])
        session = open_session(SparkSettings(master="local[2]"))
    yield session
    session.stop()


def random_rows(seed: int, nodes: int = 6, rows: int = 120) -> list[Contact]:
    """Directed rows with overlaps, touches, repetitions and zero lengths; a coarse grid makes all of these occur."""
    draw = random.Random(seed)
    made: list[Contact] = []
    for _ in range(rows):
        a, b = draw.sample(range(nodes), 2)
        start = float(draw.randrange(0, 20_000, 50))
        made.append((a, b, start, start + draw.choice([0.0, 50.0, 100.0, 700.0])))
        if draw.random() < 0.1:
            made.append(made[draw.randrange(len(made))])
    return made


def import_without_facts(spark: SparkSession, source: Source, settings: ImportSettings, folder: Path) -> Notes:
    """The plan of an import up to contacts and nodes, which lie in `folder` then; half the time of a whole import."""
    work = Work(spark, settings, source, Notes())
    plan = PLANS[source.format.yields]
    run(plan[: len(plan) - len(FACTS)], work, folder, lambda _title, _number, _total: None)
    return work.notes
