"""A day of a conference for real nodes to live through; it rests at noon, when somebody thinks and sends settings."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc

import hunet as hn
from hunet.protocols import make_settings, protocol_named
from hunet.sim.engine.outcome import Conditions
from hunet.sim.engine.run import run
from hunet.sim.engine.scene import Scene
from hunet.sim.make_scene import make_scene
from hunet.sim.simulate import conditions_of
from hunet.sim.workload.files import read_workload
from hunet.studies.replay.driver import Lived, Noon, live
from hunet.studies.replay.replay import in_milliseconds

HOUR = 3600.0
NOON, WAIT = 12.5 * HOUR, 0.5 * HOUR
TALK = """
name = "talk"
ttl = "2h"
buffer = 100

[tags]
count = 20
zipf = 1.0

[interests]
per_node = 2

[messages]
process = "uniform"
every = "30min"
"""


@dataclass(frozen=True)
class Day:
    """A conference from morning to evening, and what people write."""

    scene: Scene
    tags: tuple[str, ...]
    conditions: Conditions
    workload: Path

    async def lived(self, folder: Path, protocol: str, noon: Noon) -> Lived:
        settings = protocol_named(protocol).settings()._asdict()
        logs = folder / "logs"
        logs.mkdir()
        return await live(
            self.scene, self.tags, protocol, settings, self.conditions, folder, logs, processes=2, noon=noon
        )  # fmt: skip

    def simulated(self, protocol: str) -> Any:
        """The same day without a change at noon, with the protocol's defaults."""
        chosen = protocol_named(protocol)
        return run(chosen, make_settings(chosen, {}), self.scene, self.tags, self.conditions, seed=1)

    def written(self, since: float, until: float = math.inf) -> set[int]:
        """Messages."""
        return set(np.flatnonzero((self.scene.created >= since) & (self.scene.created < until)).tolist())


def a_day(folder: Path, nodes: int, contacts: float, begins: float, ends: float) -> Day:
    made = hn.generate("conference", seed=1, nodes=nodes, days=1, contacts_per_day=contacts, acquaintances=nodes - 2)
    start = made.contacts["start"]
    kept = made.contacts.filter(pc.and_(pc.greater_equal(start, begins), pc.less(start, ends)))
    file = folder / "talk.toml"
    file.write_text(TALK)
    load = read_workload(file, kept, made.nodes, 1)
    clocks = tuple(np.floor(np.random.default_rng(1).uniform(0, 86_400, nodes)).tolist())
    scene = in_milliseconds(make_scene(kept, made.nodes, load))
    return Day(scene, tuple(load.tags), replace(conditions_of(load), clocks=clocks), file)
