"""Stories lived through by real hosts and sessions, over links that are memory, on clocks that are set by hand."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from hunet.node.budget import NO_LIMITS
from hunet.node.clock import VirtualClock
from hunet.node.host import Host
from hunet.node.link import memory_links
from hunet.node.message import Author
from hunet.node.session import session
from hunet.node.store import Store
from hunet.protocols.protocol import Protocol
from tests.naive.simulator import BIRTH, CHANGE, END, START, Story, part
from tests.sim.stories import tag_names


def key_of(node: int) -> bytes:
    """Keys that are in the order of the trace's numbers: ids break ties."""
    return node.to_bytes(2, "big") + blake2b(b"%d" % node, digest_size=30).digest()


def in_milliseconds(story: Story) -> Story:
    """No two births in one millisecond, which would have no order; and no message that is over before it is sent."""
    messages = []
    for i, message in enumerate(story.messages):
        created = round(message.created + i / 1000, 3)
        lifetime = max(message.expires - message.created, 0.001)
        messages.append(replace_message(message, created, created + lifetime))
    return story._replace(messages=messages) if hasattr(story, "_replace") else replace(story, messages=messages)


def replace_message(message: Any, created: float, expires: float) -> Any:
    if hasattr(message, "_replace"):
        return message._replace(created=created, expires=expires)
    return replace(message, created=created, expires=expires)


def renewed(story: Story, every: float) -> Story:
    """The same, but a contact tells again every so often."""
    contacts = []
    for a, b, start, end in story.contacts:
        end = min(end, 1999.0) if end > start else end
        at = start
        while True:
            contacts.append((a, b, at, max(at, min(at + every, end))))
            at += every
            if at >= end:
                break
    contacts.sort(key=lambda contact: (contact[2], contact[0], contact[1]))
    return replace(story, contacts=contacts)


class Lives:
    """Every node of a story."""

    def __init__(
        self,
        story: Story,
        protocol: Protocol,
        settings: Any,
        *,
        continuous: bool = False,
        buffer: int | None = None,
        bytes_per_second: float = math.inf,
        eviction: str = "oldest",
        clocks: Sequence[float] | None = None,
    ) -> None:
        self.story, self.tags, self.bytes_per_second = story, tag_names(story), bytes_per_second
        self.continuous = continuous
        self.ahead = [round(1000 * ahead) for ahead in clocks or [0.0] * story.nodes]
        limits = replace(NO_LIMITS, messages=math.inf if buffer is None else buffer, fair=eviction == "fair")
        self.clocks = [VirtualClock(ahead) for ahead in self.ahead]
        authors = [Author.from_seed(key_of(node)) for node in range(story.nodes)]
        self.names = {key_of(node): node for node in range(story.nodes)}
        self.names |= {author.public: node for node, author in enumerate(authors)}
        self.hosts = [
            Host(
                Store(":memory:"),
                key_of(node),
                authors[node],
                protocol,
                settings,
                clock=self.clocks[node],
                limits=limits,
                number=self.names.__getitem__,
            )
            for node in range(story.nodes)
        ]
        self.number: dict[bytes, int] = {}
        self.met = 0

    async def live(self) -> Lives:
        story = self.story
        events = [(change[0], CHANGE, i) for i, change in enumerate(story.changes)]
        events += [(message.created, BIRTH, i) for i, message in enumerate(story.messages)]
        events += [(contact[2], START, i) for i, contact in enumerate(story.contacts)]
        events += [(contact[3], END, i) for i, contact in enumerate(story.contacts)]
        for node, interests in enumerate(story.interests):
            for tag, interest in interests.items():
                self.want(node, tag, interest)
        lasting: dict[int, tuple[asyncio.Task[Any], ...]] = {}
        for now, kind, i in sorted(events):
            for clock, ahead in zip(self.clocks, self.ahead, strict=True):
                clock.now = round(1000 * now) + ahead
            if kind == CHANGE:
                self.want(*story.changes[i][1:])
            elif kind == BIRTH:
                self.birth(i)
            elif kind == START:
                ends = self.contact(i)
                if self.continuous:
                    lasting[i] = tuple(asyncio.create_task(end) for end in ends)
                else:
                    await asyncio.gather(*ends)
            elif self.continuous:
                await self.part(lasting.pop(i))
            elif part(story, i):
                a, b = story.contacts[i][:2]
                self.hosts[a].part(key_of(b))
                self.hosts[b].part(key_of(a))
            if self.continuous:
                await quiet()
        return self

    async def part(self, ends: tuple[asyncio.Task[Any], ...]) -> None:
        for end in ends:
            end.cancel()
        await asyncio.gather(*ends, return_exceptions=True)

    def want(self, node: int, tag: int, interest: Any) -> None:
        name = self.tags[tag]
        if interest is None:
            self.hosts[node].unsubscribe(name)
            return
        until = None if interest.until == math.inf else round(1000 * interest.until) + self.ahead[node]
        self.hosts[node].subscribe(name, level=interest.level, hops=interest.hops, until=until)

    def birth(self, i: int) -> None:
        message = self.story.messages[i]
        lifetime = message.expires - message.created
        names = [self.tags[tag] for tag in message.tags]
        ends = 0 if lifetime == math.inf else round(1000 * lifetime)
        self.number[self.hosts[message.source].publish(bytes(message.size), names, lifetime=ends)] = i

    def contact(self, i: int) -> list[Any]:
        a, b, start, end = self.story.contacts[i]
        room = math.inf if self.bytes_per_second == math.inf else self.bytes_per_second * (end - start)
        links = memory_links(key_of(a), key_of(b), self.met.to_bytes(32, "big"))
        self.met += 1
        once = not self.continuous
        return [
            session(self.hosts[node], link, once=once, capacity=room) for node, link in zip((a, b), links, strict=True)
        ]

    # ------------------------------------------------------------------ what came of it

    @property
    def deliveries(self) -> list[tuple[int, int, float, int]]:
        return sorted(
            (self.number[found.id], node, (found.at - self.ahead[node]) / 1000, found.hops)
            for node, host in enumerate(self.hosts)
            for found in host.store.deliveries(most=10**6)
        )

    @property
    def copies(self) -> list[int]:
        seen = [{mid for (mid,) in host.store.rows("SELECT id FROM seen")} for host in self.hosts]
        ids = sorted(self.number, key=lambda mid: self.number[mid])
        return [sum(mid in some for some in seen) for mid in ids]


async def quiet() -> None:
    """Wait until nobody has anything to say: tasks that could run have run."""
    for _ in range(200):
        await asyncio.sleep(0)
