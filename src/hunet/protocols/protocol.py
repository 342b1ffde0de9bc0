"""The contract between a protocol and its host, the simulator or a live node.

A protocol is a record of plain functions over its own state. The host keeps the messages, calls the functions in the
order of a contact, and carries bytes. In a contact of two nodes, both ends alike:

    1. age     bring my row to the present time
    2. greet   write my hello; meet: judge the peer by its hello; obey: accept the peer's verdict on me
    3. tell    write my digest: what I say about myself to this peer (a snapshot)
    4. want    what is a message with this tag worth to the peer whose digest this is?
       give    is this very message for this peer, and how urgently?
    5. gave    at the sender, for each message that went over: keep my copy? and a note that travels with it
       take    at the receiver (and for a message just born): carry it on?
    6. hear    merge what the peer told me

Scores: at or below 0 the message stays; `DIRECT` and `BOTH` are above all others and mean that the peer itself wants
the message, and, for `BOTH`, that it is to carry it as well. Both directions are decided before anything moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.hashing import PUBLIC_KEY
from hunet.kernels import leaf

__all__ = ["BOTH", "DIRECT", "NO", "YES", "Message", "Protocol", "World"]

NO = np.float32(0.0)
YES = np.float32(1.0)
DIRECT = np.finfo(np.float32).max
BOTH = np.float32(np.inf)


class Message(NamedTuple):
    """What a protocol may know of a message; its tags reach it through `want`."""

    number: Any
    """A number that differs for every message of the network."""
    created: Any
    """When it was published, in seconds."""
    size: Any
    """Bytes of payload."""
    own: Any
    """Whether I published it."""


@dataclass(frozen=True)
class World:
    """What a protocol may know when it makes its state."""

    nodes: int
    """Rows of state: all nodes in the simulator, 1 on a device."""
    tags: Sequence[str]
    entries: int
    """Rows of per-message memory that each node needs."""
    seed: int = 1
    key: bytes = PUBLIC_KEY
    """The network's key."""
    first_node: int = 0
    """The number of the node in row 0: 0 in the simulator, its own number on a device."""


# What a protocol that has nothing to say at a step does there.


@leaf
def ignore_interests(params: Any, state: Any, me: Any, wants: Any) -> None:
    """My interests changed, and nothing of mine depends on them."""


@leaf
def ageless(params: Any, state: Any, me: Any, now: Any) -> None:
    """Nothing of mine decays."""


@leaf
def silent(params: Any, state: Any, me: Any, now: Any, digest: Any) -> None:
    """I have nothing to tell."""


@leaf
def anything(params: Any, state: Any, me: Any, digest: Any, tag: Any, own: Any) -> Any:
    """Every tag is worth the same."""
    return YES


@leaf
def as_wanted(params: Any, state: Any, me: Any, entry: Any, message: Any, score: Any) -> Any:
    """The tag alone decides."""
    return score


@leaf
def keep_copy(params: Any, state: Any, me: Any, entry: Any, message: Any, score: Any) -> Any:
    """I keep my copy, and nothing travels beside the message."""
    return True, 0


@leaf
def carry(params: Any, state: Any, me: Any, entry: Any, message: Any, note: Any) -> Any:
    """I carry everything I get."""
    return True


@leaf
def deaf(params: Any, state: Any, me: Any, digest: Any, now: Any) -> None:
    """What I heard changes nothing."""


@leaf
def no_bytes(params: Any, digest: Any) -> Any:
    """My digest is empty."""
    return 0


class Nothing(NamedTuple):
    """The state or digest of a protocol that has none."""

    nothing: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Protocol:
    """A protocol: its name, its settings, how to make its state and digest, and its functions."""

    name: str
    title: str
    settings: type[Any]
    """A NamedTuple class: every parameter with its default."""
    prepare: Callable[[Any, World], Any]
    """settings, world -> params: what the functions read (a NamedTuple of numbers and arrays)."""
    new_state: Callable[[Any, World], Any]
    """params, world -> state: a NamedTuple of arrays, one row per node."""
    new_digest: Callable[[Any, World], Any]
    """params, world -> an empty digest: a NamedTuple of arrays that `tell` fills."""
    subscribe: Callable[..., None] = ignore_interests
    age: Callable[..., None] = ageless
    tell: Callable[..., None] = silent
    want: Callable[..., Any] = anything
    give: Callable[..., Any] = as_wanted
    gave: Callable[..., Any] = keep_copy
    take: Callable[..., Any] = carry
    hear: Callable[..., None] = deaf
    size: Callable[..., Any] = no_bytes
    """Bytes of a digest as `wire` would send it, without sending it."""
    own_outside: bool = False
    """Whether a node's own messages stay outside its buffer limit."""


def no_state(params: Any, world: World) -> Nothing:
    """State for a protocol that remembers nothing."""
    return Nothing(np.zeros((world.nodes, 1), np.uint8))


def no_digest(params: Any, world: World) -> Nothing:
    """Digest for a protocol that says nothing."""
    return Nothing(np.zeros(1, np.uint8))
