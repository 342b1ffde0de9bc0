"""Devices that hear nothing of each other but the bytes of beacons end exactly as the beacon simulator does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hunet.model.errors import DecodeError
from hunet.protocols.grapevine import FOREVER, GRAPEVINE, GrapevineSettings, express, offer
from hunet.protocols.protocol import World
from hunet.sim.sharing.groups import Group, form_groups
from tests.conformance.test_digests import damaged
from tests.naive.sharing import neighbours
from tests.sim.sharing.scenes import Case, random_case

pytestmark = pytest.mark.interpreted

ME = 0


class Device:
    """One row of state, its own clock, and bytes to and from others."""

    def __init__(self, number: int, world: World, settings: GrapevineSettings, groups: tuple[Group, ...]) -> None:
        self.world = replace(world, nodes=1, first_node=number)
        self.params = GRAPEVINE.prepare(settings, self.world)
        self.state = GRAPEVINE.new_state(self.params, self.world)
        labels = len(world.tags)
        for label in range(labels):
            offer(self.state, ME, label, number * labels + label)
        form_groups(self.state, groups)

    def beacon(self, now: int) -> bytes:
        digest = GRAPEVINE.digest.new(self.params, self.world)
        GRAPEVINE.tell(self.params, self.state, ME, now, digest)
        data = GRAPEVINE.digest.encode(self.params, digest)
        assert len(data) == GRAPEVINE.digest.size(self.params, digest)
        return data

    def hear(self, data: bytes, now: int) -> None:
        GRAPEVINE.hear(self.params, self.state, ME, self.decoded(data), now)

    def decoded(self, data: bytes) -> Any:
        digest = GRAPEVINE.digest.new(self.params, self.world)
        GRAPEVINE.digest.decode(self.params, data, digest)
        return digest


def play(case: Case, world: World) -> tuple[list[Device], list[bytes]]:
    """The devices at the end, and every beacon that was sent."""
    story = case.story()
    devices = [Device(number, world, case.settings, case.scene.groups) for number in range(story.nodes)]
    coming = sorted(story.interests, key=lambda interest: interest[2])
    sent = []
    for now, sender, number in story.beacons:
        while coming and coming[0][2] <= now:
            node, label, _, until, hops = coming.pop(0)
            over = (FOREVER if until is None else until) + story.clocks[node]
            express(devices[node].state, ME, label, hops, over)
        data = devices[sender].beacon(now + story.clocks[sender])
        sent.append(data)
        for other in neighbours(story, sender, now):
            if not story.lost(sender, number, other):
                devices[other].hear(data, now + story.clocks[other])
    return devices, sent


def test_devices_that_exchange_bytes_end_as_the_simulation() -> None:
    for seed in range(24):
        case = random_case(seed)
        network = case.network()
        network.run_until(case.scene.seconds)
        devices, sent = play(case, network.world)
        assert sum(map(len, sent)) == network.measures()["bytes"]
        for node, device in enumerate(devices):
            fields: list[tuple[str, Any, Any]] = list(
                zip(network.state._fields, network.state, device.state, strict=True)
            )
            for name, rows, own in fields:
                if name != "values":
                    assert np.array_equal(rows[node], own[0]), (seed, name, node)
            known = np.unpackbits(device.state.labels[0].view(np.uint8), axis=-1, bitorder="little")
            known = known[:, : case.scene.labels].astype(bool)
            assert np.array_equal(network.state.values[node][known], device.state.values[0][known]), (seed, node)


def test_beacons_survive_the_wire_and_damaged_ones_are_refused() -> None:
    random = np.random.default_rng(1)
    refused = 0
    for seed in range(12):
        case = random_case(seed)
        devices, sent = play(case, case.network().world)
        for data in sent[::5]:
            assert GRAPEVINE.digest.encode(devices[0].params, devices[0].decoded(data)) == data
            for _ in range(4):
                bad = damaged(data, random)
                try:
                    digest = devices[0].decoded(bad)
                except DecodeError:
                    refused += 1
                else:  # what is accepted is what somebody would have written
                    assert GRAPEVINE.digest.encode(devices[0].params, digest) == bad
    assert refused > 100
