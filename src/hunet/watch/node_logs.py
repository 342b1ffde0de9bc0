"""What live nodes wrote down, as a run: their logs say who published what, and who got it from whom."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from hunet.traces.lived import read_lived
from hunet.watch.show import EVENTS, PUBLISHED, Play, Traffic

__all__ = ["read_node_logs"]

_TITLE = "what the nodes logged"


def read_node_logs(files: Sequence[Path], nodes: pa.Table) -> tuple[Traffic, Play]:
    """Messages and what became of them, between the nodes of a trace that was read from the same files.

    Nodes log what they wanted and got, but neither their interests nor what they carry for others or drop: nobody is
    seen to wait, who hands a message over is known to have it from then on, by a way that nobody knows, and copies last
    as long as their message lives. Times are brought to one clock, as those of the contacts are; what still seems to
    arrive before it was published arrives with it.
    """
    lived = read_lived(files)
    number = {name: node for node, name in zip(nodes["node"].to_pylist(), nodes["name"].to_pylist(), strict=True)}
    messages, names = _messages(lived.messages, number), tuple(lived.messages["message"].to_pylist())
    place = {name: row for row, name in enumerate(names)}
    rows = []
    got = set(enumerate(messages["source"].to_pylist()))
    arrivals = lived.deliveries.to_pylist()
    logged = {(place.get(one["message"], -1), number.get(one["node"], -1)) for one in arrivals}
    for entry in arrivals:
        message, taker = place.get(entry["message"]), number.get(entry["node"])
        if message is None or taker is None or (message, taker) in got:
            continue  # of a message or node that no log has, or one's own
        got.add((message, taker))
        giver, time = number.get(entry["from"], -1), entry["time"]
        if giver >= 0 and (message, giver) not in got and (message, giver) not in logged:
            got.add((message, giver))
            rows.append(((time, message, -1, giver), "forward"))
        hop = (time, message, giver, taker)
        rows += [(hop, kind) for kind in (("forward", "delivery") if entry["wanted"] else ("forward",))]
    events = pa.table(
        [
            [hop[0] for hop, _ in rows],
            [kind for _, kind in rows],
            *([hop[i] for hop, _ in rows] for i in (1, 2, 3)),
        ],
        schema=EVENTS,
    )
    order = np.argsort(events["time"].to_numpy(), kind="stable")
    return Traffic(messages, names=names), Play(_TITLE, events.take(order))


def _messages(published: pa.Table, number: dict[str, int]) -> pa.Table:
    """PUBLISHED in the order of time."""
    rows = [
        {
            "source": number.get(entry["node"], -1),
            "created": entry["time"],
            "expires": entry["time"] + (np.inf if entry["ttl"] is None else max(0.0, entry["ttl"])),
            "size": max(0, entry["size"]),
            "tags": [tag for tag in entry["tags"] if tag is not None],
        }
        for entry in published.to_pylist()
    ]
    return pa.Table.from_pylist(rows, schema=PUBLISHED)
