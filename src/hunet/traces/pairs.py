"""How well two nodes know each other: contacts, time together, mean separation and closeness (MOPS II-B).

Eq. 1, [mops]:  c_uv = exp(-AVG(D_uv)^2 / (2 sigma^2))

D_uv are the separation periods of u and v within a training window, sigma the mean of AVG(D) over all pairs that have
one. The paper does not say whether the time before the first and after the last contact counts (AMB-40): its example
fits `both` and `tail`, its statistics on data fit `inner` better. All three are here.

The contacts of a pair are disjoint, so how often it met, how long, and from when to when says all that Eq. 1 asks for.
These spans are what is big to derive: from a table of contacts here, on Spark in `pipeline.steps.spans`, and a stored
trace keeps them for the windows that are asked for most. The rest is arithmetic on one row per pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.closeness import log_closeness
from hunet.model.errors import InvalidValueError
from hunet.model.tables import NODE_FACTS, PAIRS, SPANS

__all__ = [
    "BOUNDARIES",
    "TRAINING",
    "Boundary",
    "Window",
    "closeness",
    "first_part",
    "node_facts",
    "pairs_from",
    "pairs_of",
    "spans_of",
    "stored_windows",
    "training_end",
]

TRAINING = 0.4
"""The share of a trace that [mops] learns from."""

Boundary = Literal["both", "inner", "tail"]
BOUNDARIES: tuple[Boundary, ...] = ("both", "inner", "tail")
"""`both` counts the gaps at both ends of the window, `tail` the one after the last contact, `inner` neither."""

Floats = npt.NDArray[np.float64]


class Window(NamedTuple):
    """A time to look at, both ends included, as seconds of the trace."""

    start: float
    end: float


def training_end(start: float, end: float, share: float) -> float:
    """When the first `share` of a trace that lasts from `start` to `end` is over."""
    if not 0 < share <= 1:
        raise InvalidValueError(f"training share {share}: must be above 0 and at most 1 (MOPS: {TRAINING:g})")
    return end if share == 1 else start + share * (end - start)


def first_part(contacts: pa.Table, share: float = TRAINING) -> Window:
    """The first `share` of a trace."""
    training_end(0.0, 1.0, share)
    if not contacts.num_rows:
        raise InvalidValueError(f"training share {share}: the trace has no contact to learn from")
    start, end = pc.min(contacts["start"]).as_py(), pc.max(contacts["end"]).as_py()
    return Window(start, training_end(start, end, share))


def stored_windows(start: float, end: float, shares: Sequence[float] = ()) -> list[Window]:
    """The windows a stored trace has spans of: all of it, the part that [mops] learns from, and further shares."""
    ends = [end, *(training_end(start, end, share) for share in (TRAINING, *shares))]
    return [Window(start, until) for until in dict.fromkeys(ends)]


def spans_of(contacts: pa.Table, window: tuple[float, float] | None = None) -> pa.Table:
    """SPANS by (a, b): every pair that met in the window, by default the whole trace.

    The parts of contacts that lie in the window count; one that only touches its edge has length 0.
    """
    if not contacts.num_rows:
        return SPANS.empty_table()
    begin, stop = first_part(contacts, 1.0) if window is None else window
    if not begin <= stop:
        raise InvalidValueError(f"training window: end {stop} lies before start {begin}")
    start, end = (contacts[name].to_numpy() for name in ("start", "end"))
    inside = (start <= stop) & (end >= begin)
    start, end = np.maximum(start[inside], begin), np.minimum(end[inside], stop)
    a, b = (contacts[name].to_numpy()[inside].astype(np.int64) for name in ("a", "b"))
    pairs, pair = np.unique(a << 32 | b, return_inverse=True)
    first, last = np.full(pairs.size, np.inf), np.full(pairs.size, -np.inf)
    np.minimum.at(first, pair, start)
    np.maximum.at(last, pair, end)
    columns = [
        (pairs >> 32).astype(np.int32),
        (pairs & 0xFFFFFFFF).astype(np.int32),
        np.bincount(pair, minlength=pairs.size),
        np.bincount(pair, weights=end - start, minlength=pairs.size),
        first,
        last,
        np.full(pairs.size, begin, np.float64),
        np.full(pairs.size, stop, np.float64),
    ]
    return pa.table(columns, schema=SPANS)


def pairs_from(spans: pa.Table, boundary: Boundary = "both", sigma: float | None = None) -> pa.Table:
    """PAIRS of the SPANS of one window: mean separation and closeness; sigma None is taken from the data.

    A pair that was never apart has closeness 1. One that was, but in a way the boundary reading does not look at (a
    single contact, `inner`), has no mean separation and closeness 0, as if it had no edge.
    """
    if boundary not in BOUNDARIES:
        raise InvalidValueError(f"boundary {boundary!r}: use one of {', '.join(BOUNDARIES)}")
    if sigma is not None and not sigma > 0:
        raise InvalidValueError(f"sigma {sigma}: must be above 0 seconds")
    mean = _mean_gaps(spans, boundary)
    known = ~np.isnan(mean)
    spread = sigma if sigma is not None else mean[known].mean() if known.any() else 0.0
    value = np.where(mean == 0, 1.0, 0.0)
    apart = known & (mean > 0)
    value[apart] = closeness(mean[apart], spread)
    settings = {"boundary": pa.repeat(boundary, len(mean)), "sigma": pa.repeat(float(spread), len(mean))}
    found = {"mean_gap": pa.array(mean, from_pandas=True), "closeness": value, **settings}
    return pa.table([found.get(name, spans[name] if name in SPANS.names else None) for name in PAIRS.names], PAIRS)


def pairs_of(
    contacts: pa.Table,
    window: tuple[float, float] | None = None,
    boundary: Boundary = "both",
    sigma: float | None = None,
) -> pa.Table:
    """PAIRS of every pair that met in the window, by default the whole trace, from its contacts.

    >>> contacts = pa.table({"a": [5, 5], "b": [8, 8], "start": [20.0, 50.0], "end": [40.0, 70.0]})
    >>> pairs_of(contacts, (0.0, 100.0), sigma=25.0).select(["mean_gap", "closeness"]).to_pylist()
    [{'mean_gap': 20.0, 'closeness': 0.7261490370736909}]
    """
    return pairs_from(spans_of(contacts, window), boundary, sigma)


def closeness(mean_gap: Floats, sigma: float) -> Floats:
    """Eq. 1, [mops]."""
    return np.asarray(np.exp(log_closeness(mean_gap, sigma)))


def node_facts(pairs: pa.Table, nodes: int) -> pa.Table:
    """NODE_FACTS of nodes 0..nodes - 1, from the pairs of the whole trace."""
    a, b, contacts = (pairs[name].to_numpy() for name in ("a", "b", "contacts"))
    ends = np.concatenate((a, b))
    met = np.zeros(nodes, np.int64)
    np.add.at(met, ends, np.tile(contacts, 2))
    return pa.table([np.arange(nodes, dtype=np.int32), np.bincount(ends, minlength=nodes), met], schema=NODE_FACTS)


def _mean_gaps(spans: pa.Table, boundary: Boundary) -> Floats:
    """AVG(D) of each pair, NaN where there is none. A gap of length 0 at an end of the window is no gap."""
    contacts, total, first, last, begin, stop = (spans[name].to_numpy() for name in SPANS.names[2:])
    since = begin if boundary == "both" else first
    until = last if boundary == "inner" else stop
    gaps = contacts - 1 + (first > since) + (last < until)
    never_apart = (contacts == 1) & (first <= begin) & (last >= stop)
    mean = np.where(never_apart, 0.0, np.nan)
    np.divide(np.maximum((until - since) - total, 0.0), gaps, out=mean, where=gaps > 0)
    return mean
