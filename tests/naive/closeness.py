"""Closeness of MOPS (Eq. 1) from contact rows, the slow and obvious way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise

Row = tuple[int, int, float, float]


def merged(rows: Iterable[Row]) -> dict[tuple[int, int], list[tuple[float, float]]]:
    """Both directions united, overlapping and touching rows merged, per pair sorted."""
    by_pair: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for a, b, start, end in sorted(rows, key=lambda row: row[2]):
        kept = by_pair.setdefault((min(a, b), max(a, b)), [])
        if kept and start <= kept[-1][1]:
            kept[-1] = (kept[-1][0], max(kept[-1][1], end))
        else:
            kept.append((start, end))
    return by_pair


def separation(contacts: list[tuple[float, float]], window: tuple[float, float], boundary: str) -> float | None:
    """AVG(D): the mean of the gaps, with the window's ends by the three readings of AMB-40; gaps of 0 are skipped."""
    inside = [(max(s, window[0]), min(e, window[1])) for s, e in contacts if s <= window[1] and e >= window[0]]
    if not inside:
        return None
    gaps = [later[0] - earlier[1] for earlier, later in pairwise(inside)]
    if boundary == "both":
        gaps.append(inside[0][0] - window[0])
    if boundary in ("both", "tail"):
        gaps.append(window[1] - inside[-1][1])
    gaps = [gap for gap in gaps if gap > 0]
    return sum(gaps) / len(gaps) if gaps else None


def closeness(separations: Mapping[tuple[int, int], float], sigma: float) -> dict[tuple[int, int], float]:
    """Eq. 1: c = exp(-AVG^2 / (2 sigma^2))."""
    return {pair: math.exp(-(avg**2) / (2 * sigma**2)) for pair, avg in separations.items()}
