"""The links that stand, and which of two with the same peer stays. Nothing here waits or sends.

Two nodes that find each other at the same moment may both dial. Of two young links the one stays that the smaller key
dialled, which both ends know. Of an old one and a new one the old one stays if the peer was heard on it a moment ago;
otherwise the peer walked away and came back, and the new one takes its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hunet.node.frames import StreamLink

__all__ = ["ALIVE", "MOST_LINKS", "Address", "Contacts", "Standing"]

MOST_LINKS = 32
YOUNG = 3.0
"""Seconds within which two links between the same two were made at once."""
ALIVE = 8.0
"""Seconds since the last frame within which a peer counts as there: a ping comes sooner."""

Address = tuple[str, int]


@dataclass(eq=False)
class Standing:
    """A link that stands."""

    link: StreamLink
    dialled: bool
    """By me."""
    address: Address
    """Where the peer is: where it listens if I dialled, else where it called from."""
    since: float


class Contacts:
    """By the peer's link key."""

    def __init__(self, me: bytes, clock: Callable[[], float]) -> None:
        self._me, self._clock = me, clock
        self._by_peer: dict[bytes, Standing] = {}

    def __len__(self) -> int:
        return len(self._by_peer)

    def __iter__(self) -> Iterator[Standing]:
        return iter(list(self._by_peer.values()))

    def is_alive(self, peer: bytes) -> bool:
        """Whether a link with the peer stands and was used a moment ago."""
        standing = self._by_peer.get(peer)
        return standing is not None and self._clock() - standing.link.heard_at < ALIVE

    def has_caller_from(self, host: str) -> bool:
        """Whether somebody at this address has dialled me."""
        return any(not standing.dialled and standing.address[0] == host for standing in self)

    def admit(self, link: StreamLink, dialled: bool, address: Address) -> Standing | None:
        """Take a link up, and leave the one it takes the place of; None if it must not be."""
        if link.peer == self._me:
            return None
        old = self._by_peer.get(link.peer)
        if old is None and len(self) >= MOST_LINKS:
            return None
        now = self._clock()
        if old is not None:
            if old.dialled != dialled and now - old.since < YOUNG:
                keep_new = dialled == (self._me < link.peer)
            else:
                keep_new = not self.is_alive(link.peer)
            if not keep_new:
                return None
            old.link.abort()
        standing = self._by_peer[link.peer] = Standing(link, dialled, address, now)
        return standing

    def end(self, standing: Standing) -> None:
        """A link is over."""
        if self._by_peer.get(standing.link.peer) is standing:
            del self._by_peer[standing.link.peer]
