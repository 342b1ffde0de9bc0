"""The scene of Fig. 6 of [bsub10] and Fig. 8 of [bsub13]: A meets B once, then B and C meet again and again."""

from __future__ import annotations

from typing import Literal

from hunet.filters import TCBF, Hashing

__all__ = ["INTEREST", "meetings"]

INTEREST = "what A wants"


def meetings(period: int, merge: Literal["A", "M"], until: int, initial: int = 10) -> list[tuple[int, int]]:
    """The smallest counter of A's interest at B and at C, after each unit of time (I = 10, DF = 1 by default)."""
    family = Hashing(m=32, k=4)
    genuine = TCBF(family, initial, decay_cycle=1.0, keys=[INTEREST])
    b = TCBF(family, initial, decay_cycle=1.0)
    c = TCBF(family, initial, decay_cycle=1.0)
    b.a_merge(genuine)
    course = []
    for now in range(1, until + 1):
        b.decay(now)
        c.decay(now)
        if now % period == 0:  # both sides see the other as it was before the contact
            b, c = (b + c, c + b) if merge == "A" else (b | c, c | b)
        course.append((b[INTEREST], c[INTEREST]))
    return course
