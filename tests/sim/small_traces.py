"""Small traces and workloads for tests of the simulator's surroundings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyarrow as pa

from hunet.model.tables import CONTACTS, INTERESTS, MESSAGES, NODES
from hunet.sim.workload.workload import Workload

Contact = tuple[int, int, float, float]
Interest = tuple[int, str] | tuple[int, str, float, float] | tuple[int, str, float, float, float, int]


def contacts_table(*rows: Contact) -> pa.Table:
    return pa.table([list(column) for column in zip(*rows, strict=True)] or [[]] * 4, schema=CONTACTS)


def nodes_table(*names: str) -> pa.Table:
    count = len(names)
    return pa.table([list(range(count)), list(names), ["internal"] * count, [None] * count], schema=NODES)


def workload(
    messages: Sequence[tuple[int, float, str]], interests: Sequence[Interest], ttl: float = math.inf
) -> Workload:
    """Messages as (source, created, tags with ;), interests as (node, tag[, from, until[, level, hops]])."""
    rows = [(source, at, tags.split(";"), 140, None) for source, at, tags in messages]
    wants = [(*one, *(-math.inf, math.inf, 1.0, 0)[len(one) - 2 :]) for one in interests]
    return Workload(
        "test",
        pa.Table.from_pylist([dict(zip(MESSAGES.names, row, strict=True)) for row in rows], MESSAGES),
        pa.Table.from_pylist([dict(zip(INTERESTS.names, row, strict=True)) for row in wants], INTERESTS),
        ttl=ttl,
    )


TRIANGLE = (
    contacts_table((0, 1, 10.0, 20.0), (0, 1, 40.0, 50.0), (1, 2, 30.0, 35.0)),
    nodes_table("ann", "bob", "cid"),
)
"""ann meets bob, bob meets cid, ann meets bob again."""
