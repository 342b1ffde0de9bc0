"""Which runs go into one task.

The first run of a kind in a process pays for compiling, so runs of a kind that take less than that stay together,
unless processes would have nothing to do. Others are cut: large groups first, then ever smaller ones, so that all
processes end at about the same time even where the estimates are wrong.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Estimate", "group"]

LEAST_SECONDS = 1.0
"""A task of Spark costs about 0.06 s; shorter groups would be mostly that."""


@dataclass(frozen=True)
class Estimate:
    """What a run is expected to cost: seconds, and those that the first of its kind takes more."""

    kind: Hashable
    seconds: float
    start_seconds: float


def group(runs: Sequence[Estimate], slots: int) -> list[list[int]]:
    """Places in `runs`, by task, the longest task first; runs of a kind keep their order.

    >>> group([Estimate("a", 0.1, 5.0)] * 3 + [Estimate("b", 2.0, 0.0)] * 4, slots=1)
    [[0, 1, 2], [3, 4], [5], [6]]
    """
    kinds: dict[Hashable, list[int]] = {}
    for place, run in enumerate(runs):
        kinds.setdefault(run.kind, []).append(place)
    groups: list[tuple[float, list[int]]] = []
    for places in kinds.values():
        seconds = {place: runs[place].seconds for place in places}
        start = runs[places[0]].start_seconds
        if sum(seconds.values()) <= start and len(kinds) >= slots:
            groups.append((start + sum(seconds.values()), places))
        else:
            groups += [(start + sum(seconds[place] for place in part), part) for part in _cut(seconds, slots)]
    return [part for _, part in sorted(groups, key=lambda one: -one[0])]


def _cut(seconds: Mapping[int, float], slots: int) -> list[list[int]]:
    """Parts that each take a fair share of half of what is left."""
    left = sum(seconds.values())
    parts: list[list[int]] = []
    goal = held = 0.0
    for place, cost in seconds.items():
        if held >= goal:
            parts.append([])
            goal, held = max(left / (2 * slots), LEAST_SECONDS), 0.0
        parts[-1].append(place)
        held += cost
        left -= cost
    return parts
