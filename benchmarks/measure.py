"""Measuring and reporting, the same for every benchmark: CPU time of one process, best of several runs."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Row", "compare", "cpu_seconds", "within"]


@dataclass(frozen=True)
class Row:
    """One line of the report: what was measured, beside what, and whether the target was met."""

    what: str
    ours: float
    unit: str
    peer: str
    theirs: float
    ratio: float
    """How many times the peer's cost is ours: above 1 we are faster."""
    target: float | None = None
    before: float | None = None
    """What ours was, in the same unit, on two quiet cores and before it was worked on."""

    @property
    def verdict(self) -> str:
        if self.target is None:
            return "faster" if self.ratio >= 1 else "slower"
        return "met" if self.ratio >= self.target else "MISSED"


def cpu_seconds(action: Callable[..., object], *arguments: object, repeats: int = 5) -> float:
    """The least CPU time of several runs; machines are noisy, and noise only ever adds.

    An argument that is itself callable is called before each run, outside the measured time, to make a fresh value.
    """
    best = float("inf")
    for _ in range(repeats):
        fresh = [argument() if callable(argument) else argument for argument in arguments]
        gc.collect()
        gc.disable()
        try:
            start = time.process_time()
            action(*fresh)
            best = min(best, time.process_time() - start)
        finally:
            gc.enable()
    return best


def compare(
    what: str,
    unit: str,
    ours: float,
    peer: str,
    theirs: float,
    target: float | None = None,
    before: float | None = None,
) -> Row:
    """A row from two costs in the same unit."""
    return Row(what, ours, unit, peer, theirs, theirs / ours, target, before)


def within(what: str, unit: str, ours: float, most: float, before: float | None = None) -> Row:
    """A row of a cost that has a limit of its own."""
    return compare(what, unit, ours, "target", most, 1.0, before)
