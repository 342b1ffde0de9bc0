"""A small invented pair table and list of event times, in the layout of the Haggle files."""

from __future__ import annotations

import gzip
from pathlib import Path

CONTACTS = [[0, 4, 1, 0], [3, 0, 60, 0], [0, 58, 0, 2], [0, 0, 2, 0]]
"""Row: the device seen; column: the device that recorded it."""
SECONDS = [[0, 900, 1, 0], [700, 0, 45000, 0], [0, 44000, 0, 10], [0, 0, 20, 0]]
EVENT_TIMES = [float(10 * i) for i in range(3000)] + [float(60_000 + 30 * i) for i in range(1000)]
"""A busy first stretch, nothing between 30,000 and 60,000 s, and a quieter second one."""


def write_invented_trace(folder: Path) -> tuple[Path, Path]:
    """The pair table (plain) and the event times (gzip)."""
    head = "ID #\tClass\tIncidence\tOccurence   :\tTotal\t" + "\t".join(f"ID {i}" for i in range(1, 5))
    lines = [head, "\t\t\t\tContact Time :"]
    for device, (counts, seconds) in enumerate(zip(CONTACTS, SECONDS, strict=True), start=1):
        lines.append(f"{device}\t1\t3\t\t\t\t{sum(counts)}\t" + "\t".join(map(str, counts)))
        lines.append(f"\t\t\t\t\t\t{sum(seconds)}\t" + "\t".join(map(str, seconds)))
        lines.append("")
    lines += ["100\t2\t1\t\t\t\t5\t5\t0\t0\t0", "\t\t\t\t\t\t50\t50\t0\t0\t0", ""]
    table, times = folder / "table.dat", folder / "times.gz"
    table.write_text("\n".join(lines), encoding="utf-8")
    with gzip.open(times, "wt", encoding="utf-8") as text:
        text.write(",".join(map(str, EVENT_TIMES)))
    return table, times
