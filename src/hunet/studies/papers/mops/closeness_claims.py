"""The claims of [mops] II and III-A about closeness, which need no trace: each is computed here and judged."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa

from hunet.sim.workload.profiles import MOPS
from hunet.social.links import virtual_links
from hunet.studies.claims.judging import Alone, Found
from hunet.studies.papers.mops.example import as_pairs, closeness_of_contacts
from hunet.traces.pairs import closeness, pairs_of

__all__ = ["CLOSENESS_CLAIMS"]


def _example() -> Found:
    at = {row["boundary"]: row["closeness"] for row in closeness_of_contacts()}
    found = f"{at['both']:.3f} with both ends of the window, {at['inner']:.3f} with inner gaps only"
    return Found.of(round(at["both"], 1) == 0.7, found)


def _separation() -> Found:
    chance = np.random.default_rng(2)
    rows = []
    for pair in range(60):
        gaps = chance.uniform(1, 40, 10)
        start = np.cumsum(gaps) + np.arange(10)
        rows += [(pair, 1000, float(one), float(one) + 1) for one in start]
    contacts = pa.table(
        dict(zip(("a", "b", "start", "end"), (list(column) for column in zip(*rows, strict=True)), strict=True))
    )
    value = pairs_of(contacts)["closeness"].to_numpy()
    begin, end = min(row[2] for row in rows), max(row[3] for row in rows)
    gaps_of = [11 - (rows[10 * pair][2] == begin) - (rows[10 * pair + 9][3] == end) for pair in range(60)]
    separation = (end - begin - 10) / np.array(gaps_of)
    ordered = bool((np.diff(value[np.argsort(separation, kind="stable")]) <= 1e-12).all())
    inside = bool(((value >= 0) & (value <= 1)).all())
    return Found.of(ordered and inside, "for 60 random pairs")


def _bound() -> Found:
    right, printed = math.sqrt(-2 * math.log(0.5)), -math.sqrt(2) * math.log(0.5)
    inside = bool(closeness(np.array([1.1]), 1.0)[0] > 0.5)
    found = f"T = 0.5: {printed:.3f} sigma printed, {right:.3f} in truth; a separation of 1.1 sigma has c > 0.5, ERR-16"
    return Found.or_erratum(not (inside and printed < 1.1), found)


def _path_bound() -> Found:
    chance = np.random.default_rng(4)
    right = True
    for _ in range(300):
        gaps = chance.uniform(0.01, 3.0, int(chance.integers(1, 6)))
        path = float(closeness(gaps, 1.0).prod())
        right &= bool(gaps.sum() <= math.sqrt(-2 * gaps.size * math.log(path)) * (1 + 1e-9))
    return Found.of(right, "for 300 random paths")


def _virtual_link() -> Found:
    links = {(row["a"], row["b"]): row for row in virtual_links(as_pairs({(1, 3): 0.9, (1, 4): 0.8}), 5).to_pylist()}
    value = links[3, 4]["closeness"]
    return Found.of(math.isclose(value, 0.72), f"{value:g} over two hops")


def _seconds() -> Found:
    seconds = MOPS.size / MOPS.bytes_per_second
    return Found.of(seconds == 10.0, f"{seconds:g} s")


CLOSENESS_CLAIMS: Alone = {
    "MOPS-01": _example,
    "MOPS-02": _separation,
    "MOPS-03": _bound,
    "MOPS-04": _path_bound,
    "MOPS-05": _virtual_link,
    "MOPS-26": _seconds,
}
"""By the id in the ledger."""
