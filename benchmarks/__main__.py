"""`make bench`: run every benchmark, or those named, and print tables with ratios.

Each subject says on how many cores it runs (`CORES`); every ratio is measured in the same run. `before` is what ours
was on two quiet cores before it was worked on; all else is of this machine, today. A subject that fails is told, and
the others run.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table

SUBJECTS = (
    *("starts", "demo", "imports", "pipeline", "simulator", "parts", "sweep"),
    *("filters", "ranges", "beacons", "social"),
)


@contextmanager
def on_cores(count: int) -> Iterator[None]:
    """Keep this process and its children to so many cores, where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(allowed)[:count]))
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in SUBJECTS]
    if unknown:
        print(f"hunet: no benchmark named {unknown[0]!r}; there are: {', '.join(SUBJECTS)}", file=sys.stderr)
        return 2
    console = Console(width=150)
    missed = False
    for name in names or SUBJECTS:
        subject = importlib.import_module(f"benchmarks.{name}")
        try:
            with console.status(f"measuring {name} ..."), on_cores(subject.CORES):
                rows = subject.run()
        except Exception as failure:
            console.print(f"{name}: {type(failure).__name__}: {failure}", style="red")
            missed = True
            continue
        table = Table(title=f"{name}, cores used: {subject.CORES}", title_justify="left")
        for heading in ("what", "before", "hunet", "unit", "beside", "theirs", "ratio", "target", ""):
            table.add_column(heading, justify="left" if heading in ("what", "unit", "beside", "") else "right")
        for row in rows:
            target = "" if row.target is None else f"{row.target:.3g}x"
            before = "" if row.before is None else f"{row.before:.3g}"
            theirs, ours = f"{row.theirs:.3g}", f"{row.ours:.3g}"
            table.add_row(row.what, before, ours, row.unit, row.peer, theirs, f"{row.ratio:.2f}x", target, row.verdict)
            missed |= row.verdict == "MISSED"
        console.print(table)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
