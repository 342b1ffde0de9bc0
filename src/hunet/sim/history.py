"""Which part of a trace is simulated: what came before is history, from which nodes know each other."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from hunet.model.errors import WorkloadError
from hunet.traces.pairs import Window, first_part

__all__ = ["history", "lengthened", "since"]


def since(contacts: pa.Table, begins: float) -> pa.Table:
    """Contacts from `begins` on; one that lasts over that moment begins with it."""
    start, end = contacts.column("start").to_numpy(), contacts.column("end").to_numpy()
    if contacts.num_rows == 0 or start.min() >= begins:
        return contacts
    later = (start >= begins) | (end > begins)
    if not later.any():
        raise WorkloadError(f"the trace has no contacts after its history, which ends at {begins:g} s")
    kept = contacts.filter(pa.array(later))
    return kept.set_column(kept.column_names.index("start"), "start", pa.array(np.maximum(start[later], begins)))


def history(contacts: pa.Table, begins: float) -> Window:
    """The trace's time before `begins`; where there is none, that which [mops] learns from."""
    learnt = first_part(contacts)
    return Window(learnt.start, begins) if begins > learnt.start else learnt


def lengthened(contacts: pa.Table, least: float) -> pa.Table:
    """Contacts that last at least so many seconds, but not into the next contact of the same pair (AMB-60).

    A device that looks around every 120 s records a contact that it saw once as one of no length.
    """
    if least <= 0:
        return contacts
    a, b, start, end = (contacts.column(name).to_numpy() for name in ("a", "b", "start", "end"))
    order = np.lexsort((start, b, a))
    following = np.full(len(order), np.inf)
    same = (a[order][1:] == a[order][:-1]) & (b[order][1:] == b[order][:-1])
    following[:-1][same] = start[order][1:][same]
    until = np.empty(len(order))
    until[order] = np.minimum(start[order] + least, following)
    return contacts.set_column(contacts.column_names.index("end"), "end", pa.array(np.maximum(end, until)))
