"""Filters, headers, hellos, digests and beacons are the bytes that they were when the golden file was recorded."""

from __future__ import annotations

import pytest

from hunet.protocols import Protocol, protocol_named
from tests.golden import wire
from tests.golden.canonical import read
from tests.interpreted import interpreted_only

GOLDEN = read("wire.json")
RECORDED = [protocol_named(name) for name in GOLDEN["protocols"]]


def test_filters_and_headers_are_the_recorded_bytes() -> None:
    assert wire.of_filters() == GOLDEN["filters"]
    assert wire.of_headers() == GOLDEN["message headers"]


@interpreted_only
@pytest.mark.parametrize("protocol", RECORDED, ids=lambda protocol: protocol.name)
def test_devices_say_the_recorded_bytes(protocol: Protocol) -> None:
    assert wire.of_protocol(protocol) == GOLDEN["protocols"][protocol.name]


@interpreted_only
def test_beacons_are_the_recorded_bytes() -> None:
    assert wire.of_beacons() == GOLDEN["beacons"]
