"""The log of a run: what happened, when, to which message, at whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from hunet.kernels import leaf
from hunet.protocols.quantities import Row
from hunet.sim.engine.arrays import EVENTS

__all__ = [
    "CREATION",
    "DELIVERY",
    "DROP",
    "ELECTION",
    "EXPIRY",
    "FORWARD",
    "KINDS",
    "RELEASE",
    "log_event",
    "log_table",
]

KINDS = ("creation", "forward", "delivery", "drop", "expiry", "election", "release")
CREATION, FORWARD, DELIVERY, DROP, EXPIRY, ELECTION, RELEASE = range(7)


@leaf
def log_event(results: Any, time: Any, kind: Any, message: Any, node: Row, peer: Row) -> None:
    """Write down an event; how many there would have been is counted even where the log is full."""
    i = results.totals[EVENTS]
    results.totals[EVENTS] = i + 1
    if i < results.events.size:
        event = results.events[i]
        event.time = time
        event.kind = kind
        event.message = message
        event.node = node
        event.peer = peer


def log_table(events: Any) -> pa.Table:
    """Events in time order: time, kind, message, from, to.

    `from` is who created, forwarded, dropped, forgot or released it: to release is not to carry on, what arrived or
    what was passed on. A delivery goes from the node that handed it over to the node that wanted it; in an election,
    `from` judged `to`, and `message` is the verdict. What does not apply is null.
    """
    # A message is alive at the very instant at which it expires: that comes after all else that happens then.
    order = np.lexsort((events["kind"] == EXPIRY, events["time"]))
    events = events[order]
    kind = events["kind"]
    peer = events["peer"]
    return pa.table(
        {
            "time": pa.array(np.ascontiguousarray(events["time"])),
            "kind": pa.DictionaryArray.from_arrays(pa.array(kind.astype(np.int8)), list(KINDS)),
            "message": pa.array(np.ascontiguousarray(events["message"])),
            "from": pa.array(np.ascontiguousarray(events["node"])),
            "to": pa.array(np.ascontiguousarray(peer), mask=peer < 0),
        }
    )
