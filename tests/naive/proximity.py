"""Contacts from positions, the slow and obvious way: every look, every pair. Imports nothing of what it checks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

Sample = tuple[int, int, float, float]
"""node, t (whole seconds), x, y"""


def pairs_in_range(x: Sequence[float], y: Sequence[float], radius: float) -> list[tuple[int, int]]:
    found = []
    for a in range(len(x)):
        for b in range(a + 1, len(x)):
            across, along = x[a] - x[b], y[a] - y[b]
            if across * across + along * along <= radius * radius:
                found.append((a, b))
    return found


def contacts(
    samples: Sequence[Sample], radius: float, step: int, gap: int, hold: float
) -> list[tuple[int, int, float, float]]:
    """Look at every multiple of `step`; whole seconds, so that nothing rounds."""
    if not samples:
        return []
    in_order = sorted(samples, key=lambda sample: sample[1])  # stable: the last row of equal times comes last
    first = math.ceil(Fraction(in_order[0][1], step))
    final = math.ceil(Fraction(in_order[-1][1], step))
    seen: dict[tuple[int, int], list[int]] = {}
    for look in range(first, final + 1):
        now = look * step
        place: dict[int, tuple[float, float]] = {}
        for node, time, x, y in in_order:
            if time <= now:
                place.pop(node, None)
                if now - time <= hold:
                    place[node] = (x, y)
        nodes = sorted(place)
        near = pairs_in_range([place[n][0] for n in nodes], [place[n][1] for n in nodes], radius)
        for a, b in near:
            seen.setdefault((nodes[a], nodes[b]), []).append(look)
    found = []
    for (a, b), looks in sorted(seen.items()):
        start = previous = looks[0]
        for look in looks[1:]:
            if (look - previous) * step > max(gap, step):
                found.append((a, b, float(start * step), float((previous + 1) * step)))
                start = look
            previous = look
        found.append((a, b, float(start * step), float((previous + 1) * step)))
    return found
