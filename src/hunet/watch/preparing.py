"""From tables to what a page holds: a header of names, and columns of whole numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from hunet.traces.order import by_time
from hunet.traces.pairs import pairs_of
from hunet.watch.curves import INSTANTS, curves_of
from hunet.watch.groups import groups_of
from hunet.watch.layout import closest_pairs, layout
from hunet.watch.show import Network, Play, Show, Traffic
from hunet.watch.thinning import thinned

__all__ = ["Prepared", "prepare"]

KINDS = {"forward": 0, "delivery": 1, "drop": 2, "release": 3, "promoted": 4, "demoted": 5}
"""Of events in a page: a delivery is the forward that it came by."""
_PROMOTE = 1
"""The verdict of an election that makes a broker; the other one unmakes it."""

_MOST_TICKS = 1 << 30
_SCALE = 10_000
"""Places in a layout are whole numbers up to this."""
_BACKBONE = 3
"""So many of those whom a node is closest to are joined by faint lines, so that one sees who belongs together; in a
crowd one, or the lines hide everything."""
_CROWD = 150
_BARS = 700
_WIDTHS = (60.0, 300.0, 900.0, 3600.0, 3 * 3600.0, 6 * 3600.0, 86400.0, 7 * 86400.0)
"""Of the bars under the clock, seconds: an hour, unless that makes too many of them or hardly any."""
_FEWEST_BARS = 20

Ints = npt.NDArray[np.int64]
Columns = dict[str, npt.NDArray[Any]]


class Prepared(NamedTuple):
    """What `packing.pack` takes."""

    header: dict[str, Any]
    columns: Columns


class Clock(NamedTuple):
    """Time as the page counts it: ticks since the beginning."""

    begin: float
    end: float
    tick: float
    """Seconds: a millisecond, or what lets a very long trace fit into 31 bits."""

    def ticks(self, times: npt.NDArray[np.float64]) -> Ints:
        """Whole ticks; what never ends ends one after all is over."""
        return np.rint((np.clip(times, self.begin, self.end + self.tick) - self.begin) / self.tick).astype(np.int64)


def prepare(show: Show, message: str | None = None) -> Prepared:
    """Everything the page needs; `message` is what it begins with."""
    number = None
    if message is not None:
        traffic = show.traffic or Traffic(pa.table({"source": []}))
        number = traffic.number_of(message)
    clock = _clock(show)
    instants = np.linspace(clock.begin, clock.end, INSTANTS)
    few, kept, said = thinned(show, number)
    columns: Columns = {}
    header: dict[str, Any] = {
        "title": show.network.title,
        "origin": show.network.origin,
        "licence": show.network.licence,
        "generated": show.network.generated,
        "clock": clock._asdict(),
        "thinned": said,
        "bars": _bars(show.network.contacts, clock, columns),
    }
    header |= _network(few.network, clock, columns)
    if few.traffic is not None and show.traffic is not None:
        header |= _traffic(few.traffic, kept, clock, columns)
        header["message"] = None if number is None else int(np.searchsorted(kept, number))
        header["plays"] = []
        for place, (play, whole) in enumerate(zip(few.plays, show.plays, strict=True)):
            header["plays"].append({"title": play.title, "details": dict(play.details)})
            for name, values in curves_of(show.traffic, whole, instants)._asdict().items():
                columns[f"{name}{place}"] = values
            columns |= {f"{name}{place}": values for name, values in _events(play, clock).items()}
            columns |= {f"{name}{place}": values for name, values in _heard(play, header["tags"], clock).items()}
    return Prepared(header, columns)


def _clock(show: Show) -> Clock:
    contacts = show.network.contacts
    begin, end = pc.min(contacts["start"]).as_py(), pc.max(contacts["end"]).as_py()
    if show.traffic is not None and show.traffic.messages.num_rows:
        begin = min(begin, pc.min(show.traffic.messages["created"]).as_py())
        end = max(end, pc.max(show.traffic.messages["created"]).as_py())
    for play in show.plays:
        if play.events.num_rows:
            end = max(end, pc.max(play.events["time"]).as_py())
    end = max(end, begin + 1.0)
    tick = 0.001
    while (end - begin) / tick > _MOST_TICKS:
        tick *= 10
    return Clock(begin, end, tick)


def _bars(contacts: pa.Table, clock: Clock, columns: Columns) -> Mapping[str, Any]:
    """Contacts that begin in each hour."""
    lasts = clock.end - clock.begin
    width = 3600.0
    if lasts / width > _BARS:
        width = next((one for one in _WIDTHS if lasts / one <= _BARS), _WIDTHS[-1])
    elif lasts / width < _FEWEST_BARS:
        width = next((one for one in reversed(_WIDTHS[:4]) if lasts / one >= _FEWEST_BARS), _WIDTHS[0])
    begin = np.floor(clock.begin / width) * width
    bar = ((contacts["start"].to_numpy() - begin) // width).astype(np.int64)
    columns["bars"] = np.bincount(bar, minlength=int((clock.end - begin) // width) + 1)
    return {"begin": float(begin - clock.begin), "width": width}


def _network(network: Network, clock: Clock, columns: Columns) -> dict[str, Any]:
    count = network.nodes.num_rows
    pairs = pairs_of(network.contacts)
    groups = groups_of(network.nodes, pairs)
    contacts = by_time(network.contacts)
    close = pairs.take(closest_pairs(pairs, count, _BACKBONE if count <= _CROWD else 1))
    start, end = (clock.ticks(contacts[name].to_numpy()) for name in ("start", "end"))
    columns |= {"a": contacts["a"].to_numpy(), "b": contacts["b"].to_numpy(), "start": start, "lasts": end - start}
    columns |= {"group": groups.group, "closeA": close["a"].to_numpy(), "closeB": close["b"].to_numpy()}
    header: dict[str, Any] = {
        "nodes": network.nodes["name"].to_pylist(),
        "grouping": groups.kind,
        "groups": list(groups.names),
    }
    if network.positions.num_rows:
        header["metres"] = _positions(network.positions, clock, columns)
    else:
        place = np.rint(layout(pairs, count, groups.group) * _SCALE).astype(np.int64)
        columns |= {"x": place[:, 0], "y": place[:, 1]}
    return header


def _positions(positions: pa.Table, clock: Clock, columns: Columns) -> Mapping[str, float]:
    """Positions by node and time, in decimetres from the south-west corner."""
    ordered = positions.sort_by([("node", "ascending"), ("t", "ascending")])
    x, y = (ordered[name].to_numpy() for name in ("x", "y"))
    west, south = float(x.min()), float(y.min())
    columns |= {
        "positionNode": ordered["node"].to_numpy(),
        "positionAt": clock.ticks(ordered["t"].to_numpy()),
        "positionX": np.rint((x - west) * 10).astype(np.int64),
        "positionY": np.rint((y - south) * 10).astype(np.int64),
    }
    return {"width": float(x.max()) - west, "height": float(y.max()) - south}


def _traffic(traffic: Traffic, kept: Ints, clock: Clock, columns: Columns) -> dict[str, Any]:
    messages, interests = traffic.messages, traffic.interests
    lists = messages["tags"].combine_chunks()
    flat = pc.list_flatten(messages["tags"])
    tags = pc.unique(pa.chunked_array([*flat.chunks, *interests["tag"].chunks], pa.string()))
    tags = tags.take(pc.sort_indices(tags))
    columns |= {
        "source": messages["source"].to_numpy(),
        "created": clock.ticks(messages["created"].to_numpy()),
        "expires": clock.ticks(messages["expires"].to_numpy()),
        "size": messages["size"].to_numpy(),
        "number": kept,
        "tagCount": pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False),
        "tagOf": pc.index_in(flat, tags).to_numpy(),
        "wantsNode": interests["node"].to_numpy(),
        "wantsTag": pc.index_in(interests["tag"], tags).to_numpy(),
        "wantsFrom": clock.ticks(interests["from"].to_numpy()),
        "wantsUntil": clock.ticks(interests["until"].to_numpy()),
    }
    return {"tags": tags.to_pylist(), "messageNames": list(traffic.names), "interestsKnown": interests.num_rows > 0}


def _events(play: Play, clock: Clock) -> Columns:
    """Forwards, those that delivered among them, and how copies went."""
    kind = pc.cast(play.events["kind"], pa.string())
    number = np.full(play.events.num_rows, -1, np.int64)
    for name in ("forward", "drop", "release"):
        number[pc.equal(kind, name).to_numpy()] = KINDS[name]
    delivery = np.flatnonzero(pc.equal(kind, "delivery").to_numpy())
    number[delivery - 1] = KINDS["delivery"]  # a delivery follows the forward that it is
    election = pc.equal(kind, "election").to_numpy()
    message = play.events["message"].to_numpy()
    number[election] = np.where(message[election] == _PROMOTE, KINDS["promoted"], KINDS["demoted"])
    kept = number >= 0
    giver, taker = (pc.fill_null(play.events[end], -1).to_numpy() for end in ("from", "to"))
    return {
        "at": clock.ticks(play.events["time"].to_numpy()[kept]),
        "kind": number[kept],
        "message": np.where(election, 0, message)[kept],
        "from": giver[kept],
        "to": taker[kept],
    }


def _heard(play: Play, tags: list[str], clock: Clock) -> Columns:
    heard = play.heard.sort_by([("time", "ascending"), ("node", "ascending"), ("strength", "descending")])
    return {
        "heardAt": clock.ticks(heard["time"].to_numpy()),
        "heardNode": heard["node"].to_numpy(),
        "heardTag": pc.fill_null(pc.index_in(heard["tag"], pa.array(tags, pa.string())), -1).to_numpy(),
        "heardStrength": heard["strength"].to_numpy(),
    }
