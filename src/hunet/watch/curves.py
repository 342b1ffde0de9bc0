"""How much was delivered, held and sent so far: totals of a whole run at even instants, for the curves of a page."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from hunet.watch.show import Play, Traffic

__all__ = ["INSTANTS", "Curves", "curves_of", "wanted_by"]

INSTANTS = 1500
"""How many instants a curve has: more than a screen has points."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Curves(NamedTuple):
    """Per instant, all that happened until then, that moment included."""

    delivered: Ints
    wanted: Ints
    """Pairs of a message that was published by then and a node that wants it."""
    copies: Ints
    """In all buffers together, at that moment."""
    sent: Ints
    """Bytes of messages that were forwarded; what nodes told of themselves is not in the log."""


def curves_of(traffic: Traffic, play: Play, instants: Floats) -> Curves:
    """The curves of one run."""
    messages, events = traffic.messages, play.events
    time, message = events["time"].to_numpy(), events["message"].to_numpy()
    kind = pc.cast(events["kind"], pa.string())
    is_a = {name: pc.equal(kind, name).to_numpy() for name in ("forward", "delivery", "drop", "release")}
    created, expires = messages["created"].to_numpy(), messages["expires"].to_numpy()
    size = messages["size"].to_numpy()
    gone = is_a["drop"] | is_a["release"]
    count = messages.num_rows
    left = 1 + np.bincount(message[is_a["forward"]], minlength=count) - np.bincount(message[gone], minlength=count)
    copies = (
        _running(created, np.ones(count, np.int64), instants)
        + _running(time[is_a["forward"]], np.ones(int(is_a["forward"].sum()), np.int64), instants)
        - _running(time[gone], np.ones(int(gone.sum()), np.int64), instants)
        - _running(expires, left, instants)
    )
    return Curves(
        _running(time[is_a["delivery"]], np.ones(int(is_a["delivery"].sum()), np.int64), instants),
        _running(created, wanted_by(traffic), instants),
        copies,
        _running(time[is_a["forward"]], size[message[is_a["forward"]]], instants),
    )


def _running(at: Floats, amount: Ints, instants: Floats) -> Ints:
    """The sum of the amounts until each instant."""
    order = np.argsort(at, kind="stable")
    sums = np.append(0, np.cumsum(amount[order]))
    return np.asarray(sums[np.searchsorted(at[order], instants, side="right")], np.int64)


def wanted_by(traffic: Traffic) -> Ints:
    """Per message: nodes other than its source that want one of its tags at some time while it lives."""
    spans: dict[str, list[tuple[int, float, float]]] = {}
    rows = traffic.interests.select(["tag", "node", "from", "until"]).to_pylist()
    for row in rows:
        spans.setdefault(row["tag"], []).append((row["node"], row["from"], row["until"]))
    found = []
    columns = (traffic.messages[name].to_pylist() for name in ("source", "created", "expires", "tags"))
    for source, created, expires, tags in zip(*columns, strict=True):
        nodes = {n for tag in tags for n, begin, end in spans.get(tag, ()) if begin <= expires and end > created}
        found.append(len(nodes - {source}))
    return np.array(found, np.int64)
