"""The figures of a trace: the table a paper prints, and the curves beside it. Arrow in, plain numbers out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from hunet.traces.order import by_pair
from hunet.traces.pairs import node_facts

DAY = 86_400.0
HOUR = 3_600.0
CCDF_POINTS = 100
_BLOCK = 2_000_000
"""Contacts that are sorted at a time: of huge traces never all."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Summary:
    """The numbers. Times are seconds of the trace; gaps are the times between two contacts of a pair;
    where no pair meets twice there is none, and no mean of them."""

    nodes: int
    internal: int
    contacts: int
    pairs: int
    start: float
    end: float
    days: float
    contacts_per_hour: float
    contacts_per_pair: float
    zero_length: int
    mean_length: float
    median_length: float
    total_time: float
    mean_gap: float | None
    median_gap: float | None
    mean_degree: float
    max_degree: int
    density: float


@dataclass(frozen=True)
class Curves:
    """What the plots show.

    hours/per_hour: starts of hours since the trace's start, and how many contacts began in each; from one hour to the
    next that is named, the number stays;
    gaps/gap_share: P(gap > x) at x, from the shortest gap to the longest on a logarithmic grid (CCDF);
    degrees: distinct peers of each node, by node; per_node: contacts of each node.
    """

    hours: Floats
    per_hour: Ints
    gaps: Floats
    gap_share: Floats
    degrees: Ints
    per_node: Ints


class Described(Protocol):
    """A trace: its contacts, its nodes, and the pairs that met, such as one in the store."""

    def contacts(self) -> pa.Table: ...

    def nodes(self) -> pa.Table: ...

    def pairs(self) -> pa.Table: ...


def describe(trace: Described) -> tuple[Summary, Curves]:
    """The figures of a trace. One without contacts has zeros, and no gaps."""
    contacts, nodes, met = trace.contacts(), trace.nodes(), trace.pairs()
    count, size, pairs = contacts.num_rows, nodes.num_rows, met.num_rows
    first, last = (pc.min(contacts["start"]).as_py(), pc.max(contacts["end"]).as_py()) if count else (0.0, 0.0)
    # One after the other: of a huge trace each of these fills the memory by itself.
    gaps, (points, share) = _gaps(contacts)
    lengths = _lengths(contacts)
    hours, per_hour = contacts_per_hour(contacts["start"].to_numpy(), first, last)
    facts = node_facts(met, size)
    degrees = facts["degree"].to_numpy()
    summary = Summary(
        nodes=size,
        internal=nodes["kind"].to_pylist().count("internal"),
        contacts=count,
        pairs=pairs,
        start=first,
        end=last,
        days=(last - first) / DAY,
        contacts_per_hour=count * HOUR / (last - first) if last > first else 0.0,
        contacts_per_pair=count / pairs if pairs else 0.0,
        **lengths,
        **gaps,
        mean_degree=_mean(degrees),
        max_degree=int(degrees.max(initial=0)),
        density=2 * pairs / (size * (size - 1)) if size > 1 else 0.0,
    )
    return summary, Curves(hours, per_hour, points, share, degrees, facts["contacts"].to_numpy())


def _lengths(contacts: pa.Table) -> dict[str, Any]:
    lengths = pc.subtract(contacts["end"], contacts["start"]).to_numpy()
    total, zero, mean = float(lengths.sum()), int((lengths == 0).sum()), _mean(lengths)
    return {"zero_length": zero, "mean_length": mean, "median_length": _median(lengths), "total_time": total}


def _gaps(contacts: pa.Table) -> tuple[dict[str, Any], tuple[Floats, Floats]]:
    gaps = inter_contact_times(contacts)
    some = len(gaps) > 0
    middle = {"mean_gap": _mean(gaps) if some else None, "median_gap": _median(gaps) if some else None}
    return middle, ccdf(gaps)


def inter_contact_times(contacts: pa.Table) -> Floats:
    """The gaps between the end of a contact and the start of the next one of its pair, by pair and time."""
    a = contacts["a"].to_numpy()
    block = (np.cumsum(np.bincount(a)) - 1) // _BLOCK if len(a) else np.empty(0, np.int64)
    gaps = [np.empty(0)]
    for number in np.unique(block):
        some = by_pair(contacts.filter(pa.array((block == number)[a])))
        pair_a, pair_b, start, end = (some[name].to_numpy() for name in ("a", "b", "start", "end"))
        same = (pair_a[1:] == pair_a[:-1]) & (pair_b[1:] == pair_b[:-1])
        gaps.append((start[1:] - end[:-1])[same])
    return np.concatenate(gaps)


def contacts_per_hour(start: Floats, first: float, last: float) -> tuple[Floats, Ints]:
    """How many contacts began in each hour from `first` to `last`, hours counted from `first`.

    Of a row of hours in which none began only the first is told, and the last of all: one contact that a wrong clock
    has put into another millennium makes millions of them.
    """
    if len(start) == 0:
        return np.empty(0), np.empty(0, np.int64)
    parts = (start[i : i + _BLOCK] for i in range(0, len(start), _BLOCK))
    some, counts = zip(*(np.unique((part - first) // HOUR, return_counts=True) for part in parts), strict=True)
    busy, place = np.unique(np.concatenate(some), return_inverse=True)
    begun = np.bincount(place, np.concatenate(counts)).astype(np.int64)
    final = (last - first) // HOUR
    told = np.unique(np.concatenate((busy, busy + 1, [final])))
    told = told[told <= final]
    per_hour = np.zeros(len(told), np.int64)
    per_hour[np.searchsorted(told, busy)] = begun
    return first + HOUR * told, per_hour


def ccdf(values: Floats, points: int = CCDF_POINTS) -> tuple[Floats, Floats]:
    """P(value > x) for positive values, at x on a logarithmic grid from the smallest to the largest."""
    ordered = np.sort(values[values > 0])
    if len(ordered) == 0:
        return np.empty(0), np.empty(0)
    grid = np.geomspace(ordered[0], ordered[-1], points)
    grid[-1] = ordered[-1]  # rounding must not leave the largest value beyond the grid
    return grid, 1.0 - np.searchsorted(ordered, grid, side="right") / len(ordered)


def _mean(values: npt.NDArray[np.float64] | Ints) -> float:
    return float(values.mean()) if len(values) else 0.0


def _median(values: Floats) -> float:
    return float(np.median(values)) if len(values) else 0.0
