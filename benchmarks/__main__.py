"""`make bench`: run every benchmark, or those named, and print one table with ratios.

The process keeps to one core, so that figures compare; each row's ratio is measured in the same run.
"""

from __future__ import annotations

import importlib
import os
import sys

from rich.console import Console
from rich.table import Table

SUBJECTS = ("filters", "simulator")


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in SUBJECTS]
    if unknown:
        print(f"hunet: no benchmark named {unknown[0]!r}; there are: {', '.join(SUBJECTS)}", file=sys.stderr)
        return 2
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    console = Console(width=120)
    missed = False
    for name in names or SUBJECTS:
        with console.status(f"measuring {name} ..."):
            rows = importlib.import_module(f"benchmarks.{name}").run()
        table = Table(title=f"{name}: CPU time, best of several runs, one core", title_justify="left")
        for heading in ("what", "hunet", "unit", "beside", "theirs", "ratio", "target", ""):
            table.add_column(heading, justify="left" if heading in ("what", "unit", "beside", "") else "right")
        for row in rows:
            target = "" if row.target is None else f"{row.target:g}x"
            theirs, ours = f"{row.theirs:.3g}", f"{row.ours:.3g}"
            table.add_row(row.what, ours, row.unit, row.peer, theirs, f"{row.ratio:.2f}x", target, row.verdict)
            missed |= row.verdict == "MISSED"
        console.print(table)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
