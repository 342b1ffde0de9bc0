"""Where nodes stand if nobody knows where they were: those who are close stand close.

Every node pulls at the few whom it is closest to and at its group, and all push each other off (the springs of
Fruchterman and Reingold). It starts from the two slowest modes of the same springs, so there is no chance in it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["closest_pairs", "layout"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_PULLS = 6
"""At how many others a node pulls. With more, a crowd in which everybody meets everybody becomes one ball."""
_ROUNDS = 220
_ROOM = 0.75
"""Least distance between two nodes, as a share of what an even spread would give each."""


def closest_pairs(pairs: pa.Table, nodes: int, most: int) -> Ints:
    """Rows of the pairs that are among the `most` closest of one of their ends."""
    a, b = (pairs[name].to_numpy().astype(np.int64) for name in ("a", "b"))
    # Closeness is 0 or 1 for many: of equals those who spent more time together are closer.
    order = np.lexsort((pairs["total"].to_numpy(), pairs["closeness"].to_numpy()))[::-1]
    taken = np.zeros(nodes, np.int64)
    kept = []
    for row in order.tolist():
        if taken[a[row]] < most or taken[b[row]] < most:
            taken[a[row]] += 1
            taken[b[row]] += 1
            kept.append(row)
    return np.sort(np.array(kept, np.int64))


def layout(pairs: pa.Table, nodes: int, group: Ints) -> Floats:
    """[node, 2]: places between 0 and 1."""
    pull = np.zeros((nodes, nodes), np.float32)
    kept = closest_pairs(pairs, nodes, _PULLS)
    a, b = (pairs[name].to_numpy()[kept] for name in ("a", "b"))
    pull[a, b] = pull[b, a] = 0.3 + 0.7 * pairs["closeness"].to_numpy()[kept]
    pull += np.where((group[:, None] == group) & (group[:, None] >= 0), 0.08, 0.004).astype(np.float32)
    np.fill_diagonal(pull, 0)
    place = _modes(pull.astype(np.float64)).astype(np.float32)
    even = np.float32(1 / np.sqrt(nodes))
    for step in range(_ROUNDS):
        apart = place[:, None, :] - place[None, :, :]
        distance = np.sqrt((apart**2).sum(axis=2)) + np.float32(1e-4)
        push = even**2 / distance**2 - pull * distance / even
        move = (apart * push[:, :, None]).sum(axis=1)
        length = np.sqrt((move**2).sum(axis=1)) + np.float32(1e-6)
        heat = np.float32(0.08 * (1 - step / _ROUNDS) + 0.001)
        place += move * (np.minimum(length, heat) / length)[:, None]
    return _spread(place.astype(np.float64))


def _modes(pull: Floats) -> Floats:
    """The two slowest modes of the springs: neighbours in the graph are neighbours there."""
    nodes = len(pull)
    laplacian = np.diag(pull.sum(axis=1)) - pull
    modes = np.linalg.eigh(laplacian)[1][:, 1:3] if nodes > 2 else np.array([[0.0, 0.0], [1.0, 0.0]])[:nodes]
    modes = modes * np.where(modes[np.abs(modes).argmax(axis=0), np.arange(2)] < 0, -1, 1)  # signs are arbitrary
    # Where modes put nodes on the same spot, a spiral tells them apart.
    turn = np.arange(nodes) * 2.399963
    spiral = np.column_stack((np.cos(turn), np.sin(turn))) * np.sqrt(np.arange(nodes) / nodes)[:, None]
    return np.asarray(modes * 0.5 * np.sqrt(nodes) + 0.2 * spiral)


def _spread(place: Floats) -> Floats:
    """Into the unit square, with a little room around everybody."""
    nodes = len(place)
    low, high = np.percentile(place, (1, 99), axis=0)
    place = np.clip((place - low) / np.maximum(high - low, 1e-9), -0.05, 1.05)
    # Half-way to an even spread along both axes: one who is far from everybody does not squeeze the others together.
    rank = np.argsort(np.argsort(place, axis=0, kind="stable"), axis=0, kind="stable")
    place = 0.5 * place + 0.5 * rank / max(1, nodes - 1)
    least = _ROOM / np.sqrt(nodes)
    for _ in range(40):
        apart = place[:, None, :] - place[None, :, :]
        distance = np.sqrt((apart**2).sum(axis=2))
        np.fill_diagonal(distance, np.inf)
        lack = np.maximum(least - distance, 0)
        direction = apart / np.maximum(distance, 1e-9)[:, :, None]
        place = place + 0.25 * (direction * lack[:, :, None]).sum(axis=1)
    low, high = place.min(axis=0), place.max(axis=0)
    return np.asarray((place - low) / np.maximum(high - low, 1e-9))
