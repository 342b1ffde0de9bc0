"""What a page shows: a network, what was published in it, and one or two accounts of what became of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.errors import WatchError
from hunet.model.tables import INTERESTS, POSITIONS

__all__ = ["EVENTS", "HEARD", "PUBLISHED", "Network", "Play", "Show", "Traffic"]

PUBLISHED = pa.schema(
    [
        ("source", pa.int32()),
        ("created", pa.float64()),
        ("expires", pa.float64()),
        ("size", pa.int64()),
        ("tags", pa.list_(pa.string())),
    ]
)
"""One row per message; its place is the message's number. expires: infinity where it lives on."""

EVENTS = pa.schema(
    [
        ("time", pa.float64()),
        ("kind", pa.string()),
        ("message", pa.int64()),
        ("from", pa.int32()),
        ("to", pa.int32()),
    ]
)
"""In time order. Of the simulator's log, whose columns these are, a page reads the kinds `forward`, `delivery` (which
follows the forward that it is), `drop`, `release` and `election`; the others follow from the messages."""

HEARD = pa.schema([("time", pa.float64()), ("node", pa.int32()), ("tag", pa.string()), ("strength", pa.int32())])
"""What nodes' filters said at some instants: tags that they answer for, and how strongly."""


@dataclass(frozen=True)
class Network:
    """A trace, and where it comes from."""

    title: str
    contacts: pa.Table
    nodes: pa.Table
    positions: pa.Table = field(default_factory=POSITIONS.empty_table)
    origin: str = ""
    licence: str = ""
    generated: bool = False
    """Made up by a generator: nobody's data."""


@dataclass(frozen=True)
class Traffic:
    """Who published what, and who wants what."""

    messages: pa.Table
    """PUBLISHED."""
    interests: pa.Table = field(default_factory=INTERESTS.empty_table)
    """INTERESTS; without rows where nobody knows them, as in the logs of nodes."""
    names: tuple[str, ...] = ()
    """What messages are called; by their number where this is empty."""

    def number_of(self, message: str) -> int:
        """The number of a message by what it is called."""
        count = self.messages.num_rows
        if self.names:
            found = [number for number, name in enumerate(self.names) if name.startswith(message)] if message else []
            if len(found) == 1 or (found and self.names[found[0]] == message):
                return found[0]
            several = f": {len(found)} messages begin so" if found else ""
            raise WatchError(f"there is no message {message!r}{several}; the first is called {self.names[0]!r}")
        if not (message.isascii() and message.isdigit() and int(message) < count):
            raise WatchError(f"there is no message {message!r}: they have the numbers 0 to {count - 1}")
        return int(message)


@dataclass(frozen=True)
class Play:
    """What became of the messages under one protocol, or in real life."""

    title: str
    events: pa.Table
    """EVENTS."""
    details: Mapping[str, str] = field(default_factory=dict)
    """How it was made: settings, workload, conditions."""
    heard: pa.Table = field(default_factory=HEARD.empty_table)


def _check_below(table: pa.Table, column: str, least: int, limit: int) -> None:
    bounds = pc.min_max(table[column]).as_py()
    if bounds["min"] is not None and not least <= bounds["min"] <= bounds["max"] < limit:
        raise WatchError(
            f"the column {column!r} has numbers from {bounds['min']} to {bounds['max']}, but there are {limit}: "
            "it was damaged, or is of another trace"
        )


@dataclass(frozen=True)
class Show:
    """Everything a page is made of."""

    network: Network
    traffic: Traffic | None = None
    plays: tuple[Play, ...] = ()

    def __post_init__(self) -> None:
        if not self.network.contacts.num_rows:
            raise WatchError(f"{self.network.title!r} has no contacts: there is nothing to watch")
        if len(self.plays) > 2:
            raise WatchError(f"{len(self.plays)} runs do not fit beside each other: give two")
        self._check_numbers()

    def _check_numbers(self) -> None:
        """A log may have been damaged, or written for another trace: all that is numbered must be there."""
        nodes, network = self.network.nodes.num_rows, self.network
        named = [(network.contacts, "a"), (network.contacts, "b"), (network.positions, "node")]
        if self.traffic is not None:
            named += [(self.traffic.messages, "source"), (self.traffic.interests, "node")]
            for play in self.plays:
                named += [(play.events, "from"), (play.events, "to"), (play.heard, "node")]
                about = play.events.filter(pc.not_equal(pc.cast(play.events["kind"], pa.string()), "election"))
                _check_below(about, "message", 0, self.traffic.messages.num_rows)
        for table, column in named:
            _check_below(table, column, -1, nodes)  # -1 is nobody who is known

    def beside(self, other: Show) -> Show:
        """Both on one page, where they are of the same trace and workload."""
        mine, theirs = self.traffic, other.traffic
        if mine is None or theirs is None:
            raise WatchError("only runs can stand beside each other: a trace is in each of them")
        if not self.network.contacts.equals(other.network.contacts):
            raise WatchError("the two runs are of different traces: simulate both on the same one")
        if not mine.messages.equals(theirs.messages):
            raise WatchError("the two runs have different messages: simulate both with the same workload and seed")
        return Show(self.network, mine, (*self.plays, *other.plays))
