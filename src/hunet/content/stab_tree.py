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

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, loop

__all__ = ["Boxes", "Tree", "build_tree", "empty_boxes", "no_tree", "step_of"]

_LEAF = 32  # entries that are not worth splitting
_SMALLEST = _LEAF // 5  # a split leaves at most four fifths on a side, so no leaf is smaller than this
_SAMPLE = 31
_COPIES = 8  # entries per box at most, on average: bounds the memory
_DUPLICATED = 1.6  # a split may store so many times as many entries
_DEPTH = 256
_STEPS = 65_535.0

Array = npt.NDArray[Any]
Index: TypeAlias = "int | np.integer[Any]"
"""A place in an array, or a number of places."""


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
    held: npt.NDArray[np.int32]
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


def empty_boxes(dimensions: int, dtype: npt.DTypeLike, count: int = 0) -> Boxes:
    """Room for so many boxes."""
    shape = (dimensions, count)
    return Boxes(np.empty(shape, dtype), np.empty(shape, dtype), np.empty(count, np.int32))


def no_tree(boxes: Boxes) -> Tree:
    """The tree of no boxes: one empty leaf."""
    dimensions, dtype = boxes.lows.shape[0], boxes.lows.dtype
    zero, nothing, steps = np.zeros(1, np.int32), np.empty(0, np.int32), np.empty((dimensions, 0), np.uint16)
    corner, scale = np.zeros((1, dimensions), dtype), np.zeros((1, dimensions))
    return Tree(
        boxes, np.full(1, -1, np.int32), np.zeros(1, dtype), zero, zero, corner, scale, nothing, nothing, steps, steps
    )


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
    box = tree.box[:filled].copy()
    tree = Tree(
        boxes=boxes,
        dimension=tree.dimension[:used].copy(),
        threshold=tree.threshold[:used].copy(),
        right=tree.right[:used].copy(),
        held=tree.held[:used].copy(),
        origin=tree.origin[:used].copy(),
        scale=tree.scale[:used].copy(),
        box=box,
        owner=boxes.owners[box],
        low_steps=np.empty((dimensions, filled), np.uint16),
        high_steps=np.empty((dimensions, filled), np.uint16),
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
def step_of(x: Any, origin: Any, scale: Any) -> Any:
    """The step on which a number falls; never decreasing in x."""
    if x <= origin or scale == 0.0:
        return np.uint16(0)
    return np.uint16(min(_STEPS, (x - origin) * scale))


@leaf
def _median_low(boxes: Boxes, dimension: Index, work: Array, start: Index, n: Index, sample: Array) -> Any:
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
def _sides(
    boxes: Boxes, dimension: Index, threshold: Any, work: Array, start: Index, n: Index, size: Index
) -> tuple[Any, Any]:
    """How many of `size` entries, taken at equal distances, reach the left and the right of a threshold."""
    left = 0
    right = 0
    for i in range(size):
        box = work[start + i * n // size]
        left += boxes.lows[dimension, box] < threshold
        right += boxes.highs[dimension, box] >= threshold
    return left, right


@leaf
def _finish_leaf(
    tree: Tree, node: Index, work: Array, start: Index, end: Index, region: Array, depth: Index, filled: Index
) -> Any:
    tree.dimension[node] = -1
    tree.right[node] = filled
    tree.held[node] = end - start
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
def _split(boxes: Boxes, tree: Tree, work: Array, stack: Array, region: Array, sample: Array) -> Any:
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
def _take_steps(tree: Tree) -> None:
    """Write the ends of every entry as steps of its leaf."""
    for node in range(tree.dimension.size):
        if tree.dimension[node] < 0:
            for entry in range(tree.right[node], tree.right[node] + tree.held[node]):
                box = tree.box[entry]
                for dimension in range(tree.origin.shape[1]):
                    origin = tree.origin[node, dimension]
                    scale = tree.scale[node, dimension]
                    tree.low_steps[dimension, entry] = step_of(tree.boxes.lows[dimension, box], origin, scale)
                    tree.high_steps[dimension, entry] = step_of(tree.boxes.highs[dimension, box], origin, scale)
