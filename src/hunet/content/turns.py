"""How Hilbert's curve turns: small functions on the d bits that say in which of 2^d subcubes one is.

In every cube the curve visits the subcubes in Gray code order, turned so that it starts at the corner `entry` and
leaves along the axis `direction` (Hamilton, "Compact Hilbert indices", 2006).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.kernels import leaf

__all__ = ["gray", "next_turn", "rotate_left", "rotate_right", "ungray"]


@leaf
def gray(number: Any) -> Any:
    """The Gray code: neighbours differ in one bit."""
    return number ^ (number >> np.uint64(1))


@leaf
def ungray(code: Any) -> Any:
    """The number of a Gray code."""
    number = code
    shift = np.uint64(1)
    while shift < np.uint64(64):
        number ^= number >> shift
        shift <<= np.uint64(1)
    return number


@leaf
def rotate_left(bits: Any, by: Any, width: Any) -> Any:
    """Rotate the lowest `width` bits; `by` is at most width."""
    if by == np.uint64(0) or by >= width:
        return bits
    return ((bits << by) | (bits >> (width - by))) & (~np.uint64(0) >> (np.uint64(64) - width))


@leaf
def rotate_right(bits: Any, by: Any, width: Any) -> Any:
    """Rotate back."""
    return rotate_left(bits, width - by, width)


@leaf
def _trailing_ones(number: Any) -> Any:
    count = np.uint64(0)
    while number & np.uint64(1):
        number >>= np.uint64(1)
        count += np.uint64(1)
    return count


@leaf
def next_turn(entry: Any, direction: Any, digit: Any, dimensions: Any) -> tuple[Any, Any]:
    """Entry and direction inside the subcube that comes as number `digit`."""
    one = np.uint64(1)
    if digit != np.uint64(0):
        inner = gray((digit - one) & ~one)
        entry ^= rotate_left(inner, direction + one, dimensions)
        odd = digit if digit & one else digit - one
        direction += _trailing_ones(odd)
    return entry, (direction + one) % dimensions
