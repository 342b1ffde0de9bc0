"""What does the runs of a sweep.

A backend is one file: a context that starts what it needs, hands out a `Do` and ends what it started, as `on_spark.py`
and `on_processes.py` have it; a constructor of `Runner` names it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import TypeAlias

from hunet.sweeps.experiment import Run
from hunet.sweeps.folder import SweepFolder
from hunet.sweeps.supervisor import Limits

__all__ = ["Do", "Ends", "Look", "watch"]

Look: TypeAlias = Callable[[], set[str]]
"""Tells how far a sweep is, and hands back the runs that are still missing."""

Do: TypeAlias = Callable[[SweepFolder, Mapping[str, Run], Limits, Look], None]
"""Does these runs, by name, within these limits, and publishes each in the folder when it ends; looks now and then."""

Ends: TypeAlias = SimpleQueue[Exception | None]
"""Each thread puts here, when it ends, what went wrong."""

_LOOK_EVERY = 0.25


def watch(ends: Ends, threads: int, look: Look) -> Exception | None:
    """Wait until so many threads have ended, or one went wrong, looking around meanwhile; hands back what it was."""
    pause = _LOOK_EVERY
    until = time.monotonic() + pause
    while threads:
        try:
            failure = ends.get(timeout=max(0.0, until - time.monotonic()))
        except Empty:
            began = time.monotonic()
            look()
            pause = max(_LOOK_EVERY, 10 * (time.monotonic() - began))  # a million files take a while
            until = time.monotonic() + pause
            continue
        if failure is not None:
            return failure
        threads -= 1
    return None
