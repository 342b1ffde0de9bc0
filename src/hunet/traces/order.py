"""The orders of contacts. They lie apart from the kernels, so that looking at a trace compiles nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["by_pair", "by_time"]


def by_time(contacts: pa.Table) -> pa.Table:
    """CONTACTS in the order (start, a, b), in which they are stored and simulated."""
    return _sorted(contacts, contacts.column("start").to_numpy(), _pairs(contacts))


def by_pair(contacts: pa.Table) -> pa.Table:
    """CONTACTS in the order (a, b, start), in which they are merged and gaps are seen."""
    return _sorted(contacts, _pairs(contacts), contacts.column("start").to_numpy())


def _pairs(contacts: pa.Table) -> npt.NDArray[np.int64]:
    """a and b as one number: one key is compared faster than two."""
    pair: npt.NDArray[np.int64] = contacts.column("a").to_numpy().astype(np.int64)
    pair <<= 32  # in place: of huge traces every copy counts
    pair |= contacts.column("b").to_numpy()
    return pair


def _sorted(contacts: pa.Table, first: npt.NDArray[Any], second: npt.NDArray[Any]) -> pa.Table:
    """The rows by two keys; a table that is in this order already is not copied."""
    if not np.any((first[1:] < first[:-1]) | ((first[1:] == first[:-1]) & (second[1:] < second[:-1]))):
        return contacts
    keys = pa.table({"first": first, "second": second})
    return contacts.take(pc.sort_indices(keys, sort_keys=[("first", "ascending"), ("second", "ascending")]))
