"""What a filter of some shape will be like: how full, how wrong, how large."""

from __future__ import annotations

from typing import Any

from hunet.filters.encodings import Encoding, encoded_bits
from hunet.filters.sizing import false_positive_rate, fill_ratio, set_bits

__all__ = ["expected", "sizes"]

_HOLDS = {
    Encoding.E0: "bit vector",
    Encoding.E1: "positions",
    Encoding.E2: "positions, one shared counter",
    Encoding.E3: "positions and counters",
    Encoding.E4: "bit vector and counters",
}
"""E5 and E6 depend on how many counter values there are."""


def expected(keys: int, m: int, k: int) -> dict[str, float]:
    """With so many keys: which share of the positions is set, how many that is, how often a strange key is found."""
    return {
        "fill_ratio": fill_ratio(keys, m, k),
        "set_bits": set_bits(keys, m, k),
        "false_positive_rate": false_positive_rate(keys, m, k),
    }


def sizes(keys: int, m: int, k: int) -> list[dict[str, Any]]:
    """A row for each encoding: its name, what it holds, and its bytes with the header byte."""
    alpha = round(set_bits(keys, m, k))
    return [
        {"encoding": code.name, "holds": holds, "bytes": 1 + -(-encoded_bits(code, m, alpha, 1, 8) // 8)}
        for code, holds in _HOLDS.items()
    ]
