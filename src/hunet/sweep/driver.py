"""`sweep`: runs in, tables out; whatever is published already is not done again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

import hunet
from hunet.model.errors import HunetError, InvalidValueError, SparkError, SweepError
from hunet.pipeline.session import SparkSettings, spark_session
from hunet.sweep.compaction import Sweep, compact
from hunet.sweep.data import Data, store_data
from hunet.sweep.experiment import Run
from hunet.sweep.folder import SweepFolder
from hunet.sweep.grouping import Estimate, group
from hunet.sweep.identity import order_of, run_id
from hunet.sweep.supervisor import USUAL_LIMITS, Limits
from hunet.sweep.task import ANSWER, PLAN, doing, looking, sources_of
from hunet.traces.locking import exclusive

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Progress", "sweep"]

Progress: TypeAlias = Callable[[int, int, int], None]
"""Called with how many runs are done, how many of these failed, and how many there are."""

HERE = SparkSettings()
"""All cores of this machine, unless the user's Spark set-up says otherwise."""

_LOOK_EVERY = 0.25
_PATIENCE = 5.0
_MOST_SLOTS = 100_000
_FRUITLESS = 3
"""So many jobs in a row may fail without a single run that ends."""


def sweep(
    runs: Sequence[Run],
    out: Path,
    spark: SparkSession | SparkSettings = HERE,
    *,
    limits: Limits = USUAL_LIMITS,
    retry_failed: bool = False,
    progress: Progress = lambda done, failed, total: None,
) -> Sweep:
    """Do these runs on Spark, in a folder that every worker can write, and hand back their tables.

    Runs that are published in the folder are not done again; where all are, Spark is not started. A run that fails,
    crashes or takes more than its limits is a row with an error; `retry_failed` does such runs again. Ctrl-C ends the
    jobs of the session; that, or the death of this process, loses the runs in flight only: call it again to go on.
    """
    named = {run_id(run): run for run in runs}
    if not named:
        raise InvalidValueError("a sweep needs at least one run")
    folder = SweepFolder(out.absolute())
    folder.path.mkdir(parents=True, exist_ok=True)
    with exclusive(folder.path / ".lock", f"another sweep is at work in '{out}': wait until it is done"):
        folder.clear_parts()
        well, failed = folder.published()
        if retry_failed:
            folder.forget(failed & set(named))
            failed -= set(named)
        missing = {name: run for name, run in named.items() if name not in well | failed}
        if missing:
            _store_inputs(folder, missing)
            opened = spark_session(spark) if isinstance(spark, SparkSettings) else nullcontext(spark)
            with opened as session:
                _do(session, folder, missing, limits, lambda: _report(folder, named, progress))
        _report(folder, named, progress)
        return compact(folder, named)


def _store_inputs(folder: SweepFolder, runs: Mapping[str, Run]) -> None:
    data = {value.hash: value for run in runs.values() for value in run.inputs.values() if isinstance(value, Data)}
    for value in data.values():
        store_data(folder.data, value)


def _report(folder: SweepFolder, runs: Mapping[str, Run], progress: Progress) -> set[str]:
    """Tell how far the sweep is, from what is published alone; hands back the runs that are still missing."""
    well, failed = folder.published()
    missing = runs.keys() - well - failed
    progress(len(runs) - len(missing), len(failed & runs.keys()), len(runs))
    return missing


def _do(
    session: SparkSession, folder: SweepFolder, runs: Mapping[str, Run], limits: Limits, look: Callable[[], set[str]]
) -> None:
    """Job after job until all is published; usually one. A job fails where too many of its workers were lost."""
    from hunet.pipeline.schema import spark_schema

    answer = spark_schema(ANSWER)
    modules = sorted({run.experiment.function.__module__ for run in runs.values()})
    expected = sources_of(modules)
    slots = _check_workers(session, modules, expected)
    fruitless = 0
    missing = look()
    while missing:
        left = {name: runs[name] for name in runs if name in missing}
        tasks = _write_plan(folder, left, slots)
        frame = session.range(0, tasks, 1, tasks).mapInArrow(doing(str(folder.path), limits, modules, expected), answer)
        failure = _watch(session, frame, look)
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


def _write_plan(folder: SweepFolder, runs: Mapping[str, Run], slots: int) -> int:
    """Which runs each task does, for the workers to read; hands back how many tasks there are."""
    names = list(runs)
    estimates = [
        Estimate(
            (run.experiment.reference, run.experiment.kind(run.inputs)),
            run.experiment.seconds(run.inputs),
            run.experiment.start_seconds,
        )
        for run in runs.values()
    ]
    groups = group(estimates, slots)
    unseen = folder.plan.with_name(".plan.parquet")
    with pq.ParquetWriter(unseen, PLAN) as writer:
        for task, places in enumerate(groups):
            members = [names[place] for place in places]
            orders = [order_of(runs[name]) for name in members]
            writer.write_table(pa.table([[task] * len(members), members, orders], schema=PLAN))
    unseen.replace(folder.plan)
    return len(groups)


def _watch(session: SparkSession, frame: DataFrame, look: Callable[[], set[str]]) -> Exception | None:
    """Run a job, looking around meanwhile; hands back what went wrong. An interruption ends the job as well."""
    from hunet.pipeline.write import jobs_of

    failures: list[Exception] = []

    def job() -> None:
        try:
            with jobs_of("the runs of a sweep"):
                frame.collect()
        except Exception as failure:
            failures.append(failure)

    thread = threading.Thread(target=job, daemon=True)
    thread.start()
    try:
        pause = _LOOK_EVERY
        while thread.is_alive():
            thread.join(pause)
            began = time.monotonic()
            look()
            pause = max(_LOOK_EVERY, 10 * (time.monotonic() - began))  # a million files take a while
    except BaseException:
        session.interruptAll()  # tags would do, but those of Classic belong to the thread that set them
        thread.join(_PATIENCE)
        raise
    return failures[0] if failures else None
