"""The claims of [bsub13] that need no simulation: each is computed here and judged."""

from __future__ import annotations

import math

import numpy as np

from hunet.filters import TCBF, Hashing
from hunet.filters.codec import pack
from hunet.studies.claims.judging import Alone, Found
from hunet.studies.papers.bsub.bogus_counters import meetings
from hunet.studies.papers.bsub.filter_samples import key_at
from hunet.studies.papers.bsub13.survey import consensus

__all__ = ["RELATIONS"]

_DRAWING = Hashing(m=5, k=2, distinct=True)
"""The figures use 5 counters and 2 hash functions."""


def _insert_sets() -> Found:
    x, y = key_at(_DRAWING, {0, 3}), key_at(_DRAWING, {1, 3})
    f = TCBF(_DRAWING, 5)
    for key in (x, y, y):
        f.add(key)
    by_increments = np.zeros(5, int)
    for places in ([0, 3], [1, 3], [1, 3]):
        by_increments[places] += 5
    set_once = f.counters.tolist()
    f = TCBF(_DRAWING, 5, decay_cycle=1.0, keys=[x])
    f.decay(3)
    f.add(y)
    right = set_once == by_increments.tolist() and f.counters.tolist() == [2, 5, 0, 2, 0]
    found = f"{set_once} by setting, {by_increments.tolist()} by incrementing, which makes counters unequal, ERR-02"
    return Found.or_erratum(right, found)


def _fourth_counter() -> Found:
    f = TCBF(_DRAWING, 10, decay_cycle=1.0, keys=[key_at(_DRAWING, {0, 3})])
    f.decay(3)
    g = TCBF(_DRAWING, 10, decay_cycle=1.0, now=3, keys=[key_at(_DRAWING, {3, 4})])
    summed, largest = (f + g).counters.tolist(), (f | g).counters.tolist()
    right = summed == [7, 0, 0, 17, 10] and largest == [7, 0, 0, 10, 10]
    found = f"7 and 10 give {summed[3]} or {largest[3]}"
    return Found.of(right, found)


def _cycle_and_factor() -> Found:
    random = np.random.default_rng(3)
    asked, differ = 0, 0
    for cycle in (1.0, 128.0, 256.0, 7.25, 1 / 3, 100.1):
        by_cycle = TCBF(_DRAWING, 200, decay_cycle=cycle, keys=["jazz"])
        by_factor = TCBF(_DRAWING, 200, decay_factor=1 / cycle, keys=["jazz"])
        for now in np.sort(random.uniform(0, 220 * cycle, 300)).tolist():
            by_cycle.decay(now)
            by_factor.decay(now)
            asked += 1
            differ += not np.array_equal(by_cycle.counters, by_factor.counters)
    found = f"counters differ at {differ} of {asked:,} random times"
    return Found.of(differ == 0, found)


def _consensus() -> Found:
    right = (
        consensus([["jazz"]] * 5) == 1.0
        and consensus([["jazz"], ["opera"], ["jazz", "opera"], ["chess"]]) == 0.5
        and consensus([["a"], ["b"], ["c"]]) == 1 / 3
        and consensus([["jazz", "jazz"], ["opera"]]) == 0.5
    )
    found = "1 for one common tag; the survey itself is not public"
    return Found.of(right, found)


def _twenty_people() -> Found:
    def fits(people: int) -> bool:
        return all(any(round(k / people, 2) == value for k in range(people + 1)) for value in (0.86, 0.43))

    some = ", ".join(str(people) for people in range(2, 30) if fits(people))
    return Found.or_erratum(fits(20), f"not multiples of 1/20; {some} people fit, ERR-12")


def _bogus_counters() -> Found:
    bogus, faithful = meetings(1, "A", until=10), meetings(1, "M", until=10)
    never_more = all(b == c == 10 - now for now, (b, c) in enumerate(faithful, start=1))
    right = never_more and all(min(bogus[now]) >= max(faithful[now]) for now in range(10)) and bogus[-1][0] > 10
    found = f"after ten units {bogus[-1][0]} by A-merge, {faithful[-1][0]} by M-merge"
    return Found.of(right, found)


def _bytes_of_a_tag() -> Found:
    family = Hashing(m=256, k=3)
    largest = max(len(pack(TCBF(family, 5, keys=[f"tag {i}"]))) - 1 for i in range(50))
    return Found.of(largest <= 4, f"{largest}, and a header byte for the filter")


def _bytes_of_a_buffer() -> Found:
    size = 100 * 140
    return Found.or_erratum(size <= 1400, f"{size:,} bytes, ERR-13")


def _content_hashes() -> Found:
    """Ids of 32 bits, the first of a keyed hash of the content: in how many runs do two messages share one?"""
    messages, networks = 98 * 180, 200
    expected = 1 - math.exp(-messages * (messages - 1) / 2 / 2**32)
    contents = [f"{author} {number}" for author in range(98) for number in range(180)]
    shared = 0
    for network in range(networks):
        hashing = Hashing(m=2**16, k=2, key=network.to_bytes(16, "big"))
        high, low = hashing.table(contents).astype(np.uint64)
        shared += messages - np.unique(high << np.uint64(16) | low).size > 0
    figure = f"in {shared} of {networks} networks with {messages:,} messages, {expected:.1%} by the formula"
    return Found.all({"two messages share an id in less than 5 % of runs": (shared < 0.05 * networks, figure)})


RELATIONS: Alone = {
    "BSUB13-01": _insert_sets,
    "BSUB13-02": _fourth_counter,
    "BSUB13-03": _cycle_and_factor,
    "BSUB13-05": _consensus,
    "BSUB13-06": _twenty_people,
    "BSUB13-07": _bogus_counters,
    "BSUB13-11": _bytes_of_a_tag,
    "BSUB13-12": _bytes_of_a_buffer,
    "BSUB13-33": _content_hashes,
}
"""By the id in the ledger."""
