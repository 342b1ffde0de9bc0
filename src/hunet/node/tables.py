"""My own numbers for tags, entries and peers, and arrays that grow with them.

Nobody knows all tags of a village, or everybody in it: a node numbers what it comes across. Room is doubled when it
runs out, up to limits that keep a stranger from filling the memory; what a protocol remembers is copied into the longer
arrays without knowing what it means. Beyond the limits numbers are given out again: those of tags that nobody uses any
more, and those of the acquaintances who were met longest ago.
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
"""What messages of others may name."""
MOST_OWN_TAGS = 2**16
"""With what my person wants and publishes: others cannot take this room."""
MOST_PEERS = 2**12
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
        self.forgotten = 0
        """Numbers that were given out again."""
        self._kept: tuple[int, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether there is something that was not encoded yet; what is not forgotten keeps its number."""
        return self._kept != self._extent()

    def _extent(self) -> tuple[int, ...]:
        return (*self.rooms, *self.naming, len(self.peers), int(np.count_nonzero(self.tag_ids)))

    @property
    def naming(self) -> tuple[int, int]:
        """Another one whenever a number got another tag."""
        return len(self.names), self.forgotten

    @property
    def rooms(self) -> tuple[int, int, int]:
        """For how many tags, entries and peers there is room."""
        return self.tag_ids.size, self.entries, self.peer_room

    def world(self, number: int, room: float, began: float) -> World:
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
            began=began,
        )

    def make_room(self, tags: int, most: int = MOST_TAGS) -> None:
        """For so many tags more, as far as that is allowed."""
        free = int(np.count_nonzero(self.tag_ids == 0))
        needed = self.tag_ids.size - free + tags
        size = self.tag_ids.size
        while size < min(needed, most):
            size *= 2
        if size > self.tag_ids.size:
            self.tag_ids = np.concatenate((self.tag_ids, np.zeros(size - self.tag_ids.size, np.uint64)))

    def tag(self, name: str, most: int = MOST_TAGS) -> int | None:
        """The number of a tag; None if there are that many."""
        if name not in self.names:
            self.make_room(1, most)
            if np.count_nonzero(self.tag_ids) >= most:
                return None
            place = place_of(self.tag_ids, tag_id(name, self.key))
            assert place is not None
            self.names[name] = place
        return self.names[name]

    def forget_tags(self, used: set[int]) -> list[int]:
        """All but these may be given to others; the numbers that became free."""
        free = [place for place in np.flatnonzero(self.tag_ids).tolist() if place not in used]
        self.tag_ids[free] = 0
        self.names = {name: place for name, place in self.names.items() if place in used}
        self.forgotten += len(free)
        return free

    def peer(self, key: bytes) -> int | None:
        """The number of an acquaintance."""
        if key in self.peers:
            self.peers[key] = self.peers.pop(key)  # who was met longest ago is the first
            return self.peers[key]
        if len(self.peers) == self.peer_room:
            if self.peer_room == MOST_PEERS:
                return None
            self.peer_room *= 2
        self.peers[key] = len(self.peers)
        return self.peers[key]

    def replace_peer(self, key: bytes) -> int:
        """Somebody gets the number of whoever was met longest ago."""
        number = self.peers.pop(next(iter(self.peers)))
        self.peers[key] = number
        self.forgotten += 1
        return number

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
        for key in sorted(self.peers, key=self.peers.__getitem__):
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
