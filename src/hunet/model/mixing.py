"""The mixing step of SplitMix64, by which chance needs no memory and contacts have a hash.

Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["STEP", "mix"]

STEP, _FIRST, _SECOND = (np.uint64(k) for k in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
Word = TypeVar("Word", np.uint64, npt.NDArray[np.uint64])


def mix(word: Word) -> Word:
    """64 bits, each of which depends on all 64 of the word; two words never give the same. For arrays of words, too."""
    word = (word ^ (word >> np.uint64(30))) * _FIRST
    word = (word ^ (word >> np.uint64(27))) * _SECOND
    return word ^ (word >> np.uint64(31))
