"""The pipeline's steps once more, slowly and obviously, in plain Python: lists of tuples in, lists of tuples out."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise

Contact = tuple[int, int, float, float]


def merge(rows: Iterable[Contact], gap: float = 0.0) -> list[Contact]:
    """Undirected, per pair disjoint; rows that overlap, touch or lie at most `gap` apart are one contact."""
    by_pair: dict[tuple[int, int], list[list[float]]] = defaultdict(list)
    for a, b, start, end in rows:
        by_pair[min(a, b), max(a, b)].append([start, end])
    merged: list[Contact] = []
    for (a, b), spans in by_pair.items():
        united: list[list[float]] = []
        for start, end in sorted(spans):
            if united and start <= united[-1][1] + gap:
                united[-1][1] = max(united[-1][1], end)
            else:
                united.append([start, end])
        merged += [(a, b, start, end) for start, end in united]
    return sorted(merged)


def separations(spans: list[tuple[float, float]], window: tuple[float, float], boundary: str) -> list[float]:
    """The gaps of one pair: between contacts, and at the ends of the window as the reading says; 0 is no gap."""
    times = sorted(spans)
    gaps = [after[0] - before[1] for before, after in pairwise(times)]
    if boundary == "both":
        gaps.insert(0, times[0][0] - window[0])
    if boundary in ("both", "tail"):
        gaps.append(window[1] - times[-1][1])
    return [gap for gap in gaps if gap > 0]


def pairs(
    contacts: Iterable[Contact], window: tuple[float, float], boundary: str, sigma: float | None
) -> dict[tuple[int, int], tuple[int, float, float | None, float]]:
    """(a, b) -> (contacts, total, mean gap, closeness)."""
    clipped: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    for a, b, start, end in contacts:
        if start <= window[1] and end >= window[0]:
            clipped[a, b].append((max(start, window[0]), min(end, window[1])))
    means: dict[tuple[int, int], float | None] = {}
    for pair, spans in clipped.items():
        gaps = separations(spans, window, boundary)
        if gaps:
            means[pair] = sum(gaps) / len(gaps)
        else:
            means[pair] = 0.0 if sum(end - start for start, end in spans) == window[1] - window[0] else None
    known = [mean for mean in means.values() if mean is not None]
    spread = sigma if sigma is not None else (sum(known) / len(known) if known else 0.0)

    def closeness(mean: float | None) -> float:
        if mean is None:
            return 0.0
        if mean == 0:
            return 1.0
        return math.exp(-(mean**2) / (2 * spread**2))

    return {
        pair: (len(spans), sum(end - start for start, end in spans), means[pair], closeness(means[pair]))
        for pair, spans in clipped.items()
    }


def degrees(contacts: Iterable[Contact]) -> dict[int, int]:
    """Distinct peers of each node."""
    peers: dict[int, set[int]] = defaultdict(set)
    for a, b, _, _ in contacts:
        peers[a].add(b)
        peers[b].add(a)
    return {node: len(met) for node, met in peers.items()}


def inter_contact_times(contacts: Iterable[Contact]) -> list[float]:
    """All gaps between consecutive contacts of a pair."""
    ends: dict[tuple[int, int], float] = {}
    gaps = []
    for a, b, start, end in sorted(contacts):
        if (a, b) in ends:
            gaps.append(start - ends[a, b])
        ends[a, b] = end
    return sorted(gaps)


def pair_flags(events: Iterable[tuple[float, int, str, str, bool]]) -> list[tuple[str, str, float, float]]:
    """Intervals from (time, line, a, b, up) with one boolean per unordered pair."""
    opened: dict[tuple[str, str], float] = {}
    intervals = []
    for time, _, a, b, up in sorted(events):
        pair = (min(a, b), max(a, b))
        if up:
            opened.setdefault(pair, time)
        elif pair in opened:
            intervals.append((*pair, opened.pop(pair), time))
    return sorted(intervals)


def pair_counts(events: Iterable[tuple[float, int, str, str, bool]]) -> list[tuple[str, str, float, float]]:
    """Intervals from events where the n-th up of a pair is closed by its n-th down."""
    opened: dict[tuple[str, str], list[float]] = defaultdict(list)
    intervals = []
    for time, _, a, b, up in sorted(events):
        pair = (min(a, b), max(a, b))
        if up:
            opened[pair].append(time)
        elif opened[pair]:
            intervals.append((*pair, opened[pair].pop(0), time))
    return sorted(intervals)
