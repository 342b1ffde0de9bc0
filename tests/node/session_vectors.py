"""Vectors of messages and of whole contacts: what each end says, frame by frame."""

from __future__ import annotations

import asyncio
from typing import Any

from hunet.node.choice import permitted
from hunet.node.clock import VirtualClock
from hunet.node.host import Host
from hunet.node.link import KINDS, MemoryLink, memory_links
from hunet.node.message import Author, Copy, Envelope
from hunet.node.notice import Notice
from hunet.node.session import session
from hunet.node.store import Store
from hunet.protocols import make_settings, protocol_named

SALT = bytes(range(16))
WRITTEN = 1_790_000_000_000
HOLDER = Author.from_seed(bytes([9] * 32))


def of_messages() -> list[dict[str, Any]]:
    """Signed messages, and a copy of each on its way."""
    author = Author.from_seed(bytes([7] * 32))
    cases = ((("jazz",), b"Tonight at nine", 86_400_000), (("jazz", "Käse"), bytes(range(200)), 1000), (("a",), b"", 0))
    out = []
    for tags, payload, lifetime in cases:
        envelope = Envelope.signed(author, WRITTEN, lifetime, tags, payload)
        copy = Copy(envelope.encode(), age=90_500, hops=2, note=3)
        out.append(
            {
                "author_seed": (b"\7" * 32).hex(),
                "author": author.public.hex(),
                "written": WRITTEN,
                "lifetime": lifetime,
                "tags": list(tags),
                "payload": payload.hex(),
                "envelope": envelope.encode().hex(),
                "id": envelope.id.hex(),
                "copy": {"kind": 0, "age": copy.age, "hops": copy.hops, "note": copy.note},
                "message_frame": copy.encode(0).hex(),
            }
        )
    return out


def of_settings() -> list[dict[str, Any]]:
    """Signed settings, and as they are told to a peer."""
    out = []
    for choice, wait in ((permitted("bsub13", {"decay_cycle": 64.0}), 86_400_000), (permitted("spray", {}), 0)):
        notice = Notice.signed(HOLDER, WRITTEN, choice, wait)
        out.append(
            {
                "settings_seed": (b"\x09" * 32).hex(),
                "settings_key": HOLDER.public.hex(),
                "serial": WRITTEN,
                "says": notice.envelope.payload.decode(),
                "envelope": notice.envelope.encode().hex(),
                "age": 90_500,
                "settings_frame": notice.told(90_500).hex(),
            }
        )
    return out


class Recorded(MemoryLink):
    """An end whose frames are written down."""

    said: list[dict[str, Any]]

    async def send(self, kind: int, body: bytes) -> None:
        self.said.append({"kind": kind, "name": KINDS[kind - 1], "body": body.hex()})
        await super().send(kind, body)


def of_sessions() -> list[dict[str, Any]]:
    """Two nodes that have met nobody before, one exchange: what each says, in order."""
    names = ("push", "bsub10", "bsub13", "spray")
    return [asyncio.run(_of_session(name)) for name in names] + [asyncio.run(_of_session("spray", news=True))]


async def _of_session(name: str, news: bool = False) -> dict[str, Any]:
    protocol = protocol_named(name)
    clocks = VirtualClock(1_000_000), VirtualClock(50_000_000)
    hosts = [
        Host(
            Store(":memory:"),
            bytes([i + 1] * 32),
            Author.from_seed(bytes([i + 1] * 32)),
            protocol,
            make_settings(protocol, {}),
            clock=clock,
            key=SALT,
            holder=HOLDER.public if news else None,
        )
        for i, clock in enumerate(clocks)
    ]
    if news:
        hosts[1].announce(HOLDER, permitted("spray", {"copies": 4}), 3_600_000)
    hosts[0].subscribe("jazz")
    for text in (b"first", b"second"):
        hosts[1].publish(text, ["jazz"])
        clocks[1].now += 1500
    links = memory_links(hosts[0].me, hosts[1].me, bytes(32))
    for link in links:
        link.__class__ = Recorded
        link.said = []  # type: ignore[attr-defined]
    await asyncio.gather(*(session(host, link, once=True) for host, link in zip(hosts, links, strict=True)))
    said = {who: link.said for who, link in zip(("lower", "higher"), links, strict=True)}  # type: ignore[attr-defined]
    about = {"protocol": name, "runs": hosts[0].rows[0].name, "fingerprint": hosts[0].fingerprint.hex()}
    return about | {"salt": SALT.hex(), "clocks": [1_000_000, 50_003_000]} | said
