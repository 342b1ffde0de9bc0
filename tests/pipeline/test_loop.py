"""The loop is closed: nodes live through a morning, their logs are followed, `tune` finds settings for the trace,
contacts spread them, and in the afternoon the same nodes do better, by about as much as was promised."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hunet.node.choice import Choice, permitted
from hunet.pipeline.following import following
from hunet.protocols import protocol_named
from hunet.report.contents import Contents, Shown, write_contents
from hunet.studies.replay.driver import Lived, Noon
from hunet.studies.tuning.parts import parts_of
from hunet.studies.tuning.search import QUICK
from hunet.studies.tuning.tune import Goal, Tuned, tune
from hunet.sweeps.runner import Runner
from hunet.traces.store import TraceStore
from hunet.traces.storing import Label
from tests.cli.test_node import run as command
from tests.studies.conference_day import HOUR, NOON, WAIT, a_day

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PROTOCOL, ENOUGH = "spray", 0.65
"""What is looked for: the fewest transfers, with so much of what PUSH delivers. Its defaults deliver 0.8."""


@pytest.mark.slow
def test_the_loop_is_closed_and_the_afternoon_is_better_as_predicted(
    tmp_path: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """30 nodes in two processes, clocks up to a day apart; the network's logs are followed by Spark."""
    day, store = a_day(tmp_path, 30, 250.0, 7 * HOUR, 19 * HOUR), TraceStore(tmp_path / "home")
    goal = Goal(protocol_named(PROTOCOL), ENOUGH, "forwards", day.workload)
    mornings: list[Lived] = []
    found: list[Tuned] = []

    def look() -> None:
        with following(spark, store, [str(tmp_path / "logs")], Label("village")) as logs:
            assert logs.look().changed

    def decide(lived: Lived) -> Choice:
        mornings.append(lived)
        look()
        stored = store.open("village")
        parts = parts_of((stored.contacts(), stored.nodes()))
        found.append(tune(parts, goal, tmp_path / "tune", Runner.local(2), QUICK, 1, lambda *_: None))
        return permitted(PROTOCOL, found[0].found.best)

    lived = asyncio.run(day.lived(tmp_path, PROTOCOL, Noon(NOON, 0, WAIT, decide)))
    (morning,), (tuned,) = mornings, found
    assert set(lived.runs) == {permitted(PROTOCOL, tuned.found.best).name}

    defaults, push = day.simulated(PROTOCOL), day.simulated("push")
    before, after = day.written(0.0, NOON), day.written(NOON + WAIT)
    enough = ENOUGH * sum(message in after for message in push.deliveries["message"].to_pylist())
    simulated = defaults.deliveries["message"].to_pylist(), dict(enumerate(defaults.copies.tolist()))
    rows = [
        row("morning, defaults, lived through", before, [one[0] for one in morning.deliveries], morning.copies),
        row("afternoon, defaults, simulated", after, *simulated),
        row("afternoon, tuned, lived through", after, [one[0] for one in lived.deliveries], lived.copies),
    ]
    saved = 1 - rows[2]["transfers"] / rows[1]["transfers"]
    assert tuned.saved.low > 0
    assert abs(saved - tuned.saved.mean) < 0.1
    assert rows[2]["delivered"] >= enough

    show(tmp_path / "loop", rows, tuned, saved)
    look()
    monkeypatch.setenv("HUNET_HOME", str(store.home))
    monkeypatch.chdir(tmp_path)
    for what in ("loop", "village"):
        answer = command(what, "--out", f"{what}.html", first="report")
        assert answer.code == 0, answer.stderr
        assert "Before and after" in Path(f"{what}.html").read_text()
    assert all(one["when"] in Path("loop.html").read_text() for one in rows)
    assert "spray (copies = " in Path("village.html").read_text()


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
