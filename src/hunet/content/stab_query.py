"""Queries of the tree of boxes, as kernels: walk down to a leaf, mark the entries that hold the point, collect them.

The marks of a leaf are made one dimension after the other by loops that the compiler turns into vector instructions,
and read eight at a time, for most are 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.content.stab_tree import Array, Boxes, Index, Tree, step_of
from hunet.kernels import leaf, loop, lowest_bit

__all__ = ["Marks", "new_marks", "stab"]


class Marks(NamedTuple):
    """Scratch space for a query: a mark per entry looked at, as bytes and as words, and the steps of the point."""

    bytes: npt.NDArray[np.uint8]
    words: npt.NDArray[np.uint64]
    steps: npt.NDArray[np.uint16]


def new_marks(size: int, dimensions: int) -> Marks:
    """Marks for lists of so many entries."""
    words = np.zeros(size // 8 + 1, np.uint64)
    return Marks(words.view(np.uint8), words, np.zeros(dimensions, np.uint16))


@leaf
def _mark(lows: Array, highs: Array, dimension: Index, start: Index, size: Index, x: Any, marks: Array) -> None:
    """Mark what holds x in one dimension and, after the first, in those before; made for vector instructions."""
    if dimension == np.uint64(0):
        for i in range(size):
            marks[i] = (lows[dimension, start + i] <= x) & (x <= highs[dimension, start + i])
    else:
        for i in range(size):
            marks[i] &= (lows[dimension, start + i] <= x) & (x <= highs[dimension, start + i])


@leaf
def _holds(boxes: Boxes, box: Index, points: Array, event: Index) -> Any:
    for dimension in range(np.uint64(points.shape[1])):
        x = points[event, dimension]
        if not boxes.lows[dimension, box] <= x <= boxes.highs[dimension, box]:
            return False
    return True


@leaf
def _surely(tree: Tree, entry: Index, steps: Array) -> Any:
    """Does the point fall on no step on which an end of the entry lies?"""
    for dimension in range(np.uint64(steps.size)):
        x = steps[dimension]
        if x == tree.low_steps[dimension, entry] or x == tree.high_steps[dimension, entry]:
            return False
    return True


@leaf
def _counts(alive: Array, owner: Index) -> Any:
    """1 for an owner who is alive, else 0; where nobody ever left, `alive` is empty and need not be read."""
    return np.uint64(1) if alive.size == 0 else np.uint64(alive[np.uint64(owner)])


@leaf
def _words(marks: Marks, size: Index) -> Any:
    """How many words hold so many marks; those behind the last are cleared."""
    words = (size + np.uint64(7)) >> np.uint64(3)
    for i in range(size, words << np.uint64(3)):
        marks.bytes[i] = 0
    return words


@leaf
def _search_leaf(
    tree: Tree, node: Index, points: Array, event: Index, alive: Array, marks: Marks, out: Array, n: Index
) -> Any:
    """Append the owners of the leaf's boxes that hold the point."""
    start = np.uint64(tree.right[node])
    size = np.uint64(tree.held[node])
    for dimension in range(np.uint64(points.shape[1])):
        x = step_of(points[event, dimension], tree.origin[node, dimension], tree.scale[node, dimension])
        marks.steps[dimension] = x
        _mark(tree.low_steps, tree.high_steps, dimension, start, size, x, marks.bytes)
    for word in range(_words(marks, size)):
        left = marks.words[word]
        while left != np.uint64(0):
            entry = start + word * np.uint64(8) + np.uint64(lowest_bit(left) >> 3)
            left &= left - np.uint64(1)
            if _surely(tree, entry, marks.steps) or _holds(tree.boxes, np.uint64(tree.box[entry]), points, event):
                out[n] = tree.owner[entry]
                n += _counts(alive, out[n])
    return n


@leaf
def _search_list(
    boxes: Boxes, size: Index, points: Array, event: Index, alive: Array, marks: Marks, out: Array, n: Index
) -> Any:
    """Append the owners of the first boxes of a list that hold the point."""
    for dimension in range(np.uint64(points.shape[1])):
        _mark(boxes.lows, boxes.highs, dimension, np.uint64(0), size, points[event, dimension], marks.bytes)
    for word in range(_words(marks, size)):
        left = marks.words[word]
        while left != np.uint64(0):
            out[n] = boxes.owners[word * np.uint64(8) + np.uint64(lowest_bit(left) >> 3)]
            left &= left - np.uint64(1)
            n += _counts(alive, out[n])
    return n


@loop
def stab(
    tree: Tree,
    tail: Any,
    tail_size: Any,
    points: Array,
    alive: Array,
    marks: Marks,
    first: Any,
    offsets: Any,
    out: Array,
) -> Any:
    """For each point from `first` on, the owners that are alive of boxes that hold it; stops where `out` may be full.

    `tail` are boxes not in the tree. Returns the first point not done; offsets[e + 1] is where point e ends in `out`.
    """
    n = np.uint64(offsets[first])
    behind = np.uint64(tail_size)
    for event in range(np.uint64(first), np.uint64(points.shape[0])):
        node = np.uint64(0)
        while tree.dimension[node] >= 0:
            if points[event, np.uint64(tree.dimension[node])] < tree.threshold[node]:
                node += np.uint64(1)
            else:
                node = np.uint64(tree.right[node])
        if n + np.uint64(tree.held[node]) + behind > np.uint64(out.size):
            return np.int64(event)
        n = _search_leaf(tree, node, points, event, alive, marks, out, n)
        n = _search_list(tail, behind, points, event, alive, marks, out, n)
        offsets[event + np.uint64(1)] = n
    return np.int64(points.shape[0])
