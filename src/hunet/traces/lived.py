"""What a network lived through by the logs of its nodes, beside the contacts of its trace: messages, deliveries, and
changes of settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hunet.traces.align import align, on_one_clock
from hunet.traces.formats.nodelog import ENTRIES, read_log
from hunet.traces.lines import read_lines

__all__ = ["CHANGED", "DELIVERED", "PUBLISHED", "Lived", "lived_by", "read_lived"]

PUBLISHED = pa.schema(
    [
        ("message", pa.string()),
        ("node", pa.string()),
        ("time", pa.float64()),
        ("tags", pa.list_(pa.string())),
        ("size", pa.int64()),
        ("ttl", pa.float64()),
    ]
)
DELIVERED = pa.schema(
    [
        ("message", pa.string()),
        ("node", pa.string()),
        ("from", pa.string()),
        ("time", pa.float64()),
        ("hops", pa.int64()),
        ("wanted", pa.bool_()),
        ("delay", pa.float64()),
    ]
)
"""delay: seconds since the message was published; null where no log says when that was."""
CHANGED = pa.schema(
    [("node", pa.string()), ("time", pa.float64()), ("protocol", pa.string()), ("settings", pa.string())]
)
"""settings: all of them by name, as a text of JSON."""


@dataclass(frozen=True)
class Lived:
    """PUBLISHED, DELIVERED and CHANGED, by time: a message once, and once at each node that got it. Times are on one
    clock."""

    messages: pa.Table
    deliveries: pa.Table
    changes: pa.Table


def read_lived(files: Sequence[Path]) -> Lived:
    """Of logs in files."""
    return lived_by(read_log(lines)[0] for file in files for lines in read_lines(file))


def lived_by(pieces: Iterable[pa.Table]) -> Lived:
    """Of ENTRIES of all logs, in any pieces.

    What is logged twice, as after a restart, counts once, where it came first. What seems to arrive before it was
    published, by clocks that agree to a second only, arrives with it.
    """
    tables = list(pieces)
    entries = pa.concat_tables([ENTRIES.empty_table(), *tables])
    if clocks := align(tables):
        times = pa.array(on_one_clock(entries, clocks))
        entries = entries.set_column(entries.column_names.index("time"), "time", times)
    messages = _first(entries.filter(pc.equal(entries["kind"], "message")), ["message"])
    arrivals = _first(entries.filter(pc.equal(entries["kind"], "delivery")), ["message", "node"])
    place = pc.index_in(arrivals["message"], messages["message"].combine_chunks())
    published = messages["time"].take(place)
    time = pc.max_element_wise(arrivals["time"], published, skip_nulls=True)
    delay = pc.subtract(time, published)
    columns = {"time": time, "delay": delay}
    delivered = [columns[name] if name in columns else arrivals[name] for name in DELIVERED.names]
    changes = _first(entries.filter(pc.equal(entries["kind"], "settings")), ["node", "time"])
    deliveries = pa.table(delivered, schema=DELIVERED).sort_by("time")
    return Lived(messages.select(PUBLISHED.names), deliveries, changes.select(CHANGED.names))


def _first(entries: pa.Table, key: list[str]) -> pa.Table:
    """The first entry of each key, in the order of time."""
    ordered = entries.sort_by([("time", "ascending"), *((name, "ascending") for name in key)])
    ordered = ordered.append_column("row", pa.array(np.arange(ordered.num_rows)))
    first = ordered.group_by(key, use_threads=False).aggregate([("row", "min")])["row_min"]
    return ordered.take(pa.array(np.sort(first.to_numpy()))).drop_columns(["row"])
