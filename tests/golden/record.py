"""Writes the golden files anew: only where a result changed on purpose, which the commit then names.

    python -m tests.golden.record                              those that take seconds
    python -m tests.golden.record study quick_reproduction     these, which take minutes

What differs in `git diff` afterwards is what has changed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

QUICK = ("simulations", "oracle", "wire", "ledger")


def main(names: list[str]) -> None:
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # before anything of ours is imported; commands compile all the same
    from tests.golden import oracle, reproduction, scenarios, study, wire
    from tests.golden.canonical import write

    made: dict[str, Callable[[], dict[str, Any]]] = {
        "simulations": scenarios.record,
        "oracle": oracle.record,
        "wire": wire.record,
        "ledger": reproduction.ledger,
        "study": lambda: in_new_home(study.record),
        "quick_reproduction": lambda: in_new_home(reproduction.record),
    }
    for name in names or QUICK:
        write(f"{name}.json", made[name]())


def in_new_home(made: Callable[[Path], dict[str, Any]]) -> dict[str, Any]:
    with TemporaryDirectory() as home:
        return made(Path(home))


if __name__ == "__main__":
    main(sys.argv[1:])
