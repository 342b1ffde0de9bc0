"""A slow simulator of dicts, sets and lists: what the fast one must equal exactly.

It says once more, in the plainest way, what a simulation is; protocols are in `tag_protocols.py` and `brokers.py`. A
protocol here is an object that knows all nodes; the simulator keeps messages and time.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

CHANGE, BIRTH, START, END = range(4)
NO, YES = np.float32(0), np.float32(1)
DIRECT = np.finfo(np.float32).max
BOTH = np.float32(np.inf)


@dataclass(frozen=True)
class Message:
    number: int
    created: float
    expires: float
    source: int
    size: int
    tags: tuple[int, ...]


class Interest(NamedTuple):
    level: float = 1.0
    hops: int = 0
    until: float = math.inf


def wanted(*interests: Iterable[int]) -> list[dict[int, Interest]]:
    """Of each node: tags that it wants fully and for ever."""
    return [dict.fromkeys(tags, Interest()) for tags in interests]


@dataclass
class Story:
    """Everything that happens, from outside."""

    nodes: int
    contacts: list[tuple[int, int, float, float]]
    """(a, b, start, end), a < b, sorted by (start, a, b)."""
    messages: list[Message]
    changes: list[tuple[float, int, int, Interest | None]]
    """(time, node, tag, interest from then on)"""
    interests: list[dict[int, Interest]]
    """Of each node, by tag."""
    tags: int
    closeness: dict[tuple[int, int], float] = field(default_factory=dict)
    """Of a pair (a, b), a < b."""


class Choice(NamedTuple):
    message: Message
    score: np.float32
    known: bool
    """The peer holds it already, and only gets an errand."""

    @property
    def size(self) -> int:
        return 0 if self.known else self.message.size


Plan: TypeAlias = "list[Choice]"


class Behaviour(Protocol):
    """A protocol, naively."""

    own_outside: bool
    room: float
    """Messages that a buffer holds."""
    ahead: Sequence[float]
    """Seconds that each node's clock is ahead."""

    def subscribe(self, node: int, wants: dict[int, Interest]) -> None: ...
    def age(self, node: int, now: float) -> None: ...
    def greet(self, a: int, b: int, now_a: float, now_b: float) -> int: ...  # round 0 in both directions; its bytes
    def tell(self, node: int, peer: int) -> Any: ...
    def size(self, digest: Any) -> int: ...
    def score(self, node: int, told: Any, heard: Any, message: Message) -> np.float32: ...
    def gave(self, node: int, message: Message, score: np.float32, heard: Any) -> tuple[bool, int]: ...
    def take(self, node: int, message: Message, note: int) -> bool: ...
    def errand(self, node: int, peer: int, message: Message) -> np.float32: ...  # is it on one through the peer?
    def pass_errands(self, node: int, peer: int, message: Message) -> None: ...  # those through the peer
    def hear(self, node: int, peer: int, digest: Any, now: float) -> None: ...
    def rank(self, node: int, message: Message) -> float: ...  # the least leaves a full buffer first
    def lost(self, node: int, message: Message, dropped: bool) -> None: ...
    def parted(self, node: int, peer: int, now: float) -> None: ...


@dataclass(eq=False)
class Link:
    """A contact while it lasts."""

    ends: tuple[int, int]
    digests: tuple[Any, Any]
    capacity: float
    used: list[int]


