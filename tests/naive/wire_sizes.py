"""How many bytes digests take, from the definitions of the encodings alone."""

from __future__ import annotations

import math


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


def counters(set_count: int, m: int, ceiling: int = 255) -> int:
    """E3 or E4."""
    width = 8 if ceiling < 2**8 else 16 if ceiling < 2**16 else 32
    return _framed(min(set_count * (_position_bits(m) + width), m + set_count * width))
