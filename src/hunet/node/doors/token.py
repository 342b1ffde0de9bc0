"""The secret that opens a node's doors: made once, kept in its home, for its owner alone."""

from __future__ import annotations

import hmac
import secrets
from pathlib import Path

from hunet.node.home import TOKEN
from hunet.node.identity import read_private, write_private

__all__ = ["is_token", "token_at"]

_MOST = 100


def token_at(home: Path) -> str:
    """The token of a node's doors; a new one on the first call. It stays the same, so that a bookmark works."""
    file = home / TOKEN
    if not file.exists():
        write_private(file, secrets.token_urlsafe(32).encode())
    return read_private(file, most=_MOST).decode(errors="replace").strip()


def is_token(given: bytes, token: str) -> bool:
    """Compared in a time that says nothing about how much of it was right."""
    return hmac.compare_digest(given, token.encode())
