"""One process at a time makes something that others want as well: they wait, and find it made.

The turn is a lock that the system takes back from a process that ends, however it ends. Whoever waits too long (for a
process that is halted, or on a file system without locks) goes on as if it were its turn: it makes the same once more.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

__all__ = ["in_turn"]

_LONGEST = 120.0
_LOOK_EVERY = 0.05


@contextmanager
def in_turn(made: Path) -> Iterator[None]:
    """Do the block while no other process does the same for this file, which may be there by then."""
    lock = made.with_name(f".{made.name}.turn")
    try:
        file = lock.open("w")
    except OSError:  # nothing can be written there: nobody else will either
        yield
        return
    with file:
        _wait(file)
        try:
            yield
        finally:
            # Who has opened it meanwhile is alone with it: at worst the same is made twice.
            with suppress(OSError):
                lock.unlink(missing_ok=True)


if sys.platform == "win32":

    def _wait(file: IO[str]) -> None:
        """Locks are another thing there: nobody waits."""
else:
    import fcntl

    def _wait(file: IO[str]) -> None:
        until = time.monotonic() + _LONGEST
        while time.monotonic() < until:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(_LOOK_EVERY)
            except OSError:
                return
            else:
                return
