"""The tasks of a sweep: which runs each does, written down where every worker can read it, and how one is done."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import hunet
from hunet.atomic import whole_file
from hunet.model.errors import SweepError
from hunet.sweeps.experiment import Run
from hunet.sweeps.folder import Record, SweepFolder
from hunet.sweeps.grouping import Estimate, group
from hunet.sweeps.identity import order_of
from hunet.sweeps.supervisor import Supervisor

__all__ = ["do_task", "place", "write_plan"]

PLAN = pa.schema([("task", pa.int32()), ("run", pa.string()), ("order", pa.string())])
"""plan.parquet: one row per run, one row group per task."""


def write_plan(folder: SweepFolder, runs: Mapping[str, Run], slots: int) -> int:
    """Share the runs out, for so many workers at once; hands back how many tasks there are."""
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
    with whole_file(folder.plan) as draft, pq.ParquetWriter(draft, PLAN) as writer:
        for task, places in enumerate(groups):
            members = [names[place] for place in places]
            orders = [order_of(runs[name]) for name in members]
            writer.write_table(pa.table([[task] * len(members), members, orders], schema=PLAN))
    return len(groups)


def do_task(
    folder: SweepFolder, task: int, supervisor: Supervisor, stopped: Callable[[], bool] = lambda: False
) -> None:
    """Do the runs of a task that are not published yet, and publish each; once stopped, no more of them."""
    with pq.ParquetFile(folder.plan) as plan:
        rows = plan.read_row_group(task).to_pylist()
    for row in rows:
        if folder.has(row["run"]):  # this task was tried before
            continue
        reply = supervisor.do(row["run"], row["order"], folder.path)
        if stopped():  # that may be the reason for this reply
            return
        record = Record(row["run"], reply.seconds, reply.memory, reply.error, dict(reply.measures), reply.tables)
        try:
            if reply.unwritten is not None:
                raise OSError(reply.unwritten)
            folder.publish(record)
        except OSError as error:
            raise SweepError(f"{place()} cannot publish in '{folder.path}': {error}") from error


def place() -> str:
    """Where this process runs, for people."""
    return f"the worker on {socket.gethostname()} (hunet {hunet.__version__} in '{Path(hunet.__file__).parent}')"
