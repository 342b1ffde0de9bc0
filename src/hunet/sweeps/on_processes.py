"""Runs in plain processes of this machine: no JVM, nothing to install, nothing that outlives the sweep."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Event, Thread

from hunet.sweeps.backend import Do, Ends, Look, watch
from hunet.sweeps.experiment import Run
from hunet.sweeps.folder import SweepFolder
from hunet.sweeps.supervisor import Limits, Supervisor
from hunet.sweeps.task import do_task, write_plan

__all__ = ["on_processes"]

_AGAIN = 0.05


@contextmanager
def on_processes(count: int | None) -> Iterator[Do]:
    """So many at once, by default one for every core. They stay for the next sweep, with everything compiled."""
    slots = count or os.cpu_count() or 1
    teams: dict[Limits, list[Supervisor]] = {}

    def do(folder: SweepFolder, runs: Mapping[str, Run], limits: Limits, look: Look) -> None:
        tasks = write_plan(folder, runs, slots)
        if limits not in teams:
            teams[limits] = [Supervisor(limits) for _ in range(slots)]
        _share_out(folder, tasks, teams[limits][:tasks], look)

    try:
        yield do
    finally:
        for team in teams.values():
            for supervisor in team:
                supervisor.stop()


def _share_out(folder: SweepFolder, tasks: int, team: Sequence[Supervisor], look: Look) -> None:
    """A thread for each process feeds it the next task. An interruption or a failure ends all of them."""
    waiting: SimpleQueue[int] = SimpleQueue()
    for task in range(tasks):
        waiting.put(task)
    stop, ends = Event(), Ends()

    def work(supervisor: Supervisor) -> None:
        try:
            while not stop.is_set():
                do_task(folder, waiting.get_nowait(), supervisor, stop.is_set)
        except Empty:
            ends.put(None)
        except Exception as failure:
            ends.put(failure)

    threads = [Thread(target=work, args=(supervisor,), daemon=True) for supervisor in team]
    look()
    done = False
    try:
        for thread in threads:
            thread.start()
        failure = watch(ends, len(threads), look)
        done = failure is None
    finally:
        stop.set()
        while working := [thread for thread in threads if thread.is_alive()]:
            for supervisor in () if done else team:  # again and again: one may just be starting its process
                supervisor.kill()
            working[0].join(_AGAIN)
    if failure is not None:
        raise failure
