"""What tests of the pipeline share: a Connect server, random contacts, and an import that stops half way."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hunet.pipeline import read
from hunet.pipeline.plan import FACTS, PLANS, run
from hunet.pipeline.read import Source
from hunet.pipeline.work import ImportSettings, Learnt, Work
from hunet.traces.whole import told_of_nodes
from tests.spark import connect_address

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Contact = tuple[int, int, float, float]


@pytest.fixture(scope="session")
def server(spark: SparkSession) -> str:
    """The address of a Connect server."""
    return connect_address(spark)


@pytest.fixture(autouse=True)
def nothing_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of tests are small, and these are tests of the plan for large ones."""
    monkeypatch.setattr(read, "SMALL_BYTES", 0)


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


def import_without_facts(spark: SparkSession, source: Source, settings: ImportSettings, folder: Path) -> Learnt:
    """The plan of an import up to contacts and nodes, which lie in `folder` then; half the time of a whole import."""
    work = Work(spark, settings, source, Learnt(), told_of_nodes(settings.metadata))
    plan = PLANS[source.format.yields]
    run(plan[: len(plan) - len(FACTS)], work, folder, lambda _title, _number, _total: None)
    return work.learnt
