"""Every protocol delivers, forwards, drops and costs what it did when the golden file was recorded, to the last bit."""

from __future__ import annotations

import pytest

from hunet.protocols import Protocol, protocol_named
from tests.golden import scenarios
from tests.golden.canonical import read
from tests.golden.scenarios import CASES, MODELS, run, summary

GOLDEN = read("simulations.json")

RECORDED = [protocol_named(name) for name in GOLDEN["measures"]]
each_protocol = pytest.mark.parametrize("protocol", RECORDED, ids=lambda protocol: protocol.name)


def test_traces_and_workloads_are_generated_as_recorded() -> None:
    assert scenarios.inputs() == GOLDEN["inputs"]


@pytest.mark.compiles
@pytest.mark.parametrize("model", MODELS)
@each_protocol
def test_simulations_come_out_as_recorded(protocol: Protocol, model: str) -> None:
    found = {
        f"{protocol.name}, {model}, {name}": summary(run(protocol.name, model, case)) for name, case in CASES.items()
    }
    assert found == {name: GOLDEN["simulations"][name] for name in found}


@pytest.mark.interpreted
@each_protocol
def test_measures_come_out_as_recorded(protocol: Protocol) -> None:
    recorded = GOLDEN["measures"][protocol.name]
    found = scenarios.measures(protocol)
    assert {name: found[name] for name in recorded} == pytest.approx(recorded, rel=1e-8, nan_ok=True)
