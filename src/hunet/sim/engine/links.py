"""Contacts that are open: who is linked to whom, in order of opening, with the digests of their start.

A link has two ends, 2 * link and 2 * link + 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, loop

__all__ = ["Links", "close_link", "new_links", "open_link", "packed"]

Digest = TypeVar("Digest", bound=tuple[Any, ...])


class Links(NamedTuple):
    """All open contacts."""

    start: npt.NDArray[np.int64]
    """[node]: where its open ends begin in `open`."""
    degree: npt.NDArray[np.int64]
    """[node]: how many it has."""
    open: npt.NDArray[np.uint32]
    """A node's ends, oldest first."""
    node: npt.NDArray[np.uint32]
    """[end]: whose it is."""
    left: npt.NDArray[np.float64]
    """[end]: the capacity in this direction, or in both together."""
    used: npt.NDArray[np.int64]
    """[end]: bytes sent from here."""
    told: npt.NDArray[np.uint8]
    """[end, byte]: the digest that this end told."""
    of: npt.NDArray[np.uint32]
    """[contact]: its link."""
    free: npt.NDArray[np.uint32]
    """Links from `passed[0]` on are free."""
    passed: npt.NDArray[np.int64]
    """Open links; contacts that have ended."""
    ending: npt.NDArray[np.int64]
    """Contacts in order of their ends."""
    queue: npt.NDArray[np.uint32]
    """Nodes from which a message is to spread."""
    row_a: npt.NDArray[np.uint8]
    """The digests of the two ends of the present contact, as bytes."""
    row_b: npt.NDArray[np.uint8]


@loop
def _most_at_once(a: Any, b: Any, start: Any, end: Any, ending: Any, degree: Any, most: Any) -> Any:
    """Most contacts that are open at once, per node (in `most`) and in all. Ends come after starts at equal times."""
    ended, all_open, most_open = 0, 0, 0
    for i in range(a.size):
        while end[ending[ended]] < start[i]:
            degree[a[ending[ended]]] -= 1
            degree[b[ending[ended]]] -= 1
            ended += 1
            all_open -= 1
        degree[a[i]] += 1
        degree[b[i]] += 1
        most[a[i]] = max(most[a[i]], degree[a[i]])
        most[b[i]] = max(most[b[i]], degree[b[i]])
        all_open += 1
        most_open = max(most_open, all_open)
    return most_open


def new_links(contacts: Any, nodes: int, row_a: npt.NDArray[np.uint8], row_b: npt.NDArray[np.uint8]) -> Links:
    """No contact is open yet; room for as many as ever are at once. Rows are where digests are told."""
    ending = np.argsort(contacts.end, kind="stable").astype(np.int64)
    most = np.zeros(nodes, np.int64)
    in_all = _most_at_once(
        contacts.a, contacts.b, contacts.start, contacts.end, ending, np.zeros(nodes, np.int64), most
    )
    return Links(
        np.cumsum(most) - most,
        np.zeros(nodes, np.int64),
        np.zeros(int(most.sum()), np.uint32),
        np.zeros(2 * in_all, np.uint32),
        np.zeros(2 * in_all),
        np.zeros(2 * in_all, np.int64),
        np.zeros((2 * in_all, row_a.size), np.uint8),
        np.zeros(contacts.a.size, np.uint32),
        np.arange(in_all, dtype=np.uint32),
        np.zeros(2, np.int64),
        ending,
        np.zeros(nodes + 1, np.uint32),
        row_a,
        row_b,
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
        links.open[links.start[node] + links.degree[node]] = end
        links.degree[node] += 1
    return link


@leaf
def close_link(links: Any) -> None:
    """The next contact ends."""
    link = links.of[links.ending[links.passed[1]]]
    links.passed[1] += 1
    links.passed[0] -= 1
    links.free[links.passed[0]] = link
    for side in range(2):
        end = 2 * link + side
        node = links.node[end]
        i, last = links.start[node], links.start[node] + links.degree[node] - 1
        while links.open[i] != end:
            i += 1
        while i < last:
            links.open[i] = links.open[i + 1]
            i += 1
        links.degree[node] -= 1
