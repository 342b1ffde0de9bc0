"""One simulation in parts: each is a run, done wherever a `Runner` does runs; `hunet.sim.parts` says what they are."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hunet.model.errors import SweepError
from hunet.protocols import Protocol
from hunet.sim.engine.outcome import Conditions, Outcome
from hunet.sim.engine.scene import Scene
from hunet.sim.parts import joined, part_of, require_independent, told_by
from hunet.sim.parts_delivered import PartsDelivered
from hunet.sim.simulate import conditions_of, unmeasured
from hunet.sweeps.data import Data, store_data
from hunet.sweeps.experiment import Experiment, Input, Run
from hunet.sweeps.folder import SweepFolder
from hunet.sweeps.runner import Runner
from hunet.sweeps.simulation import NOT_SETTINGS, trace_in, workload_in

__all__ = ["in_parts", "run"]

_OF_PARTS = (*NOT_SETTINGS, "part", "parts")


def run(inputs: Mapping[str, Any], seed: int) -> tuple[dict[str, float], dict[str, pa.Table]]:
    """One part; inputs as for `sweeps.simulation`, and which part of how many."""
    whole, part, parts = workload_in(inputs, seed), inputs["part"], inputs["parts"]
    workload = part_of(whole, part, parts)
    ran = unmeasured(
        trace_in(inputs),
        workload,
        inputs["protocol"],
        seed,
        settings={name: value for name, value in inputs.items() if name not in _OF_PARTS},
        conditions=conditions_of(workload, inputs["contacts"]),
        measures=inputs["extras"].split(),
    )
    return told_by(ran.outcome, part, parts)


PART = Experiment("part of a simulation", run)


def in_parts(
    runner: Runner, parts: int, folder: Path, trace: Data, inputs: Mapping[str, Input]
) -> Callable[..., Outcome]:
    """A stand-in for the engine's `run` that has a simulation done in parts.

    `folder` is one that every worker can write, where deliveries stay as long as the outcome does; `inputs` are
    those of `sweeps.simulation` but for the trace.
    """
    place = _Place(folder)
    store_data(SweepFolder(place.path).data, trace)
    lying = replace(trace, tables={})  # there workers find it: this process need not keep it

    def engine(
        protocol: Protocol,
        _settings: Any,
        scene: Scene,
        _tags: Any,
        conditions: Conditions,
        *,
        seed: int,
        log: bool,
        extras: tuple[str, ...],
        **_: Any,
    ) -> Outcome:
        messages = scene.created.size
        require_independent(protocol, conditions, extras, log, messages, parts)
        hops = " ".join(name for name in extras if name == "hops")  # what else there is, is taken from the whole
        given = {**inputs, "trace": lying, "protocol": protocol.name, "extras": hops, "parts": parts}
        runs = [Run(PART, {**given, "part": part}, seed) for part in range(parts)]
        swept = runner.sweep(runs, place.path, join=False)
        failed = [error for error in swept.runs["error"].to_pylist() if error is not None]
        if failed:
            raise SweepError(f"{len(failed)} of {parts} parts failed: {failed[0]}")
        told: dict[str, dict[str, float]] = {name: {} for name in swept.runs["run"].to_pylist()}
        for row in swept.measures.to_pylist():
            told[row["run"]][row["measure"]] = row["value"]
        delivered = PartsDelivered(swept.pieces["deliveries"], place)
        copies = pa.concat_tables(pq.read_table(file) for file in swept.pieces["copies"])
        return joined(list(told.values()), delivered, copies, messages, scene.wants.shape[0])

    return engine


class _Place:
    """A folder that goes when nobody needs it any more."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = Path(tempfile.mkdtemp(prefix=".parts-", dir=folder))
        self.path.chmod(0o755)  # other users may run the workers
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
