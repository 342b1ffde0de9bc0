"""What anybody may take of a node: limits, and meters that say whether somebody has had his share. No I/O, no clock.

A stranger decides how much comes, a node how much of it it keeps. Every limit here is checked before room is made for
what it limits.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

__all__ = ["DAY", "HOUR", "NO_LIMITS", "SECOND", "UNLIMITED", "Limits", "Meter", "Quota", "in_turns"]

SECOND, HOUR, DAY = 1_000, 3_600_000, 86_400_000
"""In milliseconds."""


@dataclass(frozen=True)
class Quota:
    """So many at once, and so many a second after that."""

    most: float
    per_second: float


UNLIMITED = Quota(math.inf, math.inf)


@dataclass(frozen=True)
class Limits:
    """What a node grants. Bytes are of whole messages as they lie in the store; times are milliseconds."""

    messages: float = 10_000
    """Messages that the buffer holds: each one is looked at in every contact, however small it is."""
    own_outside: bool | None = True
    """Whether my own messages lie outside of it; None: as the protocol's paper has it."""
    fair: bool = True
    """Whether a full buffer looks first for the author with most messages in it."""
    store: float = 64 * 2**20
    """Bytes of all messages carried."""
    others: float = 0.75
    """The share of it for messages of others; the rest is for my own."""
    author: float = 0.1
    """The share of it for any one author but me."""
    contact: float = 4 * 2**20
    """Bytes of messages that go one way between two digests."""
    lifetime: float = 7 * DAY
    """The longest of a message; one that lives longer, or for ever, is refused."""
    hear_every: float = 60 * SECOND
    """A peer's digest is merged, and its verdict obeyed, at most once in this time: links flap, and people lie."""
    from_author: Quota = Quota(1_000, 0.2)
    """New messages of one author."""
    from_peer: Quota = Quota(10_000, 10.0)
    """New messages that one peer brings."""
    from_all: Quota = Quota(100_000, 20.0)
    """New messages altogether: what was seen is remembered for long."""

    @property
    def seen_for(self) -> float:
        """How long an id is remembered: who lies about a message's age gets it in once, not twice."""
        return 2 * self.lifetime


NO_LIMITS = Limits(
    messages=math.inf,
    own_outside=None,
    fair=False,
    store=math.inf,
    contact=math.inf,
    lifetime=math.inf,
    hear_every=0,
    from_author=UNLIMITED,
    from_peer=UNLIMITED,
    from_all=UNLIMITED,
)
"""What a simulation grants."""


@dataclass
class Meter:
    """Who used how much of a quota lately: a bucket each that fills up again. The longest unused are forgotten."""

    quota: Quota
    names: int = 4096
    _left: OrderedDict[Hashable, tuple[float, int]] = field(default_factory=OrderedDict)

    def left(self, name: Hashable, now: int) -> float:
        """How many are still allowed at this time."""
        before, at = self._left.get(name, (self.quota.most, now))
        if math.isinf(self.quota.most):
            return math.inf
        return min(self.quota.most, before + self.quota.per_second * max(0, now - at) / SECOND)

    def use(self, name: Hashable, now: int) -> bool:
        """Take one, if there is one left."""
        left = self.left(name, now)
        if left < 1:
            return False
        self._left[name] = left - 1, now
        self._left.move_to_end(name)
        if len(self._left) > self.names:
            self._left.popitem(last=False)
        return True


def in_turns(authors: Sequence[Hashable], sizes: Sequence[int], room: float) -> list[int]:
    """Of what is due, best first, the places of what goes now: all; or, where there is no room for all, one message of
    every author in turn, his best first, until one does not fit: a flood must not take the whole contact.

    >>> in_turns(["ann", "ann", "ann", "bob"], [10, 10, 10, 10], room=30)
    [0, 1, 3]
    """
    if sum(sizes) <= room:
        return list(range(len(sizes)))
    turn: dict[Hashable, int] = {}
    turns = []
    for place, author in enumerate(authors):
        turns.append((turn.get(author, 0), place))
        turn[author] = turn.get(author, 0) + 1
    chosen, used = [], 0
    for _, place in sorted(turns):
        used += sizes[place]
        if used > room:
            break
        chosen.append(place)
    return sorted(chosen)
