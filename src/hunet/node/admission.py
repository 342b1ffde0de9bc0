"""Which messages of others a node takes: within the limits of what anybody may bring."""

from __future__ import annotations

import math
from collections.abc import Iterable

from hunet.node.budget import DAY, Limits, Meter
from hunet.node.held import Held
from hunet.node.message import Copy, Envelope
from hunet.node.notice import TAG
from hunet.node.row import Row
from hunet.node.tables import MOST_TAGS

__all__ = ["Admission"]


class Admission:
    """Counts what was taken lately, by author, by peer and altogether."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._authors, self._peers, self._all = (
            Meter(quota) for quota in (limits.from_author, limits.from_peer, limits.from_all)
        )

    def objection(
        self, envelope: Envelope, copy: Copy, peer: bytes, now: int, wall: int | None, row: Row, held: Iterable[Held]
    ) -> str:
        """Why a message that this peer brings is not taken; nothing if it is, and then it counts. `wall` is the time of
        day, if my clock can be trusted; `row` that of its kind, and `held` what I carry."""
        meters = {
            "too many of this author": (self._authors, envelope.author),
            "too many from this peer": (self._peers, peer),
            "too many at once": (self._all, None),
        }
        reason = self._fault(envelope, copy, wall, row, held)
        for why, (meter, name) in meters.items():
            reason = reason or ("" if meter.left(name, now) >= 1 else why)
        if not reason:
            for meter, name in meters.values():
                meter.use(name, now)
        return reason

    def _fault(self, envelope: Envelope, copy: Copy, wall: int | None, row: Row, held: Iterable[Held]) -> str:
        """Why it is not taken, whoever brings it."""
        lifetime = envelope.lifetime or math.inf
        if TAG in envelope.tags:
            return "a reserved tag"
        if lifetime > self._limits.lifetime:
            return "it would live too long"
        if copy.age > lifetime:
            return "its time was over"
        if (
            wall is not None and envelope.written + lifetime + DAY < wall
        ):  # a day: what an author's clock may be wrong by
            return "its time was over"  # he signed that, whatever carriers say of its age
        if len(copy.envelope) > self._limits.author * self._limits.store:
            return "too large"
        if self._names_too_much(envelope, row, held):
            return "too many tags of this author"
        return ""

    def _names_too_much(self, envelope: Envelope, row: Row, held: Iterable[Held]) -> bool:
        """Whether an author's messages here would have more than his share of all tags; asked where room runs out."""
        names = row.tables.names
        if len(names) < MOST_TAGS // 2:
            return False
        his = (one for one in held if (one.author, one.kind) == (envelope.author, envelope.kind))
        more = sum(name not in names for name in envelope.tags)
        return more + len({tag for one in his for tag in one.tags}) > self._limits.author * MOST_TAGS
