"""What a protocol may know: of the network when it makes its state, of the node's interests, of a message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hunet.filters.hashing import PUBLIC_KEY

if TYPE_CHECKING:
    import pyarrow as pa  # a device has none

__all__ = ["INTEREST", "Closeness", "Message", "Peers", "Ranges", "Social", "Wants", "World", "interests_from"]

INTEREST = np.dtype([("until", np.float64), ("level", np.float32), ("hops", np.uint16)], align=True)
"""My interest in a tag: when it ends, how strong it is (above 0 to 1; 0 for none), hops it is worth (0: any number)."""


Wants: TypeAlias = "np.recarray[Any, Any]"
"""[tag]: my interests, each an INTEREST."""


def interests_from(wanted: npt.ArrayLike) -> Wants:
    """Interests as `subscribe` gets them where a tag is wanted or not: full strength, without an end."""
    row = np.zeros(np.shape(wanted), INTEREST).view(np.recarray)
    row[np.asarray(wanted, np.bool_)] = (np.inf, 1.0, 0)
    return row


Peers: TypeAlias = npt.NDArray[np.int64]
Closeness: TypeAlias = npt.NDArray[np.float64]


class Message(NamedTuple):
    """What a protocol may know of a message that is about to go over, or that just came."""

    number: Any
    """A number that differs for every message of the network."""
    created: Any
    """When it was published, in seconds."""
    expires: Any
    """When it is over; infinity for never."""
    size: Any
    """Bytes of payload."""
    own: Any
    """Whether I published it."""
    source: Any
    """The number of the node that did."""
    tags: Any
    first_tag: Any
    """Its tags are `tags[first_tag]` up to, not including, `tags[stop_tag]`."""
    stop_tag: Any
    peer: Any
    """The number of the node at the other end; my own where the message was just born."""
    known: Any
    """Whether its receiver has the payload already: then only an errand goes over (see `Protocol.errands`)."""


@dataclass(frozen=True)
class Ranges:
    """Subscriptions that are ranges, as cells of a grid that all know: a tag is then one point of content, in a cell.

    A node's exact interests are the points in its ranges; what it can say beforehand is which cells these cover.
    """

    cell_of_tag: Sequence[str]
    cells_wanted: Mapping[int, Sequence[Sequence[str]]]
    """By the number of the node, the cells of each of its subscriptions; of a node that is missing, none."""


@dataclass(frozen=True)
class Social:
    """What everybody knows of the whole network before it starts, from the training part."""

    pairs: pa.Table
    """(a, b, closeness): who is how close to whom (Eq. 1, [mops])."""
    nodes: int
    """Nodes of the whole network."""
    levels: npt.NDArray[np.float32]
    """[node, tag]: how much everybody wants what at the beginning."""


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
    tag_places: int = 0
    """For how many tags there is room, where more may come (`name_tag`); see `places`."""
    tag_ids: npt.NDArray[np.uint64] | None = None
    """[place]: a keyed hash of every tag, 0 for a place that is free, by which digests name tags; it grows in place.
    None: everybody has the same list, and digests name tags by their place in it."""
    room: float = np.inf
    """Messages that my buffer holds."""
    first_node: int = 0
    """The number of the node in row 0: 0 in the simulator, its own number on a device."""
    peer_start: Peers | None = None
    """Node i's memory about its peers lies at `peer_start[i]` to `peer_start[i + 1]` of flat arrays.

    Its n-th acquaintance is at `peer_start[i] + n`. None: nobody meets anybody.
    """
    closeness: Closeness | None = None
    """How close each of these peers is (Eq. 1, [mops]); at or below 0 for one that is not known to be close."""
    social: Social | None = None
    exact: bool = False
    """Whether filters have one position per tag and so never err: a shadow that tells false matches from true ones."""
    ranges: Ranges | None = None
    """Where subscriptions are ranges."""
    began: float | npt.NDArray[np.float64] = 0.0
    """What a node's clock, or each one's, says when it begins to live: 0 in a simulation, unless clocks differ."""

    @property
    def peers_from(self) -> Peers:
        """`peer_start`, also where nobody meets anybody."""
        return np.zeros(self.nodes + 1, np.int64) if self.peer_start is None else self.peer_start

    @property
    def places(self) -> int:
        """Tags that there is room for."""
        return max(self.tag_places, len(self.tags))
