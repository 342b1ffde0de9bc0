"""The loop is closed: nodes live through a morning, their logs are a trace, `tune` finds settings for it, contacts
spread them, and in the afternoon the same nodes do better, by about as much as was promised."""

from __future__ import annotations

import asyncio
import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import hunet as hn
from hunet.node.choice import Choice, permitted
from hunet.protocols import make_settings, protocol_named
from hunet.report.contents import Contents, Shown, write_contents
from hunet.sim.engine.outcome import Conditions
from hunet.sim.engine.run import run
from hunet.sim.engine.scene import Scene
from hunet.sim.make_scene import make_scene
from hunet.sim.simulate import conditions_of
from hunet.sim.workload.files import read_workload
from hunet.studies.replay.driver import Lived, Noon, live
from hunet.studies.replay.replay import in_milliseconds
from hunet.studies.tuning.parts import parts_of
from hunet.studies.tuning.search import QUICK
from hunet.studies.tuning.tune import Goal, Tuned, tune
from hunet.sweeps.runner import Runner
from tests.cli.test_node import run as command

HOUR = 3600.0
NOON, WAIT = 12.5 * HOUR, 0.5 * HOUR
PROTOCOL = "envoy"
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
        return await live(
            self.scene, self.tags, protocol, settings, self.conditions, folder, processes=2, noon=noon
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


def read_logs(folder: Path) -> tuple[pa.Table, pa.Table]:
    """The logs of all nodes as one trace."""
    trace = hn.read(sorted(folder.glob("*.jsonl")), format="nodelog", lengthen_to=60.0)
    return trace.contacts, trace.nodes


def test_settings_that_are_sent_at_noon_reach_every_node_by_contacts(tmp_path: Path) -> None:
    """Real processes on sockets; what `tune` would find is given."""
    day = a_day(tmp_path, 8, 200.0, 11 * HOUR, 14 * HOUR)
    choice = permitted("bsub13", {"decay_cycle": 2000.0, "initial": 100})
    before: list[Lived] = []

    def decide(lived: Lived) -> Choice:
        before.append(lived)
        contacts, nodes = read_logs(tmp_path)
        assert nodes.num_rows == 8
        assert contacts.num_rows > 50
        return choice

    lived = asyncio.run(day.lived(tmp_path, "bsub13", Noon(NOON, 0, WAIT, decide)))
    assert set(before[0].runs) == {Choice(choice.protocol, choice.protocol.settings()).name}
    assert set(lived.runs) == {choice.name}
    written = day.written(NOON + WAIT)
    assert len({one for one in lived.deliveries if one[0] in written}) > 5
    logs = "".join(file.read_text() for file in tmp_path.glob("*.jsonl"))
    assert logs.count('"kind": "settings"') == 8


@pytest.mark.slow
def test_the_loop_is_closed_and_the_afternoon_is_better_as_predicted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = a_day(tmp_path, 30, 250.0, 7 * HOUR, 19 * HOUR)
    goal = Goal(protocol_named(PROTOCOL), 0.9, "forwards", day.workload)
    mornings: list[Lived] = []
    found: list[Tuned] = []

    def decide(lived: Lived) -> Choice:
        mornings.append(lived)
        tuned = tune(
            parts_of(read_logs(tmp_path)), goal, tmp_path / "tune", Runner.local(2), QUICK, 1, lambda *_: None
        )  # fmt: skip
        found.append(tuned)
        return permitted(PROTOCOL, tuned.found.best)

    lived = asyncio.run(day.lived(tmp_path, PROTOCOL, Noon(NOON, 0, WAIT, decide)))
    (morning,), (tuned,) = mornings, found
    assert set(lived.runs) == {permitted(PROTOCOL, tuned.found.best).name}

    defaults, push = day.simulated(PROTOCOL), day.simulated("push")
    before, after = day.written(0.0, NOON), day.written(NOON + WAIT)
    enough = 0.9 * sum(message in after for message in push.deliveries["message"].to_pylist())
    simulated = defaults.deliveries["message"].to_pylist(), dict(enumerate(defaults.copies.tolist()))
    rows = [
        row("morning, defaults, lived through", before, [one[0] for one in morning.deliveries], morning.copies),
        row("afternoon, defaults, simulated", after, *simulated),
        row("afternoon, tuned, lived through", after, [one[0] for one in lived.deliveries], lived.copies),
    ]
    saved = 1 - rows[2]["transfers"] / rows[1]["transfers"]
    print(rows, saved, tuned.saved, enough)
    assert tuned.saved.low > 0
    assert abs(saved - tuned.saved.mean) < 0.1
    assert rows[2]["delivered"] >= enough

    show(tmp_path / "loop", rows, tuned, saved)
    monkeypatch.chdir(tmp_path)
    answer = command(str(tmp_path / "loop"), first="report")
    assert answer.code == 0, answer.stderr
    page = next((tmp_path / "loop").glob("*.html")).read_text()
    assert all(one["when"] in page for one in rows)


def row(when: str, among: set[int], deliveries: Sequence[int], copies: Mapping[int, int]) -> dict[str, Any]:
    """Of some messages: how often they were delivered, and how often they went from one node to another for that."""
    delivered = sum(message in among for message in deliveries)
    transfers = sum(copies[message] - 1 for message in among)
    each = round(transfers / max(1, delivered), 2)
    return {"when": when, "delivered": delivered, "transfers": transfers, "transfers per delivery": each}


def show(folder: Path, rows: list[dict[str, Any]], tuned: Tuned, saved: float) -> None:
    """A folder that `hunet report` shows."""
    folder.mkdir()
    with (folder / "before_after.csv").open("w", newline="") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    mean, low, high = (100 * one for one in tuned.saved)
    predicted = f"Predicted from the morning: {mean:.0f} % ({low:.0f} to {high:.0f}) fewer transfers."
    shown = [Shown("Before and after", "The same nodes on the same day.", data="before_after.csv")]
    said = f"{predicted} Lived through: {100 * saved:.0f} %."
    write_contents(folder, Contents("Before and after", said, "make test-all", {}, shown))
