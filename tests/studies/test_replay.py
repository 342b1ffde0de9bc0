"""Real processes on real sockets live through a trace exactly as the simulator says."""

from __future__ import annotations

import pyarrow as pa
import pytest

from hunet.protocols import PROTOCOLS
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
