"""The processor that loops which come with the package are compiled for: a level of features that many machines have.

Loops of the user's own cache are compiled for the very processor they run on. A wheel is made on one machine and used
on another, so its loops use what every processor of this level has, and are used where the processor has all of it.
"""

from __future__ import annotations

from typing import TypeAlias

import llvmlite.binding

__all__ = ["FEATURES", "LEVEL", "Processor", "at_level", "has_level"]

LEVEL = "x86-64-v3"
"""As the x86-64 psABI names it, and LLVM too: AVX2 and what came before it. Processors have it since 2013 to 2015."""

FEATURES = (
    *("sse3", "ssse3", "sse4.1", "sse4.2", "cx16", "popcnt", "sahf"),  # what the level before it has
    *("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"),
)
"""Beyond what every x86-64 has, as LLVM names it."""

Processor: TypeAlias = tuple[str, str, str]
"""System, name and features, as numba's code generator says them (`magic_tuple`)."""


def at_level(processor: Processor) -> Processor:
    """The processor of this level, on the same system. Its name says its features."""
    return processor[0], LEVEL, ""


def has_level() -> bool:
    """Whether this machine runs what is compiled for the level."""
    features = llvmlite.binding.get_host_cpu_features()
    return all(features.get(name, False) for name in FEATURES)
