"""Relay filters on the air."""

from __future__ import annotations

from typing import Any

from hunet.filters.encodings import encoded_bits
from hunet.kernels import leaf

__all__ = ["counter_bytes"]


@leaf
def counter_bytes(row: Any) -> Any:
    """Bytes of a row of counters as B-SUB sends it: the header and the smaller of E3 and E4.

    Only these two depend on nothing but the number of set counters, which a compiled loop counts in no time.
    """
    alpha = 0
    for i in range(row.size):
        alpha += row[i] != 0
    width = 8 * row.itemsize
    bits = min(encoded_bits(3, row.size, alpha, 0, width), encoded_bits(4, row.size, alpha, 0, width))
    return 1 + (bits + 7) // 8
