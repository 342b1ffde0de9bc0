"""Time on a device: milliseconds on a clock of its own that never runs back and goes on while the device sleeps.

Nobody else's clock is ever believed, so nothing depends on what time it is, only on how much has passed. The clock
counts from boot; what was added to that is kept with the name of the boot, and after a new one the clock goes on where
it stood, or at the wall's time if that is later.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

__all__ = ["BootClock", "Clock", "VirtualClock"]

Clock: TypeAlias = Callable[[], int]
"""Milliseconds; never less than before."""

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_SINCE_BOOT = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def _boot_id() -> str:
    try:
        return _BOOT_ID.read_text().strip()
    except OSError:
        return ""


class BootClock:
    """Time since boot and a kept offset."""

    def __init__(self, kept: str | None = None, last: int = 0) -> None:
        """`kept` is what `keep` said before, `last` the latest time that anything was written down at."""
        boot, _, offset = (kept or "").partition(" ")
        since_boot = time.clock_gettime_ns(_SINCE_BOOT) // 1_000_000
        self._boot = _boot_id()
        if boot and boot == self._boot:
            self._offset = max(int(offset), last - since_boot)
        else:
            self._offset = max(time.time_ns() // 1_000_000, last) - since_boot

    def __call__(self) -> int:
        return time.clock_gettime_ns(_SINCE_BOOT) // 1_000_000 + self._offset

    def keep(self) -> str:
        """What to write down for the next start."""
        return f"{self._boot} {self._offset}"


class VirtualClock:
    """A clock that is set by hand, in replays and tests."""

    def __init__(self, now: int = 0) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now
