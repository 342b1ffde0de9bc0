"""Text of any origin as a terminal may show it."""

from __future__ import annotations

import unicodedata

__all__ = ["printable"]

_MOST = 1000
"""Letters of a line: what somebody wrote into a file may be of any length."""


def printable(text: str) -> str:
    """What would move the cursor, colour the screen or turn the direction is written out; endless lines are cut.

    >>> printable("a\\x1b[31mb")
    'a\\\\x1b[31mb'
    """
    shown = "".join(letter if _is_harmless(letter) else repr(letter)[1:-1] for letter in text)
    lines = shown.split("\n")
    return "\n".join(line if len(line) <= _MOST else f"{line[:_MOST]} ... ({len(line):,} letters)" for line in lines)


def _is_harmless(letter: str) -> bool:
    return letter.isprintable() or letter == "\n" or unicodedata.category(letter) == "Zs"
