"""Bytes: filters, headers, and all that devices say to each other in a few fixed stories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hunet.filters import TCBF, BloomFilter, CountingBloomFilter, Hashing, SpTBF, TCBFPool
from hunet.filters.base import Filter
from hunet.filters.codec import encode, pack
from hunet.filters.encodings import COUNTER_ENCODINGS, PLAIN_ENCODINGS
from hunet.protocols import PROTOCOLS, Protocol, make_settings
from hunet.protocols.wire import Header
from tests.golden.canonical import digest
from tests.sim.sharing_scenes import random_case
from tests.sim.stories import random_conditions, random_story, tag_names, variants_of
from tests.twin.network import TwinNetwork
from tests.twin.test_sharing_twin import play

KEYS = [f"key {i}" for i in range(9)]
SPOKEN = {"hellos": "hello", "digests": "tell", "headers": "hand_over"}
"""What a device says, and the function of a twin node that says it."""
HEADERS = (
    Header(0, 0, 0, 0, 0, ("a",), 0, 0),
    Header(300, 7, 12_500, None, 140, ("jazz", "chess", "go"), 2, 4),
    Header(2**40, 2**62, 100, 86_400_300, 625_000, ("größer",), 129, 2**31, bytes(range(16))),
)


def filters() -> dict[str, Filter]:
    """One of each kind, with a life behind it."""
    hashing = Hashing(m=64, k=3)
    counting = CountingBloomFilter(hashing, KEYS)
    counting.update(KEYS[:3])
    temporal, other = (TCBF(hashing, 40, 10.0, ceiling=300) for _ in range(2))
    temporal.update(KEYS[:5])
    temporal.decay(125.0)
    other.update(KEYS[3:])
    other.decay(125.0)
    temporal.a_merge(other)
    pool = TCBFPool(TCBF(hashing, 40, 10.0), 0.2, 3)
    for key in KEYS:
        pool.add(key)
    pool.decay(55.0)
    scoped, heard = (SpTBF(hashing, now=100.0) for _ in range(2))
    for i, key in enumerate(KEYS):
        (scoped if i % 2 else heard).insert(key, 1 + i % 3, 7.0 * (i + 1), 100.0)
    scoped.merge(heard, 115.0)
    return {
        "bloom": BloomFilter(hashing, KEYS),
        "counting": counting,
        "fresh": TCBF(hashing, 40, 10.0, keys=KEYS),
        "merged": temporal,
        "pool": pool,
        "spatiotemporal": scoped,
    }


def of_filters() -> dict[str, dict[str, str]]:
    """Between devices, which know the settings, in every encoding; and for strangers, in the smallest."""
    found = {name: {"packed": pack(one).hex(), "encoded": encode(one).hex()} for name, one in filters().items()}
    for name, encodings in (("bloom", PLAIN_ENCODINGS), ("fresh", COUNTER_ENCODINGS)):
        found[name] |= {encoding.name: pack(filters()[name], encoding).hex() for encoding in encodings}
    return found


def of_headers() -> list[str]:
    """Headers of messages."""
    return [header.encode().hex() for header in HEADERS]


def of_protocol(protocol: Protocol) -> dict[str, Any]:
    """All that the devices of a few stories say, the first with settings as they are by default."""
    spoken: dict[str, list[str]] = {kind: [] for kind in SPOKEN}
    for seed, variant in enumerate(({}, *variants_of(protocol)), start=6000):
        story, settings = random_story(seed), make_settings(protocol, variant)
        conditions = random_conditions(seed)
        network = TwinNetwork(story, protocol, settings, tag_names(story), continuous=seed % 2 == 1, **conditions)
        for node in network.nodes:
            for kind, name in SPOKEN.items():
                setattr(node, name, overheard(getattr(node, name), spoken[kind]))
        network.run()
    return {kind: summary(data) for kind, data in spoken.items() if data}


def overheard(say: Callable[..., bytes], into: list[str]) -> Callable[..., bytes]:
    def said(*arguments: Any) -> bytes:
        data = say(*arguments)
        into.append(data.hex())
        return data

    return said


def summary(spoken: Sequence[str]) -> dict[str, Any]:
    """How much it is, a middling one to look at, and a digest of all in their order."""
    return {
        "count": len(spoken),
        "bytes": sum(map(len, spoken)) // 2,
        "one": sorted(spoken, key=lambda data: (len(data), data))[len(spoken) // 3],
        "digest": digest(spoken),
    }


def of_beacons() -> dict[str, Any]:
    """Beacons of Grapevine in all its variants."""
    cases = [random_case(seed) for seed in range(6000, 6006)]
    return summary([data.hex() for case in cases for data in play(case, case.network().world)[1]])


def record() -> dict[str, Any]:
    """Everything, as it is today."""
    return {
        "filters": of_filters(),
        "message headers": of_headers(),
        "protocols": {protocol.name: of_protocol(protocol) for protocol in PROTOCOLS},
        "beacons": of_beacons(),
    }
