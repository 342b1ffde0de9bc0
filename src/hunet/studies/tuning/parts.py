"""A trace in parts by time: settings are looked for on the first 70 % and judged on the last 30 %.

What is looked for must be good in each half of the first part (halves with equally many contacts), so that it does not
fit one day alone; and parts of about the length of the last one have buffers that are about as full.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

from hunet.model.errors import TraceError

__all__ = ["SEARCHED_SHARE", "Parts", "parts_of"]

SEARCHED_SHARE = 0.7

Tables: TypeAlias = tuple[pa.Table, pa.Table]
"""Contacts and nodes."""


class Parts(NamedTuple):
    """What a trace is cut into, in the order of time."""

    search: tuple[Tables, Tables]
    judge: Tables
    searched: float
    """Seconds of the parts in which settings are looked for."""
    judged: float
    """Seconds of the part on which they are judged."""


def parts_of(trace: Tables) -> Parts:
    """Cut a trace; a contact over a cut belongs to both sides, shortened."""
    contacts, nodes = trace
    start, end = contacts.column("start").to_numpy(), contacts.column("end").to_numpy()
    if len(start) == 0:
        raise TraceError("the trace has no contacts: there is nothing to tune on")
    first, last = float(start.min()), float(end.max())
    cut = first + SEARCHED_SHARE * (last - first)
    middle = float(np.median(start[start < cut])) if (start < cut).any() else cut
    pieces = [_between(contacts, *ends) for ends in ((first, middle), (middle, cut), (cut, last))]
    if any(piece.num_rows == 0 for piece in pieces):
        raise TraceError("the trace is too short: a part of it, of which tuning needs three, has no contacts")
    one, other, judge = ((piece, nodes) for piece in pieces)
    return Parts((one, other), judge, cut - first, last - cut)


def _between(contacts: pa.Table, begin: float, end: float) -> pa.Table:
    starts, ends = contacts.column("start").to_numpy(), contacts.column("end").to_numpy()
    inside = (starts < end) & ((ends > begin) | (starts >= begin))
    kept = contacts.filter(pa.array(inside))
    for name, values in (("start", np.maximum(starts[inside], begin)), ("end", np.minimum(ends[inside], end))):
        kept = kept.set_column(kept.column_names.index(name), name, pa.array(values))
    return kept
