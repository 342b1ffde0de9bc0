"""The array core of stabbing: which of many boxes hold a point?

A binary tree cuts the space at thresholds, always where the fewest boxes lie on both sides. A box goes to each side
that it reaches, so the boxes of one leaf are all that can hold a point which falls there: a query walks down once and
looks at one leaf. Boxes that are narrow in one dimension and open in the others (brand = Nikon, any price) are split
along the narrow one. Boxes are closed, and stay in the order given.

A leaf keeps the ends of its boxes as 16-bit steps across its region, a quarter of the memory that a query would
otherwise read. Steps never turn the order of two numbers around, so only where a point falls on the same step as an
end must the numbers themselves be compared.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, loop, lowest_bit

__all__ = ["Boxes", "Marks", "Tree", "build_tree", "empty_boxes", "new_marks", "stab"]

_LEAF = 32  # entries that are not worth splitting
_SMALLEST = _LEAF // 5  # a split leaves at most four fifths on a side, so no leaf is smaller than this
_SAMPLE = 31
_COPIES = 8  # entries per box at most, on average: bounds the memory
_DUPLICATED = 1.6  # a split may store so many times as many entries
_DEPTH = 256
_STEPS = 65_535.0

Array = npt.NDArray[Any]


class Boxes(NamedTuple):
    """Closed boxes, one column each (a row per dimension), and whose they are."""

    lows: Array
    highs: Array
    owners: npt.NDArray[np.int32]


class Tree(NamedTuple):
    """Nodes in the order of a walk that goes left first, and the entries of the leaves one after the other."""

    boxes: Boxes
    dimension: npt.NDArray[np.int32]
    """Per node: the dimension cut; -1 for a leaf."""
    threshold: Array
    """Points below go to the next node, others to `right`."""
    right: npt.NDArray[np.int32]
    """The node on the right; for a leaf, its first entry."""
    count: npt.NDArray[np.int32]
    """For a leaf, how many entries."""
    origin: Array
    """For a leaf and a dimension, where its steps begin."""
    scale: npt.NDArray[np.float64]
    """For a leaf and a dimension, steps per unit."""
    box: npt.NDArray[np.int32]
    """Per entry: which box."""
    owner: npt.NDArray[np.int32]
    """Per entry: whose, so that a query need not go to the box."""
    low_steps: npt.NDArray[np.uint16]
    high_steps: npt.NDArray[np.uint16]


class Marks(NamedTuple):
    """Scratch space for a query: a mark per entry looked at, as bytes and as words, and the steps of the point."""

    bytes: npt.NDArray[np.uint8]
    words: npt.NDArray[np.uint64]
    steps: npt.NDArray[np.uint16]


def empty_boxes(dimensions: int, dtype: npt.DTypeLike, count: int = 0) -> Boxes:
    """Room for so many boxes."""
    shape = (dimensions, count)
    return Boxes(np.empty(shape, dtype), np.empty(shape, dtype), np.empty(count, np.int32))


def new_marks(size: int, dimensions: int) -> Marks:
    """Marks for lists of so many entries."""
    words = np.zeros(size // 8 + 1, np.uint64)
    return Marks(words.view(np.uint8), words, np.zeros(dimensions, np.uint16))


def build_tree(boxes: Boxes) -> Tree:
    """The tree of these boxes. O(n log n) for boxes that hardly overlap; memory O(n) always."""
    dimensions, n = boxes.lows.shape
    most = _COPIES * n + _LEAF
    nodes = 2 * (most // _SMALLEST) + 3
    tree = Tree(
        boxes,
        np.empty(nodes, np.int32),
        np.empty(nodes, boxes.lows.dtype),
        np.empty(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros((nodes, dimensions), boxes.lows.dtype),
        np.zeros((nodes, dimensions), np.float64),
        np.empty(most, np.int32),
        np.empty(0, np.int32),
        np.empty((dimensions, 0), np.uint16),
        np.empty((dimensions, 0), np.uint16),
    )
    # Lists of a path shrink by a fifth at every step, so that all of them and a spare one fit into six times n.
    work = np.empty(6 * n + _LEAF, np.int32)
    stack = np.empty((2, _DEPTH), np.int64)
    region = np.zeros((2, _DEPTH, dimensions), boxes.lows.dtype)
    for dimension in range(dimensions):
        region[:, 0, dimension] = _finite_span(boxes.lows[dimension], boxes.highs[dimension])
    used, filled = _split(boxes, tree, work, stack, region, np.empty(_SAMPLE, boxes.lows.dtype))
    tree = Tree(
        boxes,
        *(array[:used].copy() for array in tree[1:7]),
        tree.box[:filled].copy(),
        boxes.owners[tree.box[:filled]],
        np.empty((dimensions, filled), np.uint16),
        np.empty((dimensions, filled), np.uint16),
    )
    _take_steps(tree)
    return tree


def _finite_span(lows: Array, highs: Array) -> tuple[Any, Any]:
    """The smallest and the largest end that is a finite number."""
    if lows.dtype.kind == "f":
        lows, highs = lows[np.isfinite(lows)], highs[np.isfinite(highs)]
    zero = np.zeros(1, lows.dtype)
    return np.min(lows if lows.size else zero), np.max(highs if highs.size else zero)


@leaf
def _step(x: Any, origin: Any, scale: Any) -> Any:
    """The step on which a number falls; never decreasing in x."""
    if x <= origin:
        return np.uint16(0)
    return np.uint16(min(_STEPS, (x - origin) * scale))


@leaf
def _median_low(boxes: Any, dimension: Any, work: Any, start: Any, n: Any, sample: Any) -> Any:
    """The median lower end among entries taken at equal distances."""
    size = min(n, _SAMPLE)
    for i in range(size):
        value = boxes.lows[dimension, work[start + i * n // size]]
        at = i
        while at > 0 and sample[at - 1] > value:
            sample[at] = sample[at - 1]
            at -= 1
        sample[at] = value
    return sample[size // 2]


@leaf
def _sides(boxes: Any, dimension: Any, threshold: Any, work: Any, start: Any, n: Any, size: Any) -> tuple[Any, Any]:
    """How many of `size` entries, taken at equal distances, reach the left and the right of a threshold."""
    left = 0
    right = 0
    for i in range(size):
        box = work[start + i * n // size]
        left += boxes.lows[dimension, box] < threshold
        right += boxes.highs[dimension, box] >= threshold
    return left, right


@leaf
def _finish_leaf(tree: Any, node: Any, work: Any, start: Any, end: Any, region: Any, depth: Any, filled: Any) -> Any:
    tree.dimension[node] = -1
    tree.right[node] = filled
    tree.count[node] = end - start
    for i in range(start, end):
        tree.box[filled] = work[i]
        filled += 1
    for dimension in range(tree.origin.shape[1]):
        tree.origin[node, dimension] = region[0, depth, dimension]
        extent = region[1, depth, dimension] - region[0, depth, dimension]
        if extent > 0:
            tree.scale[node, dimension] = _STEPS / extent
    return filled


@loop
def _split(boxes: Any, tree: Any, work: Any, stack: Any, region: Any, sample: Any) -> Any:
    """Write the nodes and the boxes of each leaf; `work` holds the lists of nodes still to be split."""
    n = boxes.lows.shape[1]
    dimensions = boxes.lows.shape[0]
    for i in range(n):
        work[i] = i
    stack[0, 0] = 0  # where its list starts; it ends where the work ends
    stack[1, 0] = -1  # whose right child it is
    depth = 1
    end = n  # of the work
    used = 0
    filled = 0
    while depth > 0:
        depth -= 1
        start = stack[0, depth]
        node = used
        used += 1
        if stack[1, depth] >= 0:
            tree.right[stack[1, depth]] = node
        size = end - start
        best = -1
        threshold = tree.threshold[0]
        if size > _LEAF and depth + 2 < _DEPTH:
            least = 3.0
            looked = min(size, _SAMPLE)
            for dimension in range(dimensions):
                median = _median_low(boxes, dimension, work, start, size, sample)
                left, right = _sides(boxes, dimension, median, work, start, size, looked)
                cost = (left + right + max(left, right)) / looked
                if cost < least:
                    least = cost
                    best = dimension
                    threshold = median
        left, right = size, size
        if best >= 0:
            left, right = _sides(boxes, best, threshold, work, start, size, size)
        helps = best >= 0 and 5 * max(left, right) <= 4 * size and left + right <= _DUPLICATED * size
        if not helps or filled + start + left + right > tree.box.size:
            filled = _finish_leaf(tree, node, work, start, end, region, depth, filled)
            end = start
            continue
        tree.dimension[node] = best
        tree.threshold[node] = threshold
        kept = end
        moved = start
        for i in range(start, end):  # the left list goes behind, the right one stays in front
            box = work[i]
            work[kept] = box
            kept += boxes.lows[best, box] < threshold
            work[moved] = box
            moved += boxes.highs[best, box] >= threshold
        for i in range(left):
            work[start + right + i] = work[end + i]
        for dimension in range(dimensions):
            region[0, depth + 1, dimension] = region[0, depth, dimension]
            region[1, depth + 1, dimension] = region[1, depth, dimension]
        region[1, depth + 1, best] = threshold
        region[0, depth, best] = threshold
        stack[0, depth] = start
        stack[1, depth] = node
        stack[0, depth + 1] = start + right
        stack[1, depth + 1] = -1
        depth += 2
        end = start + right + left
    return used, filled


@loop
def _take_steps(tree: Any) -> None:
    """Write the ends of every entry as steps of its leaf."""
    for node in range(tree.dimension.size):
        if tree.dimension[node] < 0:
            for entry in range(tree.right[node], tree.right[node] + tree.count[node]):
                box = tree.box[entry]
                for dimension in range(tree.origin.shape[1]):
                    origin = tree.origin[node, dimension]
                    scale = tree.scale[node, dimension]
                    tree.low_steps[dimension, entry] = _step(tree.boxes.lows[dimension, box], origin, scale)
                    tree.high_steps[dimension, entry] = _step(tree.boxes.highs[dimension, box], origin, scale)


@leaf
def _mark(lows: Any, highs: Any, dimension: Any, start: Any, size: Any, x: Any, marks: Any) -> None:
    """Mark what holds x in one dimension and, after the first, in those before; made for vector instructions."""
    if dimension == np.uint64(0):
        for i in range(size):
            marks[i] = (lows[dimension, start + i] <= x) & (x <= highs[dimension, start + i])
    else:
        for i in range(size):
            marks[i] &= (lows[dimension, start + i] <= x) & (x <= highs[dimension, start + i])


@leaf
def _holds(boxes: Any, box: Any, points: Any, event: Any) -> Any:
    for dimension in range(np.uint64(points.shape[1])):
        x = points[event, dimension]
        if not boxes.lows[dimension, box] <= x <= boxes.highs[dimension, box]:
            return False
    return True


@leaf
def _surely(tree: Any, entry: Any, steps: Any) -> Any:
    """Does the point fall on no step on which an end of the entry lies?"""
    for dimension in range(np.uint64(steps.size)):
        x = steps[dimension]
        if x == tree.low_steps[dimension, entry] or x == tree.high_steps[dimension, entry]:
            return False
    return True


@leaf
def _counts(alive: Any, owner: Any) -> Any:
    """1 for an owner who is alive, else 0; where nobody ever left, `alive` is empty and need not be read."""
    return np.uint64(1) if alive.size == 0 else np.uint64(alive[np.uint64(owner)])


@leaf
def _words(marks: Any, size: Any) -> Any:
    """How many words hold so many marks; those behind the last are cleared."""
    words = (size + np.uint64(7)) >> np.uint64(3)
    for i in range(size, words << np.uint64(3)):
        marks.bytes[i] = 0
    return words


@leaf
def _search_leaf(tree: Any, node: Any, points: Any, event: Any, alive: Any, marks: Any, out: Any, n: Any) -> Any:
    """Append the owners of the leaf's boxes that hold the point. Marks are read eight at a time, for most are 0."""
    start = np.uint64(tree.right[node])
    size = np.uint64(tree.count[node])
    for dimension in range(np.uint64(points.shape[1])):
        x = _step(points[event, dimension], tree.origin[node, dimension], tree.scale[node, dimension])
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
def _search_list(boxes: Any, size: Any, points: Any, event: Any, alive: Any, marks: Any, out: Any, n: Any) -> Any:
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
    tree: Any, tail: Any, tail_size: Any, points: Any, alive: Any, marks: Any, first: Any, offsets: Any, out: Any
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
        if n + np.uint64(tree.count[node]) + behind > np.uint64(out.size):
            return np.int64(event)
        n = _search_leaf(tree, node, points, event, alive, marks, out, n)
        n = _search_list(tail, behind, points, event, alive, marks, out, n)
        offsets[event + np.uint64(1)] = n
    return np.int64(points.shape[0])
