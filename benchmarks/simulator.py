"""The simulator's event loop, on one core, beside a yardstick measured in the same run.

The yardstick is a compiled loop that decays and merges two rows of 256 one-byte counters per contact: what a contact of
two B-SUB nodes cannot do without. Machines differ; the ratio to it differs less.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import csv

from benchmarks.beside_cpp import beside_cpp
from benchmarks.command import cost_of, hunet
from benchmarks.measure import Row, compare, cpu_seconds, within
from hunet.filters.counters import decay, m_merge
from hunet.kernels import loop
from hunet.model.tables import CONTACTS, NODES
from hunet.protocols import PROTOCOLS, Protocol
from hunet.protocols.protocol import interests_from
from hunet.sim.engine import run as engine
from hunet.sim.engine.run import Conditions
from hunet.sim.engine.run import run as simulate
from hunet.sim.engine.scene import Scene
from hunet.traces.pairs import pairs_of
from hunet.traces.store import TraceStore
from hunet.traces.storing import Label, store_tables

NANO = 1e9
TAGS = 38
NAMES = [f"tag{number}" for number in range(TAGS)]
TTL = 36_000.0
BUFFER = 100

HUGE = 20_000_000
WAITING = (("spray", 9.0, 5.0), ("neighbors", None, None), ("prophet", None, None))
"""Protocols whose copies may wait: how many times PUSH's time a contact took before, and how much less it should be."""

TARGETS = {"push": 8.0, "pull": 5.5, "bsub13": 1.7, "bsubp": 1.4, "bsub10": 1.2}
"""Million contacts per second, with 79 nodes."""

BY_NAME = {protocol.name: protocol for protocol in PROTOCOLS}


