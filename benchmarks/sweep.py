"""A sweep on `local[2]` beside the same runs in two plain processes, which share them out evenly beforehand.

Wall time is compared, for it is the processes that wait for each other; run it on an idle machine. Both sides start
their processes, import and compile. The start of Spark itself stands apart. Machines differ, so long runs get as many
days of a conference as make them take a second on this one.
"""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import Row, compare
from hunet.pipeline.session import SparkSettings, spark_session
from hunet.studies.simulations import Simulation, trace_data
from hunet.sweeps.data import Data, store_data
from hunet.sweeps.experiment import Run
from hunet.sweeps.runner import Runner
from hunet.sweeps.simulation import run as simulate
from hunet.sweeps.supervisor import USUAL_LIMITS
from hunet.traces.generators.conference import CONFERENCE, ConferenceSettings

CORES = 2
HERE = SparkSettings(master="local[2]")
MEGABYTE = 1e6

A_DAY = ConferenceSettings(nodes=300, days=1, contacts_per_day=1400.0, acquaintances=200.0)
SHORT = ConferenceSettings(nodes=79, days=1)
LONG_RUN = 1.0


def run() -> list[Row]:
    """Both sizes of runs, with the memory of a process."""
    began = time.perf_counter()
    with spark_session(HERE) as session:
        session.range(1).collect()
    rows = [compare("start of Spark", "s", time.perf_counter() - began, "a minute", 60.0)]
    for what, settings, count, most in (
        ("32 runs of about 1 s", _days_of(LONG_RUN), 32, 1.25),
        ("2,000 runs of about 20 ms", SHORT, 2000, 2.0),
    ):
        runs = _runs(settings, count)
        with tempfile.TemporaryDirectory() as folder:
            plain = _in_two_processes(runs, Path(folder) / "plain")
            with spark_session(HERE) as session:
                began = time.perf_counter()
                done = Runner.spark(session=session).sweep(runs, Path(folder) / "sweep").runs.to_pandas()
                ours = time.perf_counter() - began
        title = f"{what} (median {done['seconds'].median() * 1000:.0f} ms)"
        rows += [
            compare(title, "s", ours, "two plain processes", plain, target=1 / most),
            compare(f"{what}: memory", "MB", done["memory"].max() / MEGABYTE, "limit", USUAL_LIMITS.memory / MEGABYTE),
        ]
    return rows


def _days_of(seconds: float) -> ConferenceSettings:
    """A conference on which a run takes about so long."""
    few = replace(A_DAY, days=3)
    with tempfile.TemporaryDirectory() as folder:
        orders = _orders(_runs(few, 1), Path(folder))
        _simulate(orders)  # compiles
        began = time.process_time()
        _simulate(orders)
        took = time.process_time() - began
    return replace(A_DAY, days=max(1, round(few.days * seconds / took)))


def _runs(settings: ConferenceSettings, count: int) -> list[Run]:
    made = CONFERENCE.generate(settings, 1)
    one = Simulation(trace_data(made.contacts, made.nodes), "bsub13", "push", ttl=36_000.0)
    return [one.run(seed) for seed in range(count)]


def _orders(runs: Sequence[Run], folder: Path) -> list[tuple[dict[str, object], int]]:
    """Inputs and seeds; the trace lies on disk, as it does for the sweep."""
    data = {value.hash: value for run in runs for value in run.inputs.values() if isinstance(value, Data)}
    for value in data.values():
        store_data(folder, value)
    return [
        (
            {name: folder / value.hash if isinstance(value, Data) else value for name, value in run.inputs.items()},
            run.seed,
        )
        for run in runs
    ]


def _in_two_processes(runs: Sequence[Run], folder: Path) -> float:
    """Wall time."""
    orders = _orders(runs, folder)
    context = multiprocessing.get_context("spawn")
    began = time.perf_counter()
    processes = [context.Process(target=_simulate, args=(orders[half::2],)) for half in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return time.perf_counter() - began


def _simulate(orders: Sequence[tuple[dict[str, object], int]]) -> None:
    for inputs, seed in orders:
        simulate(inputs, seed)


if __name__ == "__main__":
    for row in run():
        print(
            f"{row.what:60} {row.ours:8.2f} {row.unit:3} {row.peer:22} {row.theirs:8.2f}  {row.ours / row.theirs:.2f}x"
        )
