"""What the tests watch: a small conference, and what became of its messages."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa

import hunet as hn
from hunet.api.watching import network_of
from hunet.sim.result import Result
from hunet.watch.show import EVENTS, PUBLISHED, Network, Play, Show, Traffic

HOSTILE = (
    "<script>window.broken = 1</script>",
    "\"><img src=x onerror='window.broken = 2'>",
    "\u202eesrever\u2067",
    "a'b\"c&amp;",
    "",
)
"""Names that would do harm in a page that took them for anything but text."""


@cache
def conference() -> hn.Trace:
    """Fourteen people, one day."""
    return hn.generate("conference", nodes=14, days=1, contacts_per_day=24, acquaintances=9, community_size=5, seed=2)


@cache
def run(buffer: int | None = None) -> Result:
    """Everything to everybody, with so much room."""
    room = "unlimited" if buffer is None else buffer
    return hn.simulate(conference(), "push", ttl="3h", buffer=room, log=True)


def show_of(result: Result) -> Show:
    assert result.show is not None
    return result.show


def with_names(network: Network, names: tuple[str, ...]) -> Network:
    """The first nodes are called otherwise."""
    nodes = network.nodes
    called = [*names, *nodes["name"].to_pylist()[len(names) :]]
    return replace(
        network, nodes=nodes.set_column(1, "name", pa.array(called)), origin=names[0], licence=names[1], generated=False
    )


def crowd(nodes: int, contacts: int, messages: int, forwards: int, days: float = 3.0) -> Show:
    """A network of any size in which nothing makes sense, but everything happens."""
    chance = np.random.default_rng(1)
    a = chance.integers(0, nodes - 1, contacts)
    b = chance.integers(a + 1, nodes)
    start = np.sort(chance.uniform(0, days * 86400, contacts))
    table = pa.table(
        {
            "a": pa.array(a, pa.int32()),
            "b": pa.array(b, pa.int32()),
            "start": start,
            "end": start + chance.exponential(200, contacts),
        }
    )
    people = pa.table(
        {
            "node": pa.array(np.arange(nodes), pa.int32()),
            "name": [f"p{i}" for i in range(nodes)],
            "kind": ["internal"] * nodes,
            "class": [f"class {i % 5}" for i in range(nodes)],
        }
    )
    created = np.sort(chance.uniform(0, days * 80000, messages))
    published = pa.table(
        {
            "source": pa.array(chance.integers(0, nodes, messages), pa.int32()),
            "created": created,
            "expires": created + 36000,
            "size": pa.array(np.full(messages, 100)),
            "tags": [[f"tag {i % 30}"] for i in range(messages)],
        }
    ).cast(PUBLISHED)
    message = np.sort(chance.integers(0, messages, forwards))
    time = created[message] + chance.exponential(3000, forwards)
    order = np.argsort(time, kind="stable")
    events = pa.table(
        {
            "time": time[order],
            "kind": ["forward"] * forwards,
            "message": message[order],
            "from": pa.array(chance.integers(0, nodes, forwards), pa.int32()),
            "to": pa.array(chance.integers(0, nodes, forwards), pa.int32()),
        }
    ).cast(EVENTS)
    return Show(Network("crowd", table, people, generated=True), Traffic(published), (Play("random", events),))


def trace_show() -> Show:
    return Show(network_of(conference()))
