"""One trace from the logs of many nodes, whose clocks are hours apart and do not run alike.

Both ends of a contact name it by the same id, and note the other's clock when it begins. So every contact says what two
clocks showed at one moment. A clock is corrected by an offset and a rate; those that make all of these moments agree
best are found by least squares, once more without what is far off (a clock that was set). Time is then that of the
first node by name: what is the true time no log knows. Nodes that no chain of contacts joins keep clocks of their own.

A contact is told by both ends, each when it notices. Told once, by the end whose name comes first; by the other where
the first has no beginning or no end of it, as after a crash.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["CLOCKS", "TOLD_BY_OTHER", "align", "aligned", "on_one_clock"]

CLOCKS, TOLD_BY_OTHER = "clocks", "told_by_other"
"""Options of the format: by node (offset, rate, time from which the rate counts), and ids of contacts that the end with
the later name tells."""

_FAR = 5.0
"""Seconds: what is further off than this, and than so many times the usual, is not believed."""
_USUAL = 6.0


@dataclass(frozen=True)
class Sightings:
    """Moments at which the clocks of two nodes were seen together: places of the nodes, and what each clock showed."""

    nodes: list[str]
    one: npt.NDArray[np.int64]
    other: npt.NDArray[np.int64]
    here: npt.NDArray[np.float64]
    there: npt.NDArray[np.float64]


def align(entries: Iterable[pa.Table]) -> Mapping[str, Any]:
    """The options that `aligned` needs, from all entries of all logs; none where no entry names its contact."""
    tables = [_contacts(table) for table in entries]
    contacts = pa.concat_tables(tables) if tables else None
    if contacts is None or contacts.num_rows == 0:
        return {}
    seen = _sightings(contacts)
    offset, rate, middle = _solve(seen)
    clocks = {name: (float(offset[i]), float(rate[i]), float(middle[i])) for i, name in enumerate(seen.nodes)}
    return {CLOCKS: clocks, TOLD_BY_OTHER: _told_by_other(contacts)}


def aligned(contacts: pa.Table, options: Mapping[str, Any]) -> pa.Table:
    """Entries of contacts, each told once, on one clock; those without an id stay as they are."""
    named = pc.is_valid(contacts["contact"]).to_numpy()
    corrected = np.where(named, on_one_clock(contacts, options), contacts["time"].to_numpy())
    contacts = contacts.set_column(contacts.schema.get_field_index("time"), "time", pa.array(corrected))
    first = pc.less(contacts["node"], contacts["peer"])
    turned = pc.is_in(contacts["contact"], pa.array(options[TOLD_BY_OTHER], pa.string()))
    return contacts.filter(pc.or_(pc.is_null(contacts["contact"]), pc.xor(first, turned)))


def on_one_clock(entries: pa.Table, options: Mapping[str, Any]) -> npt.NDArray[np.float64]:
    """The times of entries on the clock that all share; those of nodes whose clocks nobody saw stay as they are."""
    clocks: Mapping[str, tuple[float, float, float]] = options[CLOCKS]
    names = pa.array(list(clocks), pa.string())
    place = pc.fill_null(pc.index_in(entries["node"], names), 0).to_numpy()
    offset, rate, middle = np.array(list(clocks.values())).reshape(-1, 3).T
    time = entries["time"].to_numpy()
    known = pc.is_in(entries["node"], names).to_numpy()
    return np.asarray(np.where(known, time + offset[place] + rate[place] * (time - middle[place]), time), np.float64)


def _contacts(entries: pa.Table) -> pa.Table:
    named = pc.and_(pc.equal(entries["kind"], "contact"), pc.is_valid(entries["contact"]))
    return entries.filter(named).select(["contact", "node", "peer", "time", "peer_time", "up"])


def _sightings(contacts: pa.Table) -> Sightings:
    """What each end noted of the other's clock, and what both noted of their own."""
    ups = contacts.filter(contacts["up"])
    noted = ups.filter(pc.is_valid(ups["peer_time"]))
    both = ups.join(ups.select(["contact", "node", "time"]), "contact", right_suffix="_other", join_type="inner")
    both = both.filter(pc.and_(pc.less(both["node"], both["node_other"]), pc.equal(both["peer"], both["node_other"])))
    nodes = sorted(set(contacts["node"].to_pylist()) | set(contacts["peer"].to_pylist()))
    names = pa.array(nodes, pa.string())

    def places(*columns: pa.ChunkedArray) -> npt.NDArray[np.int64]:
        return np.concatenate([pc.index_in(column, names).to_numpy() for column in columns]).astype(np.int64)

    def times(*columns: pa.ChunkedArray) -> npt.NDArray[np.float64]:
        return np.concatenate([column.to_numpy() for column in columns]).astype(np.float64)

    return Sightings(
        nodes,
        places(noted["node"], both["node"]),
        places(noted["peer"], both["node_other"]),
        times(noted["time"], both["time"]),
        times(noted["peer_time"], both["time_other"]),
    )


