"""One writer at a time per trace, by a lock that the operating system frees when its holder dies."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hunet.model.errors import TraceError

if sys.platform != "win32":
    import fcntl


@contextmanager
def exclusive(path: Path, refusal: str) -> Iterator[None]:
    """Hold the lock file while the block runs; if somebody else holds it, raise a `TraceError` that says `refusal`.

    On Windows, which has no such locks, there is no protection against a second writer of the same trace.
    """
    with path.open("w") as stream:
        if sys.platform != "win32":
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise TraceError(refusal) from None
            if not _is_there(path, stream.fileno()):  # who held it before has removed the trace, lock and all
                raise TraceError(refusal)
        yield


def _is_there(path: Path, opened: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(opened))
    except FileNotFoundError:
        return False
