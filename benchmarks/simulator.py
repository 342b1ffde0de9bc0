"""The simulator's event loop, on one core, beside a yardstick measured in the same run.

The yardstick is a compiled loop that decays and merges two rows of 256 one-byte counters per contact: what a contact of
two B-SUB nodes cannot do without. Machines differ; the ratio to it differs less.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.measure import Row, compare, cpu_seconds
from hunet.filters.counters import decay, m_merge
from hunet.kernels import loop
from hunet.protocols import PROTOCOLS, Protocol
from hunet.protocols.protocol import interests_from
from hunet.sim.engine.run import Conditions
from hunet.sim.engine.run import run as simulate
from hunet.sim.engine.scene import Scene

NANO = 1e9
TAGS = 38
TTL = 36_000.0
BUFFER = 100

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
    tags = [f"tag{i}" for i in range(TAGS)]
    conditions = Conditions(model, buffer=BUFFER)
    runs = (simulate(protocol, protocol.settings(), of, tags, conditions).cpu_seconds for _ in range(repeats))
    return min(runs) / of.a.size


CORES = 1


def run() -> list[Row]:
    """All rows of the report."""
    rows = []
    small = scene(79, 67_360, 5_700)
    stick = yardstick(small) * NANO
    push = seconds_per_contact(BY_NAME["push"], small) * NANO
    for name in ("spray", "neighbors", "prophet"):  # what cannot go must not be looked at again and again
        start = seconds_per_contact(BY_NAME[name], small) * NANO
        rows.append(compare(f"{name}, 79 nodes, 67,360 contacts", "ns/contact", start, "push", push))
    for name, target in TARGETS.items():
        start = seconds_per_contact(BY_NAME[name], small) * NANO
        what = f"{name}, 79 nodes, 67,360 contacts"
        rows.append(compare(what, "ns/contact", start, f"{target:g} M contacts/s", 1000 / target, target=1.0))
        rows.append(compare(f"{what}: beside the yardstick", "ns/contact", start, "decay and merge", stick))
        lasting = seconds_per_contact(BY_NAME[name], small, "continuous") * NANO
        rows.append(compare(f"{name}, continuous", "ns/contact", lasting, "2.5 x start", 2.5 * start, target=1.0))
    large = scene(1_000, 5_000_000, 72_000)
    for name, target in TARGETS.items():
        start = seconds_per_contact(BY_NAME[name], large, repeats=1) * NANO
        what = f"{name}, 1,000 nodes, 5 M contacts"
        rows.append(compare(what, "ns/contact", start, f"{target / 2:g} M contacts/s", 2000 / target, target=1.0))
    return [*rows, *_memory()]


def _memory() -> list[Row]:
    """The most memory a run takes at 10,000 nodes and 20 million contacts, with all that Python and the scene take.

    The scene is made in a process of its own: a child begins with its parent's peak.
    """
    rows = []
    for messages in (5_700, 72_000):
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "scene.npz")
            _in_a_new_process("make", path, str(messages))
            gigabytes, nanoseconds = _in_a_new_process("memory", "bsub13", path)
        what = f"bsub13, 10,000 nodes, 20 M contacts, {messages:,} messages"
        rows.append(compare(f"{what}: memory", "GB", gigabytes, "target of 1.5 GB", 1.5, target=1.0))
        target = TARGETS["bsub13"]
        rows.append(compare(what, "ns/contact", nanoseconds, f"{target:g} M contacts/s", 1000 / target))
    return rows


def _make_scene(path: str, messages: str) -> None:
    made = scene(10_000, 20_000_000, int(messages))._asdict()
    del made["interests"]
    np.savez(path, **made)


def _in_a_new_process(*arguments: str) -> list[float]:
    command = [sys.executable, "-m", "benchmarks.simulator", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [float(word) for word in done.stdout.split()]


def _show_memory(name: str, path: str) -> None:
    with np.load(path) as stored:
        arrays = {field: stored[field] for field in Scene._fields if field != "interests"}
    loaded = Scene(**arrays, interests=interests_from([False, True]))  # a file would drop how records are aligned
    seconds = seconds_per_contact(BY_NAME[name], loaded, repeats=1)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, seconds * NANO)


if __name__ == "__main__":
    TASKS: dict[str, Callable[..., None]] = {"make": _make_scene, "memory": _show_memory}
    TASKS[sys.argv[1]](*sys.argv[2:])
