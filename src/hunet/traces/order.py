"""The orders of contacts. They lie apart from the kernels, so that looking at a trace compiles nothing."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["by_pair", "by_time"]


def by_time(contacts: pa.Table) -> pa.Table:
    """CONTACTS in the order (start, a, b), in which they are stored and simulated."""
    return contacts if _are_sorted(contacts, "start", "a", "b") else _take(contacts, "start", "pair")


def by_pair(contacts: pa.Table) -> pa.Table:
    """CONTACTS in the order (a, b, start), in which they are merged and gaps are seen."""
    return contacts if _are_sorted(contacts, "a", "b", "start") else _take(contacts, "pair", "start")


def _are_sorted(contacts: pa.Table, *keys: str) -> bool:
    """Whether rows are in the order of these columns; of huge tables each is looked at only where those before tie."""
    tied = None
    for key in keys:
        values = contacts.column(key).to_numpy()
        one, next_one = (values[:-1], values[1:]) if tied is None else (values[tied], values[tied + 1])
        if np.any(next_one < one):
            return False
        tied = np.flatnonzero(next_one == one) if tied is None else tied[next_one == one]
        if not tied.size:
            break
    return True


def _take(contacts: pa.Table, *keys: str) -> pa.Table:
    """The rows by `pair` (a and b as one number, which is sorted faster than two) and `start`, or the other way."""
    a, b = (contacts.column(name).to_numpy() for name in ("a", "b"))
    columns = pa.table({"pair": a.astype(np.int64) << 32 | b, "start": contacts.column("start")})
    return contacts.take(pc.sort_indices(columns, sort_keys=[(key, "ascending") for key in keys]))
