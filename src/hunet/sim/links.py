"""Contacts that are open: who is linked to whom, in order of opening, with the digests of their start.

A link has two ends, 2 * link and 2 * link + 1, each in the list of its node.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf

__all__ = ["CLOSED", "Links", "close_link", "new_links", "open_link", "packed"]

CLOSED = -1
Digest = TypeVar("Digest", bound=tuple[Any, ...])


class Links(NamedTuple):
    """All open contacts."""

    first: npt.NDArray[np.int64]
    """[node]: the end of its oldest link, or -1."""
    last: npt.NDArray[np.int64]
    newer: npt.NDArray[np.int64]
    """[end]: the next in its node's list, or -1."""
    older: npt.NDArray[np.int64]
    node: npt.NDArray[np.uint32]
    """[end]: whose it is."""
    left: npt.NDArray[np.float64]
    """[end]: the capacity in this direction."""
    used: npt.NDArray[np.int64]
    """[end]: bytes sent from here."""
    told: npt.NDArray[np.uint8]
    """[end, byte]: the digest that this end told."""
    of: npt.NDArray[np.int32]
    """[contact]: its link."""
    free: npt.NDArray[np.int64]
    """Links from `passed[0]` on are free."""
    passed: npt.NDArray[np.int64]
    """Open links; contacts that have ended."""
    ending: npt.NDArray[np.int64]
    """Contacts in order of their ends."""
    queue: npt.NDArray[np.uint32]
    """Nodes from which a message is to spread."""


def new_links(start: npt.NDArray[Any], end: npt.NDArray[Any], nodes: int, digest_bytes: int) -> Links:
    """No contact is open yet; room for as many as ever are at once."""
    ending = np.argsort(end, kind="stable")
    # At the i-th start, all that ended strictly before are closed: ends come after starts at equal times.
    most = int((np.arange(1, start.size + 1) - np.searchsorted(end[ending], start)).max(initial=0))
    return Links(
        np.full(nodes, CLOSED),
        np.full(nodes, CLOSED),
        np.full(2 * most, CLOSED),
        np.full(2 * most, CLOSED),
        np.zeros(2 * most, np.uint32),
        np.zeros(2 * most),
        np.zeros(2 * most, np.int64),
        np.zeros((2 * most, digest_bytes), np.uint8),
        np.zeros(start.size, np.int32),
        np.arange(most),
        np.zeros(2, np.int64),
        ending.astype(np.int64),
        np.zeros(nodes + 1, np.uint32),
    )


def packed(digest: Digest) -> tuple[Digest, npt.NDArray[np.uint8]]:
    """The same digest with its arrays in one row of bytes, so that it is copied without looking into it."""
    offsets = np.concatenate([[0], np.cumsum([(part.nbytes + 7) // 8 * 8 for part in digest])])
    row = np.zeros(int(offsets[-1]), np.uint8)
    parts = []
    for part, offset in zip(digest, offsets[:-1], strict=True):
        view = row[offset : offset + part.nbytes].view(part.dtype).reshape(part.shape)
        view[...] = part
        parts.append(view)
    return type(digest)(*parts), row


@leaf
def open_link(links: Any, contact: Any, a: Any, b: Any, capacity: Any) -> Any:
    """Append a link to the lists of both ends; returns its number."""
    link = links.free[links.passed[0]]
    links.passed[0] += 1
    links.of[contact] = link
    for side in range(2):
        end, node = 2 * link + side, a if side == 0 else b
        links.node[end] = node
        links.left[end] = capacity
        links.used[end] = 0
        links.newer[end] = CLOSED
        links.older[end] = links.last[node]
        if links.last[node] == CLOSED:
            links.first[node] = end
        else:
            links.newer[links.last[node]] = end
        links.last[node] = end
    return link


@leaf
def close_link(links: Any) -> None:
    """The next contact ends."""
    link = np.int64(links.of[links.ending[links.passed[1]]])
    links.passed[1] += 1
    links.passed[0] -= 1
    links.free[links.passed[0]] = link
    for side in range(2):
        end = 2 * link + side
        node, older, newer = links.node[end], links.older[end], links.newer[end]
        if older == CLOSED:
            links.first[node] = newer
        else:
            links.newer[older] = newer
        if newer == CLOSED:
            links.last[node] = older
        else:
            links.older[newer] = older
