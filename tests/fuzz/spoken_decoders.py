"""The decoders of what devices say to each other: hellos, digests, headers of messages, beacons, and the node's own.

Samples come from stories that every protocol lives through, called from Python: quick without numba only.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from hunet.protocols import PROTOCOLS, Protocol, make_settings
from hunet.protocols.grapevine import GRAPEVINE
from hunet.protocols.layout import Layout
from hunet.protocols.protocol import World
from hunet.protocols.wire import MAX_HOPS, MAX_TAGS, Header
from tests.fuzz.node_decoders import node_decoders
from tests.fuzz.sample import FIXED_BYTES, Decoder, Sample
from tests.sim.compare import params_of, simulate
from tests.sim.sharing.scenes import random_case
from tests.sim.stories import random_conditions, random_story, tag_names, variants_of
from tests.twin.test_sharing_twin import play

__all__ = ["spoken_decoders"]

_HEADERS, _BEACONS = 40, 6
_MOST_NOTE, _PARCEL = 70_000, 16


def spoken_decoders() -> tuple[Decoder, ...]:
    """A new decoder is one more line here."""
    greeting = [protocol for protocol in PROTOCOLS if protocol.greet is not None]
    return (
        *(Decoder(f"digest of {protocol.name}", partial(_digests, protocol)) for protocol in PROTOCOLS),
        *(Decoder(f"hello of {protocol.name}", partial(_hellos, protocol)) for protocol in greeting),
        Decoder("header of a message", _headers),
        Decoder("beacon of Grapevine", _beacons),
        *node_decoders(),
    )


def _digests(protocol: Protocol) -> Iterator[Sample]:
    for params, state, world, node in _lives(protocol):
        digest = protocol.digest.new(params, world)
        hello = protocol.hello.new(params, world)
        protocol.tell(params, state, np.uint64(node), 1e4, hello, 0, digest)
        yield _told(protocol.digest, params, world, digest)


def _hellos(protocol: Protocol) -> Iterator[Sample]:
    assert protocol.greet is not None
    for params, state, world, node in _lives(protocol):
        hello = protocol.hello.new(params, world)
        protocol.greet(params, state, np.uint64(node), 1e4, hello)
        yield _told(protocol.hello, params, world, hello)


def _lives(protocol: Protocol) -> Iterator[tuple[Any, Any, World, int]]:
    """Parameters, state, world and number of every node at the end of a story, with all settings to try."""
    for seed, variant in enumerate(variants_of(protocol), start=3000):
        story, settings = random_story(seed), make_settings(protocol, variant)
        state = simulate(story, protocol, settings, continuous=False, **random_conditions(seed)).state
        for node in range(story.nodes):
            world = World(story.nodes, tag_names(story), 1)
            yield params_of(story, protocol, settings), state, world, node


def _told(of: Layout, params: Any, world: World, told: Any) -> Sample:
    def read(data: bytes) -> Any:
        arrived = of.new(params, world)
        of.decode(params, data, arrived)
        return arrived

    def bound(data: bytes) -> int:
        # The digest, what arrived of it, and a part of it in the making: bits are laid out one per byte.
        return FIXED_BYTES + 8 * sum(int(array.nbytes) for array in told) + 64 * len(data)

    return Sample(of.encode(params, told), read, lambda arrived, _data: of.encode(params, arrived), bound)


def _headers() -> Iterator[Sample]:
    chance = random.Random(7)
    for number in range(_HEADERS):
        header = Header(
            number=chance.randrange(1 << chance.randint(1, 63)),
            source=chance.randrange(1 << chance.randint(1, 63)),
            age=chance.randrange(1 << chance.randint(1, 40)),
            lifetime=None if number % 3 == 0 else chance.randrange(1 << 40),
            size=chance.randrange(1 << chance.randint(1, 40)),
            tags=tuple(f"{'größe'[: chance.randint(1, 5)]}{tag}" for tag in range(chance.choice((1, 2, 5, MAX_TAGS)))),
            hops=chance.randint(0, MAX_HOPS),
            note=chance.randint(0, _MOST_NOTE),
        )
        parcel = _PARCEL if number % 2 else 0
        header = replace(header, parcel=chance.randbytes(parcel))
        read = partial(Header.decode, most_note=_MOST_NOTE, parcel_bytes=parcel)
        yield Sample(
            header.encode(), read, lambda read, _data: read.encode(), lambda data: FIXED_BYTES + 400 * len(data)
        )


def _beacons() -> Iterator[Sample]:
    for seed in range(_BEACONS):
        case = random_case(seed)
        devices, sent = play(case, case.network().world)
        params, world = devices[0].params, devices[0].world
        for data in sent[::5]:
            yield _told(GRAPEVINE.digest, params, world, devices[0].decoded(data))
