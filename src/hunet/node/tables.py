"""My own numbers for tags, entries and peers, and arrays that grow with them.

Nobody knows all tags of a village, or everybody in it: a node numbers what it comes across. Room is doubled when it
runs out, up to limits that keep a stranger from filling the memory; what a protocol remembers is copied into the longer
arrays without knowing what it means.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.protocols.protocol import World
from hunet.protocols.tag_ids import place_of, tag_id
from hunet.protocols.wire import Reader, Writer

__all__ = ["MOST_PEERS", "MOST_TAGS", "Tables", "transplanted"]

FIRST_ROOM = 16
MOST_TAGS = 2**14
MOST_PEERS = 2**14
MOST_ENTRIES = 2**20
_PEER = 32


def transplanted(old: Any, new: Any) -> Any:
    """The content of shorter arrays at the beginning of longer ones."""
    for before, after in zip(old, new, strict=True):
        after[tuple(slice(0, length) for length in before.shape)] = before
    return new


class Tables:
    """Who and what has which number. A method that returns None found no room that may still be made."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        """The network's, by which tags are hashed where digests name them."""
        self.tag_ids = np.zeros(FIRST_ROOM, np.uint64)
        self.names: dict[str, int] = {}
        """Tags that I know by name; a digest may have named others by their hash."""
        self.peers: dict[bytes, int] = {}
        self.entries = self.peer_room = FIRST_ROOM
        self.free = list(range(FIRST_ROOM))[::-1]
        self._kept: tuple[int, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether there is something that was not encoded yet; what has a number keeps it."""
        return self._kept != self._extent()

    def _extent(self) -> tuple[int, ...]:
        return (*self.rooms, len(self.names), len(self.peers), int(np.count_nonzero(self.tag_ids)))

    @property
    def rooms(self) -> tuple[int, int, int]:
        """For how many tags, entries and peers there is room."""
        return self.tag_ids.size, self.entries, self.peer_room

    def world(self, number: int, room: float) -> World:
        """What a protocol may know when it makes its row."""
        return World(
            nodes=1,
            tags=(),
            tag_places=self.tag_ids.size,
            tag_ids=self.tag_ids,
            entries=self.entries,
            key=self.key,
            room=room,
            first_node=number,
            peer_start=np.array([0, self.peer_room]),
        )

    def make_room(self, tags: int) -> None:
        """For so many tags more, as far as that is allowed."""
        free = int(np.count_nonzero(self.tag_ids == 0))
        needed = self.tag_ids.size - free + tags
        size = self.tag_ids.size
        while size < min(needed, MOST_TAGS):
            size *= 2
        if size > self.tag_ids.size:
            self.tag_ids = np.concatenate((self.tag_ids, np.zeros(size - self.tag_ids.size, np.uint64)))

    def tag(self, name: str) -> int | None:
        """The number of a tag."""
        if name not in self.names:
            self.make_room(1)
            place = place_of(self.tag_ids, tag_id(name, self.key))
            if place is None:
                return None
            self.names[name] = place
        return self.names[name]

    def peer(self, key: bytes) -> int | None:
        """The number of an acquaintance."""
        if key not in self.peers:
            if len(self.peers) == self.peer_room:
                if self.peer_room == MOST_PEERS:
                    return None
                self.peer_room *= 2
            self.peers[key] = len(self.peers)
        return self.peers[key]

    def enter(self) -> int | None:
        """A place for what is remembered of a message."""
        if not self.free:
            if self.entries == MOST_ENTRIES:
                return None
            self.free = list(range(self.entries, 2 * self.entries))[::-1]
            self.entries *= 2
        return self.free.pop()

    def leave(self, entry: int) -> None:
        """The place may be given to another message."""
        self.free.append(entry)

    # ------------------------------------------------------------------ kept

    def encode(self) -> bytes:
        """For the store. Entries in use are known by the messages that have them."""
        self._kept = self._extent()
        out = Writer()
        for room in self.rooms:
            out.number(room)
        out.raw(self.tag_ids.astype("<u8").tobytes())
        out.number(len(self.names))
        for name, place in self.names.items():
            out.text(name)
            out.number(place)
        out.number(len(self.peers))
        for key in self.peers:
            out.raw(key)
        return out.bytes()

    def restore(self, data: bytes, used: set[int]) -> None:
        """What `encode` wrote, with these entries in use."""
        reader = Reader(data)
        tags, self.entries, self.peer_room = (reader.number(MOST_ENTRIES) for _ in range(3))
        self.tag_ids = np.frombuffer(reader.raw(8 * tags), "<u8").astype(np.uint64)
        self.names = {reader.text(): reader.number(tags) for _ in range(reader.number(tags))}
        keys = [reader.raw(_PEER) for _ in range(reader.number(MOST_PEERS))]
        self.peers = {key: number for number, key in enumerate(keys)}
        self.free = [entry for entry in reversed(range(self.entries)) if entry not in used]
