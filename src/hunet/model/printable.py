"""Text of any origin as a terminal may show it."""

from __future__ import annotations

import unicodedata

__all__ = ["printable"]

_MOST = 1000
"""Letters of a line: what somebody wrote into a file may be of any length."""
_END = 300
"""Those at the end of it, where reasons stand."""


def printable(text: str) -> str:
    """What would move the cursor, colour the screen or turn the direction is written out; endless lines lose
    their middle.

    >>> printable("a\\x1b[31mb")
    'a\\\\x1b[31mb'
    """
    shown = "".join(letter if _is_harmless(letter) else repr(letter)[1:-1] for letter in text)
    return "\n".join(line if len(line) <= _MOST else _shortened(line) for line in shown.split("\n"))


def _shortened(line: str) -> str:
    return f"{line[: _MOST - _END]} ... ({len(line):,} letters) ... {line[-_END:]}"


def _is_harmless(letter: str) -> bool:
    return letter.isprintable() or letter == "\n" or unicodedata.category(letter) == "Zs"
