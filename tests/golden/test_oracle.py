"""The naive simulator answers what it did when the golden file was recorded."""

from __future__ import annotations

import pytest

from hunet.protocols import PROTOCOLS, Protocol
from tests.golden.canonical import read
from tests.golden.oracle import answers


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
def test_the_naive_simulator_answers_as_recorded(protocol: Protocol) -> None:
    assert answers(protocol) == read("oracle.json")[protocol.name]
