"""Haggle Infocom05, or what stands in for it, read with a few lines: the union of what both ends recorded."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from tests.naive.simulator import Message, Story, wanted
from tests.traces.stand_ins import INFOCOM05


def infocom05(folder: Path, hours: float, messages: int, seed: int = 1, tags: int = 12) -> Story:
    """The first hours of the trace, from its first contact on, with a random workload; lifetimes differ."""
    recorded: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for line in (folder / INFOCOM05).read_text(encoding="ascii").splitlines():
        a, b, up, down = map(int, line.split()[:4])
        if max(a, b) <= 41 and a != b:
            recorded.setdefault((min(a, b) - 1, max(a, b) - 1), []).append((float(up), float(down)))
    contacts = []
    for (a, b), intervals in recorded.items():
        merged: list[list[float]] = []
        for start, end in sorted(intervals):
            if merged and start <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], end)
            else:
                merged.append([start, end])
        contacts += [(a, b, start, end) for start, end in merged]
    contacts.sort(key=lambda contact: (contact[2], contact[0], contact[1]))
    begin = contacts[0][2]
    shifted = [(a, b, start - begin, end - begin) for a, b, start, end in contacts if start - begin < hours * 3600]

    random = np.random.default_rng(seed)
    created = np.sort(random.uniform(0, hours * 3600, messages)).tolist()
    published = [
        Message(
            i,
            at,
            at + (6 + i % 2) * 3600.0,
            int(random.integers(41)),
            int(random.integers(1, 141)),
            (int(random.integers(tags)),),
        )
        for i, at in enumerate(created)
    ]
    interests = wanted(*(random.choice(tags, 2, replace=False).tolist() for _ in range(41)))
    closeness = {pair: math.exp(-1.0 / len(intervals)) for pair, intervals in sorted(recorded.items())}
    return Story(41, shifted, published, [], interests, tags, closeness)
