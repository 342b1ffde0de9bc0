"""What live nodes wrote down, as a run: their logs say who published what, and who got it from whom."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hunet.traces.align import align, on_one_clock
from hunet.traces.formats.nodelog import ENTRIES, read_log
from hunet.traces.lines import read_lines
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
    pieces = [read_log(lines)[0] for file in files for lines in read_lines(file)]
    entries = pa.concat_tables([ENTRIES.empty_table(), *pieces])
    if clocks := align(pieces):
        times = pa.array(on_one_clock(entries, clocks))
        entries = entries.set_column(entries.column_names.index("time"), "time", times)
    number = {name: node for node, name in zip(nodes["node"].to_pylist(), nodes["name"].to_pylist(), strict=True)}
    messages, names = _messages(entries, number)
    place = {name: row for row, name in enumerate(names)}
    rows = []
    created = messages["created"].to_pylist()
    sources = messages["source"].to_pylist()
    got = set(enumerate(sources))
    arrivals = entries.filter(pc.equal(entries["kind"], "delivery")).sort_by("time")
    logged = {(place.get(one["message"], -1), number.get(one["node"], -1)) for one in arrivals.to_pylist()}
    for entry in arrivals.select(["time", "node", "message", "from", "wanted"]).to_pylist():
        message, taker = place.get(entry["message"]), number.get(entry["node"])
        if message is None or taker is None or (message, taker) in got:
            continue  # of a message or node that no log has, or logged once more after a restart
        got.add((message, taker))
        giver, time = number.get(entry["from"], -1), max(entry["time"], created[message])
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


def _messages(entries: pa.Table, number: dict[str, int]) -> tuple[pa.Table, tuple[str, ...]]:
    """PUBLISHED in the order of time, and what messages are called. One that is logged twice counts once."""
    found: dict[str, dict[str, object]] = {}
    published = entries.filter(pc.equal(entries["kind"], "message")).sort_by("time")
    for entry in published.select(["time", "node", "message", "tags", "size", "ttl"]).to_pylist():
        lives = np.inf if entry["ttl"] is None else max(0.0, entry["ttl"])
        found.setdefault(
            entry["message"],
            {
                "source": number.get(entry["node"], -1),
                "created": entry["time"],
                "expires": entry["time"] + lives,
                "size": max(0, entry["size"]),
                "tags": [tag for tag in entry["tags"] if tag is not None],
            },
        )
    return pa.Table.from_pylist(list(found.values()), schema=PUBLISHED), tuple(found)
