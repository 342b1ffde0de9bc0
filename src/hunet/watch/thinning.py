"""A page stays fluent with some hundreds of nodes and a million events. What lies beyond is left out, and said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from hunet.model.tables import INTERESTS
from hunet.watch.show import Play, Show, Traffic

__all__ = ["MOST_EVENTS", "MOST_NODES", "MOST_POSITIONS", "thinned"]

MOST_NODES = 500
MOST_EVENTS = 1_000_000
"""Contacts and what is in the logs, together."""
MOST_POSITIONS = 400_000

Ints = npt.NDArray[np.int64]


def thinned(show: Show, message: int | None = None) -> tuple[Show, Ints, list[str]]:
    """What fits, the numbers that its messages had before, and sentences that say what does not.

    `message` is kept in any case.
    """
    said: list[str] = []
    show = _fewer_nodes(show, said)
    contacts = show.network.contacts
    most = MOST_EVENTS // 2 if show.plays else MOST_EVENTS
    if contacts.num_rows > most:
        said.append(f"the {most:,} longest of {contacts.num_rows:,} contacts")
        lasts = pc.subtract(contacts["end"], contacts["start"]).to_numpy()
        longest = np.sort(np.argsort(-lasts, kind="stable")[:most])
        show = replace(show, network=replace(show.network, contacts=contacts.take(longest)))
    show = _fewer_positions(show, said)
    kept = np.arange(0 if show.traffic is None else show.traffic.messages.num_rows)
    room = MOST_EVENTS - show.network.contacts.num_rows
    logged = sum(play.events.num_rows for play in show.plays)
    if show.traffic is not None and logged > room:
        chosen = _some_messages(show, room, message)
        said.append(f"{chosen.size:,} of {kept.size:,} messages, evenly over time, each with all that happened to it")
        show, kept = _only_messages(show, chosen), kept[chosen]
    return show, kept, said


def _fewer_nodes(show: Show, said: list[str]) -> Show:
    network, count = show.network, show.network.nodes.num_rows
    if count <= MOST_NODES:
        return show
    contacts = network.contacts
    met = np.bincount(np.concatenate([contacts[end].to_numpy() for end in ("a", "b")]), minlength=count)
    chosen = np.sort(np.argsort(-met, kind="stable")[:MOST_NODES])
    said.append(f"the {MOST_NODES} nodes that met others most often, of {count:,}")
    number = np.full(count + 1, -1, np.int32)  # the last place is that of nobody
    number[chosen] = np.arange(MOST_NODES)
    nodes = network.nodes.take(chosen)
    nodes = nodes.set_column(0, "node", pa.array(np.arange(MOST_NODES, dtype=np.int32)))
    small = replace(
        network,
        nodes=nodes,
        contacts=_renumbered(contacts, number, ("a", "b")),
        positions=_renumbered(network.positions, number, ("node",)),
    )
    plays = tuple(_of_nodes(play, number) for play in show.plays)
    traffic = show.traffic
    if traffic is not None:
        source = number[traffic.messages["source"].to_numpy()]
        messages = traffic.messages.set_column(0, "source", pa.array(source))
        traffic = replace(traffic, messages=messages, interests=_renumbered(traffic.interests, number, ("node",)))
    return Show(small, traffic, plays)


def _of_nodes(play: Play, number: npt.NDArray[np.int32]) -> Play:
    """Events at nodes that are shown. Where the other end is not, it is -1; an election needs both."""
    events = play.events
    giver, taker = (number[pc.fill_null(events[end], -1).to_numpy()] for end in ("from", "to"))
    sent = pc.is_in(pc.cast(events["kind"], pa.string()), pa.array(["forward", "delivery", "election"])).to_numpy()
    shown = np.where(sent, taker >= 0, giver >= 0)
    columns = {"from": pa.array(giver), "to": pa.array(taker, mask=~sent)}
    for name, column in columns.items():
        events = events.set_column(events.column_names.index(name), name, column)
    return replace(play, events=events.filter(pa.array(shown)), heard=_renumbered(play.heard, number, ("node",)))


def _renumbered(table: pa.Table, number: npt.NDArray[np.int32], columns: tuple[str, ...]) -> pa.Table:
    """The rows of nodes that are shown, with their new numbers."""
    new = {name: number[table[name].to_numpy()] for name in columns}
    for name, values in new.items():
        table = table.set_column(table.column_names.index(name), name, pa.array(values))
    return table.filter(pa.array(np.all([values >= 0 for values in new.values()], axis=0)))


def _fewer_positions(show: Show, said: list[str]) -> Show:
    positions = show.network.positions
    every = -(-positions.num_rows // MOST_POSITIONS)
    if every <= 1:
        return show
    said.append(f"one of {every} positions of each node")
    ordered = positions.sort_by([("node", "ascending"), ("t", "ascending")])
    few = ordered.take(np.arange(0, ordered.num_rows, every))
    return replace(show, network=replace(show.network, positions=few))


def _some_messages(show: Show, room: int, message: int | None) -> Ints:
    """Messages, evenly over time, whose events fit."""
    traffic = show.traffic
    assert traffic is not None
    count = traffic.messages.num_rows
    events = np.zeros(count, np.int64)
    for play in show.plays:
        of_messages = play.events.filter(pc.not_equal(pc.cast(play.events["kind"], pa.string()), "election"))
        events += np.bincount(of_messages["message"].to_numpy(), minlength=count)
    share = room / max(1, int(events.sum()))
    # Bresenham's way to draw a line: a message is taken whenever the taken ones fall behind their share.
    chosen, taken, passed = [], 0, 0
    for number, amount in enumerate(events.tolist()):
        passed += amount
        if taken + amount <= passed * share:
            chosen.append(number)
            taken += amount
    if message is not None and message not in chosen:
        chosen = sorted([*chosen, message])
    return np.array(chosen, np.int64)


def _only_messages(show: Show, chosen: Ints) -> Show:
    traffic = show.traffic
    assert traffic is not None
    number = np.full(traffic.messages.num_rows, -1, np.int64)
    number[chosen] = np.arange(chosen.size)
    plays = []
    for play in show.plays:
        election = pc.equal(pc.cast(play.events["kind"], pa.string()), "election").to_numpy()
        message = play.events["message"].to_numpy()
        message = np.where(election, message, number[np.where(election, 0, message)])
        place = play.events.column_names.index("message")
        events = play.events.set_column(place, "message", pa.array(message)).filter(pa.array(message >= 0))
        plays.append(replace(play, events=events))
    names = tuple(traffic.names[place] for place in chosen.tolist()) if traffic.names else ()
    few = Traffic(traffic.messages.take(chosen), traffic.interests.cast(INTERESTS), names)
    return Show(show.network, few, tuple(plays))
