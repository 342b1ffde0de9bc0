"""A byte string read as a list of choices.

Hypothesis draws the bytes, which is fast and which it knows how to shorten; the tests read them as actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st

from hunet.filters import PUBLIC_KEY, Hashing
from tests.naive.hashing import NaiveHashing

Choice = TypeVar("Choice")

programs = st.binary(min_size=24, max_size=60)
"""About ten actions of four or five choices each."""

many_walks = settings(max_examples=100 if settings().max_examples < 100 else 1700)
"""Six structures walk 1,700 times each: 10,200 sequences; fewer in the run without compilation."""

KEYS: tuple[str | bytes, ...] = (
    "jazz",
    "opera",
    "chess",
    "go",
    b"\xff\x00raw",
    "ярмарка",
    "a",
    "a longer key than one block",
    "x" * 16,
    "tango",
)

FAMILIES = (
    (1, 1, PUBLIC_KEY, False),
    (2, 3, PUBLIC_KEY, False),
    (7, 2, PUBLIC_KEY, False),
    (20, 4, PUBLIC_KEY, False),
    (33, 3, b"another network!", True),
    (64, 5, PUBLIC_KEY, False),
    (100, 9, PUBLIC_KEY, True),
    (130, 4, PUBLIC_KEY, False),
)


class Dice:
    """Hands out choices until the bytes are used up."""

    def __init__(self, program: bytes) -> None:
        self._bytes = iter(program)
        self._left = len(program)

    def __bool__(self) -> bool:
        return self._left > 0

    def number(self, below: int) -> int:
        """0 to below - 1 (at most 256); 0 when nothing is left."""
        self._left -= 1
        return next(self._bytes, 0) % below

    def of(self, choices: Sequence[Choice]) -> Choice:
        return choices[self.number(len(choices))]

    def key(self) -> str | bytes:
        return self.of(KEYS)

    def some_keys(self) -> list[str | bytes]:
        return [self.key() for _ in range(self.number(4))]

    def family(self) -> tuple[Hashing, NaiveHashing]:
        settings = self.of(FAMILIES)
        return Hashing(*settings), NaiveHashing(*settings)
