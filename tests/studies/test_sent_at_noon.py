"""Settings that are sent to nodes that live through a day: real processes on sockets."""

from __future__ import annotations

import asyncio
from pathlib import Path

from hunet.node.choice import Choice, permitted
from hunet.studies.replay.driver import Lived, Noon
from tests.studies.conference_day import HOUR, NOON, WAIT, a_day


def test_settings_that_are_sent_at_noon_reach_every_node_by_contacts(tmp_path: Path) -> None:
    """Real processes on sockets; what `tune` would find is given."""
    day = a_day(tmp_path, 8, 200.0, 11 * HOUR, 14 * HOUR)
    choice = permitted("bsub13", {"decay_cycle": 2000.0, "initial": 100})
    before: list[Lived] = []

    def decide(lived: Lived) -> Choice:
        before.append(lived)
        return choice

    lived = asyncio.run(day.lived(tmp_path, "bsub13", Noon(NOON, 0, WAIT, decide)))
    assert set(before[0].runs) == {Choice(choice.protocol, choice.protocol.settings()).name}
    assert set(lived.runs) == {choice.name}
    written = day.written(NOON + WAIT)
    assert len({one for one in lived.deliveries if one[0] in written}) > 5
    logs = "".join(file.read_text() for file in (tmp_path / "logs").glob("*.jsonl"))
    assert logs.count('"kind": "settings"') == 8
