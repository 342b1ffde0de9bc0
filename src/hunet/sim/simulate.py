"""One simulation, from a trace and a workload to a result: what a notebook or the command line calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import pyarrow as pa

from hunet.model.errors import InvalidValueError, WorkloadError
from hunet.model.names import choose
from hunet.progress import progress_bar
from hunet.protocols import Protocol as RoutingProtocol
from hunet.protocols import make_settings, protocol_named
from hunet.sim.bound import CLAIRVOYANT, clairvoyant
from hunet.sim.centrality import delivery_by_centrality
from hunet.sim.deliverable import Wanted, wanted_by
from hunet.sim.engine.run import EXTRAS, Conditions, Outcome, run
from hunet.sim.engine.scene import Scene
from hunet.sim.history import history, lengthened, since
from hunet.sim.make_scene import make_scene
from hunet.sim.measures import Facts, measure
from hunet.sim.result import Result
from hunet.sim.workload.profiles import workload_named
from hunet.sim.workload.workload import Workload
from hunet.traces.pairs import Boundary, pairs_of

__all__ = ["StoredTrace", "TraceTables", "bound", "conditions_of", "simulate", "unmeasured"]


class StoredTrace(Protocol):
    """A trace that reads its tables when asked, such as those of a trace store."""

    def contacts(self) -> pa.Table: ...

    def nodes(self) -> pa.Table: ...

    def pairs(self, window: tuple[float, float], boundary: Boundary = "both") -> pa.Table: ...


TraceTables: TypeAlias = "tuple[pa.Table, pa.Table] | StoredTrace"
"""Contacts and nodes, or something that has them."""

_LONG = 3_000_000  # contacts: from here on a run takes seconds


def simulate(
    trace: TraceTables,
    workload: Workload | str,
    protocol: RoutingProtocol | str,
    seed: int = 1,
    *,
    settings: Mapping[str, Any] | None = None,
    conditions: Conditions | None = None,
    measures: Sequence[str] = (),
    log: bool = False,
    closeness: pa.Table | None = None,
    engine: Callable[..., Outcome] = run,
) -> Result:
    """Run a protocol on a trace.

    workload:    a Workload, or the name of one of the papers' (`bsub10`, `bsub13`, `mops`), made with the same seed
    protocol:    a protocol or its name; `settings` changes its parameters by name
    conditions:  contact model, buffers, bandwidth; by default those of the workload
    measures:    names of measures that cost extra
    log:         whether to keep every event (`result.outcome.log`)
    closeness:   a table of pairs (a, b, closeness), for protocols that go by it; by default from the
                 workload's history, or the first 40 %
    engine:      what runs the event loop: here, or elsewhere in parts (`sweeps.parts`)
    """
    ran = unmeasured(
        trace,
        workload,
        protocol,
        seed,
        settings=settings,
        conditions=conditions,
        measures=measures,
        log=log,
        closeness=closeness,
        engine=engine,
    )
    facts = Facts.of(ran.scene, ran.outcome, ran.wanted.of_message)
    numbers = measure(facts) | _numbers(ran.outcome.extras)
    if "centrality" in measures:
        assert ran.closeness is not None
        numbers |= delivery_by_centrality(ran.closeness, ran.wanted.of_node, facts.received)
    return Result(
        ran.protocol.name,
        ran.settings,
        ran.workload,
        asdict(ran.conditions),
        seed,
        numbers,
        ran.scene.created,
        ran.wanted.of_message,
        ran.outcome,
    )


class Ran(NamedTuple):
    """A run before it is measured."""

    protocol: RoutingProtocol
    settings: Mapping[str, Any]
    workload: str
    conditions: Conditions
    scene: Scene
    wanted: Wanted
    closeness: pa.Table | None
    outcome: Outcome


def unmeasured(
    trace: TraceTables,
    workload: Workload | str,
    protocol: RoutingProtocol | str,
    seed: int,
    *,
    settings: Mapping[str, Any] | None,
    conditions: Conditions | None,
    measures: Sequence[str],
    log: bool = False,
    closeness: pa.Table | None = None,
    engine: Callable[..., Outcome] = run,
) -> Ran:
    """What `simulate` does before it measures, which is all that is asked of a part."""
    contacts, nodes = _tables(trace)
    if contacts.num_rows == 0:
        raise WorkloadError("the trace has no contacts: nothing can be simulated on it")
    if seed < 0:
        raise InvalidValueError(f"seed {seed} is below its limit 0")
    for name in measures:
        choose("extra measure", name, EXTRAS)
    chosen = protocol_named(protocol) if isinstance(protocol, str) else protocol
    if isinstance(workload, str):
        workload = workload_named(workload, contacts, seed)
    conditions = conditions or conditions_of(workload)
    parameters = make_settings(chosen, settings or {})
    lived = contacts if chosen.needs.history else since(contacts, workload.begins)
    simulated = lengthened(lived, workload.min_contact)
    scene = make_scene(simulated, nodes, workload)
    wanted = wanted_by(workload, scene)
    if closeness is None and (chosen.needs.closeness or chosen.needs.social or "centrality" in measures):
        learnt = history(contacts, workload.begins)
        closeness = (
            pairs_of(contacts, learnt, workload.boundary)
            if isinstance(trace, tuple)
            else trace.pairs(learnt, workload.boundary)
        )
    del trace, contacts, lived, simulated  # the scene has its own: of a huge trace one copy is enough
    title = f"{chosen.name} on {workload.name}"
    with progress_bar(title) if scene.a.size >= _LONG else nullcontext() as told:
        outcome = engine(
            chosen,
            parameters,
            scene,
            workload.tags,
            conditions,
            seed=seed,
            log=log,
            extras=measures,
            closeness=closeness,
            ranges=workload.ranges,
            progress=told and partial(told, title),
        )
    return Ran(chosen, parameters._asdict(), workload.name, conditions, scene, wanted, closeness, outcome)


def bound(trace: TraceTables, workload: Workload | str, seed: int = 1, *, contacts: str = "start") -> Result:
    """What clairvoyance could do (`sim.bound`), measured like a protocol; buffers and bandwidth do not count."""
    tables, nodes = _tables(trace)
    if tables.num_rows == 0:
        raise WorkloadError("the trace has no contacts: nothing can be delivered on it")
    if isinstance(workload, str):
        workload = workload_named(workload, tables, seed)
    scene = make_scene(lengthened(since(tables, workload.begins), workload.min_contact), nodes, workload)
    wanted = wanted_by(workload, scene)
    outcome = clairvoyant(scene, workload.tags, contacts, workload.ranges)
    facts = Facts.of(scene, outcome, wanted.of_message)
    return Result(
        CLAIRVOYANT,
        {},
        workload.name,
        asdict(Conditions(contacts=contacts)),
        seed,
        measure(facts),
        scene.created,
        wanted.of_message,
        outcome,
    )


def conditions_of(workload: Workload, contacts: str = "start") -> Conditions:
    """The conditions that a workload was meant for."""
    return Conditions(
        contacts=contacts,
        buffer=workload.buffer,
        own_outside=workload.own_outside,
        bytes_per_second=workload.bytes_per_second,
        shared=workload.shared,
        charge_digests=workload.charge_digests,
    )


def _tables(trace: TraceTables) -> tuple[pa.Table, pa.Table]:
    if isinstance(trace, tuple):
        return trace[0], trace[1]
    return trace.contacts(), trace.nodes()


def _numbers(extras: Mapping[str, Any]) -> dict[str, float]:
    """Those extra measures that are one number, and the series' mean; the series itself stays in `outcome.extras`."""
    numbers = {name: value for name, value in extras.items() if isinstance(value, int | float)}
    if "broker_share" in extras:
        times, shares = np.array(extras["broker_share"]).T
        weights = np.diff(times, append=times[-1])  # a share holds until the next one is taken
        numbers["broker_share_mean"] = float(np.average(shares, weights=weights if weights.any() else None))
    return numbers
