"""The same scene twice, in the simulator and lived through by real nodes: are they the same, and if not, where?"""

from __future__ import annotations

import asyncio
import math
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import InvalidValueError
from hunet.protocols import PROTOCOLS, make_settings, protocol_named
from hunet.sim.engine.outcome import Outcome
from hunet.sim.engine.run import run
from hunet.sim.engine.scene import Scene
from hunet.sim.history import lengthened, since
from hunet.sim.make_scene import make_scene
from hunet.sim.simulate import conditions_of
from hunet.sim.workload.profiles import workload_named
from hunet.sim.workload.workload import Workload
from hunet.studies.replay.driver import Lived, live
from hunet.traces.renewed import renewed

__all__ = ["Replay", "in_milliseconds", "replay"]

MOST_SHOWN = 20
"""Differences of one kind that are named one by one."""


@dataclass(frozen=True)
class Replay:
    """A scene, simulated and lived through."""

    protocol: str
    nodes: int
    contacts: int
    messages: int
    span: float
    """Seconds of the trace that were lived through."""
    processes: int
    differences: tuple[str, ...]
    """A line each; none where both are identical."""
    lived: Lived

    @property
    def identical(self) -> bool:
        """Deliveries with time and hops, evictions of every node, forwards and control bytes."""
        return not self.differences

    def lines(self) -> list[str]:
        """The comparison, for people."""
        lived = self.lived
        facts = (
            f"{self.protocol}: {self.nodes} nodes in {self.processes} processes met {self.contacts:,} times over TCP, "
            f"{self.messages:,} messages",
            f"{len(lived.deliveries):,} deliveries, {lived.forwards:,} transfers, {sum(lived.drops):,} evictions, "
            f"{lived.control_bytes:,} control bytes",
            f"{self.span:,.0f} s of the trace in {lived.seconds:.1f} s; {lived.cpu_seconds:.1f} s of CPU, "
            f"{1000 * lived.cpu_seconds / max(1, 2 * self.contacts):.1f} ms per contact and end; "
            f"{lived.memory / 2**20:.0f} MB in the largest process",
        )
        return [*facts, *(self.differences or ("identical to the simulation",))]


def replay(
    contacts: pa.Table,
    nodes: pa.Table,
    protocol: str,
    workload: Workload | str = "bsub13",
    *,
    settings: Mapping[str, Any] | None = None,
    processes: int = 2,
    speed: float = math.inf,
    hours: float | None = None,
    renew: float | None = None,
    seed: int = 1,
    eviction: str = "oldest",
    skew: float = 86_400.0,
    logs: Path | None = None,
) -> Replay:
    """Live through a trace with real nodes, and compare.

    hours:   only the first so many of the trace
    speed:   seconds of the trace in one; infinity for as fast as possible
    renew:   long contacts exchange again every so many seconds, as live nodes do
    skew:    nodes' clocks are apart by up to so many seconds
    logs:    where the nodes' logs are left; by default nowhere
    """
    chosen = protocol_named(protocol)
    if not chosen.deployable:
        names = ", ".join(one.name for one in PROTOCOLS if one.deployable)
        raise InvalidValueError(f"{chosen.name} does not run on devices as it is: choose one of {names}")
    if contacts.num_rows == 0:
        raise InvalidValueError("the trace has no contacts: there is nothing to live through")
    if processes < 1 or not speed > 0 or not skew >= 0:
        raise InvalidValueError(
            f"{processes} processes, speed {speed:g}, skew {skew:g}: give 1 or more, above 0, 0 or more"
        )
    if hours is not None:
        contacts = contacts.filter(pc.less(contacts["start"], pc.min(contacts["start"]).as_py() + 3600 * hours))
    if renew is not None:
        contacts = renewed(contacts, renew)
    load = workload_named(workload, contacts, seed) if isinstance(workload, str) else workload
    if load.ranges is not None:
        raise InvalidValueError(
            f"workload {load.name!r} is of ranges, which a replay does not know; choose one of tags"
        )
    if load.shared and math.isfinite(load.bytes_per_second):
        raise InvalidValueError(
            f"workload {load.name!r}: both directions share a contact, which real nodes cannot agree on"
        )
    scene = in_milliseconds(make_scene(lengthened(since(contacts, load.begins), load.min_contact), nodes, load))
    chance = np.random.default_rng(seed)
    clocks = tuple(np.floor(chance.uniform(0.0, skew, nodes.num_rows)).tolist()) if skew else None
    conditions = replace(conditions_of(load), eviction=eviction, clocks=clocks)
    parameters = make_settings(chosen, settings or {})
    expected = run(chosen, parameters, scene, load.tags, conditions, seed=seed, extras=("hops",))
    with tempfile.TemporaryDirectory(prefix="hunet-replay-") as scratch:
        home = Path(scratch)
        logs = logs or home
        logs.mkdir(parents=True, exist_ok=True)
        about = scene, load.tags, chosen.name, parameters._asdict(), conditions
        lived = asyncio.run(live(*about, home, logs, processes=processes, speed=speed))
    return Replay(
        chosen.name,
        nodes.num_rows,
        scene.a.size,
        scene.created.size,
        float(scene.end.max() - scene.start.min()),
        min(processes, nodes.num_rows),
        tuple(_differences(expected, lived, exact_bytes=chosen.name not in ("prophet", "mops-live"))),
        lived,
    )


def in_milliseconds(scene: Scene) -> Scene:
    """Times as nodes measure them, and no two births in one millisecond: these would have no order."""
    born = np.round(1000 * scene.created).astype(np.int64)
    ahead = np.arange(born.size)
    born = np.maximum.accumulate(born - ahead) + ahead
    created = born / 1000
    expires = np.maximum(np.round(created + (scene.expires - scene.created), 3), created + 0.001)
    rounded = {name: np.round(getattr(scene, name), 3) for name in ("start", "end", "change_at")}
    return scene._replace(created=created, expires=expires, **rounded)


def _differences(expected: Outcome, lived: Lived, exact_bytes: bool) -> list[str]:
    columns = [expected.deliveries[name].to_pylist() for name in ("message", "node", "at", "hops")]
    simulated = {(m, n, round(at, 3), hops) for m, n, at, hops in zip(*columns, strict=True)}
    out = []
    for who, some in (("simulated", simulated - lived.deliveries), ("lived", lived.deliveries - simulated)):
        for message, node, at, hops in sorted(some)[:MOST_SHOWN]:
            out.append(f"only {who}: message {message} to node {node} at {at:.3f} s after {hops} hops")
        if len(some) > MOST_SHOWN:
            out.append(f"only {who}: {len(some) - MOST_SHOWN:,} deliveries more")
    dropped = expected.drops_per_node.tolist()
    for node, (there, here) in enumerate(zip(dropped, lived.drops, strict=True)):
        if there != here:
            out.append(f"evictions of node {node}: {there} simulated, {here} lived")
    totals = [("transfers", expected.forwards, lived.forwards)]
    if exact_bytes:  # PRoPHET's digests name tags by hashes of 8 bytes, where a simulation names them by their places
        totals.append(("control bytes", expected.control_bytes, lived.control_bytes))
    return out + [f"{what}: {there:,} simulated, {here:,} lived" for what, there, here in totals if there != here]
