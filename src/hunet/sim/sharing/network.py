"""Context sharing in beacons: a network of nodes on a trace, and what their sharing cost and brought.

    bytes           of all beacons, without the headers of lower layers (28 bytes each: `bytes_with_headers`)
    savings         100 * (1 - bytes / bytes of the agnostic variant), which `count_savings` computes of two runs
    coverage        of all (node, label it wants, producer within the hop limit while it wants it): the share of which a
                    value came. It is what makes savings worth something
    coverage_now    the same at an instant: of what is within the hop limit, the share that is there already

Who is within the hop limit is looked at once per period. In runs of thousands of nodes, coverage is that of some
hundreds of them, evenly chosen, so that memory stays bounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.filters.checks import require_int
from hunet.model.errors import InvalidValueError, WorkloadError
from hunet.protocols.grapevine import FOREVER, GRAPEVINE, MOST_HOPS, GrapevineSettings, GrapevineState
from hunet.protocols.protocol import World
from hunet.sim.sharing.allocation import Interests
from hunet.sim.sharing.beacon_loop import TALLY, Ground, new_course, run_beacons
from hunet.sim.sharing.beaconing import TICKS, Beaconing, beacons_between, clock_offsets, loss_limit
from hunet.sim.sharing.coverage import new_watch
from hunet.sim.sharing.groups import Group, form_groups, mean_members
from hunet.sim.sharing.neighbours import new_links

__all__ = ["COVERED", "HEADER_BYTES", "LABELS", "SharingNetwork", "SharingScene", "count_savings", "share"]

LABELS = 100
"""Context labels of the paper's evaluation."""
HEADER_BYTES = 28
"""Of IP and UDP, which are left out of `bytes` (AMB-67)."""
COVERED = 0.95
"""Savings count where coverage is at least this share of the agnostic variant's."""

_EVERY = 20
"""Looks at the keyboard in a run."""


@dataclass(frozen=True)
class SharingScene:
    """Contacts of so many nodes, what they want, and for how long (seconds) we watch them."""

    contacts: pa.Table
    nodes: int
    interests: Interests
    seconds: float
    labels: int = LABELS
    groups: tuple[Group, ...] = ()
    """Labels whose values are aggregates."""


class SharingNetwork:
    """Nodes that run Grapevine on a trace. `run_until` moves time on; in between, everything can be looked at."""

    def __init__(
        self,
        scene: SharingScene,
        settings: GrapevineSettings = GrapevineSettings(),  # noqa: B008 (a tuple)
        beaconing: Beaconing = Beaconing(),  # noqa: B008 (frozen)
        seed: int = 1,
    ) -> None:
        _check(scene, seed)
        self.scene, self.settings, self.beaconing, self.seed = scene, settings, beaconing, seed
        names = [f"label {i}" for i in range(scene.labels)]
        # Which labels collide is chance, too: every seed is a network with a key of its own.
        self.world = World(scene.nodes, names, 0, seed, key=seed.to_bytes(16, "big"))
        self.params = GRAPEVINE.prepare(settings, self.world)
        self.state: GrapevineState = GRAPEVINE.new_state(self.params, self.world)
        self.state.has[:] = True
        self.state.own[:] = np.arange(self.state.own.size).reshape(self.state.own.shape)
        form_groups(self.state, scene.groups)
        self.digest = GRAPEVINE.digest.new(self.params, self.world)
        self.ground = _ground(scene, beaconing, seed)
        self.links = new_links(scene.nodes, scene.contacts.num_rows)
        self.watch = new_watch(scene.nodes, scene.labels)
        self.course = new_course()
        self.now = 0
        """Milliseconds that have passed."""

    def run_until(self, seconds: float) -> None:
        """Let time pass until before this instant."""
        until = round(seconds * TICKS)
        for stop, beacons in beacons_between(self.beaconing, self.scene.nodes, self.seed, self.now, until):
            run_beacons(
                self.params,
                self.state,
                self.digest,
                self.ground,
                self.links,
                self.watch,
                self.course,
                beacons,
                stop,
            )
        self.now = until

    def measures(self) -> dict[str, float]:
        """What it cost and brought so far."""
        counts: dict[str, float] = dict(zip(TALLY, self.course.tally.tolist(), strict=True))
        within = int(np.bitwise_count(self.watch.within).sum())
        arrived = int(np.bitwise_count(self.watch.within & self.watch.arrived).sum())
        wanted_now, there_now = self.watch.due.tolist()
        groups = self.scene.groups
        if groups:
            now = self.ground.clock + self.now
            counts["group_members"] = mean_members(self.params, self.state, groups, now)
        return counts | {
            "bytes_with_headers": counts["bytes"] + HEADER_BYTES * counts["beacons"],
            "context_bytes": counts["bytes"] - counts["interest_bytes"],
            "bytes_where_heard": counts["bytes"] - counts["unheard_bytes"],
            "unheard_share": _ratio(counts["unheard"], counts["beacons"]),
            "neighbours": _ratio(counts["heard"] + counts["lost"], counts["beacons"]),
            "wanted": within,
            "coverage": _ratio(arrived, within),
            "coverage_now": _ratio(there_now, wanted_now),
            "forgotten": int(self.state.forgotten.sum()),
        }


