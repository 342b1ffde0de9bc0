"""Which of many boxes hold a point: an index to which boxes can be added at any time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.content.stab_query import new_marks, stab
from hunet.content.stab_tree import Boxes, build_tree, empty_boxes, no_tree

__all__ = ["Found", "StabIndex"]

Found = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]
"""Answers for many points: those of point i are owners[offsets[i]:offsets[i + 1]]."""

_WORTH = 500  # looking at so many boxes one by one takes as long as putting one into the tree
_FEW = 64  # boxes that need no tree


class StabIndex:
    """Closed boxes of owners (small integers), in order of addition; an owner may have several that are disjoint.

    New boxes wait in a list that every query scans. Once the scans together have cost as much as building a tree
    would, the tree is built: whatever the sequence of additions and queries, the work is at most about twice that of
    the best moment to build.
    """

    def __init__(self, dimensions: int, dtype: npt.DTypeLike = np.float64) -> None:
        self._empty = empty_boxes(dimensions, dtype)
        self._tree = no_tree(self._empty)
        self._largest = 0  # leaf of the tree
        self._tail = self._empty
        self._waiting = 0
        self._scanned = 0

    def add(self, lows: npt.NDArray[Any], highs: npt.NDArray[Any], owners: npt.NDArray[np.int32]) -> None:
        """Add boxes, one per row. Amortised O(1) each until the next query."""
        end = self._waiting + len(owners)
        if end > self._tail.owners.size:
            self._tail = _with_room(self._tail, self._waiting, 2 * end)
        self._tail.lows[:, self._waiting : end] = lows.T
        self._tail.highs[:, self._waiting : end] = highs.T
        self._tail.owners[self._waiting : end] = owners
        self._waiting = end

    def stab(self, points: npt.NDArray[Any], alive: npt.NDArray[np.uint8]) -> Found:
        """The owners of the boxes that hold each point (a row), without those whose `alive` is 0.

        An empty `alive` means that all are.
        """
        points = np.ascontiguousarray(points)
        self._scanned += self._waiting * len(points)
        if self._waiting > _FEW and self._scanned > _WORTH * (self._waiting + self._tree.boxes.owners.size):
            self.build(alive)
        most = self._largest + self._waiting
        marks = new_marks(most, points.shape[1])
        offsets = np.zeros(len(points) + 1, np.int64)
        out = np.empty(most + 2 * len(points), np.int32)
        done = 0
        while True:
            done = stab(self._tree, self._tail, self._waiting, points, alive, marks, done, offsets, out)
            if done == len(points):
                return offsets, out[: offsets[-1]].copy()
            out = np.concatenate([out[: offsets[done]], np.empty(2 * out.size + most, np.int32)])

    def build(self, alive: npt.NDArray[np.uint8]) -> None:
        """Put all boxes into the tree now, but those whose `alive` is 0. Queries do this by themselves in time."""
        old, new, waiting = self._tree.boxes, self._tail, self._waiting
        owners = np.concatenate([old.owners, new.owners[:waiting]])
        kept = alive[owners] != 0 if alive.size else np.ones(owners.size, np.bool_)
        lows, highs = (
            np.ascontiguousarray(np.concatenate([one, other[:, :waiting]], axis=1)[:, kept])
            for one, other in ((old.lows, new.lows), (old.highs, new.highs))
        )
        self._tree = build_tree(Boxes(lows, highs, owners[kept]))
        self._largest = int(self._tree.held.max())
        self._tail, self._waiting, self._scanned = self._empty, 0, 0


def _with_room(boxes: Boxes, used: int, room: int) -> Boxes:
    wide = empty_boxes(boxes.lows.shape[0], boxes.lows.dtype, room)
    wide.lows[:, :used] = boxes.lows[:, :used]
    wide.highs[:, :used] = boxes.highs[:, :used]
    wide.owners[:used] = boxes.owners[:used]
    return wide
