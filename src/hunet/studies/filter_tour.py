"""A short tour of the filters: what each costs and how often it errs, and three pictures of how they behave."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

import numpy as np
from matplotlib.figure import Figure

from hunet.filters import TCBF, BloomFilter, CountingBloomFilter, Hashing, SpTBF, TCBFPool
from hunet.filters.base import Filter
from hunet.filters.codec import pack
from hunet.filters.sizing import allocate_filters
from hunet.report.filters import draw_decay, draw_merges, draw_travel
from hunet.report.style import save

__all__ = ["TourRow", "draw_pictures", "tour_rows"]

TAGS = 38
ABSENT = 20_000


class TourRow(TypedDict):
    """One filter of the tour."""

    filter: str
    keys: int
    set_bits: int
    fill_ratio: float
    false_positives_expected: float
    false_positives_measured: float
    bytes: int
    raw_string_bytes: int


def tour_rows() -> list[TourRow]:
    """Every kind of filter holding the 38 tags of [bsub10] (m = 256, k = 4), beside the plain strings."""
    family = Hashing(m=256, k=4)
    tags = [f"trend-{i:02d}-{'x' * (i % 7)}" for i in range(TAGS)]
    share = allocate_filters(TAGS, family.m, family.k, budget_bits=2200)
    pool = TCBFPool(TCBF(family, initial=50), share.threshold, share.filters)
    for tag in tags:
        pool.add(tag)
    near = SpTBF(family)
    for tag in tags:
        near.insert(tag, hops=3, lifetime=30, now=0)
    relay = TCBF(family, initial=50, decay_cycle=432.0)
    for hour, tag in enumerate(tags):
        relay.a_merge(TCBF(family, initial=50, decay_cycle=432.0, now=600.0 * hour, keys=[tag]))
    filters: list[tuple[str, Filter, list[str]]] = [
        ("Bloom, one tag", BloomFilter(family, tags[:1]), tags[:1]),
        ("TCBF, one tag", TCBF(family, initial=50, keys=tags[:1]), tags[:1]),
        ("Bloom", BloomFilter(family, tags), tags),
        ("counting Bloom", CountingBloomFilter(family, tags), tags),
        ("TCBF, fresh", TCBF(family, initial=50, keys=tags), tags),
        ("TCBF, over 6 hours", relay, [tag for tag in tags if tag in relay]),
        (f"pool of {pool.filters} TCBFs", pool, tags),
        ("SpTBF, 3 hops 30 s", near, tags),
    ]
    absent = [f"absent-{i}" for i in range(ABSENT)]
    return [_row(name, f, held, absent) for name, f, held in filters]


def _row(name: str, f: Filter, held: list[str], absent: list[str]) -> TourRow:
    return TourRow(
        filter=name,
        keys=len(held),
        set_bits=f.set_bits,
        fill_ratio=f.fill_ratio,
        false_positives_expected=f.false_positive_rate,
        false_positives_measured=sum(key in f for key in absent) / len(absent),
        bytes=len(pack(f)),
        raw_string_bytes=sum(len(tag) for tag in held),
    )


def draw_pictures(directory: Path) -> list[Path]:
    """Write the three pictures and return where they are."""
    return [
        save(_decay_picture(), directory / "tcbf-decay.png"),
        save(_merge_picture(), directory / "tcbf-merges.png"),
        save(_travel_picture(), directory / "sptbf-travel.png"),
    ]


def _decay_picture() -> Figure:
    """Three tags heard at different times, one of them twice."""
    family = Hashing(m=32, k=3)
    heard = {0: ["jazz", "chess"], 20: ["opera"], 30: ["jazz"]}
    relay = TCBF(family, initial=50, decay_cycle=60.0)
    minutes = list(range(121))
    rows = []
    values: dict[str, list[float]] = {tag: [] for tag in ("jazz", "chess", "opera")}
    for minute in minutes:
        relay.decay(60.0 * minute)
        if minute in heard:
            relay.a_merge(TCBF(family, initial=50, decay_cycle=60.0, now=60.0 * minute, keys=heard[minute]))
        rows.append(relay.counters.astype(np.int64))
        for tag, series in values.items():
            series.append(relay[tag])
    return draw_decay(minutes, np.array(rows), values)


def _merge_picture() -> Figure:
    """Two small filters that share a position, and the runaway counter that A-merges between relays would cause."""
    family = Hashing(m=8, k=2)
    one = TCBF(family, initial=10, decay_cycle=1.0, keys=["jazz"])
    one.decay(4.0)
    two = TCBF(family, initial=10, decay_cycle=1.0, now=4.0, keys=["opera"])
    results = {"A-merge (sum)": one + two, "M-merge (maximum)": one | two}
    return draw_merges(
        {"jazz, 4 units old": one.counters.tolist(), "opera, fresh": two.counters.tolist()},
        {name: f.counters.tolist() for name, f in results.items()},
        {name: _echo(additive) for name, additive in (("A-merge", True), ("M-merge", False))},
    )


def _echo(additive: bool, period: int = 2, until: int = 24) -> list[int]:
    """B heard A's interest once, at time 0; B and C meet every `period`: the counter at B (Fig. 6, [bsub10])."""
    family = Hashing(m=64, k=2)
    b, c = (TCBF(family, initial=10, decay_cycle=1.0) for _ in "bc")
    b.a_merge(TCBF(family, initial=10, decay_cycle=1.0, keys=["A's interest"]))
    series = []
    for now in range(until + 1):
        b.decay(now)
        c.decay(now)
        if now and now % period == 0:
            b, c = (b + c, c + b) if additive else (b | c, c | b)
        series.append(b["A's interest"])
    return series


def _travel_picture() -> Figure:
    """A line of five nodes that exchange summaries every 5 s (Fig. 3, [sptbf])."""
    family = Hashing(m=100, k=3)
    nodes = 5
    known = [SpTBF(family) for _ in range(nodes)]
    seconds = list(range(0, 25, 5))
    hops, left = (np.zeros((len(seconds), nodes), np.int64) for _ in range(2))
    for moment, now in enumerate(seconds):
        sent = []
        for node in range(nodes):
            summary = known[node].copy()
            summary.adjust_time(now)
            summary.decrement_hops()
            if node == 0 and now < 15:
                summary.insert("coffee", hops=2, lifetime=15 - now, now=now)
            sent.append(summary)
        if now:
            for node in range(nodes):
                for neighbour in (node - 1, node + 1):
                    if 0 <= neighbour < nodes:
                        known[node].merge(sent[neighbour], now)
        for node, f in enumerate(known):
            if f.query("coffee", now):
                f.adjust_time(now)
                places = family.positions("coffee")
                hops[moment, node] = f.hops[places].min()
                left[moment, node] = f.times[places].min() // 1000
    return draw_travel(seconds, hops, left)
