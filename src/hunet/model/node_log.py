"""The lines of a node's log: JSON, one object per line, so that what a network lived through is a trace again.

Version 1. Every line has

    hunet    1, the version of this schema
    kind     "contact", "message", "delivery" or "settings"
    time     seconds (Unix or relative) on the clock of the node that writes
    node     the name of the node that writes

and, by kind:

    contact    peer (name), up (true when the contact begins, false when it ends); and, where known, contact (its id,
               the same in the logs of both ends) and, when it begins, peer_time (the peer's clock at that moment)
    message    message (id), tags (list of text), size (bytes), ttl (seconds, or null): the node published it
    delivery   message (id), from (name of the peer it came from), hops (number), wanted (true if the node asked for it)
    settings   protocol (its name), settings (all of them by name, as a text of JSON): what the node runs from now on

    {"hunet": 1, "kind": "contact", "time": 1700000000.5, "node": "ann", "peer": "bob", "up": true}

Fields that are not named here are ignored, so a version may gain fields; a change of meaning is a new version, and
lines of a version that a reader does not know are bad. The contacts of a network are the logs of all its nodes
together: both ends of a contact report it, each by its own clock.
"""

from __future__ import annotations

from typing import Any, TypeAlias

__all__ = ["KINDS", "NEEDED", "VERSION", "Line", "contact_line", "delivery_line", "message_line", "settings_line"]

VERSION = 1
NEEDED = {
    "contact": ("peer", "up"),
    "message": ("message", "tags", "size"),
    "delivery": ("message", "from", "hops", "wanted"),
    "settings": ("protocol", "settings"),
}
"""By kind, the fields that a line must have beside those of every line."""
KINDS = tuple(NEEDED)

Line: TypeAlias = dict[str, Any]


def _line(kind: str, time: float, node: str, **rest: Any) -> Line:
    return {"hunet": VERSION, "kind": kind, "time": time, "node": node, **rest}


def contact_line(time: float, node: str, peer: str, up: bool, contact: str, peer_time: float | None = None) -> Line:
    """A contact began or ended."""
    known = {} if peer_time is None else {"peer_time": peer_time}
    return _line("contact", time, node, peer=peer, up=up, contact=contact, **known)


def message_line(time: float, node: str, message: str, tags: list[str], size: int, ttl: float | None) -> Line:
    """The node published a message."""
    return _line("message", time, node, message=message, tags=tags, size=size, ttl=ttl)


def delivery_line(time: float, node: str, message: str, peer: str, hops: int) -> Line:
    """The node got a message that it wanted."""
    return _line("delivery", time, node, message=message, hops=hops, wanted=True) | {"from": peer}


def settings_line(time: float, node: str, protocol: str, settings: str) -> Line:
    """The node runs something else from now on."""
    return _line("settings", time, node, protocol=protocol, settings=settings)
