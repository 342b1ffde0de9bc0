"""How many bytes digests take, from the definitions of the encodings alone."""

from __future__ import annotations

import math
from collections.abc import Iterable


def number(value: int) -> int:
    """Seven bits to a byte."""
    return max(1, math.ceil(value.bit_length() / 7))


def _framed(bits: int) -> int:
    length = 1 + math.ceil(bits / 8)
    return number(length) + length


def _position_bits(m: int) -> int:
    return max(1, math.ceil(math.log2(m)))


def positions(set_count: int, m: int) -> int:
    """E0 or E1."""
    return _framed(min(m, set_count * _position_bits(m)))


def counters(values: Iterable[int], m: int, ceiling: int = 255) -> int:
    """The least of E2 to E6 for these counters; those that are 0 are not set."""
    width = 8 if ceiling < 2**8 else 16 if ceiling < 2**16 else 32
    found = [value for value in values if value]
    alpha, distinct = len(found), len(set(found))
    sizes = [
        alpha * (_position_bits(m) + width),
        m + alpha * width,
        alpha * _position_bits(m) + distinct * (width + _position_bits(m)),
        m + distinct * width + alpha * math.ceil(math.log2(max(1, distinct))),
    ]
    if distinct == 1:
        sizes.append(width + alpha * _position_bits(m))
    return _framed(min(sizes))
