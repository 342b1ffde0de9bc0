"""One simulation in parts: each is a run, done wherever a `Runner` does runs; `hunet.sim.parts` says what they are."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from hunet.model.errors import SweepError
from hunet.protocols import Protocol
from hunet.sim.engine.outcome import Conditions, Outcome
from hunet.sim.engine.scene import Scene
from hunet.sim.parts import joined, part_of, require_independent, told_by
from hunet.sim.simulate import conditions_of, simulate
from hunet.sweeps.data import Data
from hunet.sweeps.experiment import Experiment, Input, Run
from hunet.sweeps.runner import Runner
from hunet.sweeps.simulation import NOT_SETTINGS, trace_in, workload_in

__all__ = ["in_parts", "run"]

_OF_PARTS = (*NOT_SETTINGS, "part", "parts")


def run(inputs: Mapping[str, Any], seed: int) -> tuple[dict[str, float], dict[str, pa.Table]]:
    """One part; inputs as for `sweeps.simulation`, and which part of how many."""
    whole, part, parts = workload_in(inputs, seed), inputs["part"], inputs["parts"]
    workload = part_of(whole, part, parts)
    result = simulate(
        trace_in(inputs),
        workload,
        inputs["protocol"],
        seed,
        settings={name: value for name, value in inputs.items() if name not in _OF_PARTS},
        conditions=conditions_of(workload, inputs["contacts"]),
        measures=inputs["extras"].split(),
    )
    return told_by(result.outcome, part, parts)


PART = Experiment("part of a simulation", run)


def in_parts(
    runner: Runner, parts: int, folder: Path, trace: Data, inputs: Mapping[str, Input]
) -> Callable[..., Outcome]:
    """A stand-in for the engine's `run` that has a simulation done in parts.

    `folder` is one that every worker can write; `inputs` are those of `sweeps.simulation` but for the trace.
    """

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
        given = {**inputs, "trace": trace, "protocol": protocol.name, "extras": hops, "parts": parts}
        runs = [Run(PART, {**given, "part": part}, seed) for part in range(parts)]
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".parts-", dir=folder) as place:
            Path(place).chmod(0o755)
            swept = runner.sweep(runs, Path(place))
            failed = [error for error in swept.runs["error"].to_pylist() if error is not None]
            if failed:
                raise SweepError(f"{len(failed)} of {parts} parts failed: {failed[0]}")
            told: dict[str, dict[str, float]] = {name: {} for name in swept.runs["run"].to_pylist()}
            for row in swept.measures.to_pylist():
                told[row["run"]][row["measure"]] = row["value"]
            deliveries, copies = swept.table("deliveries"), swept.table("copies")
            return joined(list(told.values()), deliveries, copies, messages, scene.wants.shape[0])

    return engine
