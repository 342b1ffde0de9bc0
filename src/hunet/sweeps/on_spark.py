"""Runs on Spark: on this machine, a cluster or a Connect server."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import hunet
from hunet.model.errors import HunetError, SparkError, SweepError
from hunet.pipeline.session import SparkSettings, spark_session
from hunet.sweeps.backend import Do, Ends, Look, watch
from hunet.sweeps.experiment import Run
from hunet.sweeps.folder import SweepFolder
from hunet.sweeps.spark_worker import ANSWER, doing, looking, sources_of
from hunet.sweeps.supervisor import Limits
from hunet.sweeps.task import write_plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["on_spark"]

_PATIENCE = 5.0
_MOST_SLOTS = 100_000
_FRUITLESS = 3
"""So many jobs in a row may fail without a single run that ends."""


@contextmanager
def on_spark(spark: SparkSession | SparkSettings) -> Iterator[Do]:
    """A session of somebody else, or one that ends with the block."""
    with spark_session(spark) as session:
        yield partial(_do, session)


def _do(session: SparkSession, folder: SweepFolder, runs: Mapping[str, Run], limits: Limits, look: Look) -> None:
    """Job after job until all is published; usually one. A job fails where too many of its workers were lost."""
    from hunet.pipeline.schema import spark_schema

    modules = sorted({run.experiment.function.__module__ for run in runs.values()})
    expected = sources_of(modules)
    slots = _check_workers(session, modules, expected)
    answer = spark_schema(ANSWER)
    fruitless = 0
    missing = look()
    while missing:
        left = {name: runs[name] for name in runs if name in missing}
        tasks = write_plan(folder, left, slots)
        frame = session.range(0, tasks, 1, tasks).mapInArrow(doing(str(folder.path), limits, modules, expected), answer)
        failure = _job(session, frame, look)
        if isinstance(failure, HunetError) and not isinstance(failure, SparkError):
            raise failure
        still = look()
        fruitless = 0 if len(still) < len(missing) else fruitless + 1
        if still and fruitless == _FRUITLESS:
            raise SweepError(
                f"{len(still)} of {len(runs)} runs could not be done: {failure}; what is done is kept"
            ) from failure
        missing = still


def _check_workers(session: SparkSession, modules: Sequence[str], expected: str) -> int:
    """Refuse workers with other code before anything runs; hands back how many tasks run at once."""
    from hunet.pipeline.schema import spark_schema
    from hunet.pipeline.write import jobs_of

    # Without a number of parts, Spark makes as many as it has cores: every worker is asked.
    with jobs_of("a look at its workers"), _missing_hunet():
        answers = session.range(_MOST_SLOTS).mapInArrow(looking(modules), spark_schema(ANSWER)).collect()
    others = sorted({answer.worker for answer in answers if answer.code != expected})
    if others:
        raise SweepError(
            f"{others[0]} has other code than this driver (hunet {hunet.__version__} in "
            f"'{Path(hunet.__file__).parent}'): install the same hunet on every worker"
        )
    return len(answers)


@contextmanager
def _missing_hunet() -> Iterator[None]:
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException as failure:
        if "ModuleNotFoundError" not in str(failure):
            raise
        reason = str(failure).partition("ModuleNotFoundError: ")[2].splitlines()[0]
        raise SweepError(f"a worker lacks what this sweep needs ({reason}): install hunet there") from failure


def _job(session: SparkSession, frame: DataFrame, look: Look) -> Exception | None:
    """Run a job, looking around meanwhile; hands back what went wrong. An interruption ends the job as well."""
    from hunet.pipeline.write import jobs_of

    ends = Ends()

    def job() -> None:
        try:
            with jobs_of("the runs of a sweep"):
                frame.collect()
            ends.put(None)
        except Exception as failure:
            ends.put(failure)

    thread = threading.Thread(target=job, daemon=True)
    thread.start()
    try:
        return watch(ends, 1, look)
    except BaseException:
        session.interruptAll()  # tags would do, but those of Classic belong to the thread that set them
        thread.join(_PATIENCE)
        raise
