"""How the claims of [bsub13] look up what was measured: at the optimum, or by decay cycle."""

from __future__ import annotations

from collections.abc import Sequence

from hunet.studies.papers.bsub13.runs import BEST
from hunet.studies.papers.evidence import Evidence

__all__ = ["BOTH", "at", "curve_of", "is_inside"]

BOTH = {"bsub13": "B-SUB", "bsubp": "B-SUB-P"}
_FLAT = ("push", "pull")


def at(evidence: Evidence, on: str, protocol: str, measure: str) -> float:
    """At the optimum, a cycle of 2^8 s, where the paper has it."""
    return evidence.at(on, protocol, measure, "cycle", 0.0 if protocol in _FLAT else BEST)


def curve_of(evidence: Evidence, on: str, protocol: str, measure: str) -> list[float]:
    """By decay cycle."""
    return evidence.curve(on, protocol, measure, "cycle")


def is_inside(place: int, values: Sequence[float]) -> bool:
    """Neither the first nor the last."""
    return 0 < place < len(values) - 1
