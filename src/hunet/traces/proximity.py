"""Contacts from positions: two nodes meet while they are within a radius of each other.

We look at the nodes at the multiples of a step. A node is where its last sample put it, for at most `hold` seconds
after that sample; it is not interpolated, because between two sparse fixes a straight line leads through walls and
past people who were never met, and because a look then needs nothing from the future. Looks at which a pair is in
range and that lie at most `gap` seconds apart are one contact; it starts at its first look and ends one step after
its last: a look stands for the step that follows it.

Looks are numbered by whole numbers, the multiples of the step. Any slice of looks can therefore be watched by
itself (`sightings`), anywhere, and joined afterwards (`join_sightings`) to exactly what one pass would have given.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hunet.model.errors import InvalidValueError
from hunet.model.numbers import MOST_SECONDS
from hunet.model.tables import CONTACTS
from hunet.traces import cells
from hunet.traces.cells import Floats, Ids, Ints, Runs, Samples

__all__ = [
    "SIGHTINGS",
    "Proximity",
    "Watch",
    "contacts_from_positions",
    "join_sightings",
    "pairs_in_range",
    "sightings",
    "to_contacts",
]

SIGHTINGS = pa.schema([("a", pa.int32()), ("b", pa.int32()), ("first", pa.int64()), ("last", pa.int64())])
"""A run of looks at which a < b were in range: the numbers of the first and the last look (time / step)."""

SHORTEST_STEP = 1e-6
"""So that the number of every look has room in 63 bits."""
MOST_RADIUS = 1e9

_FOREVER = 2**62
_FARTHEST_CELL = 2.0**30


@dataclass(frozen=True)
class Proximity:
    """When two nodes count as meeting.

    >>> Proximity(radius=10.0, step=1.0, gap=600.0).gap_looks
    600
    """

    radius: float
    """In range up to and including this distance, metres."""
    step: float
    """Seconds between two looks; looks are at its multiples, whatever the data starts with."""
    gap: float = 0.0
    """Looks in range at most this many seconds apart are one contact (neighbouring looks always are)."""
    hold: float = 600.0
    """A node silent for longer than this (seconds) is nowhere; `inf`: it stays until its next sample."""

    def __post_init__(self) -> None:
        for name, value, lowest, most in (
            ("radius", self.radius, 0.0, MOST_RADIUS),
            ("step", self.step, SHORTEST_STEP, MOST_SECONDS),
        ):
            if not (lowest <= value <= most and value > 0):
                raise InvalidValueError(f"proximity: {name} {value} must be above {lowest:g}, and at most {most:g}")
        if not 0 <= self.gap <= MOST_SECONDS:
            raise InvalidValueError(f"proximity: gap {self.gap} must be seconds, 0 to {MOST_SECONDS:g}")
        if not (0 <= self.hold <= MOST_SECONDS or self.hold == math.inf):
            raise InvalidValueError(
                f"proximity: hold {self.hold} must be seconds, 0 to {MOST_SECONDS:g} (inf: until the next sample)"
            )

    @property
    def gap_looks(self) -> int:
        """The gap as a difference of look numbers; at least 1."""
        return max(1, int(_looks_down(np.array([self.gap]), self.step)[0]))

    def first_look(self, times: Floats) -> Ints:
        """The number of the first look at or after each time."""
        return _looks_up(times, self.step)

    def last_look(self, times: Floats) -> Ints:
        """The number of the last look at which a sample of each time is still believed."""
        if math.isinf(self.hold):
            return np.full(len(times), _FOREVER, dtype=np.int64)
        return _looks_down(times + self.hold, self.step)


def _whole(quotient: Floats, rounded: Floats) -> Ints:
    # 1.1 / 0.1 is a hair above 11: a quotient within four roundings of a whole number is that number.
    nearest = np.rint(quotient)
    close = np.abs(quotient - nearest) <= 4 * np.spacing(np.abs(quotient))
    return np.where(close, nearest, rounded).astype(np.int64)


def _looks_up(times: Floats, step: float) -> Ints:
    quotient = times / step
    return _whole(quotient, np.ceil(quotient))


def _looks_down(times: Floats, step: float) -> Ints:
    quotient = times / step
    return _whole(quotient, np.floor(quotient))


def _new_grid(nodes: int) -> cells.Grid:
    places = 1 << max(1, (2 * nodes - 1).bit_length())
    return cells.Grid(
        head=np.full(places, -1, dtype=np.int32),
        following=np.empty(nodes, dtype=np.int32),
        column=np.empty(nodes, dtype=np.int64),
        row=np.empty(nodes, dtype=np.int64),
    )


def _check_places(x: Floats, y: Floats, radius: float) -> None:
    limit = _FARTHEST_CELL * radius
    for name, values in (("x", x), ("y", y)):
        # Written so that NaN fails too.
        wrong = np.flatnonzero(~(np.abs(values) < limit))
        if len(wrong):
            row = int(wrong[0])
            raise InvalidValueError(
                f"positions, row {row}: {name} {values[row]} is not within {limit:g} m of the origin "
                f"(2^30 radii of {radius:g} m): move the origin or drop the row"
            )


def pairs_in_range(x: Floats, y: Floats, radius: float) -> tuple[Ids, Ids]:
    """The pairs a < b of nodes at most `radius` apart, sorted. Cost: nodes, and pairs in the same cells.

    >>> a, b = pairs_in_range(np.array([0.0, 3.0, 50.0]), np.array([0.0, 4.0, 0.0]), radius=5.0)
    >>> a.tolist(), b.tolist()
    ([0], [1])
    """
    x = np.ascontiguousarray(x, dtype=np.float64)
    y = np.ascontiguousarray(y, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise InvalidValueError(f"positions: {x.shape} x and {y.shape} y must be two columns of the same length")
    Proximity(radius=radius, step=1.0)
    _check_places(x, y, radius)
    grid = _new_grid(len(x))
    everyone = np.arange(len(x), dtype=np.int32)
    room = 4 * len(x) + 16
    while True:
        a, b = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int32)
        count = cells.near(x, y, everyone, radius, grid, a, b)
        if count <= room:
            pair = np.sort(a[:count].astype(np.int64) * len(x) + b[:count])
            return (pair // len(x)).astype(np.int32), (pair % len(x)).astype(np.int32)
        room = count


class Watch:
    """A running observation of moving nodes; mobility models feed it step by step, tables all at once.

    Memory: a few numbers per node, the pairs in range at one look, the pairs seen within the last gap, and the
    finished runs. Samples come in order of instant, over any number of calls.
    """

    def __init__(self, nodes: int, rule: Proximity, first: int = 0) -> None:
        self._rule = rule
        self._grid = _new_grid(nodes)
        self._done: list[Runs] = []
        room = 4 * nodes + 1024
        self._scene = cells.Scene(
            x=np.zeros(nodes),
            y=np.zeros(nodes),
            until=np.full(nodes, np.iinfo(np.int64).min),
            present=np.empty(nodes, dtype=np.int32),
            near_a=np.empty(room, dtype=np.int32),
            near_b=np.empty(room, dtype=np.int32),
            **_open_table(room)._asdict(),
            closed=_new_runs(room),
            progress=np.zeros(5, dtype=np.int64),
        )
        self._scene.progress[cells.INSTANT] = first

    def see(self, samples: Samples, end: int) -> None:
        """Take in samples sorted by instant, and look at every instant before `end`."""
        _check_places(samples.x, samples.y, self._rule.radius)
        self._scene.progress[cells.NEXT_SAMPLE] = 0
        while True:
            answer = cells.watch(samples, end, self._rule.radius, self._rule.gap_looks, self._grid, self._scene)
            if answer == cells.DONE:
                return
            if answer == cells.MORE_PAIRS:
                room = 2 * int(self._scene.progress[cells.NEEDED])
                a, b = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int32)
                self._scene = self._scene._replace(near_a=a, near_b=b)
            elif answer == cells.MORE_RUNS:
                self._forget_old_runs()
            else:
                self._drain()
                if len(self._scene.closed.a) < self._scene.progress[cells.NEEDED]:
                    self._scene = self._scene._replace(closed=_new_runs(2 * int(self._scene.progress[cells.NEEDED])))

    def finish(self) -> pa.Table:
        """All runs (`SIGHTINGS`), sorted by pair and time."""
        self._drain()
        self._close(self._scene.key != cells.EMPTY)
        columns = [np.concatenate([getattr(part, name) for part in self._done]) for name in Runs._fields]
        self._done = []
        return join_sightings(pa.table(columns, schema=SIGHTINGS), self._rule)

    def _drain(self) -> None:
        count = int(self._scene.progress[cells.CLOSED_RUNS])
        a, b, first, last = self._scene.closed
        self._done.append(Runs(a[:count].copy(), b[:count].copy(), first[:count].copy(), last[:count].copy()))
        self._scene.progress[cells.CLOSED_RUNS] = 0

    def _close(self, which: npt.NDArray[np.bool_]) -> None:
        nodes = max(1, len(self._scene.x))
        key = self._scene.key[which]
        a, b = (key // nodes).astype(np.int32), (key % nodes).astype(np.int32)
        self._done.append(Runs(a, b, self._scene.first[which], self._scene.last[which]))

    def _forget_old_runs(self) -> None:
        """Runs that no later sighting can prolong are closed; the rest moves to a table with room to spare."""
        scene = self._scene
        used = scene.key != cells.EMPTY
        alive = used & (scene.progress[cells.INSTANT] - scene.last <= self._rule.gap_looks)
        self._close(used & ~alive)
        table = _open_table(int(alive.sum() + scene.progress[cells.NEEDED]))
        kept = scene.key[alive], scene.first[alive], scene.last[alive]
        cells.reopen(*kept, table.key, table.first, table.last)
        scene.progress[cells.OPEN_RUNS] = len(kept[0])
        self._scene = scene._replace(key=table.key, first=table.first, last=table.last)


class _OpenTable(NamedTuple):
    key: Ints
    first: Ints
    last: Ints


def _open_table(runs: int) -> _OpenTable:
    """An empty table that is at most a quarter full with so many runs."""
    places = 1 << (4 * runs + 1).bit_length()
    first, last = np.zeros((2, places), dtype=np.int64)
    return _OpenTable(np.full(places, cells.EMPTY, dtype=np.int64), first, last)


def _new_runs(room: int) -> Runs:
    a, b = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int32)
    return Runs(a, b, np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64))


def sightings(positions: pa.Table, rule: Proximity, first: int | None = None, until: int | None = None) -> pa.Table:
    """The runs of looks (`SIGHTINGS`) in the slice first <= look < until; without bounds, over all the data.

    `positions` holds node, t, x, y in any order; of several rows of a node at the same time the last row counts.
    A slice needs the samples of its own time and, before it, those that are still believed: t from
    (first - 1) * step - hold (with an endless hold: at least each node's last sample before the slice).
    """
    node = positions["node"].to_numpy()
    time = np.asarray(positions["t"].to_numpy(), dtype=np.float64)
    x = np.asarray(positions["x"].to_numpy(), dtype=np.float64)
    y = np.asarray(positions["y"].to_numpy(), dtype=np.float64)
    if not len(node):
        return SIGHTINGS.empty_table()
    wrong = np.flatnonzero(~np.isfinite(time) | (node < 0))
    if len(wrong):
        row = int(wrong[0])
        raise InvalidValueError(
            f"positions, row {row}: node {node[row]} at t {time[row]}: ids start at 0, times are finite"
        )
    _check_places(x, y, rule.radius)
    order = np.argsort(time, kind="stable")
    look = rule.first_look(time[order])
    start = int(look[0]) if first is None else first
    end = int(look[-1]) + 1 if until is None else until
    watched = Watch(int(node.max()) + 1, rule, start)
    samples = Samples(
        node=np.ascontiguousarray(node[order], dtype=np.int32),
        instant=np.maximum(look, start),
        until=rule.last_look(time[order]),
        x=np.ascontiguousarray(x[order]),
        y=np.ascontiguousarray(y[order]),
    )
    watched.see(samples, end)
    return watched.finish()


def join_sightings(runs: pa.Table, rule: Proximity) -> pa.Table:
    """Runs of any number of slices, joined by the gap rule and sorted by (a, b, first)."""
    a, b, first, last = (np.asarray(runs[name].to_numpy()) for name in Runs._fields)
    order = _by_pair_and_look(a, b, first)
    whole = Runs(a[order].astype(np.int32), b[order].astype(np.int32), first[order], last[order])
    kept = cells.join(whole, rule.gap_looks)
    return pa.table([column[:kept] for column in whole], schema=SIGHTINGS)


def _by_pair_and_look(a: Ids, b: Ids, look: Ints) -> npt.NDArray[np.int64]:
    """The order by (a, b, look): one sort of a combined number, faster than three, where it fits."""
    if not len(a):
        return np.empty(0, dtype=np.int64)
    nodes, earliest = int(b.max()) + 1, int(look.min())
    looks = int(look.max()) - earliest + 1
    if nodes * nodes * looks >= 2**63:
        return np.lexsort((look, b, a))
    return np.argsort((a.astype(np.int64) * nodes + b) * looks + (look - earliest))


def to_contacts(runs: pa.Table, step: float) -> pa.Table:
    """Runs as contacts (`CONTACTS`): from the first look until one step after the last."""
    start = runs["first"].to_numpy() * step
    end = (runs["last"].to_numpy() + 1) * step
    return pa.table([runs["a"], runs["b"], start, end], schema=CONTACTS)


def contacts_from_positions(positions: pa.Table, rule: Proximity) -> pa.Table:
    """Contacts (`CONTACTS`, sorted by pair and start) of nodes whose positions are samples (node, t, x, y).

    >>> walk = pa.table({"node": [0, 1, 1], "t": [0.0, 0.0, 20.0], "x": [0.0, 3.0, 99.0], "y": [0.0, 0.0, 0.0]})
    >>> contacts_from_positions(walk, Proximity(radius=5.0, step=1.0)).to_pylist()
    [{'a': 0, 'b': 1, 'start': 0.0, 'end': 20.0}]
    """
    return to_contacts(sightings(positions, rule), rule.step)
