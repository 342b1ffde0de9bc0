"""What every protocol tells survives the wire; what is damaged is refused or is what somebody else would have told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hunet.model.errors import DecodeError
from hunet.protocols import PROTOCOLS, Protocol, make_settings
from hunet.protocols.layout import Layout
from hunet.protocols.protocol import World
from tests.interpreted import interpreted_only
from tests.sim.compare import params_of, simulate
from tests.sim.stories import random_conditions, random_story, tag_names, variants_of

pytestmark = interpreted_only


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
def test_hellos_and_digests_survive_the_wire_and_damaged_ones_are_refused(protocol: Protocol) -> None:
    random = np.random.default_rng(1)
    refused = 0
    for seed in range(2000, 2000 + len(variants_of(protocol))):
        story = random_story(seed)
        variants = variants_of(protocol)
        settings = make_settings(protocol, variants[seed % len(variants)])
        state = simulate(story, protocol, settings, continuous=False, **random_conditions(seed)).state
        params = params_of(story, protocol, settings)
        world = World(story.nodes, tag_names(story), 1)
        for node in range(story.nodes):
            digest = protocol.digest.new(params, world)
            hello = protocol.hello.new(params, world)
            protocol.tell(params, state, np.uint64(node), 1e4, hello, 0, digest)
            refused += refusals(protocol.digest, params, world, digest, random)
            if protocol.greet is not None:
                protocol.greet(params, state, np.uint64(node), 1e4, hello)
                refused += refusals(protocol.hello, params, world, hello, random)
    assert refused > 0


def refusals(of: Layout, params: Any, world: World, told: Any, random: np.random.Generator) -> int:
    """Send it; send it damaged, and count how often it is refused."""
    data = of.encode(params, told)
    assert len(data) == of.size(params, told)
    assert data == of.encode(params, decoded(of, params, world, data))
    refused = 0
    for _ in range(8):
        bad = damaged(data, random)
        try:
            arrived = decoded(of, params, world, bad)
        except DecodeError:
            refused += 1
        else:  # what is accepted is what somebody would have written
            assert of.encode(params, arrived) == bad
    return refused


def decoded(of: Layout, params: Any, world: World, data: bytes) -> Any:
    arrived = of.new(params, world)
    of.decode(params, data, arrived)
    return arrived


def damaged(data: bytes, random: np.random.Generator) -> bytes:
    if len(data) == 0 or random.integers(3) == 0:
        return data + random.bytes(1)
    if random.integers(2) == 0:
        return data[: random.integers(len(data))]
    changed = bytearray(data)
    changed[random.integers(len(data))] ^= 1 << random.integers(8)
    return bytes(changed)
