"""Simulations for a sweep: what is simulated as a record, and runs of it by seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from hunet.model.errors import InvalidValueError, StudyError
from hunet.protocols import make_settings, protocol_named
from hunet.sweeps.bound import run as bound
from hunet.sweeps.compaction import Sweep
from hunet.sweeps.data import Data
from hunet.sweeps.experiment import Experiment, Input, Run
from hunet.sweeps.runner import Progress, Runner
from hunet.sweeps.simulation import NOT_SETTINGS, run

__all__ = ["BOUND", "SIMULATION", "Simulation", "all_runs", "bound_run", "trace_data"]

_PER_CONTACT = 1.5e-6
_AT_LEAST = 0.02


def _seconds(inputs: Mapping[str, Any]) -> float:
    return _AT_LEAST + _PER_CONTACT * int(inputs["trace"].tables["contacts"].num_rows)


def _kind(inputs: Mapping[str, Any]) -> str:
    """What is compiled once."""
    return f"{inputs['protocol']} {inputs['contacts']} {inputs['extras']}"


SIMULATION = Experiment("simulate", run, _seconds, _kind, start_seconds=10.0)


BOUND = Experiment("bound", bound, _seconds, lambda inputs: str(inputs["contacts"]), start_seconds=10.0)


def bound_run(trace: Data, workload: str | Data, contacts: str, ttl: float | None, seed: int) -> Run:
    """What clairvoyance could do, as a run."""
    return Run(BOUND, {"trace": trace, "workload": workload, "contacts": contacts, "ttl": ttl}, seed)


def trace_data(contacts: pa.Table, nodes: pa.Table) -> Data:
    """A trace as data for runs."""
    return Data.of(contacts=contacts, nodes=nodes)


@dataclass(frozen=True)
class Simulation:
    """A protocol on a trace under conditions; `run` adds the seed.

    The workload is the name of a profile, made with the seed of the run, or `workload_data` of one. ttl, buffer,
    bytes_per_second, min_contact, boundary and own_outside replace the workload's; infinity for no limit.
    """

    trace: Data
    workload: str | Data
    protocol: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    contacts: str = "start"
    ttl: float | None = None
    buffer: float | None = None
    bytes_per_second: float | None = None
    min_contact: float | None = None
    boundary: str | None = None
    own_outside: bool | None = None
    extras: tuple[str, ...] = ()
    deliveries: bool = False
    labels: Mapping[str, str | int | float] = field(default_factory=dict)

    def run(self, seed: int) -> Run:
        """The run with this seed; every setting of the protocol is written down, also where it has its default."""
        settings = make_settings(protocol_named(self.protocol), self.settings)._asdict()
        if taken := settings.keys() & set(NOT_SETTINGS):
            raise InvalidValueError(
                f"{self.protocol} has a setting {min(taken)!r}, which means something else in a run"
            )
        inputs: dict[str, Input] = {
            "trace": self.trace,
            "workload": self.workload,
            "protocol": self.protocol,
            "contacts": self.contacts,
            "ttl": self.ttl,
            "buffer": self.buffer,
            "bytes_per_second": self.bytes_per_second,
            "min_contact": self.min_contact,
            "boundary": self.boundary,
            "own_outside": self.own_outside,
            "extras": " ".join(self.extras),
            "deliveries": self.deliveries,
            **settings,
        }
        return Run(SIMULATION, inputs, seed, self.labels)


def all_runs(runs: Sequence[Run], folder: Path, runner: Runner, progress: Progress) -> Sweep:
    """Do all runs; what rests on all of them is nothing where some failed."""
    done = runner.sweep(runs, folder, retry_failed=True, progress=progress)
    if wrong := done.runs.column("error").drop_null().to_pylist():
        raise StudyError(f"{len(wrong)} of {len(runs)} simulations failed, such as: {wrong[0].splitlines()[-1]}")
    return done