def _solve(seen: Sightings) -> tuple[npt.NDArray[np.float64], ...]:
    """Offset and rate of each clock, and the time from which its rate counts.

    t + o_a + r_a (t - m_a) = p + o_b + r_b (p - m_b) for every sighting of t at a and p at b; o and r of the first
    node of each component are 0, and of all the smallest that do.
    """
    count = len(seen.nodes)
    sums, number = np.zeros(count), np.zeros(count)
    for node, time in ((seen.one, seen.here), (seen.other, seen.there)):
        np.add.at(sums, node, time)
        np.add.at(number, node, 1.0)
    middle = sums / np.maximum(number, 1.0)
    used = np.ones(seen.here.size, np.bool_)
    offset, rate = np.zeros(count), np.zeros(count)
    for _ in range(2):
        offset, rate = _least_squares(seen, used, middle)
        left = np.abs(
            (seen.here + offset[seen.one] + rate[seen.one] * (seen.here - middle[seen.one]))
            - (seen.there + offset[seen.other] + rate[seen.other] * (seen.there - middle[seen.other]))
        )
        used = left <= max(_FAR, _USUAL * float(np.median(left[used]))) if used.any() else used
    return offset, rate, middle


def _least_squares(
    seen: Sightings, used: npt.NDArray[np.bool_], middle: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """By the normal equations, whose size is that of the network, not of the logs. Times are in units of their spread,
    so that offsets and rates weigh alike."""
    count = len(seen.nodes)
    one, other = seen.one[used], seen.other[used]
    here, there = seen.here[used], seen.there[used]
    since, since_other = here - middle[one], there - middle[other]
    unit = max(1.0, float(np.abs(np.concatenate((since, since_other))).max(initial=0.0)))
    places = (one, count + one, other, count + other)
    factors = (np.ones(one.size), since / unit, -np.ones(one.size), -since_other / unit)
    apart = (there - middle[other]) - (here - middle[one])  # what offsets around the middles must make up for
    matrix, right = np.zeros((2 * count, 2 * count)), np.zeros(2 * count)
    for place, factor in zip(places, factors, strict=True):
        np.add.at(right, place, factor * apart)
        for place_2, factor_2 in zip(places, factors, strict=True):
            np.add.at(matrix, (place, place_2), factor * factor_2)
    for first in _first_of_each(one, other, count):
        for fixed in (first, count + first):
            matrix[fixed, :] = matrix[:, fixed] = 0.0
            matrix[fixed, fixed], right[fixed] = 1.0, 0.0
    found = np.asarray(np.linalg.lstsq(matrix, right, rcond=1e-12)[0], np.float64)
    return found[:count] + _common(middle, one, other, count), found[count:] / unit


def _first_of_each(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64], count: int) -> list[int]:
    """The lowest place of each component."""
    lowest = _components(one, other, count)
    return [node for node in range(count) if lowest[node] == node]


def _components(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    """[node]: the lowest place that it is joined to."""
    lowest = np.arange(count)
    while True:
        least = np.minimum(lowest[one], lowest[other])
        after = lowest.copy()
        np.minimum.at(after, one, least)
        np.minimum.at(after, other, least)
        if np.array_equal(after, lowest):
            return lowest
        lowest = after


def _common(
    middle: npt.NDArray[np.float64], one: npt.NDArray[np.int64], other: npt.NDArray[np.int64], count: int
) -> npt.NDArray[np.float64]:
    """What brings the middle of each clock to that of the first of its component: offsets were sought around these."""
    return middle[_components(one, other, count)] - middle


def _told_by_other(contacts: pa.Table) -> list[str]:
    """Contacts of which the end with the first name has no beginning or no end, and the other has both."""
    lines = contacts.append_column("first", pc.less(contacts["node"], contacts["peer"]))
    counted = lines.group_by(["contact", "first", "up"]).aggregate([("node", "count")])
    told = {(row["contact"], row["first"], row["up"]) for row in counted.to_pylist()}
    both = {side: {mid for mid, first, up in told if first is side and up and (mid, side, False) in told}
            for side in (True, False)}  # fmt: skip
    return sorted(both[False] - both[True])
