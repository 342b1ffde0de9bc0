"""One end of a contact, as a node remembers it while the contact lasts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hunet.node.held import Held
from hunet.node.row import Side

__all__ = ["Line"]


@dataclass(eq=False)
class Line:
    """My end of a contact."""

    peer: bytes
    number: int
    """As protocols know the peer."""
    began: int
    sides: list[Side]
    has: set[bytes]
    """Messages that the peer is known to have."""
    capacity: float = math.inf
    """Bytes of payload that go over this contact each way: of a simulated one; a real one ends when it ends."""
    todo: dict[bytes, Any] = field(default_factory=dict)
    """What is for the peer, with its score."""
    offered: list[bytes] = field(default_factory=list)
    sent: list[tuple[Held, Any, tuple[int, bytes]]] = field(default_factory=list)
    """What went over and is not acknowledged, with score and note."""
    used: int = 0
    """Bytes of payload that went over."""
    asked: set[bytes] = field(default_factory=set)
    """What I asked the peer for."""
    got: list[int] = field(default_factory=list)
    """What came since, as it will be acknowledged."""
    taken: int = 0
    """Bytes that came since the last digest."""
    kick: Callable[[], None] = lambda: None
    """Called when there may be something more to offer."""
    renew: Callable[[], None] = lambda: None
    """Called when the peer should be told anew what I want."""
    inform: Callable[[], None] = lambda: None
    """Called when there are settings that the peer may not know of."""
