"""`share`: what interest-based context sharing saves on one trace."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from hunet.api.trace import Trace
from hunet.model.errors import InvalidValueError, TraceError
from hunet.progress import Told
from hunet.protocols.grapevine import GRAPEVINE, GrapevineSettings
from hunet.protocols.protocol import World
from hunet.report.table import Table
from hunet.sim.sharing.allocation import by_applications, by_percent, standing
from hunet.sim.sharing.beaconing import Beaconing
from hunet.sim.sharing.groups import Group
from hunet.sim.sharing.network import LABELS, SharingScene, count_savings
from hunet.sim.sharing.network import share as run
from hunet.sim.workload.units import parse_seconds

__all__ = ["PERCENT", "Sharing", "share"]

PERCENT = 30
"""Of the labels a node wants, where nothing else is said."""

_VARIANTS = ("agnostic", "sptbf", "exact")
_HEADINGS = {
    "interests": "interests",
    "megabytes": "MB sent",
    "savings": "saved, %",
    "coverage": "coverage",
    "coverage_now": "at an instant",
    "counts": "counts?",
}


@dataclass(frozen=True)
class Sharing:
    """What came of it, a row for each variant: `interests` names it, the rest are its measures."""

    trace: str
    title: str
    seconds: float
    settings: Mapping[str, Any]
    rows: list[dict[str, Any]]

    @property
    def table(self) -> Table:
        """For people."""
        shown = [{**row, "megabytes": row["bytes"] / 1e6, "counts": bool(row["counts"])} for row in self.rows]
        note = (
            f"{self.rows[0]['neighbours']:.2g} neighbours on average; "
            "savings count where coverage is at least 0.95 of the agnostic"
        )
        members = {"group_members": "group members"} if "group_members" in shown[0] else {}
        return Table(self.title, shown, {**_HEADINGS, **members}, note)


def share(
    trace: Trace,
    *,
    percent: int | None = None,
    applications: int | None = None,
    hops: int = 3,
    lifetime: int = 30,
    m: int = 100,
    k: int = 3,
    period: float = 5.0,
    loss: float = 0.0,
    groups: Sequence[str] = (),
    time: str | None = None,
    seed: int = 1,
    progress: Told = lambda what, done, total: None,
) -> Sharing:
    """Let the nodes of a trace share context in beacons, by interest (SpTBF) and without, and compare the bytes.

    percent, applications  how many of the labels a node wants, or among how many applications they are divided
    hops, lifetime, m, k   of the summary of interests: how far and how long (s) it lives, slots, hash functions
    period, loss           seconds between two beacons of a node, and how likely a neighbour misses one
    groups                 labels that are aggregates over who is near, such as "0=mean:1" (`Group.parse`)
    time                   how long, such as "20min"; until the last contact by default
    """
    settings = GrapevineSettings(hops=hops, lifetime=lifetime, m=m, k=k)
    GRAPEVINE.prepare(settings, World(1, [], 0))  # mistakes in what was asked come before the trace is read
    beaconing = Beaconing(period=period, jitter=period / 10, loss=loss)
    formed = tuple(Group.parse(words) for words in groups)
    seconds = None if time is None else parse_seconds(time)
    if seconds == math.inf:
        raise InvalidValueError(f"time {time!r}: it must end")
    if percent is not None and applications is not None:
        raise InvalidValueError("give either a percentage of the labels or a number of applications")
    if not len(trace):
        raise TraceError(f"trace {trace.title!r} has no contacts: nobody hears a beacon on it")
    nodes = trace.nodes.num_rows
    if applications is not None:
        wants, wanted = by_applications(nodes, LABELS, applications, seed), f"{applications} applications"
    else:
        percent = PERCENT if percent is None else percent
        wants, wanted = by_percent(nodes, LABELS, percent, seed), f"{percent} %"
    last = float(trace.contacts["end"].to_numpy().max())
    scene = SharingScene(trace.contacts, nodes, standing(wants, hops), seconds or last, groups=formed)
    found = {
        variant: run(scene, settings._replace(interests=variant), beaconing, seed, partial(progress, variant))
        for variant in _VARIANTS
    }
    return Sharing(
        trace.name,
        f"{nodes:,} nodes on {trace.title}, {wanted} of {LABELS} labels, hop limit {hops}",
        scene.seconds,
        settings._asdict(),
        [{"interests": one, **found[one], **count_savings(found["agnostic"], found[one])} for one in _VARIANTS],
    )
