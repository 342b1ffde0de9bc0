"""A device: one row of state, its own numbering of messages and peers, and bytes to and from others. No peer's row."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hunet.protocols.protocol import NO, Message, Protocol, Social, World, interests_from
from hunet.protocols.wire import Header
from tests.naive.simulator import Interest

ME = np.uint64(0)
ENTRIES = 61


@dataclass(eq=False)
class Line:
    """One end of a contact: what I told and what the peer told, and how much I may still send."""

    peer: int
    capacity: float
    told: Any = None
    heard: Any = None
    used: list[int] = field(default_factory=lambda: [0])
    """Bytes that went over, in one place for both ends where they share the contact."""


@dataclass
class TwinNode:
    name: int
    protocol: Protocol
    settings: Any
    tags: Sequence[str]
    buffer: float
    peers: int
    """How many others this node will ever meet: the length of its address book."""
    closeness: list[float] = field(default_factory=list)
    social: Social | None = None

    def __post_init__(self) -> None:
        self.world = World(
            nodes=1,
            tags=self.tags,
            entries=ENTRIES,
            first_node=self.name,
            peer_start=np.array([0, self.peers]),
            closeness=np.array(self.closeness, np.float64),
            social=self.social,
        )
        self.params = self.protocol.prepare(self.settings, self.world)
        self.state = self.protocol.new_state(self.params, self.world)
        self.address_book: dict[int, int] = {}
        self.wants = interests_from(np.zeros(len(self.tags)))
        self.headers: dict[int, Header] = {}  # of messages held
        self.entry: dict[int, int] = {}
        self.free = list(range(ENTRIES))[:: 1 if self.name % 2 else -1]  # devices number their entries as they please
        self.leaving: list[int] = []  # entries to be free again after this exchange
        self.hops: dict[int, int] = {}  # of messages ever seen
        self.lines: list[Line] = []
        self.now = 0.0
        self.delivered: list[tuple[int, int, float, int]] = []
        self.drops = 0
        self.control_bytes = 0

    # -------------------------------------------------------------- time and interests

    def wake(self, now: float) -> None:
        self.now = now
        self.free += self.leaving
        self.leaving.clear()
        for number in [n for n, header in self.headers.items() if header.expires < now]:
            self.forget(number)

    def age(self) -> None:
        self.protocol.age(self.params, self.state, ME, self.now)

    def subscribe(self, changes: Mapping[int, Interest | None], now: float) -> None:
        self.wake(now)
        for tag, interest in changes.items():
            self.wants[tag] = (interest.until, interest.level, interest.hops) if interest else (0.0, 0.0, 0)
        self.age()
        self.protocol.subscribe(self.params, self.state, ME, self.wants)

    # -------------------------------------------------------------- a contact, step by step

    def hello(self) -> bytes:
        hello = self.protocol.hello.new(self.params, self.world)
        assert self.protocol.greet is not None
        self.protocol.greet(self.params, self.state, ME, self.now, hello)
        data = self.protocol.hello.encode(self.params, hello)
        self.control_bytes += len(data)
        assert len(data) == self.protocol.hello.size(self.params, hello)
        return data

    def judge(self, peer: int, data: bytes) -> int:
        hello = self.protocol.hello.new(self.params, self.world)
        self.protocol.hello.decode(self.params, data, hello)
        number = self.address_book.setdefault(peer, len(self.address_book))
        return int(self.protocol.meet(self.params, self.state, ME, number, hello, self.now))

    def obey(self, verdict: int) -> None:
        self.protocol.obey(self.params, self.state, ME, verdict, self.now)

    def tell(self, line: Line) -> bytes:
        line.told = self.protocol.digest.new(self.params, self.world)
        self.protocol.tell(self.params, self.state, ME, self.now, line.told)
        data = self.protocol.digest.encode(self.params, line.told)
        self.control_bytes += len(data)
        assert len(data) == self.protocol.digest.size(self.params, line.told)
        return data

    def listen(self, line: Line, data: bytes) -> None:
        line.heard = self.protocol.digest.new(self.params, self.world)
        self.protocol.digest.decode(self.params, data, line.heard)

    def offer(self) -> list[int]:
        return sorted(self.headers, reverse=True)

    def lacks(self, offer: list[int]) -> list[int]:
        return [number for number in offer if number not in self.hops]

    def has(self, offer: list[int]) -> list[int]:
        return [number for number in offer if number in self.headers] if self.protocol.errands else []

    def choose(self, line: Line, lacks: list[int], has: list[int]) -> list[tuple[int, Any, bool]]:
        offer = sorted([(number, False) for number in lacks] + [(number, True) for number in has], reverse=True)
        return [(number, score, known) for number, known in offer if (score := self.score(line, number, known)) > NO]

    def score(self, line: Line, number: int, known: bool) -> Any:
        header = self.headers[number]
        own = header.source == self.name
        best = max(self.want(line, np.uint64(tag), own) for tag in header.tags)
        if known:
            best = NO
        if best <= NO and not self.protocol.errands:
            return NO
        message = self.message(header, line.peer, known)
        return self.protocol.give(self.params, self.state, ME, self.entry[number], message, best)

    def want(self, line: Line, tag: np.uint64, own: bool) -> Any:
        mine, theirs = (self.protocol.read(self.params, digest, tag) for digest in (line.told, line.heard))
        return self.protocol.want(self.params, mine, theirs, own)

    def hand_over(self, line: Line, kept: Header, entry: int, score: Any, known: bool) -> bytes:
        """The message as bytes; of one that the peer knows, only what stands in front of the payload."""
        message = self.message(kept, line.peer, known)
        stays, note = self.protocol.gave(self.params, self.state, ME, entry, message, score)
        line.used[0] += 0 if known else kept.size
        if not stays:
            self.forget(kept.number)
        parcel = int.from_bytes(self.protocol.parcel(self.params).tobytes(), "little")
        return replace(kept, hops=kept.hops + 1, note=int(note), parcel=parcel).encode()

    def receive(self, data: bytes, peer: int) -> bool:
        """Returns whether I carry it on, as far as there is room, and did not before."""
        header = Header.decode(data, len(self.tags))
        if header.number in self.hops:
            message, entry = self.message(header, peer, known=True), self.entry[header.number]
            self.unpack(header)
            self.protocol.take(self.params, self.state, ME, entry, message, header.note)
            return False
        self.hops[header.number] = header.hops
        if any(self.wants[tag].level > 0 for tag in header.tags):
            self.delivered.append((header.number, self.name, self.now, header.hops))
        return self.keep(header, peer)

    def hear(self, line: Line) -> None:
        self.protocol.hear(self.params, self.state, ME, line.heard, self.now)

    # -------------------------------------------------------------- messages

    def publish(self, header: Header, now: float) -> bool:
        self.wake(now)
        self.hops[header.number] = 0
        carried = self.keep(header, self.name)
        self.trim()
        return carried

    def message(self, header: Header, peer: int, known: bool) -> Message:
        tags, own = np.array(header.tags, np.uint32), header.source == self.name
        about = header.number, header.created, header.size, own, header.source
        return Message(*about, tags, 0, tags.size, peer, known)

    def unpack(self, header: Header) -> None:
        """Lay a parcel where the protocol looks for it."""
        parcel = self.protocol.parcel(self.params)
        parcel[:] = np.frombuffer(header.parcel.to_bytes(parcel.nbytes, "little"), np.uint64)

    def keep(self, header: Header, peer: int) -> bool:
        entry = self.free.pop(0)
        self.entry[header.number] = entry
        self.unpack(header)
        message = self.message(header, peer, known=False)
        if not self.protocol.take(self.params, self.state, ME, entry, message, header.note):
            self.leaving.append(self.entry.pop(header.number))
            return False
        self.headers[header.number] = header
        return True

    def trim(self) -> None:
        """The exchange is over: a buffer that is too full drops its oldest."""
        outside = self.protocol.own_outside
        counted = sorted(n for n, held in self.headers.items() if not (outside and held.source == self.name))
        while len(counted) > self.buffer:
            self.drops += 1
            self.forget(counted.pop(0))

    def forget(self, number: int) -> None:
        del self.headers[number]
        self.leaving.append(self.entry.pop(number))


def capacity(bytes_per_second: float, start: float, end: float) -> float:
    return math.inf if bytes_per_second == math.inf else bytes_per_second * (end - start)
