"""Merging intervals: the contacts of a pair that overlap or touch become one.

The rows come sorted by (a, b, start), in pieces of any size; what is open at the end of a piece is carried over to the
next, so memory does not depend on how many rows there are. One kernel serves Spark, the generators and small traces.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from hunet.kernels import loop
from hunet.model.tables import CONTACTS
from hunet.traces.order import by_pair


class Intervals(NamedTuple):
    """Rows as arrays of equal length: a and b any integer type, start and end float64."""

    a: npt.NDArray[Any]
    b: npt.NDArray[Any]
    start: npt.NDArray[np.float64]
    end: npt.NDArray[np.float64]


class Carry(NamedTuple):
    """The interval that is still open. `pair` holds (1 if there is one, a, b), `span` its (start, end)."""

    pair: npt.NDArray[np.int64]
    span: npt.NDArray[np.float64]


def new_carry() -> Carry:
    """Nothing is open yet."""
    return Carry(np.zeros(3, np.int64), np.zeros(2, np.float64))


@loop
def merge_sorted(rows: Intervals, gap: float, carry: Carry, out: Intervals) -> int:
    """Merge rows sorted by (a, b, start) into `out`; return how many intervals were finished.

    A row joins the open interval of its pair if it starts at most `gap` after that one's end. `out` must have room for
    as many intervals as there are rows; the last one stays in `carry`.
    """
    a, b, start, end = rows.a, rows.b, rows.start, rows.end
    pair, span = carry.pair, carry.span
    count = 0
    for row in range(a.shape[0]):
        same = pair[0] == 1 and pair[1] == a[row] and pair[2] == b[row]
        if same and start[row] <= span[1] + gap:
            span[1] = max(span[1], end[row])
            continue
        if pair[0] == 1:
            out.a[count] = pair[1]
            out.b[count] = pair[2]
            out.start[count] = span[0]
            out.end[count] = span[1]
            count += 1
        pair[0] = 1
        pair[1] = a[row]
        pair[2] = b[row]
        span[0] = start[row]
        span[1] = end[row]
    return count


class Merger:
    """Merges a stream of tables that are sorted by (a, b, start), each `feed` continuing the one before."""

    def __init__(self, *, gap: float = 0.0) -> None:
        self._gap = gap
        self._carry = new_carry()

    def feed(self, piece: pa.Table | pa.RecordBatch) -> pa.Table:
        """The contacts (CONTACTS) that this piece finished."""
        rows = Intervals(*(_array(piece.column(name)) for name in ("a", "b", "start", "end")))
        size = len(rows.a)
        out = Intervals(np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size), np.empty(size))
        count = merge_sorted(rows, self._gap, self._carry, out)
        return _contacts(Intervals(*(array[:count] for array in out)))

    def finish(self) -> pa.Table:
        """The contact that is still open: one row, or none."""
        is_open, a, b = self._carry.pair
        start, end = self._carry.span
        self._carry.pair[0] = 0
        whole = Intervals(np.array([a], np.int32), np.array([b], np.int32), np.array([start]), np.array([end]))
        return _contacts(Intervals(*(array[:is_open] for array in whole)))


def merge_contacts(table: pa.Table, *, gap: float = 0.0) -> pa.Table:
    """Contacts (CONTACTS, sorted by a, b, start) from integer-id rows in any order and direction, in memory.

    Both directions of a pair are united; rows that overlap, touch or lie at most `gap` seconds apart become one
    contact.
    """
    one, other, start, end = (table.column(name) for name in CONTACTS.names)
    rows = [pc.min_element_wise(one, other), pc.max_element_wise(one, other), start, end]
    merger = Merger(gap=gap)
    ordered = by_pair(pa.table(rows, schema=CONTACTS))
    return pa.concat_tables([merger.feed(ordered), merger.finish()]).combine_chunks()


def _array(column: pa.Array | pa.ChunkedArray) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = column.to_numpy() if isinstance(column, pa.ChunkedArray) else column.to_numpy(False)
    return array


def _contacts(rows: Intervals) -> pa.Table:
    return pa.table(list(rows), schema=CONTACTS)
