"""`make fuzz`: many damaged byte strings through every decoder.

    python -m tests.fuzz [--cases 1000000] [--seed 1]

Filters are tried compiled, as they are used; what devices say is tried by a process without numba, since it would have
to compile every protocol's functions first.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

from rich.console import Console
from rich.table import Table

from hunet.kernels import COMPILED
from tests.fuzz.filter_decoders import filter_decoders
from tests.fuzz.fuzz import Report, fuzz

_SPOKEN_SHARE = 0.7
"""Of the cases, go to what devices say: about as many decoders are."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=int, default=1_000_000, help="byte strings to try (default: one million)")
    parser.add_argument("--seed", type=int, default=1, help="of the random changes (default: 1)")
    asked = parser.parse_args()
    began = time.perf_counter()
    if not COMPILED:
        from tests.fuzz.spoken_decoders import spoken_decoders

        raise SystemExit(_end(fuzz(spoken_decoders(), asked.cases, asked.seed, progress=True), began))
    spoken = round(_SPOKEN_SHARE * asked.cases)
    failed = _end(fuzz(filter_decoders(), asked.cases - spoken, asked.seed, progress=True), began)
    command = [sys.executable, "-m", "tests.fuzz", f"--cases={spoken}", f"--seed={asked.seed}"]
    other = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, check=False)
    raise SystemExit(failed or other.returncode)


def _end(report: Report, began: float) -> int:
    """Show what happened; 1 if something failed."""
    console = Console()
    seconds = time.perf_counter() - began
    table = Table("decoder", "cases", "accepted", title=f"{report.cases.total():,} cases in {seconds:.0f} s")
    for name, count in report.cases.items():
        table.add_row(name, f"{count:,}", f"{report.accepted[name]:,}")
    console.print(table)
    reasons = Table("refused because", "cases")
    for reason, count in report.reasons.most_common():
        reasons.add_row(reason, f"{count:,}")
    console.print(reasons)
    console.print(f"slowest: {1000 * report.slowest[0]:.1f} ms ({report.slowest[1]})")
    share, case = report.nearest_to_bound
    console.print(f"nearest to its bound of memory: {100 * share:.0f} % ({case})")
    for failure in report.failures[:20]:
        console.print(f"[red]failed:[/red] {failure}", highlight=False)
    console.print(f"failures: {len(report.failures)}")
    return 1 if report.failures else 0


if __name__ == "__main__":
    main()
