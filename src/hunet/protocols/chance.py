"""Chance that needs no memory: the same toss for the same seed, node and message, on a device and in a simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from hunet.kernels import leaf

__all__ = ["toss"]


@leaf
def toss(seed: Any, node: Any, message: Any) -> Any:
    """A number from 0 up to 1 that depends on these three alone (the mixing steps of SplitMix64)."""
    x = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(node)
    x = x * np.uint64(0xD1B54A32D192ED03) + np.uint64(message)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x = x ^ (x >> np.uint64(31))
    return np.float64(x >> np.uint64(11)) / 2.0**53