def share(
    scene: SharingScene,
    settings: GrapevineSettings = GrapevineSettings(),  # noqa: B008 (a tuple)
    beaconing: Beaconing = Beaconing(),  # noqa: B008 (frozen)
    seed: int = 1,
    progress: Callable[[float, float], None] = lambda done, total: None,
) -> dict[str, float]:
    """One run from beginning to end: its measures. `progress` is told seconds done and in all."""
    network = SharingNetwork(scene, settings, beaconing, seed)
    for part in range(1, _EVERY + 1):
        network.run_until(scene.seconds * part / _EVERY)
        progress(scene.seconds * part / _EVERY, scene.seconds)
    return network.measures()


def count_savings(agnostic: Mapping[str, float], aware: Mapping[str, float]) -> dict[str, float]:
    """What one variant saves beside the agnostic one on the same schedule, percent; and whether it counts."""
    relative = _ratio(aware["coverage"], agnostic["coverage"])
    saved = {
        name: 100 * (1 - _ratio(aware[of], agnostic[of]))
        for name, of in (
            ("savings", "bytes"),
            ("savings_with_headers", "bytes_with_headers"),
            ("savings_where_heard", "bytes_where_heard"),
        )
    }
    return saved | {"relative_coverage": relative, "counts": float(not relative < COVERED)}


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def _check(scene: SharingScene, seed: int) -> None:
    if scene.nodes < 1 or scene.labels < 1:
        raise InvalidValueError(f"{scene.nodes} nodes and {scene.labels} labels: there must be one of each at least")
    if not 0 < scene.seconds < 1e9:
        raise InvalidValueError(f"{scene.seconds:g} seconds to simulate must lie above 0 and below 1e9")
    require_int("seed", seed, 0, 2**62)
    interests = scene.interests
    if interests.hops.size:
        require_int("hops of an interest", int(interests.hops.min()), 1, MOST_HOPS)
        require_int("hops of an interest", int(interests.hops.max()), 1, MOST_HOPS)
    for name, found, limit in (("node", interests.node, scene.nodes), ("label", interests.label, scene.labels)):
        wrong = found[(found < 0) | (found >= limit)]
        if wrong.size:
            raise WorkloadError(f"interests: there is no {name} {wrong[0]}; they are numbered 0 to {limit - 1}")
    if scene.contacts.num_rows and max(int(scene.contacts[end].to_numpy().max()) for end in "ab") >= scene.nodes:
        raise WorkloadError(f"contacts: a node above {scene.nodes - 1}, where there are {scene.nodes} nodes")


def _milliseconds(seconds: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    return np.asarray(np.rint(np.minimum(seconds, FOREVER / TICKS) * TICKS), np.int64)


def _ground(scene: SharingScene, beaconing: Beaconing, seed: int) -> Ground:
    start, end = (np.asarray(scene.contacts[name].to_numpy(), np.float64) for name in ("start", "end"))
    order = np.argsort(start, kind="stable")
    ends = _milliseconds(end[order])
    interests = scene.interests
    coming = np.argsort(interests.since, kind="stable")
    return Ground(
        a=scene.contacts["a"].to_numpy()[order].astype(np.int32),
        b=scene.contacts["b"].to_numpy()[order].astype(np.int32),
        start=_milliseconds(start[order]),
        end=ends,
        ending=np.argsort(ends, kind="stable"),
        node=interests.node[coming],
        label=interests.label[coming],
        since=_milliseconds(interests.since[coming]),
        until=_milliseconds(interests.until[coming]),
        hops=interests.hops[coming],
        clock=clock_offsets(beaconing, scene.nodes, seed),
        seed=np.uint64(seed),
        loss=loss_limit(beaconing.loss),
        every=round(beaconing.period * TICKS),
    )
