"""How far an import is, and how long each of its stages took."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

__all__ = ["Progress", "StageTimes"]

Progress = Callable[[str, int, int], None]
"""Called with the title of the stage that begins, its number from 0, and how many there are."""


class StageTimes:
    """A `Progress` that hands on what it is told, and takes the time of every stage until the block ends."""

    def __init__(self, told: Progress) -> None:
        self._told = told
        self._began = time.perf_counter()
        self._title: str | None = None
        self.seconds: dict[str, float] = {}

    def __call__(self, title: str, number: int, total: int) -> None:
        self.begin(title)
        self._told(title, number, total)

    def begin(self, title: str) -> None:
        """A stage that is none of the plan's begins."""
        self._end()
        self._title = title

    def __enter__(self) -> None:
        self._began = time.perf_counter()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, stack: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        now = time.perf_counter()
        if self._title is not None:
            self.seconds[self._title] = self.seconds.get(self._title, 0.0) + now - self._began
        self._began, self._title = now, None
