"""Numbers as text: written in one way only, so that no two readers of a file disagree about them."""

from __future__ import annotations

import math
import re

__all__ = ["MOST_SECONDS", "NUMBER", "plain_number"]

MOST_SECONDS = 7e12
"""Of a time, before or after 0: it is counted in whole microseconds of 64 bits, and so are differences."""

NUMBER = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"
"""How a number is written: Python itself would also take 1_000, digits of other scripts, and words such as nan."""

_NUMBER = re.compile(NUMBER)


def plain_number(text: str) -> float | None:
    """The finite number that a text is, but for blanks around it; None for any other text.

    >>> plain_number(" 1.5e3 "), plain_number("1_000"), plain_number("nan"), plain_number("1e999")
    (1500.0, None, None, None)
    """
    stripped = text.strip()
    if len(stripped) > 1000 or _NUMBER.fullmatch(stripped) is None:
        return None
    found = float(stripped)
    return found if math.isfinite(found) else None
