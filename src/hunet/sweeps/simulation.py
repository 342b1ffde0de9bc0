"""The experiment of most sweeps: a protocol on a trace with a workload, as `simulate` runs it.

Inputs: `trace` (contacts, nodes), `workload` (the name of a profile, made with the run's seed, or data of a workload),
`protocol`, `contacts` (the contact model), `extras` (names separated by spaces), `deliveries` (whether to keep them).
`ttl`, `buffer`, `bytes_per_second`, `min_contact`, `boundary` and `own_outside`, where given, replace the workload's;
infinity for no limit. All others are settings of the protocol.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from hunet.model.errors import InvalidValueError
from hunet.sim.simulate import conditions_of, simulate
from hunet.sim.workload.profiles import workload_named
from hunet.sim.workload.workload import Workload
from hunet.sweeps.data import Data, read_table

__all__ = ["NOT_SETTINGS", "run", "trace_in", "workload_data", "workload_in"]

NOT_SETTINGS = (
    "trace",
    "workload",
    "protocol",
    "contacts",
    "extras",
    "deliveries",
    "ttl",
    "buffer",
    "bytes_per_second",
    "min_contact",
    "boundary",
    "own_outside",
)
"""Inputs that are no settings of a protocol."""

_CLOCK = "cpu_seconds"  # says how fast the machine was, not what the protocol did


def run(inputs: Mapping[str, Any], seed: int) -> tuple[dict[str, float], dict[str, pa.Table]]:
    """One simulation."""
    workload = workload_in(inputs, seed)
    result = simulate(
        trace_in(inputs),
        workload,
        inputs["protocol"],
        seed,
        settings={name: value for name, value in inputs.items() if name not in NOT_SETTINGS},
        conditions=conditions_of(workload, inputs["contacts"]),
        measures=inputs["extras"].split(),
    )
    measures = {name: value for name, value in result.measures.items() if name != _CLOCK}
    return measures, {"deliveries": result.deliveries} if inputs["deliveries"] else {}


def trace_in(inputs: Mapping[str, Any]) -> tuple[pa.Table, pa.Table]:
    """Contacts and nodes of a run."""
    return _trace(inputs["trace"])


def workload_in(inputs: Mapping[str, Any], seed: int) -> Workload:
    """The workload of a run, with the conditions that the inputs give in place of its own."""
    return _limited(_workload(inputs["trace"], inputs["workload"], seed), inputs)


def workload_data(workload: Workload) -> Data:
    """A workload as data for runs. One of ranges has none: name its profile instead."""
    if workload.ranges is not None:
        raise InvalidValueError(f"workload {workload.name!r} has ranges: give runs the name of its profile instead")
    about = {
        "name": [workload.name],
        "ttl": [workload.ttl],
        "buffer": pa.array([workload.buffer], pa.int64()),
        "bytes_per_second": [workload.bytes_per_second],
        "shared": [workload.shared],
        "min_contact": [workload.min_contact],
        "charge_digests": [workload.charge_digests],
        "begins": [workload.begins],
        "boundary": [workload.boundary],
        "own_outside": pa.array([workload.own_outside], pa.bool_()),
        "tags": [list(workload.tags)],
    }
    return Data.of(messages=workload.messages, interests=workload.interests, about=pa.table(about))


def _trace(folder: Path) -> tuple[pa.Table, pa.Table]:
    # Looked at where it lies, which takes no time; once a scene is made of it, it need not be in memory.
    return read_table(folder, "contacts"), read_table(folder, "nodes")


@lru_cache(maxsize=2)
def _workload(trace: Path, workload: str | Path, seed: int) -> Workload:
    if isinstance(workload, str):
        return workload_named(workload, _trace(trace)[0], seed)
    about = read_table(workload, "about").to_pylist()[0]
    return Workload(messages=read_table(workload, "messages"), interests=read_table(workload, "interests"), **about)


def _limited(workload: Workload, inputs: Mapping[str, Any]) -> Workload:
    limits = ("ttl", "buffer", "bytes_per_second", "min_contact", "boundary", "own_outside")
    changes = {name: inputs[name] for name in limits if inputs.get(name) is not None}
    if changes.get("buffer") == math.inf:
        changes["buffer"] = None
    return replace(workload, **changes)
