"""Who is in contact with whom: the open contacts of every node as a chain, so that each opens and closes at once.

Contact i has the ends 2 i, at node a, and 2 i + 1, at node b; end ^ 1 is the other one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf

__all__ = ["NONE", "Links", "close_contact", "new_links", "node_at", "open_contact"]

Ints = npt.NDArray[np.int64]

NONE = -1
"""The end of a chain."""


class Links(NamedTuple):
    """Open contacts."""

    first: Ints
    """[node]: one of its ends."""
    following: Ints
    """[end]: the next of the same node."""
    before: Ints


def new_links(nodes: int, contacts: int) -> Links:
    """No contact is open yet."""
    first, following, before = (np.full(count, NONE, np.int64) for count in (nodes, 2 * contacts, 2 * contacts))
    return Links(first, following, before)


@leaf
def node_at(ground: Any, end: Any) -> Any:
    """Whose end it is."""
    return ground.a[end >> 1] if end & 1 == 0 else ground.b[end >> 1]


@leaf
def open_contact(ground: Any, links: Any, contact: Any) -> None:
    """Put both ends in front of their nodes' chains."""
    for end in range(2 * contact, 2 * contact + 2):
        node = node_at(ground, end)
        after = links.first[node]
        links.following[end] = after
        links.before[end] = NONE
        if after != NONE:
            links.before[after] = end
        links.first[node] = end


@leaf
def close_contact(ground: Any, links: Any, contact: Any) -> None:
    """Take both ends out of their nodes' chains."""
    for end in range(2 * contact, 2 * contact + 2):
        before, after = links.before[end], links.following[end]
        if before == NONE:
            links.first[node_at(ground, end)] = after
        else:
            links.following[before] = after
        if after != NONE:
            links.before[after] = before
