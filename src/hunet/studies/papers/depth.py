"""How much of a paper is done again."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Depth"]


class Depth(NamedTuple):
    """As much as the paper did, unless it should be less or more."""

    quick: bool = False
    """Fewer seeds and smaller runs."""
    all_readings: bool = False
    """Also the simulations under every other reading of what the paper leaves open, for claims that do not hold."""