@dataclass
class NaiveSimulator:
    story: Story
    behaviour: Behaviour
    continuous: bool = False
    buffer: float = math.inf
    bytes_per_second: float = math.inf
    shared: bool = False
    charge_digests: bool = False
    eviction: str = "oldest"
    clocks: Sequence[float] | None = None
    own_outside: bool | None = None
    """None: as the protocol's paper has it."""
    ids: Sequence[int] | None = None
    """Of every message, where they are told apart by these."""

    def __post_init__(self) -> None:
        story = self.story
        self.ahead = list(self.clocks) if self.clocks is not None else [0.0] * story.nodes
        self.behaviour.room, self.behaviour.ahead = self.buffer, self.ahead
        self.wants = [dict(interests) for interests in story.interests]
        self.held: list[list[Message]] = [[] for _ in range(story.nodes)]
        self.seen: list[dict[int, int]] = [{} for _ in range(story.nodes)]  # message -> hops it took
        self.links: list[list[Link]] = [[] for _ in range(story.nodes)]
        self.copies = [0] * len(story.messages)
        self.dropped = [0] * len(story.messages)
        self.drops_per_node = [0] * story.nodes
        self.deliveries: list[tuple[int, int, float, int]] = []
        self.forwards = 0
        self.errands = 0
        self.mistaken = 0
        self.control_bytes = 0
        self.moved: list[tuple[int, Message]] = []

    # -------------------------------------------------------------- time

    def run(self) -> NaiveSimulator:
        story = self.story
        events: list[tuple[float, int, int]] = []
        events += [(change[0], CHANGE, i) for i, change in enumerate(story.changes)]
        events += [(message.created, BIRTH, message.number) for message in story.messages]
        events += [(contact[2], START, i) for i, contact in enumerate(story.contacts)]
        events += [(contact[3], END, i) for i, contact in enumerate(story.contacts)]
        for node in range(story.nodes):
            self.subscribe(node, 0.0)
        open_links: dict[int, Link] = {}
        for now, kind, i in sorted(events):
            self.moved = []
            if kind == CHANGE:
                _, node, tag, interest = story.changes[i]
                self.wants[node].pop(tag, None)
                if interest is not None:
                    self.wants[node][tag] = interest
                self.subscribe(node, now)
            elif kind == BIRTH:
                self.publish(story.messages[i], now)
            elif kind == START:
                link = self.meet(story.contacts[i], now)
                if self.continuous:
                    open_links[i] = link
                    for node in link.ends:
                        self.links[node].append(link)
            else:
                if part(story, i):
                    a, b = story.contacts[i][:2]
                    self.behaviour.parted(a, b, now + self.ahead[a])
                    self.behaviour.parted(b, a, now + self.ahead[b])
                if self.continuous:
                    link = open_links.pop(i)
                    for node in link.ends:
                        self.links[node].remove(link)
            if self.continuous:
                for node, message in self.moved:
                    self.spread(node, message, now)
        return self

    # -------------------------------------------------------------- what happens

    def subscribe(self, node: int, now: float) -> None:
        """Interests end by the node's own clock."""
        self.behaviour.age(node, now + self.ahead[node])
        own = {tag: one._replace(until=one.until + self.ahead[node]) for tag, one in self.wants[node].items()}
        self.behaviour.subscribe(node, own)

    def publish(self, message: Message, now: float) -> None:
        self.expire(message.source, now)
        self.seen[message.source][message.number] = 0
        self.copies[message.number] += 1
        self.keep(message.source, message, 0)
        self.trim(message.source)

    def meet(self, contact: tuple[int, int, float, float], now: float) -> Link:
        a, b, start, end = contact
        for node in (a, b):
            self.expire(node, now)
            self.behaviour.age(node, now + self.ahead[node])
        self.control_bytes += self.behaviour.greet(a, b, now + self.ahead[a], now + self.ahead[b])
        digests = self.behaviour.tell(a, b), self.behaviour.tell(b, a)
        sizes = [self.behaviour.size(digest) for digest in digests]
        self.control_bytes += sum(sizes)
        unlimited = self.bytes_per_second == math.inf
        link = Link((a, b), digests, math.inf if unlimited else self.bytes_per_second * (end - start), [0, 0])
        if self.charge_digests:
            link.used = sizes
        plans = [self.choose(a, b, 0, link), self.choose(b, a, 1, link)]
        if self.shared:
            plans = self.in_turn(plans, sum(link.used), link.capacity)
        else:
            plans = [self.fitting(plan, link.used[side], link.capacity) for side, plan in enumerate(plans)]
        for me, peer, side in ((a, b, 0), (b, a, 1)):
            for choice in plans[side]:
                self.send(me, peer, side, link, choice, now)
        self.trim(a)
        self.trim(b)
        self.behaviour.hear(a, b, digests[1], now + self.ahead[a])
        self.behaviour.hear(b, a, digests[0], now + self.ahead[b])
        return link

    def choose(self, me: int, peer: int, side: int, link: Link) -> Plan:
        """What of mine is for the peer, newest first."""
        chosen = []
        for message in sorted(self.held[me], key=lambda message: -message.number):
            known = message.number in self.seen[peer]
            if not known or message in self.held[peer]:
                score = NO if known else self.behaviour.score(me, *ordered(link.digests, side), message)
                score = max(score, self.behaviour.errand(me, peer, message))
                if score > 0:
                    chosen.append(Choice(message, score, known))
        return chosen

    def fitting(self, plan: Plan, used: int, capacity: float) -> Plan:
        """Where not all fits, best first until one does not fit."""
        return self.in_turn([plan, []], used, capacity)[0]

    def in_turn(self, plans: list[Plan], used: int, capacity: float) -> list[Plan]:
        """The same for both directions together, one message each way in turn; errands alone always find room."""
        if used + sum(choice.size for plan in plans for choice in plan) <= capacity:
            return plans
        waiting = [deque(sorted(plan, key=lambda choice: -choice.score)) for plan in plans]
        sent: list[Plan] = [[], []]
        side = 0
        while waiting[0] or waiting[1]:
            if waiting[side]:
                choice = waiting[side].popleft()
                used += choice.size
                if choice.size == 0 or used <= capacity:
                    sent[side].append(choice)
            side = 1 - side
        return sent

    def send(self, me: int, peer: int, side: int, link: Link, choice: Choice, now: float) -> None:
        message = choice.message
        if choice.known:
            self.errands += 1
            self.behaviour.pass_errands(me, peer, message)
            return
        if self.ids is not None and self.ids[message.number] in {
            self.ids[other] for other in self.seen[peer] if self.story.messages[other].expires >= now
        }:
            self.mistaken += 1
            return
        hops = self.seen[me][message.number] + 1
        link.used[side] += message.size
        self.seen[peer][message.number] = hops
        self.copies[message.number] += 1
        self.forwards += 1
        if self.wants[peer].keys() & set(message.tags):
            self.deliveries.append((message.number, peer, now, hops))
        stays, note = self.behaviour.gave(me, message, choice.score, link.digests[1 - side])
        if not stays:
            self.held[me].remove(message)
        self.keep(peer, message, note)
        self.behaviour.pass_errands(me, peer, message)

    def keep(self, node: int, message: Message, note: int) -> None:
        if not self.behaviour.take(node, message, note):
            return
        self.held[node].append(message)
        self.moved.append((node, message))

    def trim(self, node: int) -> None:
        """A buffer that is too full when an exchange is over drops one after the other."""
        outside = self.behaviour.own_outside if self.own_outside is None else self.own_outside
        while len(counted := [m for m in self.held[node] if not (outside and m.source == node)]) > self.buffer:
            if self.eviction == "fair":
                here = Counter(m.source for m in counted)
                most = {author for author, count in here.items() if count == max(here.values())}
                author = min((m for m in counted if m.source in most), key=lambda m: m.number).source
                counted = [m for m in counted if m.source == author]
            dropped = min(counted, key=lambda m: (self.behaviour.rank(node, m), m.number))
            self.held[node].remove(dropped)
            self.behaviour.lost(node, dropped, dropped=True)
            self.drops_per_node[node] += 1
            self.dropped[dropped.number] += 1

    def spread(self, node: int, message: Message, now: float) -> None:
        """Over the contacts that are open, and on from there; each is decided by the digests of its start."""
        queue = deque([node])
        while queue:
            me = queue.popleft()
            for link in self.links[me]:
                side = link.ends.index(me)
                peer = link.ends[1 - side]
                if message not in self.held[me] or message.number in self.seen[peer]:
                    continue
                self.expire(peer, now)
                self.behaviour.age(me, now + self.ahead[me])
                score = self.behaviour.score(me, *ordered(link.digests, side), message)
                score = max(score, self.behaviour.errand(me, peer, message))
                used = sum(link.used) if self.shared else link.used[side]
                if score > 0 and used + message.size <= link.capacity:
                    self.moved = []
                    self.send(me, peer, side, link, Choice(message, score, known=False), now)
                    self.trim(peer)
                    queue += [holder for holder, _ in self.moved]

    def expire(self, node: int, now: float) -> None:
        for message in [message for message in self.held[node] if message.expires < now]:
            self.held[node].remove(message)
            self.behaviour.lost(node, message, dropped=False)


def part(story: Story, i: int) -> bool:
    """Whether two part when their contact is over: no other of theirs goes on from there."""
    a, b, _, end = story.contacts[i]
    return not any((one[0], one[1]) == (a, b) and one[2] <= end for one in story.contacts[i + 1 :])


def ordered(digests: tuple[Any, Any], side: int) -> tuple[Any, Any]:
    """What this end told, and what it heard."""
    return digests[side], digests[1 - side]
