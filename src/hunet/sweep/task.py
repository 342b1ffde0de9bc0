"""What Spark's workers do: say which code they have, and do the runs of a task."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

import hunet
from hunet.model.errors import SweepError
from hunet.sweep.folder import Record, SweepFolder
from hunet.sweep.identity import code_version
from hunet.sweep.supervisor import Limits, supervisor_of_this_process

__all__ = ["ANSWER", "PLAN", "doing", "looking", "sources_of"]

Batches: TypeAlias = Iterator[pa.RecordBatch]

PLAN = pa.schema([("task", pa.int32()), ("run", pa.string()), ("order", pa.string())])
"""plan.parquet: one row per run, one row group per task."""

ANSWER = pa.schema([("worker", pa.string()), ("code", pa.string())])
"""What a task tells of itself."""


def sources_of(modules: Sequence[str]) -> str:
    """What has to be the same on the driver and on every worker: these modules, and the sweep itself."""
    return " ".join(code_version(module) for module in (*modules, __name__))


def looking(modules: Sequence[str]) -> Callable[[Batches], Batches]:
    """A task that says where it runs, and with which code."""

    def look(batches: Batches) -> Batches:
        for _ in batches:
            pass
        try:
            yield _told(modules)
        except SweepError as error:
            raise SweepError(f"{place()}: {error}") from error

    return look


def doing(path: str, limits: Limits, modules: Sequence[str], expected: str) -> Callable[[Batches], Batches]:
    """A task that does the runs of the groups it is given, those that are not published yet."""

    def do(batches: Batches) -> Batches:
        if sources_of(modules) != expected:  # a worker that came later than the look at all of them
            raise SweepError(f"{place()} has other code than the driver: install the same hunet there")
        folder = SweepFolder(Path(path))
        for batch in batches:
            for task in batch.column("id").to_pylist():
                _do_group(folder, task, limits)
        yield _told(modules)

    return do


def place() -> str:
    """Where this process runs, for people."""
    return f"the worker on {socket.gethostname()} (hunet {hunet.__version__} in '{Path(hunet.__file__).parent}')"


def _told(modules: Sequence[str]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"worker": [f"{place()}, process {os.getpid()}"], "code": [sources_of(modules)]})


def _do_group(folder: SweepFolder, task: int, limits: Limits) -> None:
    with pq.ParquetFile(folder.plan) as plan:
        rows = plan.read_row_group(task).to_pylist()
    supervisor = supervisor_of_this_process(limits)
    for row in rows:
        if folder.has(row["run"]):  # this task was tried before
            continue
        reply = supervisor.do(row["order"], folder.data)
        record = Record(
            row["run"], reply.seconds, reply.memory, reply.error, dict(reply.measures), tuple(sorted(reply.tables))
        )
        try:
            folder.publish(record, reply.tables)
        except OSError as error:
            raise SweepError(f"{place()} cannot publish in '{folder.path}': {error}") from error
