"""One simulation in parts: `hunet simulate --parts` beside the same in one piece, on two cores.

Every part goes through all contacts, so what parts save is what messages cost; starting processes is part of it. A big
one, whose deliveries are more than a process should hold, is measured by its memory; the whole of it takes minutes:

    python -m benchmarks.parts big
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.command import Cost, cost_of, hunet
from benchmarks.measure import Row, compare, within
from benchmarks.simulator import scene, store_scene

CORES = 2
NODES, CONTACTS, MESSAGES = 1_000, 2_000_000, 200_000
PARTS = (2, 10)
BIG = {
    "a quarter of it": (5_000_000, 180_000, 2.0),
    "big": (20_000_000, 720_000, 5.0),
}
"""Contacts of 10,000 nodes, messages, and how many gigabytes all processes may take together."""


def run() -> list[Row]:
    """Rows for each number of parts: time and memory; the numbers must be the same."""
    _compile("push")
    with tempfile.TemporaryDirectory() as folder:
        store_scene(Path(folder), scene(NODES, CONTACTS, MESSAGES))
        whole, *others = (_simulate(folder, "push", parts) for parts in (1, *PARTS))
    rows = []
    for parts, other in zip(PARTS, others, strict=True):
        what = f"push, {NODES:,} nodes, {CONTACTS:,} contacts, {MESSAGES:,} messages in {parts} parts"
        rows += _beside_one_part(what, other, whole)
        rows.append(within(f"{what}: memory", "GB", other.gigabytes, 5.0))
    return [*rows, *_big("a quarter of it")]


def _beside_one_part(what: str, parted: Cost, whole: Cost) -> list[Row]:
    if _measures(parted) != _measures(whole):
        raise RuntimeError(f"{what}: they do not add up to the whole")
    return [
        compare(f"{what}: time", "s", parted.seconds, "one part", whole.seconds),
        compare(f"{what}: CPU time", "s CPU", parted.cpu, "one part", whole.cpu),
    ]


def _big(size: str) -> list[Row]:
    contacts, messages, most = BIG[size]
    _compile("spray")
    with tempfile.TemporaryDirectory() as folder:
        # In a process of its own: its memory is not of the command.
        command = [sys.executable, "-m", "benchmarks.simulator", folder, str(contacts), str(messages)]
        subprocess.run(command, check=True, capture_output=True, env=os.environ | {"HUNET_HOME": folder})
        spent, whole = (_simulate(folder, "spray", parts) for parts in (max(PARTS), 1))
    what = f"spray, 10,000 nodes, {contacts:,} contacts, {messages:,} messages in {max(PARTS)} parts"
    return [within(f"{what}: memory", "GB", spent.gigabytes, most), *_beside_one_part(what, spent, whole)]


def _compile(protocol: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store_scene(Path(folder), scene(100, 1_000, 100))
        _simulate(folder, protocol, 1)


def _simulate(folder: str, protocol: str, parts: int) -> Cost:
    files = f"--messages {folder}/messages.csv --interests {folder}/interests.csv"
    order = f"simulate big --protocol {protocol} --buffer unlimited --ttl 10h --json --parts {parts} {files}"
    return cost_of(hunet(order), {"HUNET_HOME": folder})


def _measures(cost: Cost) -> dict[str, float]:
    measures: dict[str, float] = json.loads(cost.printed)["measures"]
    del measures["cpu_seconds"]
    return measures


if __name__ == "__main__":
    for row in _big(sys.argv[1]):
        print(row)
