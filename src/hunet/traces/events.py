"""Pairing up and down events of a link into intervals.

Files disagree about what an `up` means while the link is already up. Some count (both directions, or several radios,
open the same link, and each of them closes it again); in others a `down` was lost, and the second `up` is only noise.
So there are two modes:

* `count`: the n-th up of a pair is closed by its n-th down;
* `flag`: a link is up or not; a repeated up and an orphan down change nothing and are counted.

`recognise_mode` tells them apart: counting must explain (nearly) every event, or the file lost some.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from hunet.kernels import loop
from hunet.model.names import one_of
from hunet.traces.format import EVENTS, INTERVALS

Mode = Literal["count", "flag"]
MODES: tuple[Mode, ...] = ("count", "flag")

UNEXPLAINED_SHARE = 0.1
"""Counting is believed if it leaves at most this share of the repeated ups unexplained (a cut trace has a few)."""


@dataclass(frozen=True)
class EventCounts:
    """What pairing saw; add the counts of the parts of a trace to get those of the whole.

    never_closed counts ups without a down, stuck_ups the repeated ups of links that did not go down any more since,
    told_again the events of a format that tells each once (`told_once`) which were in the files more than once.
    """

    ups: int = 0
    downs: int = 0
    closed: int = 0
    repeated_ups: int = 0
    orphan_downs: int = 0
    never_closed: int = 0
    stuck_ups: int = 0
    told_again: int = 0

    def __add__(self, other: EventCounts) -> EventCounts:
        return EventCounts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


class _Link(NamedTuple):
    """The link whose events are being read: `opened` is a ring of the times of its unclosed ups."""

    tally: npt.NDArray[np.int64]
    opened: npt.NDArray[np.float64]


# Positions in _Link.tally: the counters in the order of EventCounts, then the ring's oldest entry, its filling, and the
# repeated ups since the link was down.
_UPS, _DOWNS, _CLOSED, _REPEATED, _ORPHANS, _NEVER, _STUCK, _OLDEST, _DEPTH, _AGAIN = range(10)


@loop
def _pair_sorted(
    fresh: npt.NDArray[np.bool_],
    time: npt.NDArray[np.float64],
    up: npt.NDArray[np.bool_],
    counting: bool,
    link: _Link,
    out_row: npt.NDArray[np.int64],
    out_start: npt.NDArray[np.float64],
) -> int:
    """Walk events sorted by (pair, time); write the row of every closing down and the time of the up it closes.

    `fresh` marks rows where a new pair begins. The ring must have room for all ups of the piece beside its own.
    """
    tally, opened = link.tally, link.opened
    count = 0
    for row in range(time.shape[0]):
        if fresh[row]:
            tally[_NEVER] += tally[_DEPTH]
            tally[_STUCK] += tally[_AGAIN]
            tally[_DEPTH] = 0
            tally[_AGAIN] = 0
        if up[row]:
            tally[_UPS] += 1
            if tally[_DEPTH] > 0:
                tally[_REPEATED] += 1
                tally[_AGAIN] += 1
            if counting or tally[_DEPTH] == 0:
                opened[(tally[_OLDEST] + tally[_DEPTH]) % opened.shape[0]] = time[row]
                tally[_DEPTH] += 1
            continue
        tally[_DOWNS] += 1
        if tally[_DEPTH] == 0:
            tally[_ORPHANS] += 1
            continue
        tally[_CLOSED] += 1
        out_row[count] = row
        out_start[count] = opened[tally[_OLDEST]]
        count += 1
        tally[_OLDEST] = (tally[_OLDEST] + 1) % opened.shape[0]
        tally[_DEPTH] -= 1
        if tally[_DEPTH] == 0:
            tally[_AGAIN] = 0
    return count


class Pairer:
    """Pairs a stream of event tables that are sorted by (a, b, time, file, line), with a <= b in every row.

    `order_events` brings a whole table into that order. Each `feed` continues the one before it; memory is bounded by
    the piece and the open ups of one pair.
    """

    def __init__(self, mode: Mode) -> None:
        one_of("event mode", mode, MODES)
        self._counting = mode == "count"
        self._link = _Link(np.zeros(10, np.int64), np.empty(0))
        self._last: tuple[str, str] | None = None

    def feed(self, events: pa.Table) -> pa.Table:
        """The intervals (INTERVALS) that this piece closed; file and line are those of the closing event."""
        size = events.num_rows
        if size == 0:
            return INTERVALS.empty_table()
        self._make_room(size)
        out_row, out_start = np.empty(size, np.int64), np.empty(size)
        time, up = events.column("time").to_numpy(), events.column("up").to_numpy()
        count = _pair_sorted(self._fresh(events), time, up, self._counting, self._link, out_row, out_start)
        closing = events.take(pa.array(out_row[:count]))
        unknown = pa.nulls(count, pa.string())
        columns = [closing.column(name) for name in ("file", "line", "a", "b")]
        return pa.table(
            [*columns, pa.array(out_start[:count]), closing.column("time"), unknown, unknown], schema=INTERVALS
        )

    def finish(self) -> EventCounts:
        """What was counted over everything fed; links that are still open are given up."""
        tally = self._link.tally
        tally[_NEVER] += tally[_DEPTH]
        tally[_STUCK] += tally[_AGAIN]
        tally[_DEPTH] = 0
        tally[_AGAIN] = 0
        return EventCounts(*(int(value) for value in tally[:_OLDEST]))

    def _fresh(self, events: pa.Table) -> npt.NDArray[np.bool_]:
        a, b = events.column("a").combine_chunks(), events.column("b").combine_chunks()
        fresh = np.ones(len(a), np.bool_)
        changed = pc.or_(pc.not_equal(a[1:], a[:-1]), pc.not_equal(b[1:], b[:-1]))
        fresh[1:] = changed.to_numpy(zero_copy_only=False)
        fresh[0] = self._last != (a[0].as_py(), b[0].as_py())
        self._last = (a[-1].as_py(), b[-1].as_py())
        return fresh

    def _make_room(self, ups: int) -> None:
        tally, ring = self._link
        depth = int(tally[_DEPTH])
        if len(ring) >= depth + ups:
            return
        grown = np.empty(2 * (depth + ups))
        grown[:depth] = np.roll(ring, -int(tally[_OLDEST]))[:depth]
        tally[_OLDEST] = 0
        self._link = _Link(tally, grown)


def order_events(events: pa.Table) -> pa.Table:
    """Events of unordered pairs (a <= b as text), sorted by (a, b, time, file, line)."""
    one, other = events.column("a"), events.column("b")
    swapped = events.set_column(events.schema.get_field_index("a"), "a", pc.min_element_wise(one, other))
    swapped = swapped.set_column(events.schema.get_field_index("b"), "b", pc.max_element_wise(one, other))
    keys = [(name, "ascending") for name in ("a", "b", "time", "file", "line")]
    return swapped.select(EVENTS.names).sort_by(keys)


def told_once(events: pa.Table) -> pa.Table:
    """Each event once: one of the same time, the same ends in the same direction and the same kind is the same."""
    first = events.sort_by([("file", "ascending"), ("line", "ascending")])
    found = first.group_by(["time", "a", "b", "up"], use_threads=False).aggregate(
        [("file", "first"), ("line", "first")]
    )
    return found.rename_columns([name.removesuffix("_first") for name in found.column_names]).select(EVENTS.names)


def pair_events(events: pa.Table, mode: Mode) -> tuple[pa.Table, EventCounts]:
    """The intervals of an event table in any order, in memory, and what was counted on the way."""
    pairer = Pairer(mode)
    intervals = pairer.feed(order_events(events))
    return intervals, pairer.finish()


def recognise_mode(counted: EventCounts) -> Mode:
    """Which mode fits, judged by the counts of a pairing in mode `count`.

    If a file counts, its links go down sooner or later. One that lost downs has links that never do, so that every
    later up looks repeated; one that lost ups has orphan downs even by counting. Without repeated ups both modes agree.
    """
    unexplained = counted.orphan_downs + counted.stuck_ups
    counts = counted.repeated_ups > 0 and unexplained <= UNEXPLAINED_SHARE * counted.repeated_ups
    return "count" if counts else "flag"
