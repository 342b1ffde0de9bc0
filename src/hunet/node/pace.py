"""When something is due in a contact, and when a peer is too slow or too hasty."""

from __future__ import annotations

import asyncio
import math

from hunet.model.errors import DecodeError

__all__ = ["PING_EVERY", "RENEW", "SILENCE", "Pace"]

SILENCE = 15.0
"""Seconds after which a peer that says nothing is gone."""
PING_EVERY = 5.0
ANSWER = 120.0
"""Seconds in which a question must be answered, whatever else the peer says."""
RENEW = 600.0
"""Seconds after which the ends of a contact that lasts tell each other anew."""
_ROUNDS, _ROUNDS_EVERY = 8, 10_000
"""So many rounds a peer may ask for at once, and then one in so many milliseconds; likewise settings."""


class Pace:
    """Of one contact, which began in this millisecond of the node's clock."""

    def __init__(self, silence: float, began: int) -> None:
        self.silence = silence
        self._began = began
        self._owed = self._useful = math.inf

    def heard(self) -> None:
        """The peer said something of use."""
        self._useful = _now()

    def asked(self) -> None:
        """The peer owes an answer from now on."""
        self._owed = _now()

    def still_asked(self) -> None:
        """It owes one from now on, or has done so before."""
        self._owed = min(self._owed, _now())

    def answered(self) -> None:
        """It owes none."""
        self._owed = math.inf

    def patience(self) -> float:
        """Seconds that the peer may still be silent."""
        left = self.silence
        if self._owed < math.inf:
            left = min(self._useful + self.silence, self._owed + ANSWER) - _now()
        return max(0.0, min(left, self.silence))

    def refuse_haste(self, count: int, what: str, now: int) -> None:
        """So many of something, by this millisecond, may be too many."""
        if count > _ROUNDS + (now - self._began) // _ROUNDS_EVERY:
            raise DecodeError(f"{count} {what} in so short a time")

    def before_another(self, begun: int, now: int) -> float:
        """Seconds: several changes make one round, and never so many rounds that the peer would be suspicious."""
        allowed = _ROUNDS // 2 + (now - self._began) // _ROUNDS_EVERY
        return 0.2 if begun < allowed else _ROUNDS_EVERY / 1000


def _now() -> float:
    return asyncio.get_running_loop().time()
