"""Files that are there whole, or not at all. This module knows nothing else of hunet."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["PARTS", "whole_file"]

PARTS = ".*.part"
"""By this pattern drafts are found that a killed process left behind."""


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Where to write: a draft beside the file, whose place it takes by one rename when the block ends well.

    If it does not, nothing changes. Two who write the same file at once have a draft each.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    try:
        yield draft
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