def scene(nodes: int, contacts: int, messages: int, seed: int = 7) -> Scene:
    """Three days of a heavy-tailed meeting pattern in communities, with a day's ups and downs."""
    random = np.random.default_rng(seed)
    weight = random.pareto(1.5, nodes) + 0.3
    community = random.integers(0, max(1, nodes // 25), nodes)
    members = np.argsort(community, kind="stable")
    bounds = np.searchsorted(community[members], np.arange(community.max() + 2))
    hours = np.array([3, 2, 2, 2, 2, 4, 8, 16, 30, 40, 40, 36, 32, 36, 40, 40, 36, 28, 24, 20, 16, 12, 8, 4])
    hour = random.choice(24, contacts, p=hours / hours.sum())
    start = random.integers(0, 3, contacts) * 86_400.0 + hour * 3_600.0 + random.integers(0, 3_600, contacts)
    share = np.cumsum(weight) / weight.sum()
    one = np.minimum(np.searchsorted(share, random.random(contacts)), nodes - 1)
    two = np.minimum(np.searchsorted(share, random.random(contacts)), nodes - 1)
    inside = np.flatnonzero(random.random(contacts) < 0.7)
    within = np.concatenate([[0.0], np.cumsum(weight[members])])
    low, high = within[bounds[:-1]][community[one[inside]]], within[bounds[1:]][community[one[inside]]]
    at = np.searchsorted(within, low + random.random(inside.size) * (high - low), side="right") - 1
    two[inside] = members[np.clip(at, 0, nodes - 1)]
    same = one == two
    two[same] = (one[same] + 1 + random.integers(0, nodes - 1, int(same.sum()))) % nodes
    a, b = np.minimum(one, two).astype(np.uint32), np.maximum(one, two).astype(np.uint32)
    order = np.lexsort((b, a, start))
    popularity = 1.0 / np.arange(1, TAGS + 1) ** 0.6
    created = np.sort(random.integers(0, 3 * 86_400, messages)).astype(np.float64)
    wants = np.zeros((nodes, TAGS), np.bool_)
    wants[np.arange(nodes)[:, None], random.random((nodes, TAGS)).argsort(axis=1)[:, :2]] = True
    nothing: npt.NDArray[Any] = np.zeros(0, np.uint32)
    return Scene(
        a=a[order],
        b=b[order],
        start=start[order].astype(np.float64),
        end=start[order] + random.exponential(240.0, contacts),
        created=created,
        expires=created + TTL,
        source=random.integers(0, nodes, messages).astype(np.uint32),
        size=np.full(messages, 140),
        tag_start=np.arange(messages + 1),
        tag=random.choice(TAGS, messages, p=popularity / popularity.sum()).astype(np.uint32),
        change_at=np.zeros(0),
        change_node=nothing,
        change_tag=nothing,
        change_to=np.zeros(0, np.uint32),
        wants=wants.astype(np.uint8),
        interests=interests_from([False, True]),
    )


@loop
def _yardstick(rows: Any, a: Any, b: Any) -> None:
    for i in range(a.size):
        mine, theirs = rows[a[i]], rows[b[i]]
        decay(mine, 1)
        decay(theirs, 1)
        m_merge(mine, theirs)
        m_merge(theirs, mine)


def yardstick(contacts: Scene) -> float:
    """Seconds per contact."""
    rows = np.random.default_rng(1).integers(0, 200, (contacts.wants.shape[0], 256)).astype(np.uint8)
    _yardstick(rows, contacts.a, contacts.b)
    return cpu_seconds(_yardstick, rows, contacts.a, contacts.b) / contacts.a.size


def seconds_per_contact(protocol: Protocol, of: Scene, model: str = "start", repeats: int = 5) -> float:
    """CPU time of the event loop, least of several runs; compilation is not counted."""
    conditions = Conditions(model, buffer=BUFFER)
    close = pairs_of(_contacts(of)) if protocol.needs.closeness else None
    runs = (simulate(protocol, protocol.settings(), of, NAMES, conditions, closeness=close) for _ in range(repeats))
    return min(run.cpu_seconds for run in runs) / of.a.size


def _contacts(of: Scene) -> pa.Table:
    """As a trace has them, by pair."""
    order = np.lexsort((of.start, of.b, of.a))
    columns = [of.a[order].astype(np.int32), of.b[order].astype(np.int32), of.start[order], of.end[order]]
    return pa.table(columns, schema=CONTACTS)


CORES = 1


def run() -> list[Row]:
    """All rows of the report."""
    rows = []
    small = scene(79, 67_360, 5_700)
    stick = yardstick(small) * NANO
    push = seconds_per_contact(BY_NAME["push"], small) * NANO
    for name, times, target in WAITING:  # what cannot go must not be looked at again and again
        start = seconds_per_contact(BY_NAME[name], small) * NANO
        what = f"{name}, 79 nodes, 67,360 contacts"
        if times is None:
            rows.append(compare(what, "ns/contact", start, "push", push))
        else:
            rows.append(compare(what, "ns/contact", start, f"{times:g} x push, as before", times * push, target))
    for name, target in TARGETS.items():
        start = seconds_per_contact(BY_NAME[name], small) * NANO
        what = f"{name}, 79 nodes, 67,360 contacts"
        rows.append(compare(what, "ns/contact", start, f"{target:g} M contacts/s", 1000 / target, target=1.0))
        rows.append(compare(f"{what}: beside the yardstick", "ns/contact", start, "decay and merge", stick))
        lasting = seconds_per_contact(BY_NAME[name], small, "continuous") * NANO
        rows.append(compare(f"{name}, continuous", "ns/contact", lasting, "2.5 x start", 2.5 * start, target=1.0))
    large = scene(1_000, 5_000_000, 72_000)
    rows += beside_cpp("79 nodes", small, NAMES, TTL, BUFFER, repeats=5)
    rows += beside_cpp("1,000 nodes", large, NAMES, TTL, BUFFER, repeats=1)
    direct = {}
    for name, target in TARGETS.items():
        direct[name] = start = seconds_per_contact(BY_NAME[name], large, repeats=1) * NANO
        what = f"{name}, 1,000 nodes, 5 M contacts"
        rows.append(compare(what, "ns/contact", start, f"{target / 2:g} M contacts/s", 2000 / target, target=1.0))
    hashed = _hashed(large) * NANO
    what, before = "bsub13, 1,000 nodes: entries in hash tables", 1.54 * direct["bsub13"]
    rows.append(compare(what, "ns/contact", hashed, "direct layout", direct["bsub13"], 1 / 1.2, before))
    return [*rows, *_memory()]


def _hashed(of: Scene) -> float:
    """Seconds per contact of B-SUB where a node's messages are found in a hash table, as in large networks."""
    usual = engine.DIRECT_ENTRIES
    engine.DIRECT_ENTRIES = 0
    try:
        return seconds_per_contact(BY_NAME["bsub13"], of, repeats=2)
    finally:
        engine.DIRECT_ENTRIES = usual


def _memory() -> list[Row]:
    """What the command takes at 10,000 nodes and 20 million contacts; compiling, reading and counting included."""
    rows = []
    for messages, before in ((5_700, None), (72_000, 2.6)):
        with tempfile.TemporaryDirectory() as folder:
            # In a process of its own: its memory is not of the command.
            command = [sys.executable, "-m", "benchmarks.simulator", folder, str(HUGE), str(messages)]
            subprocess.run(command, check=True, capture_output=True, env=os.environ | {"HUNET_HOME": folder})
            files = f"--messages {folder}/messages.csv --interests {folder}/interests.csv"
            order = f"simulate big --protocol bsub13 --buffer {BUFFER} --ttl 10h --json {files}"
            spent = cost_of(hunet(order), {"HUNET_HOME": folder})
        nanoseconds = json.loads(spent.printed)["measures"]["cpu_seconds"] / HUGE * NANO
        what = f"bsub13, 10,000 nodes, 20 M contacts, {messages:,} messages"
        rows.append(within(f"{what}: memory", "GB", spent.gigabytes, 1.5, before))
        target = TARGETS["bsub13"]
        rows.append(compare(what, "ns/contact", nanoseconds, f"{target:g} M contacts/s", 1000 / target))
        rows.append(
            compare(f"{what}: the whole command", "ns/contact", spent.cpu / HUGE * NANO, "its loop", nanoseconds)
        )
    return rows


def store_scene(folder: Path, of: Scene) -> None:
    """A trace `big` in a home of hunet, and files of messages and interests beside it."""
    nodes = of.wants.shape[0]
    names = [f"n{node}" for node in range(nodes)]
    kinds = pa.array(["internal"] * nodes), pa.nulls(nodes, pa.string())
    tables = {
        "contacts": _contacts(of),
        "nodes": pa.table([np.arange(nodes, dtype=np.int32), names, *kinds], schema=NODES),
    }
    store_tables(TraceStore(folder), Label("big"), tables, {})
    sources = [names[source] for source in of.source]
    tags = [NAMES[tag] for tag in of.tag]
    csv.write_csv(pa.table({"time": of.created, "source": sources, "tag": tags}), folder / "messages.csv")
    who, what = np.nonzero(of.wants)
    interests = {"node": [names[node] for node in who], "tag": [NAMES[tag] for tag in what]}
    csv.write_csv(pa.table(interests), folder / "interests.csv")


if __name__ == "__main__":
    store_scene(Path(sys.argv[1]), scene(10_000, int(sys.argv[2]), int(sys.argv[3])))
