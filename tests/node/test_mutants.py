"""Whatever is said to a host is either understood, or refused with one error; nothing else is raised, nothing grows."""

from __future__ import annotations

import asyncio
import os
import random
import resource
from collections.abc import Callable
from typing import Any

import pytest

from hunet.model.errors import DecodeError, LinkError
from hunet.node.answers import decode_answers, decode_ids
from hunet.node.host import Host
from hunet.node.link import MemoryLink, memory_links
from hunet.node.session import session
from hunet.protocols import PROTOCOLS
from tests.node.meetings import a_host

pytestmark = pytest.mark.interpreted

DEPLOYABLE = [protocol.name for protocol in PROTOCOLS if protocol.deployable]


def damaged(data: bytes, chance: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(chance.randrange(1, 4)):
        match chance.randrange(5):
            case 0 if out:
                out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
            case 1 if out:
                del out[chance.randrange(len(out)) :]
            case 2:
                at = chance.randrange(len(out) + 1)
                out[at:at] = chance.randbytes(chance.randrange(1, 9))
            case 3 if out:
                out[chance.randrange(len(out))] = chance.choice((0, 127, 128, 255))
            case _:
                out += out[: chance.randrange(len(out) + 1)]
    return bytes(out)


def two_hosts(protocol: str) -> tuple[Host, Host]:
    hosts = a_host(1, protocol), a_host(2, protocol)
    for i, host in enumerate(hosts):
        for tag in range(8):
            if tag % 2 == i:
                host.subscribe(f"tag {tag}")
            host.publish(os.urandom(20), [f"tag {tag}", f"tag {(tag + 1) % 8}"])
    return hosts


def steps_of(a: Host, b: Host) -> list[tuple[Callable[[bytes], Any], bytes]]:
    """What b does with what a says, and what a says when it means well."""
    line_a, line_b = a.open(b.me), b.open(a.me)
    hello = a.greet()
    b.judge(line_b, hello)
    a.judge(line_a, b.greet())
    digest = a.tell(line_a)
    a.hear(line_a, b.tell(line_b))
    ids = [held.id for held in a.shelf.held.values()]
    line_a.offered, line_a.todo = ids, dict.fromkeys(ids, 1)
    copies = [a.pack(line_a, mid) for mid in ids]
    steps: list[tuple[Callable[[bytes], Any], bytes]] = [
        (lambda data: b.judge(line_b, data), hello),
        (lambda data: b.obey(line_b, data), b"\0"),
        (lambda data: b.hear(line_b, data), digest),
        (lambda data: b.answer(line_b, decode_ids(data)), b"".join(ids)),
        (lambda data: decode_answers(data, 13), b"\x55" * 3 + b"\1"),
    ]
    return steps + [(lambda data: b.receive(line_b, data), copy) for copy in copies if copy is not None]


def mutate(protocol: str, count: int, seed: int) -> tuple[int, int]:
    """How many mutants were refused, and how many understood."""
    chance = random.Random(seed)
    a, b = two_hosts(protocol)
    steps = steps_of(a, b)
    refused = 0
    for i in range(count):
        step, good = steps[i % len(steps)]
        try:
            step(damaged(good, chance))
        except DecodeError:
            refused += 1
    return refused, count - refused


@pytest.mark.parametrize("protocol", DEPLOYABLE)
def test_a_host_refuses_mutants_with_one_error(protocol: str) -> None:
    mutate(protocol, 500, 0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused, understood = mutate(protocol, 10_000, 1)
    assert refused > 5000
    assert understood > 0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 * 1024


@pytest.mark.soak
@pytest.mark.parametrize("protocol", DEPLOYABLE)
def test_a_host_refuses_a_million_mutants_with_one_error(protocol: str) -> None:
    mutate(protocol, 500, 0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for seed in range(10):
        mutate(protocol, 100_000, seed)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 * 1024


class Mutating(MemoryLink):
    """An end that garbles some of what it sends, kind and body."""

    chance = random.Random(1)

    async def send(self, kind: int, body: bytes) -> None:
        if self.chance.random() < 0.1:
            kind, body = self.chance.choice((kind, self.chance.randrange(256))), damaged(body, self.chance)
        await super().send(kind, body)


@pytest.mark.parametrize("protocol", ["bsub10", "bsub13", "envoy"])
def test_a_session_ends_well_or_with_an_error_of_the_link(protocol: str) -> None:
    async def live() -> int:
        broken = 0
        a, b = two_hosts(protocol)
        for i in range(60):
            a.publish(b"%d" % i, ["tag 1"])
            mine, theirs = memory_links(a.me, b.me, os.urandom(32))
            mine.__class__ = Mutating
            ends = [session(host, link, once=True, silence=0.5) for host, link in ((a, mine), (b, theirs))]
            for found in await asyncio.gather(*ends, return_exceptions=True):
                assert not isinstance(found, BaseException) or isinstance(found, LinkError), found
                broken += isinstance(found, LinkError)
            assert not a.lines
            assert not b.lines
        return broken

    assert asyncio.run(live()) > 10
