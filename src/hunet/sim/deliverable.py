"""Which (message, node) pairs could be delivered: the denominator of every delivery ratio."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import loop
from hunet.sim.engine.scene import Scene
from hunet.sim.make_scene import interest_spans
from hunet.sim.workload.workload import Workload

__all__ = ["Wanted", "wanted_by"]


class Wanted(NamedTuple):
    """Pairs of a message and a node other than its source that wants one of its tags at some time while it lives."""

    of_message: npt.NDArray[np.int64]
    of_node: npt.NDArray[np.int64]


def wanted_by(workload: Workload, scene: Scene) -> Wanted:
    """How many such pairs there are, by message and by node (AMB-16).

    A node wants a tag from `from` on and until before `until`; a message lives from its creation through its expiry.
    """
    spans = interest_spans(workload)
    tags = len(workload.tags)
    nodes = scene.wants.shape[0]
    if np.all(spans.begin == -np.inf) and np.all(spans.end == np.inf) and scene.tag.size == scene.created.size:
        # One tag each and interests that stay, as in the papers: counting per tag is enough.
        own = np.zeros((nodes, tags), np.bool_)
        own[spans.node, spans.tag] = True
        for_itself = own[scene.source, scene.tag]
        published = np.bincount(scene.tag, minlength=tags)
        return Wanted(
            np.asarray(np.bincount(spans.tag, minlength=tags)[scene.tag] - for_itself, np.int64),
            np.asarray(own @ published - np.bincount(scene.source[for_itself], minlength=nodes), np.int64),
        )
    first = np.searchsorted(spans.tag, np.arange(tags + 1))
    found = Wanted(np.zeros(scene.created.size, np.int64), np.zeros(nodes, np.int64))
    stamp = np.full(nodes, -1, np.int64)
    _count(scene, first, spans.node, spans.begin, spans.end, stamp, found)
    return found


@loop
def _count(scene: Any, first: Any, node: Any, begin: Any, end: Any, stamp: Any, found: Any) -> None:
    """`stamp` remembers the last message for which a node was counted: it may want several of its tags."""
    for m in range(found.of_message.size):
        stamp[scene.source[m]] = m
        for i in range(scene.tag_start[m], scene.tag_start[m + 1]):
            tag = scene.tag[i]
            for j in range(first[tag], first[tag + 1]):
                if stamp[node[j]] != m and begin[j] <= scene.expires[m] and end[j] > scene.created[m]:
                    stamp[node[j]] = m
                    found.of_message[m] += 1
                    found.of_node[node[j]] += 1
