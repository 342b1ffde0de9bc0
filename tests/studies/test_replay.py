"""Real processes on real sockets live through a trace exactly as the simulator says."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from hunet.model.errors import InvalidValueError
from hunet.protocols import PROTOCOLS
from hunet.sim.engine.run import run
from hunet.studies.replay import replay as replays
from hunet.studies.replay.replay import replay

DEPLOYABLE = [protocol.name for protocol in PROTOCOLS if protocol.deployable]


@pytest.fixture(scope="module")
def crowd() -> tuple[pa.Table, pa.Table]:
    """An hour of a conference, from its first contact on."""
    import hunet as hn

    trace = hn.generate("conference", seed=3, nodes=12, days=1)
    return trace.contacts, trace.nodes


@pytest.mark.interpreted
@pytest.mark.parametrize("protocol", DEPLOYABLE)
def test_an_hour_lived_through_is_the_hour_simulated(protocol: str, crowd: tuple[pa.Table, pa.Table]) -> None:
    found = replay(*crowd, protocol, hours=1.0, settings={"copies": 4} if protocol == "spray" else {})
    assert found.identical, found.differences
    assert found.lines()[-1] == "identical to the simulation"
    assert found.contacts > 20
    assert found.lived.forwards > 5


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["bsub13"])
def test_infocom05_lived_through_is_infocom05_simulated(protocol: str, real_traces: Path) -> None:
    """41 nodes, 17,712 contacts over TCP, clocks up to a day apart; on two quiet cores within six minutes."""
    import hunet as hn

    trace = hn.read(real_traces / "haggle-infocom05" / "contacts.Exp3.dat", internal="1-41")
    found = replay(trace.contacts, trace.nodes, protocol)
    assert found.identical, found.differences
    assert (found.nodes, found.contacts) == (41, 17_712)
    assert found.lived.cpu_seconds < 2 * 360


@pytest.mark.interpreted
def test_what_differs_is_said_line_by_line(crowd: tuple[pa.Table, pa.Table], monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulation with other settings is another one, and says where."""
    monkeypatch.setattr(replays, "run", _with_half_the_buffer)
    found = replay(*crowd, "push", hours=4.0)
    assert not found.identical
    assert any(line.startswith("only ") for line in found.differences)
    assert any(line.startswith("evictions of node ") for line in found.differences)


def _with_half_the_buffer(protocol: Any, settings: Any, scene: Any, tags: Any, conditions: Any, **rest: Any) -> Any:
    return run(protocol, settings, scene, tags, dataclasses.replace(conditions, buffer=5), **rest)


@pytest.mark.parametrize("name", ["neighbors", "mops"])
def test_a_protocol_that_no_device_runs_is_refused(name: str, crowd: tuple[pa.Table, pa.Table]) -> None:
    with pytest.raises(InvalidValueError, match=f"{name} does not run on devices as it is: choose one of push, "):
        replay(*crowd, name)
