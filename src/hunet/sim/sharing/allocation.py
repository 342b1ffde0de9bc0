"""Who wants which labels: the two allocations of [sptbf] 4, and interests as the beacon simulator takes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters.checks import require_int, require_real
from hunet.model.errors import InvalidValueError
from hunet.sim.workload.generate import stream

__all__ = ["ALLOCATIONS", "Interests", "by_applications", "by_percent", "single", "standing"]

Wants = npt.NDArray[np.bool_]
"""[node, label]"""


class Interests(NamedTuple):
    """Each from a time on and until another (seconds; infinity for ever), from within so many hops."""

    node: npt.NDArray[np.int32]
    label: npt.NDArray[np.int32]
    since: npt.NDArray[np.float64]
    until: npt.NDArray[np.float64]
    hops: npt.NDArray[np.uint8]


def by_percent(nodes: int, labels: int, percent: float, seed: int) -> Wants:
    """Every node wants so many percent of the labels, drawn at random (allocation 1)."""
    require_real("percent", percent, 0, 100)
    chance = stream(seed, "percent")
    rank = chance.permuted(np.tile(np.arange(labels), (nodes, 1)), axis=1)
    wanted: Wants = rank < round(labels * percent / 100)
    return wanted


def by_applications(nodes: int, labels: int, applications: int, seed: int) -> Wants:
    """The labels are divided among applications, and every node runs one of these, each as often (allocation 2)."""
    require_int("applications", applications, 1, 10**6)
    if applications > labels:
        raise InvalidValueError(f"{applications} applications cannot share {labels} labels: at most one each")
    runs = stream(seed, "applications").permutation(nodes) % applications
    belongs = np.arange(labels) * applications // labels
    wanted: Wants = runs[:, None] == belongs[None, :]
    return wanted


ALLOCATIONS: Mapping[str, Callable[[int, int, int, int], Wants]] = {
    "percent": by_percent,
    "applications": by_applications,
}
"""By name: functions of nodes, labels, amount and seed."""


def standing(wants: Wants, hops: int) -> Interests:
    """Interests that everybody has from the beginning and for ever."""
    node, label = np.nonzero(wants)
    count = node.size
    return Interests(
        node.astype(np.int32),
        label.astype(np.int32),
        np.zeros(count),
        np.full(count, np.inf),
        np.full(count, hops, np.uint8),
    )


def single(node: int, label: int, since: float, until: float, hops: int) -> Interests:
    """One interest of one node."""
    return Interests(
        np.array([node], np.int32),
        np.array([label], np.int32),
        np.array([since], np.float64),
        np.array([until], np.float64),
        np.array([hops], np.uint8),
    )
