"""A device: one row of state, its own numbering of messages and peers, and bytes to and from others. No peer's row."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hunet.protocols.order import HELD, mark_leaving
from hunet.protocols.protocol import NO, Message, Protocol, Social, World, interests_from, no_note
from hunet.protocols.tag_ids import place_of, tag_id
from hunet.protocols.wire import Header, number_bytes
from tests.naive.simulator import Interest

ME = np.uint64(0)
ENTRIES = 61


@dataclass(frozen=True)
class Held:
    """A message that I carry, by my clock and my numbers."""

    number: int
    source: int
    created: float
    expires: float
    size: int
    names: tuple[str, ...]
    tags: tuple[int, ...]
    hops: int

    def header(self, now: float, note: int, parcel: bytes) -> Header:
        """What goes in front of a copy that is sent now."""
        lifetime = None if self.expires == math.inf else round(1000 * (self.expires - self.created))
        age = round(1000 * (now - self.created))
        return Header(self.number, self.source, age, lifetime, self.size, self.names, self.hops + 1, note, parcel)


@dataclass(eq=False)
class Line:
    """One end of a contact: what I told and what the peer told, and how much I may still send."""

    peer: int
    capacity: float
    tags_known: int = 0
    """How many tags had names when the digests were last looked at."""
    hello: Any = None
    """The peer's."""
    face: int = 0
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
    own_outside: bool = False
    """Whether my own messages lie outside my buffer."""
    fair: bool = False
    """Whether a full buffer looks first for the author with most messages in it."""
    ahead: float = 0.0
    """Seconds that my clock is ahead."""
    closeness: list[float] = field(default_factory=list)
    social: Social | None = None
    open_tags: bool = False
    """Whether I number tags by myself, as I come across them."""

    def __post_init__(self) -> None:
        self.world = World(
            nodes=1,
            tags=() if self.open_tags else self.tags,
            tag_places=len(self.tags),
            tag_ids=np.zeros(len(self.tags), np.uint64) if self.open_tags else None,
            entries=ENTRIES,
            room=self.buffer,
            first_node=self.name,
            peer_start=np.array([0, self.peers]),
            closeness=np.array(self.closeness, np.float64),
            social=self.social,
            began=self.ahead,
        )
        self.params = self.protocol.prepare(self.settings, self.world)
        self.state = self.protocol.new_state(self.params, self.world)
        self.named: set[str] = set()
        self.address_book: dict[int, int] = {}
        self.wants = interests_from(np.zeros(len(self.tags)))
        self.held: dict[int, Held] = {}
        self.entry: dict[int, int] = {}
        self.free = list(range(ENTRIES))[:: 1 if self.name % 2 else -1]  # devices number their entries as they please
        self.leaving: list[int] = []  # entries to be free again after this exchange
        self.hops: dict[int, int] = {}  # of messages ever seen
        self.lines: list[Line] = []
        self.now = 0.0
        self.delivered: list[tuple[int, int, float, int]] = []
        self.drops = 0
        self.control_bytes = 0
        self.note_bytes = 0

    # -------------------------------------------------------------- time and interests

    def wake(self, now: float) -> None:
        self.now = now + self.ahead
        self.free += self.leaving
        self.leaving.clear()
        for held in [held for held in self.held.values() if held.expires < self.now]:
            self.lose(held, dropped=False)

    def age(self) -> None:
        self.protocol.age(self.params, self.state, ME, self.now)

    def subscribe(self, changes: Mapping[int, Interest | None], now: float) -> None:
        self.now = now + self.ahead
        for number, interest in changes.items():
            tag = self.tag(self.tags[number])
            self.wants[tag] = (
                (interest.until + self.ahead, interest.level, interest.hops) if interest else (0.0, 0.0, 0)
            )
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

    def judge(self, line: Line, data: bytes) -> int:
        hello = self.protocol.hello.new(self.params, self.world)
        self.protocol.hello.decode(self.params, data, hello)
        number = self.address_book.setdefault(line.peer, len(self.address_book))
        verdict, line.face = self.protocol.meet(self.params, self.state, ME, number, hello, self.now)
        line.hello = hello
        return int(verdict)

    def obey(self, verdict: int) -> None:
        self.protocol.obey(self.params, self.state, ME, verdict, self.now)

    def tell(self, line: Line) -> bytes:
        line.told = self.protocol.digest.new(self.params, self.world)
        hello = line.hello or self.protocol.hello.new(self.params, self.world)
        self.protocol.tell(self.params, self.state, ME, self.now, hello, line.face, line.told)
        data = self.protocol.digest.encode(self.params, line.told)
        self.control_bytes += len(data)
        assert len(data) == self.protocol.digest.size(self.params, line.told)
        return data

    def listen(self, line: Line, data: bytes) -> None:
        line.heard = self.protocol.digest.new(self.params, self.world)
        self.protocol.digest.decode(self.params, data, line.heard)

    def offer(self) -> list[int]:
        return sorted(self.held, reverse=True)

    def lacks(self, offer: list[int]) -> list[int]:
        return [number for number in offer if number not in self.hops]

    def has(self, offer: list[int]) -> list[int]:
        return [number for number in offer if number in self.held] if self.protocol.errands else []

    def choose(self, line: Line, lacks: list[int], has: list[int]) -> list[tuple[int, Any, bool]]:
        offer = sorted([(number, False) for number in lacks] + [(number, True) for number in has], reverse=True)
        return [(number, score, known) for number, known in offer if (score := self.score(line, number, known)) > NO]

    def score(self, line: Line, number: int, known: bool) -> Any:
        held = self.held[number]
        own = held.source == self.name
        best = max(self.want(line, np.uint64(tag), own) for tag in held.tags)
        if known:
            best = NO
        if best <= NO and not self.protocol.errands:
            return NO
        message = self.message(held, line.peer, known)
        return self.protocol.give(self.params, self.state, ME, self.entry[number], message, best, line.heard)

    def want(self, line: Line, tag: np.uint64, own: bool) -> Any:
        if line.tags_known < len(self.named):  # what filters answer for depends on the tags that I know of
            line.tags_known = len(self.named)
            for digest in (line.told, line.heard):
                self.protocol.digest.refresh(self.params, digest)
        mine, theirs = (self.protocol.read(self.params, digest, tag) for digest in (line.told, line.heard))
        return self.protocol.want(self.params, mine, theirs, own)

    def hand_over(self, line: Line, held: Held, entry: int, score: Any, known: bool) -> bytes:
        """The message as bytes; of one that the peer knows, only what stands in front of the payload."""
        message = self.message(held, line.peer, known)
        note = int(self.protocol.note(self.params, self.state, ME, entry, message, score, line.heard))
        line.used[0] += 0 if known else held.size
        parcel = self.protocol.parcel(self.params).tobytes()
        self.note_bytes += len(parcel) + (0 if self.protocol.note is no_note else number_bytes(note))
        return held.header(self.now, note, parcel).encode()

    def acknowledged(self, line: Line, sent: bytes, held: Held, entry: int, score: Any, known: bool) -> None:
        """The peer has it for sure."""
        note = self.unpacked(sent).note
        message = self.message(held, line.peer, known)
        if not self.protocol.gave(self.params, self.state, ME, entry, message, score, note, line.heard):
            self.forget(held.number)

    def receive(self, data: bytes, peer: int) -> bool:
        """Returns whether I carry it on, as far as there is room, and did not before."""
        header = self.unpacked(data)
        if header.number in self.hops:
            message, entry = self.message(self.held[header.number], peer, known=True), self.entry[header.number]
            self.protocol.take(self.params, self.state, ME, entry, message, header.note)
            return False
        created = self.now - header.age / 1000
        expires = math.inf if header.lifetime is None else created + header.lifetime / 1000
        tags = tuple(self.tag(name) for name in header.tags)
        self.hops[header.number] = header.hops
        if any(self.wants[tag].level > 0 for tag in tags):
            self.delivered.append((header.number, self.name, self.now - self.ahead, header.hops))
        about = header.number, header.source, created, expires, header.size
        return self.keep(Held(*about, header.tags, tags, header.hops), peer, header.note)

    def unpacked(self, data: bytes) -> Header:
        """The header, its parcel where the protocol looks for it."""
        parcel = self.protocol.parcel(self.params)
        header = Header.decode(data, self.protocol.most_note(self.params), parcel.nbytes)
        parcel[:] = np.frombuffer(header.parcel, np.uint64)
        return header

    def hear(self, line: Line) -> None:
        self.protocol.hear(self.params, self.state, ME, line.heard, line.face, self.now)

    def parted(self, line: Line, now: float) -> None:
        if self.protocol.parted is not None:
            self.protocol.parted(self.params, self.state, ME, self.address_book[line.peer], now + self.ahead)

    # -------------------------------------------------------------- messages

    def tag(self, name: str) -> int:
        """My number for a tag."""
        if self.world.tag_ids is None:
            return self.tags.index(name)
        place = place_of(self.world.tag_ids, tag_id(name, self.world.key))
        assert place is not None
        if name not in self.named:
            self.named.add(name)
            self.protocol.name_tag(self.params, self.world, place, name)
            self.protocol.subscribe(self.params, self.state, ME, self.wants)
        return place

    def publish(self, number: int, size: int, names: tuple[str, ...], lifetime: float, now: float) -> bool:
        self.wake(now)
        self.hops[number] = 0
        tags = tuple(self.tag(name) for name in names)
        carried = self.keep(Held(number, self.name, self.now, self.now + lifetime, size, names, tags, 0), self.name, 0)
        self.trim()
        return carried

    def message(self, held: Held, peer: int, known: bool) -> Message:
        tags, own = np.array(held.tags, np.uint32), held.source == self.name
        about = held.number, held.created, held.expires, held.size, own, held.source
        return Message(*about, tags, 0, tags.size, peer, known)

    def keep(self, held: Held, peer: int, note: int) -> bool:
        entry = self.free.pop(0)
        self.entry[held.number] = entry
        message = self.message(held, peer, known=False)
        if not self.protocol.take(self.params, self.state, ME, entry, message, note):
            self.leaving.append(self.entry.pop(held.number))
            return False
        self.held[held.number] = held
        return True

    def trim(self) -> None:
        """The exchange is over: a buffer that is too full drops what is due."""
        counted = [held for held in self.held.values() if not (self.own_outside and held.source == self.name)]
        excess = len(counted) - self.buffer
        if excess <= 0:
            return
        self.drops += int(excess)
        rows = np.zeros(len(counted), HELD).view(np.recarray)
        for row, held in zip(rows, counted, strict=True):
            row.message, row.author = held.number, held.source
            if self.protocol.rank is not None:
                message, entry = self.message(held, self.name, known=False), self.entry[held.number]
                row.worth = self.protocol.rank(self.params, self.state, ME, entry, message)
        mark_leaving(rows, len(counted), int(excess), self.fair)
        for row, held in zip(rows, counted, strict=True):
            if row.leaves:
                self.lose(held, dropped=True)

    def lose(self, held: Held, dropped: bool) -> None:
        if self.protocol.lost is not None:
            message, entry = self.message(held, self.name, known=False), self.entry[held.number]
            self.protocol.lost(self.params, self.state, ME, entry, message, dropped)
        self.forget(held.number)

    def forget(self, number: int) -> None:
        del self.held[number]
        self.leaving.append(self.entry.pop(number))


def capacity(bytes_per_second: float, start: float, end: float) -> float:
    return math.inf if bytes_per_second == math.inf else bytes_per_second * (end - start)
