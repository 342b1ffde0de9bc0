"""One trace from the logs of many nodes, whose clocks are hours apart and do not run alike.

Both ends of a contact name it by the same id, and note the other's clock when it begins. So every contact says what two
clocks showed at one moment. A clock is corrected by an offset and a rate; those that make all of these moments agree
best are found by least squares. Time is then that of the first node by name: what is the true time no log knows. Nodes
that no chain of contacts joins keep clocks of their own.

A clock may be set while its node runs. Then no offset and rate fit, and what they leave over is large: the fit is made
robust, by least absolute values, and once more by least squares without what is far off. A contact that is far off is
moved by what its own beginning says, at the end of which more is far off: that is the one whose clock was set.

A contact is told by both ends, each when it notices. Told once, by the end whose name comes first; by the other where
the first has no beginning or no end of it, as after a crash, or where its clock was set in between.

What comes of it depends on what the logs say alone, not on the order in which they are read, nor on copies of lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["CLOCKS", "MOVED", "TOLD_BY_OTHER", "align", "aligned", "clocks_set", "on_one_clock"]

CLOCKS, TOLD_BY_OTHER, MOVED = "clocks", "told_by_other", "moved"
"""Options of the format: by node (offset, rate, time from which the rate counts); ids of contacts that the end with the
later name tells; and by node whose clock was set, by contact, the seconds that are added to what it says of it."""

_FAR = 5.0
"""Seconds: what is further off than this, and than so many times the usual, is not believed."""
_USUAL = 6.0
_RATE = 1e-4
"""By how much clocks usually run fast or slow."""
_ROUNDS = 20
"""Of the robust fit; it is near its end after half of them."""
_NOTICED = 60.0
"""Seconds by which the two ends of a contact may notice its end apart, where one of their clocks was set."""


@dataclass(frozen=True)
class Sightings:
    """Moments at which the clocks of two nodes were seen together: places of the nodes, what each clock showed, and in
    which contact."""

    nodes: list[str]
    contact: list[str]
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
    contacts = contacts.group_by(contacts.column_names, use_threads=False).aggregate([])
    contacts = contacts.sort_by([(name, "ascending") for name in contacts.column_names])
    seen = _sightings(contacts)
    fit = _solve(seen)
    clocks = {name: tuple(float(part[i]) for part in fit) for i, name in enumerate(seen.nodes)}
    moved = _moved(seen, _left(seen, *fit))
    told = {CLOCKS: clocks, TOLD_BY_OTHER: _told_by_other(contacts, moved)}
    return {**told, MOVED: moved} if moved else told


def clocks_set(options: Mapping[str, Any]) -> dict[str, int]:
    """By node whose clock was set while it ran: how many of its contacts had to be moved."""
    return {node: len(contacts) for node, contacts in options.get(MOVED, {}).items()}


def aligned(contacts: pa.Table, options: Mapping[str, Any]) -> pa.Table:
    """Entries of contacts, each told once, on one clock; those without an id stay as they are."""
    named = pc.is_valid(contacts["contact"]).to_numpy()
    corrected = np.where(named, on_one_clock(contacts, options) + _by(contacts, options), contacts["time"].to_numpy())
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


def _by(contacts: pa.Table, options: Mapping[str, Any]) -> npt.NDArray[np.float64]:
    """By how much entries are moved because of a clock that was set."""
    moved: Mapping[str, Mapping[str, float]] = options.get(MOVED, {})
    by = np.zeros(contacts.num_rows)
    for node, seconds in moved.items():
        place = pc.index_in(contacts["contact"], pa.array(list(seconds), pa.string()))
        some = np.flatnonzero(pc.and_(pc.equal(contacts["node"], node), pc.is_valid(place)).to_numpy())
        by[some] = np.array(list(seconds.values()))[place.take(pa.array(some)).to_numpy().astype(np.int64)]
    return by


def _contacts(entries: pa.Table) -> pa.Table:
    named = pc.and_(pc.equal(entries["kind"], "contact"), pc.is_valid(entries["contact"]))
    return entries.filter(named).select(["contact", "node", "peer", "time", "peer_time", "up"])


def _sightings(contacts: pa.Table) -> Sightings:
    """What each end noted of the other's clock, and what both noted of their own."""
    ups = contacts.filter(contacts["up"])
    noted = ups.filter(pc.is_valid(ups["peer_time"]))
    both = ups.join(ups.select(["contact", "node", "time"]), "contact", right_suffix="_other", join_type="inner")
    both = both.filter(pc.and_(pc.less(both["node"], both["node_other"]), pc.equal(both["peer"], both["node_other"])))
    # Arrow joins in any order; sums of floats depend on it in the last bit.
    both = both.sort_by([(name, "ascending") for name in ("contact", "node", "time", "time_other")])
    nodes = sorted(set(contacts["node"].to_pylist()) | set(contacts["peer"].to_pylist()))
    names = pa.array(nodes, pa.string())

    def places(*columns: pa.ChunkedArray) -> npt.NDArray[np.int64]:
        return np.concatenate([pc.index_in(column, names).to_numpy() for column in columns]).astype(np.int64)

    def times(*columns: pa.ChunkedArray) -> npt.NDArray[np.float64]:
        return np.concatenate([column.to_numpy() for column in columns]).astype(np.float64)

    return Sightings(
        nodes,
        [*noted["contact"].to_pylist(), *both["contact"].to_pylist()],
        places(noted["node"], both["node"]),
        places(noted["peer"], both["node_other"]),
        times(noted["time"], both["time"]),
        times(noted["peer_time"], both["time_other"]),
    )


