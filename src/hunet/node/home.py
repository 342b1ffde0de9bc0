"""Where a node lives: one folder with its keys, its network, its store, its log and its door, for its owner alone."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hunet.model.errors import NodeError
from hunet.node.identity import make_private_folder

__all__ = ["DOOR", "LOG", "STORE", "TOKEN", "in_charge", "wipe"]

STORE, LOG, DOOR, LOCK, TOKEN = "node.db", "node.jsonl", "door", "lock", "token"
_ITS_OWN = (
    *("author.key", "link.key", "settings.key", "network.json"),
    *(STORE, f"{STORE}-wal", f"{STORE}-shm", LOG, DOOR, LOCK, TOKEN),
)
"""All that a node makes there."""


@contextmanager
def in_charge(home: Path) -> Iterator[None]:
    """A block in which no other process runs this node."""
    make_private_folder(home)
    handle = os.open(home / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise NodeError(f"the node in '{home}' is running: stop it first, or give another --home DIR") from None
        yield
    finally:
        os.close(handle)


def wipe(home: Path) -> list[str]:
    """Remove all that a node keeps, its keys too; what was there. Files of others stay."""
    if not home.is_dir():
        return []
    with in_charge(home):
        gone = [name for name in _ITS_OWN if (home / name).exists() or (home / name).is_symlink()]
        for name in gone:
            (home / name).unlink()
    if not any(home.iterdir()):
        home.rmdir()
    return [name for name in gone if name != LOCK]
