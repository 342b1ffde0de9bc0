"""`make demo`, installation aside: with nothing compiled yet, and again with all loops in the cache.

Its time holds for an idle machine, CPU time for any; the difference of the two is what compiling all loops costs.
"""

from __future__ import annotations

import tempfile

from benchmarks.command import cost_of, hunet
from benchmarks.measure import Row, within

CORES = 2


def run() -> list[Row]:
    """Rows for both runs."""
    with tempfile.TemporaryDirectory() as folder:
        place = {"HUNET_HOME": f"{folder}/home", "XDG_CACHE_HOME": f"{folder}/cache"}
        first, again = (
            cost_of(hunet(f"reproduce all --quick --out {folder}/{name}"), place) for name in ("first", "again")
        )
    return [
        within("make demo, the first time", "s", first.seconds, 240.0, 420.0),
        within("make demo, later", "s", again.seconds, 90.0, 180.0),
        within("make demo, later: CPU time of two cores for that long", "s CPU", again.cpu, 180.0),
        within("compiling all its loops", "s CPU", first.cpu - again.cpu, 130.0, 350.0),
    ]