def _solve(seen: Sightings) -> tuple[npt.NDArray[np.float64], ...]:
    """Offset and rate of each clock, and the time from which its rate counts.

    t + o_a + r_a (t - m_a) = p + o_b + r_b (p - m_b) for every sighting of t at a and p at b; o and r of the first
    node of each component are 0. A rate is that of a clock: where a few sightings could be explained by a wild one as
    well as by an offset, it is none (a sighting counts as known to a second, a rate as 0 to 100 ppm).
    """
    count = len(seen.nodes)
    sums, number = np.zeros(count), np.zeros(count)
    for node, time in ((seen.one, seen.here), (seen.other, seen.there)):
        np.add.at(sums, node, time)
        np.add.at(number, node, 1.0)
    middle = sums / np.maximum(number, 1.0)
    all_alike = np.ones(seen.here.size)
    fit = _least_squares(seen, all_alike, middle)
    if not _far(_left(seen, *fit, middle)).any():
        return *fit, middle
    for _ in range(_ROUNDS):
        fit = _least_squares(seen, 1.0 / np.maximum(np.abs(_left(seen, *fit, middle)), 1.0), middle)
    for _ in range(2):
        fit = _least_squares(seen, np.where(_far(_left(seen, *fit, middle)), 0.0, all_alike), middle)
    return *fit, middle


def _left(
    seen: Sightings,
    offset: npt.NDArray[np.float64],
    rate: npt.NDArray[np.float64],
    middle: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """What is left over of each sighting: how far the first clock, corrected, is ahead of the second."""
    here = seen.here + offset[seen.one] + rate[seen.one] * (seen.here - middle[seen.one])
    there = seen.there + offset[seen.other] + rate[seen.other] * (seen.there - middle[seen.other])
    return np.asarray(here - there, np.float64)


def _far(left: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which sightings are not believed."""
    off = np.abs(left)
    return np.asarray(off > max(_FAR, _USUAL * float(np.median(off))) if off.size else off > 0, np.bool_)


def _moved(seen: Sightings, left: npt.NDArray[np.float64]) -> dict[str, dict[str, float]]:
    """By node whose clock was set, by contact: what brings its beginning to where the other end has it."""
    far = _far(left)
    if not far.any():
        return {}
    count = len(seen.nodes)
    off, number = np.zeros(count), np.zeros(count)
    for node in (seen.one, seen.other):
        np.add.at(off, node, far)
        np.add.at(number, node, 1.0)
    share = off / np.maximum(number, 1.0)
    first_is_wrong = share[seen.one] >= share[seen.other]
    moved: dict[str, dict[str, float]] = {}
    for i in np.flatnonzero(far).tolist():
        place, by = (seen.one[i], -left[i]) if first_is_wrong[i] else (seen.other[i], left[i])
        moved.setdefault(seen.nodes[place], {}).setdefault(seen.contact[i], float(by))
    return {node: moved[node] for node in sorted(moved)}


def _least_squares(
    seen: Sightings, weight: npt.NDArray[np.float64], middle: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """By the normal equations, whose size is that of the network, not of the logs. Times are in units of their spread,
    so that offsets and rates weigh alike. A sighting of weight 0 joins nobody."""
    count = len(seen.nodes)
    used = weight > 0
    weight = weight[used]
    one, other = seen.one[used], seen.other[used]
    here, there = seen.here[used], seen.there[used]
    since, since_other = here - middle[one], there - middle[other]
    unit = max(1.0, float(np.abs(np.concatenate((since, since_other))).max(initial=0.0)))
    places = (one, count + one, other, count + other)
    factors = (np.ones(one.size), since / unit, -np.ones(one.size), -since_other / unit)
    apart = (there - middle[other]) - (here - middle[one])  # what offsets around the middles must make up for
    matrix, right = np.zeros((2 * count, 2 * count)), np.zeros(2 * count)
    for place, factor in zip(places, factors, strict=True):
        np.add.at(right, place, weight * factor * apart)
        for place_2, factor_2 in zip(places, factors, strict=True):
            np.add.at(matrix, (place, place_2), weight * factor * factor_2)
    rates = np.arange(count, 2 * count)
    matrix[rates, rates] += (1.0 / (_RATE * unit)) ** 2
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


def _told_by_other(contacts: pa.Table, moved: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Contacts that the end with the later name tells, because it has a beginning and an end of it, and the first has
    not both, or its clock was set between them."""
    lengths: tuple[dict[str, float], dict[str, float]] = {}, {}
    begins: dict[tuple[str, bool], float] = {}
    tellers: dict[str, str] = {}
    columns = ("contact", "node", "peer", "time", "up")
    in_order = contacts.sort_by([("up", "descending")]).select(columns).to_pydict()
    for contact, node, peer, time, up in zip(*(in_order[name] for name in columns), strict=True):
        first = node < peer
        if first:
            tellers[contact] = node
        if up:
            begins.setdefault((contact, first), time)
        elif (contact, first) in begins:
            lengths[first].setdefault(contact, time - begins[contact, first])
    later, first_has = lengths
    return sorted(
        contact
        for contact, length in later.items()
        if length >= 0 and (contact not in first_has or _was_set(first_has[contact], length, tellers[contact] in moved))
    )


def _was_set(length: float, of_other: float, suspect: bool) -> bool:
    """Whether a clock was set between beginning and end of a contact, by how long it seems to both ends."""
    return length < 0 or (suspect and abs(length - of_other) > _NOTICED)
