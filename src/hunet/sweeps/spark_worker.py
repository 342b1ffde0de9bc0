"""What Spark's workers do: say which code they have, and do the runs of a task."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa

from hunet.model.errors import SweepError
from hunet.sweeps.folder import SweepFolder
from hunet.sweeps.identity import code_version
from hunet.sweeps.supervisor import Limits, Supervisor
from hunet.sweeps.task import do_task, place

__all__ = ["ANSWER", "doing", "looking", "sources_of"]

Batches: TypeAlias = Iterator[pa.RecordBatch]

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
                do_task(folder, task, _supervisor_of_this_process(limits))
        yield _told(modules)

    return do


@lru_cache(maxsize=1)
def _supervisor_of_this_process(limits: Limits) -> Supervisor:
    """One for as long as Spark keeps its worker, so that the next task, or sweep, finds everything compiled."""
    return Supervisor(limits)


def _told(modules: Sequence[str]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"worker": [f"{place()}, process {os.getpid()}"], "code": [sources_of(modules)]})
