"""By what nodes have their colours: the classes that the data gives them, or else the communities of MOPS."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.social.communities import find_communities

__all__ = ["Groups", "groups_of"]

_COLOURS = 7
"""More colours cannot be told apart; the smaller groups share the last, which is grey."""
_THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Of closeness: the first, which is that of MOPS, unless it makes one community of more than half of the people. Then
the next that does not, and does not leave more than half of them alone."""


@dataclass(frozen=True)
class Groups:
    """Which group each node is in, largest first; -1 for those that share the last colour."""

    kind: str
    """`class` or `community`."""
    group: npt.NDArray[np.int64]
    names: tuple[str, ...]


def groups_of(nodes: pa.Table, pairs: pa.Table) -> Groups:
    """The groups of a trace."""
    classes = nodes["class"].to_pylist()
    if len({name for name in classes if name}) > 1:
        return _largest("class", [name or None for name in classes])
    names = nodes["name"].to_pylist()
    sizes, formed = _communities(pairs, nodes.num_rows)
    return _largest("community", [None if sizes[node] == 1 else f"around {names[node]}" for node in formed])


def _communities(pairs: pa.Table, nodes: int) -> tuple[Counter[int], list[int]]:
    """How large each community is, and every node's."""
    found = []
    for threshold in _THRESHOLDS:
        formed = find_communities(pairs, nodes, threshold).communities["community"].to_pylist()
        sizes = Counter(formed)
        found.append((sizes, formed))
        alone = sum(size == 1 for size in sizes.values())
        if max(sizes.values()) <= nodes / 2 and alone <= nodes / 2:
            return found[-1]
    return found[0]


def _largest(kind: str, labels: list[str | None]) -> Groups:
    known = [label for label in labels if label is not None]
    named = sorted(set(known), key=lambda label: (-known.count(label), label))[:_COLOURS]
    number = {label: place for place, label in enumerate(named)}
    return Groups(kind, np.array([number.get(label, -1) if label else -1 for label in labels], np.int64), tuple(named))
