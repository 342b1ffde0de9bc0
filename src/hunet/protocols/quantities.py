"""What the parameters of protocols' functions are: the names that signatures use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "Digest",
    "Entry",
    "Face",
    "Hello",
    "Millis",
    "Note",
    "Now",
    "Peer",
    "Reading",
    "Row",
    "Score",
    "Tag",
    "Verdict",
]

Row: TypeAlias = "int | np.unsignedinteger[Any]"
"""A node's row of state: 0 on a device."""
Peer: TypeAlias = "int | np.integer[Any]"
"""An acquaintance, by my own number for it."""
Now: TypeAlias = float
"""Seconds on the node's own clock."""
Millis: TypeAlias = "int | np.integer[Any]"
"""Whole milliseconds on the node's own clock, where sums of seconds would depend on the clock in the last digit."""
Tag: TypeAlias = "int | np.unsignedinteger[Any]"
"""A tag, by the node's own number."""
Entry: TypeAlias = "int | np.unsignedinteger[Any]"
"""Where a node's memory of a message lies in its row."""
Reading: TypeAlias = "int | np.int64"
"""What a digest says of a tag: at most 63 bits, of which only the protocol knows the meaning."""
Score: TypeAlias = np.float32
"""What a message is worth to a peer; at or below 0 it stays."""
Note: TypeAlias = "int | np.integer[Any]"
"""What travels with a message, from one end's protocol to the other's."""
Face: TypeAlias = "int | np.int64"
"""Whom a node faces in a contact."""
Verdict: TypeAlias = int
"""What a node makes of its peer: STAY, PROMOTE or DEMOTE."""


class Told(Protocol):
    """Arrays by name, or by their place: a record that a `Layout` makes."""

    def __getattr__(self, name: str) -> npt.NDArray[Any]: ...

    def __getitem__(self, place: int) -> npt.NDArray[Any]: ...

    def __iter__(self) -> Iterator[npt.NDArray[Any]]: ...


Digest: TypeAlias = Told
"""What a node tells in a contact, and what is heard of the peer; its parts are those of the protocol's `digest`."""
Hello: TypeAlias = Told
"""What a node says first; its parts are those of the protocol's `hello`."""
