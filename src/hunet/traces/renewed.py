"""Long contacts as live nodes have them: they tell each other anew every so often, as if they had just met."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from hunet.model.errors import InvalidValueError
from hunet.model.tables import CONTACTS
from hunet.traces.order import by_pair

__all__ = ["renewed"]


def renewed(contacts: pa.Table, every: float) -> pa.Table:
    """The same contacts (CONTACTS), each cut into pieces of `every` seconds, of which the last may be shorter.

    A piece begins where the one before it ends. A contact that lasts no longer than `every` stays as it is.
    """
    if not every > 0:
        raise InvalidValueError(f"contacts that are renewed every {every:g} s: give more than 0")
    a, b, start, end = (contacts.column(name).to_numpy() for name in CONTACTS.names)
    pieces = np.maximum(1, np.ceil((end - start) / every)).astype(np.int64)
    row = np.repeat(np.arange(start.size), pieces)
    number = np.arange(row.size) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    begins = start[row] + number * every
    ends = np.where(number + 1 == pieces[row], end[row], start[row] + (number + 1) * every)
    return by_pair(pa.table([a[row], b[row], begins, np.maximum(begins, ends)], schema=CONTACTS))
