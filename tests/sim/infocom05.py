"""Haggle Infocom05, read with a few lines: 41 iMotes, the union of what both ends of a pair recorded."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
import pytest

from tests.naive.simulator import Message, Story, wanted


def infocom05(hours: float, messages: int, seed: int = 1, tags: int = 12) -> Story:
    """The first hours of the trace, from its first contact on, with a random workload."""
    folder = Path(os.environ.get("HUNET_TRACES", Path(__file__).parents[2].parent / "shared" / "traces"))
    file = folder / "haggle-infocom05" / "contacts.Exp3.dat"
    if not file.exists():
        pytest.skip("the real traces are under research terms and not part of hunet; set HUNET_TRACES to their folder")
    recorded: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for line in file.read_text(encoding="ascii").splitlines():
        a, b, up, down = map(int, line.split()[:4])
        if max(a, b) <= 41:
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
            at + 6 * 3600.0,
            int(random.integers(41)),
            int(random.integers(1, 141)),
            (int(random.integers(tags)),),
        )
        for i, at in enumerate(created)
    ]
    interests = wanted(*(random.choice(tags, 2, replace=False).tolist() for _ in range(41)))
    closeness = {pair: math.exp(-1.0 / len(intervals)) for pair, intervals in sorted(recorded.items())}
    return Story(41, shifted, published, [], interests, tags, closeness)
