"""Slow, obvious rules for traces, with dicts and lists: what the kernels and the steps on Spark must agree with."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

Event = tuple[str, str, float, bool]
"""a, b, time, up; in the order of the file."""

Interval = tuple[str, str, float, float]
"""a, b, start, end."""


def pair_events(events: Iterable[Event], mode: str) -> tuple[list[Interval], Counter[str]]:
    """Intervals of unordered pairs, sorted; counts as in hunet.traces.events."""
    links: dict[tuple[str, str], list[tuple[float, bool]]] = defaultdict(list)
    for a, b, time, up in events:
        links[min(a, b), max(a, b)].append((time, up))
    intervals, counts = [], Counter[str]()
    for (a, b), changes in links.items():
        opened: list[float] = []
        again = 0
        for time, up in sorted(changes, key=lambda change: change[0]):  # stable: equal times keep the file's order
            counts["ups" if up else "downs"] += 1
            if up:
                counts["repeated_ups"] += bool(opened)
                again += bool(opened)
                if mode == "count" or not opened:
                    opened.append(time)
            elif opened:
                counts["closed"] += 1
                intervals.append((a, b, opened.pop(0), time))
                again = again if opened else 0
            else:
                counts["orphan_downs"] += 1
        counts["never_closed"] += len(opened)
        counts["stuck_ups"] += again
    return sorted(intervals), counts


def merge(rows: Iterable[Interval], gap: float = 0.0) -> list[Interval]:
    """Unite both directions of each pair and join what overlaps, until nothing joins any more."""
    by_pair: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for a, b, start, end in rows:
        by_pair[min(a, b), max(a, b)].append((start, end))
    merged = []
    for (a, b), spans in by_pair.items():
        merged += [(a, b, start, end) for start, end in _joined(spans, gap)]
    return sorted(merged)


def _joined(spans: list[tuple[float, float]], gap: float) -> list[tuple[float, float]]:
    pieces = list(spans)
    while True:
        pieces.sort()
        for place in range(len(pieces) - 1):
            (start, end), (next_start, next_end) = pieces[place : place + 2]
            if next_start <= end + gap:
                pieces[place : place + 2] = [(start, max(end, next_end))]
                break
        else:
            return pieces


def clean(
    rows: list[Interval],
    internal: set[str] | None = None,
    lengthen_to: float = 0.0,
    drop_shorter: float = 0.0,
    gap: float = 0.0,
) -> tuple[list[Interval], Counter[str]]:
    """Contacts by name, sorted, and how many rows each step removed (lengthened: changed)."""
    counts = Counter(rows=len(rows))

    def keep(step: str, kept: list[Interval], before: list[Interval]) -> list[Interval]:
        counts[step] = len(before) - len(kept)
        return kept

    left = keep("self_contacts", [row for row in rows if row[0] != row[1]], rows)
    left = keep("end_before_start", [row for row in left if row[2] <= row[3]], left)
    if internal is not None:
        left = keep("external", [row for row in left if {row[0], row[1]} <= internal], left)
    left = keep("duplicates", list(dict.fromkeys(left)), left)
    counts["lengthened"] = sum(end - start < lengthen_to for _a, _b, start, end in left)
    left = [(a, b, start, start + lengthen_to if end - start < lengthen_to else end) for a, b, start, end in left]
    left = keep("merged", merge(left, gap), left)
    left = keep("too_short", [row for row in left if row[3] - row[2] >= drop_shorter], left)
    counts["contacts"] = len(left)
    return left, counts
