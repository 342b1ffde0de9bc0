"""Writes the golden files anew, without numba: only where a result changed on purpose, which the commit then names.

python -m tests.golden.record                  those that take seconds
python -m tests.golden.record simulations      one of them
"""

from __future__ import annotations

import os
import sys

QUICK = ("simulations", "oracle", "wire")


def main(names: list[str]) -> None:
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # before anything of ours is imported
    from tests.golden import oracle, scenarios, wire
    from tests.golden.canonical import write

    made = {"simulations": scenarios.record, "oracle": oracle.record, "wire": wire.record}
    for name in names or QUICK:
        write(f"{name}.json", made[name]())


if __name__ == "__main__":
    main(sys.argv[1:])
