"""Folders of things that are executed or unpickled when they are found again: nobody else may have put them there."""

from __future__ import annotations

import logging
import os
import stat
from functools import cache
from pathlib import Path

__all__ = ["is_as_safe_as", "is_private", "private_folder"]

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def private_folder(root: Path, *inside: str) -> Path | None:
    """The folder `root/inside...`. Every level from `root` on that is absent is made for the user alone.

    None where it cannot be made, and where some level is not private: that is said, once, and the folder is not to be
    used.
    """
    folder = root
    for part in ("", *inside):
        folder = folder / part
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)  # does something above `root` only
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError:
            return None
        if not is_private(folder):
            _say(folder)
            return None
    return folder


def is_private(path: Path) -> bool:
    """Whether a file or folder is there, belongs to the user, and nobody else may write to it."""
    if os.name == "nt":
        return path.exists()  # a user's folders are private there, and the bits of a mode mean nothing
    try:
        found = path.stat()
    except OSError:
        return False
    return found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE


def is_as_safe_as(code: Path, path: Path) -> bool:
    """Whether a file or folder belongs to the owner of this code, and nobody may write to it who may not to the code.

    For what came with the code: trusting it asks no more than running the code does.
    """
    if os.name == "nt":
        return path.exists()
    try:
        found, known = path.stat(), code.stat()
    except OSError:
        return False
    may = known.st_mode if found.st_gid == known.st_gid else known.st_mode & ~stat.S_IWGRP
    return found.st_uid == known.st_uid and not found.st_mode & _OTHERS_WRITE & ~may


@cache
def _say(folder: Path) -> None:
    logging.getLogger(__name__).warning(
        "hunet: the cache '%s' is not used: others own it or may write to it "
        "(remove it, or chmod go-w it if it is yours)",
        folder,
    )
