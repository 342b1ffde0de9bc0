"""What the MQTT door remembers of its clients: what each asked for, and up to where it has got it.

A message that came, or was published here, has a number in the node's history. So a session is its filters and one such
number: everything after it that a filter matches is still to be sent. Nothing is queued anywhere else.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

from hunet.model.errors import InvalidValueError
from hunet.node.doors.mqtt_packets import Publish
from hunet.node.history import last_cursor
from hunet.node.topics import BELOW, interests_of, matches

if TYPE_CHECKING:
    from hunet.node.daemon import Node

__all__ = ["Filter", "Session", "Sessions", "is_possible"]

MOST_SESSIONS = 256
"""Clients that are remembered while they are away."""
_REMEMBERED = 64
"""Publications of a client that are recognised if it sends them again."""


@dataclass(frozen=True)
class Filter:
    """One subscription of a client."""

    qos: int
    after: int
    """Only messages behind this number: it was asked for later than they came."""
    added: tuple[str, ...] = ()
    """Interests that the node has for its sake."""


@dataclass(eq=False)
class Session:
    """One client, connected or away."""

    client: str
    clean: bool
    cursor: int
    """Everything up to here has been acknowledged, or is not for it."""
    filters: dict[str, Filter] = field(default_factory=dict)
    sent: int = 0
    """Everything up to here was sent at least once."""
    _published: OrderedDict[bytes, None] = field(default_factory=OrderedDict)

    def match(self, seq: int, tags: list[str]) -> tuple[str, int] | None:
        """The topic under which a message is for this client, and the quality; None if it is not."""
        best: tuple[str, int] | None = None
        for pattern, one in self.filters.items():
            for tag in tags:
                is_topic = "+" not in tag and "#" not in tag and "\0" not in tag
                if is_topic and seq > one.after and matches(pattern, tag) and (best is None or one.qos > best[1]):
                    best = tag, one.qos
        return best

    def is_repeated(self, message: Publish) -> bool:
        """Whether the client sends again what was published already, because the answer did not reach it."""
        return message.again and self._name(message) in self._published

    def remember(self, message: Publish) -> None:
        """It is published."""
        self._published[self._name(message)] = None
        if len(self._published) > _REMEMBERED:
            self._published.popitem(last=False)

    @staticmethod
    def _name(message: Publish) -> bytes:
        what = b"\0".join((b"%d" % message.number, message.topic.encode(), message.payload))
        return blake2b(what, digest_size=16).digest()


def is_possible(pattern: str) -> bool:
    """Whether a filter can be answered: `#` only as a last level, no `+`, nothing of a server's own.

    >>> [is_possible(pattern) for pattern in ("jazz", "talks/#", "#", "talks/+", "a#", "#/a", "$SYS/#", "")]
    [True, True, True, False, False, False, False, False]
    """
    body = pattern.removesuffix(BELOW) if pattern != "#" else "all"
    return 1 <= len(pattern.encode()) <= 255 and "+" not in body and "#" not in body and body[:1] not in ("", "$")


class Sessions:
    """All of them; those that are not clean outlive the client's absence and the node's."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self.all: dict[str, Session] = {}
        for client, cursor, filters in node.store.rows("SELECT client, cursor, filters FROM mqtt_session"):
            kept = {pattern: Filter(qos, after, tuple(added)) for pattern, qos, after, added in json.loads(filters)}
            self.all[client] = Session(client, False, cursor, kept, sent=cursor)

    def open(self, client: str, clean: bool) -> tuple[Session, bool]:
        """The session of a client that is here, and whether it was known before."""
        old = self.all.get(client)
        if old is not None and not clean and not old.clean:
            return old, True
        if old is not None:
            self.end(old)
        if not clean and sum(not one.clean for one in self.all.values()) >= MOST_SESSIONS:
            raise InvalidValueError(f"more than {MOST_SESSIONS} clients are remembered already")
        now = last_cursor(self._node)
        session = self.all[client] = Session(client, clean, now, sent=now)
        self.save(session)
        return session, False

    def end(self, session: Session) -> None:
        """Forget a client, and want no more what was wanted for its sake alone."""
        for pattern in list(session.filters):
            self.unsubscribe(session, pattern)
        if self.all.get(session.client) is session:
            del self.all[session.client]
        self._node.store.write("DELETE FROM mqtt_session WHERE client = ?", session.client)
        self._node.host.commit(on_disk=False)

    def subscribe(self, session: Session, pattern: str, qos: int) -> None:
        """Want what a filter asks for; `InvalidValueError` if the node cannot."""
        host, added = self._node.host, list[str]()
        old = session.filters.get(pattern)
        for tag in interests_of(pattern):
            if (0, tag) not in host.interests.all:
                host.subscribe(tag)
                added.append(tag)
        for other in self.all.values():
            # an interest that is there for another's sake is there for this one's too
            for one in other.filters.values():
                added += [tag for tag in one.added if tag in interests_of(pattern) and tag not in added]
        after = last_cursor(self._node) if old is None else old.after
        session.filters[pattern] = Filter(min(qos, 1), after, tuple(added))
        host.tell_anew()
        self.save(session, on_disk=True)

    def unsubscribe(self, session: Session, pattern: str) -> None:
        """Want it no more, unless somebody else does."""
        gone = session.filters.pop(pattern, None)
        if gone is None:
            return
        needed = {tag for other in self.all.values() for one in other.filters.values() for tag in one.added}
        for tag in gone.added:
            if tag not in needed:
                self._node.host.unsubscribe(tag)
        self._node.host.tell_anew()
        self.save(session, on_disk=True)

    def save(self, session: Session, on_disk: bool = False) -> None:
        """Keep what is to be kept of it."""
        if session.clean:
            return
        filters = [[pattern, one.qos, one.after, one.added] for pattern, one in session.filters.items()]
        self._node.store.write(
            "INSERT OR REPLACE INTO mqtt_session VALUES (?, ?, ?)", session.client, session.cursor, json.dumps(filters)
        )
        self._node.host.commit(on_disk=on_disk)
