"""The naive simulator answers what it did when the golden file was recorded."""

from __future__ import annotations

import pytest

from hunet.protocols import Protocol, protocol_named
from tests.golden.canonical import read
from tests.golden.oracle import answers

GOLDEN = read("oracle.json")
RECORDED = [protocol_named(name) for name in GOLDEN]


@pytest.mark.parametrize("protocol", RECORDED, ids=lambda protocol: protocol.name)
def test_the_naive_simulator_answers_as_recorded(protocol: Protocol) -> None:
    assert answers(protocol) == GOLDEN[protocol.name]
