"""One simulation in parts: `hunet simulate --parts` beside the same in one piece, on two cores.

Every part goes through all contacts, so what parts save is what messages cost; starting processes is part of it.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from benchmarks.command import Cost, cost_of, hunet
from benchmarks.measure import Row, compare, within
from benchmarks.simulator import scene, store_scene

CORES = 2
NODES, CONTACTS, MESSAGES = 1_000, 2_000_000, 200_000
PARTS = (2, 10)


def run() -> list[Row]:
    """Rows for each number of parts: time and memory; the numbers must be the same."""
    with tempfile.TemporaryDirectory() as folder:
        store_scene(Path(folder), scene(NODES, CONTACTS, MESSAGES))
        _simulate(folder, 1)  # compiles
        whole, *others = (_simulate(folder, parts) for parts in (1, *PARTS))
    rows = []
    for parts, other in zip(PARTS, others, strict=True):
        if _measures(other) != _measures(whole):
            raise RuntimeError(f"{parts} parts do not add up to the whole")
        what = f"push, {NODES:,} nodes, {CONTACTS:,} contacts, {MESSAGES:,} messages in {parts} parts"
        rows.append(compare(f"{what}: time", "s", other.seconds, "one part", whole.seconds))
        rows.append(compare(f"{what}: CPU time", "s CPU", other.cpu, "one part", whole.cpu))
        rows.append(within(f"{what}: memory", "GB", other.gigabytes, 5.0))
    return rows


def _simulate(folder: str, parts: int) -> Cost:
    files = f"--messages {folder}/messages.csv --interests {folder}/interests.csv"
    order = f"simulate big --protocol push --buffer unlimited --ttl 10h --json --parts {parts} {files}"
    return cost_of(hunet(order), {"HUNET_HOME": folder})


def _measures(cost: Cost) -> dict[str, float]:
    measures: dict[str, float] = json.loads(cost.printed)["measures"]
    del measures["cpu_seconds"]
    return measures
