"""Which (message, node) pairs could be delivered: the denominator of every delivery ratio."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.kernels import loop
from hunet.sim.make_scene import interest_spans
from hunet.sim.scene import Scene
from hunet.sim.workload import Workload

__all__ = ["wanted_by"]


def wanted_by(workload: Workload, scene: Scene) -> npt.NDArray[np.int64]:
    """Per message: how many nodes other than its source want one of its tags at some time while it lives (AMB-16).

    A node wants a tag from `from` on and until before `until`; a message lives from its creation through its expiry.
    """
    spans = interest_spans(workload)
    tags = len(workload.tags)
    if np.all(spans.begin == -np.inf) and np.all(spans.end == np.inf) and scene.tag.size == scene.created.size:
        # One tag each and interests that stay, as in the papers: counting per tag is enough.
        fans = np.bincount(spans.tag, minlength=tags)
        own = np.zeros(scene.wants.shape, np.bool_)
        own[spans.node, spans.tag] = True
        return np.asarray(fans[scene.tag] - own[scene.source, scene.tag], np.int64)
    first = np.searchsorted(spans.tag, np.arange(tags + 1))
    found = np.zeros(scene.created.size, np.int64)
    stamp = np.full(scene.wants.shape[0], -1, np.int64)
    _count(scene, first, spans.node, spans.begin, spans.end, stamp, found)
    return found


@loop
def _count(scene: Any, first: Any, node: Any, begin: Any, end: Any, stamp: Any, found: Any) -> None:
    """`stamp` remembers the last message for which a node was counted: it may want several of its tags."""
    for m in range(found.size):
        stamp[scene.source[m]] = m
        for i in range(scene.tag_start[m], scene.tag_start[m + 1]):
            tag = scene.tag[i]
            for j in range(first[tag], first[tag + 1]):
                if stamp[node[j]] != m and begin[j] <= scene.expires[m] and end[j] > scene.created[m]:
                    stamp[node[j]] = m
                    found[m] += 1
