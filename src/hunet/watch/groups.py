"""By what nodes have their colours: the classes that the data gives them, or else the communities of MOPS."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.social.communities import find_communities

__all__ = ["Groups", "groups_of"]

_COLOURS = 7
"""More colours cannot be told apart; the smaller groups share the last, which is grey."""
_THRESHOLD = 0.5
"""Of closeness, as MOPS has it."""


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
    formed = find_communities(pairs, nodes.num_rows, _THRESHOLD).communities["community"].to_pylist()
    alone = {node for node in set(formed) if formed.count(node) == 1}
    return _largest("community", [None if node in alone else f"around {names[node]}" for node in formed])


def _largest(kind: str, labels: list[str | None]) -> Groups:
    known = [label for label in labels if label is not None]
    named = sorted(set(known), key=lambda label: (-known.count(label), label))[:_COLOURS]
    number = {label: place for place, label in enumerate(named)}
    return Groups(kind, np.array([number.get(label, -1) if label else -1 for label in labels], np.int64), tuple(named))
