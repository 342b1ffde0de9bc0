"""What a contact is made of: a channel to one peer, that carries frames in order until somebody leaves or it breaks.

A link is authenticated before anybody gets to see it. It has one error, `LinkError`, for everything that can go wrong:
the peer walked away, fell silent, or sent what is no frame.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

from hunet.model.errors import LinkError

__all__ = [
    "ACK",
    "BYE",
    "DIGEST",
    "DONE",
    "GREET",
    "KINDS",
    "MESSAGE",
    "MOST_FRAME",
    "OFFER",
    "PING",
    "SETTINGS",
    "VERDICT",
    "WANT",
    "Link",
    "MemoryLink",
    "memory_links",
]

KINDS = ("greet", "verdict", "digest", "offer", "want", "message", "done", "ack", "ping", "bye", "settings")
GREET, VERDICT, DIGEST, OFFER, WANT, MESSAGE, DONE, ACK, PING, BYE, SETTINGS = range(1, 12)
"""Kinds of frames; `session.py` says what they mean. 0 and what is above `SETTINGS` is none."""

MOST_FRAME = 2**20
"""Bytes of the longest frame, its kind among them: a link refuses a longer one before it makes room for it."""


class Link(Protocol):
    """One contact's channel, already authenticated."""

    peer: bytes
    """32 bytes: the peer's public key for links."""
    contact: bytes
    """32 bytes, the same at both ends and at no other contact: both logs name the contact by it."""

    async def send(self, kind: int, body: bytes) -> None:
        """Hand a frame over; returns when there is room for another."""
        ...

    async def receive(self, patience: float) -> tuple[int, bytes]:
        """The next frame: its kind and its body. `LinkError` when it is not here whole within so many seconds."""
        ...

    async def close(self) -> None:
        """Leave; never raises, never waits long."""
        ...


@dataclass(eq=False)
class _Wire:
    """What the two ends of a link in memory share."""

    waiting: int
    """Frames that may be on their way in one direction."""
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    broken: bool = False


class MemoryLink:
    """One end of a link that is no more than memory: frames wait where the other end finds them."""

    def __init__(self, peer: bytes, contact: bytes, wire: _Wire) -> None:
        self.peer, self.contact = peer, contact
        self.coming: deque[tuple[int, bytes]] = deque()
        self.going = self.coming
        self.breaks_after = -1
        """Frames that this end sends before the link breaks; below 0: it does not."""
        self._wire = wire

    async def send(self, kind: int, body: bytes) -> None:
        """Wait until there is room, as a socket does."""
        wire = self._wire
        async with wire.changed:
            if self.breaks_after == 0:
                self.coming.clear()
                self.going.clear()
                wire.broken = True
                wire.changed.notify_all()
            self.breaks_after -= 1
            await wire.changed.wait_for(lambda: wire.broken or len(self.going) < wire.waiting)
            if wire.broken:
                raise LinkError("the link is broken")
            self.going.append((kind, bytes(body)))
            wire.changed.notify_all()

    async def receive(self, patience: float) -> tuple[int, bytes]:
        """The next frame, also of a peer that left after it had sent it."""
        wire = self._wire
        try:
            async with asyncio.timeout(patience), wire.changed:
                await wire.changed.wait_for(lambda: wire.broken or self.coming)
                if not self.coming:
                    raise LinkError("the peer is gone")
                wire.changed.notify_all()
                return self.coming.popleft()
        except TimeoutError:
            raise LinkError(f"the peer was silent for {patience:g} s") from None

    async def close(self) -> None:
        """Both ends are told that nobody is there any more."""
        async with self._wire.changed:
            self._wire.broken = True
            self._wire.changed.notify_all()


def memory_links(a: bytes, b: bytes, contact: bytes, waiting: int = 64) -> tuple[MemoryLink, MemoryLink]:
    """Both ends of a link between a and b, a's first; so many frames may be on their way in each direction."""
    wire = _Wire(waiting)
    one, other = MemoryLink(b, contact, wire), MemoryLink(a, contact, wire)
    one.going, other.going = other.coming, one.coming
    return one, other
