"""Closeness (Eq. 1, [mops]), without its exponential: c_uv = exp(-AVG(D_uv)^2 / (2 sigma^2)).

Of all pairs of a trace at once it is taken by numpy, of two people whom a node knows by the C library, which every
machine has: their last bits differ, and results have always been made so.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["log_closeness"]

Number = TypeVar("Number", float, npt.NDArray[np.float64])


def log_closeness(separation: Number, sigma: float) -> Number:
    """The logarithm of how close two are who are so far apart on average, in the unit of sigma.

    >>> log_closeness(20.0, 25.0)
    -0.32
    """
    return -(separation * separation) / (2 * (sigma * sigma))
