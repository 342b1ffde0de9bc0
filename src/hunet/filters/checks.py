"""Checks of arguments that several filters share: each says the value, the limit and nothing else."""

from __future__ import annotations

import math

import numpy as np

from hunet.model.errors import ClockError, InvalidValueError

__all__ = ["require_int", "require_later", "require_real", "require_time"]


def require_int(name: str, value: object, low: int, high: int) -> None:
    """Refuse what is not a whole number in [low, high]."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InvalidValueError(f"{name} must be a whole number, got {value!r}")
    if not low <= value <= high:
        raise InvalidValueError(f"{name} must lie in {low}..{high}, got {value}")


def require_real(name: str, value: object, low: float, high: float = math.inf) -> None:
    """Refuse what is not a number in [low, high]."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise InvalidValueError(f"{name} must be a number, got {value!r}")
    if not low <= value <= high:
        raise InvalidValueError(f"{name} must lie in {low:g}..{high:g}, got {value}")


def require_time(now: float) -> None:
    """Refuse a time that is negative or not finite."""
    if isinstance(now, bool) or not isinstance(now, int | float | np.number) or not math.isfinite(now) or now < 0:
        raise ClockError(f"a time is a finite number of seconds from 0 on, got {now!r}")


def require_later(now: float, before: float) -> None:
    """Refuse a time earlier than one that was already given."""
    require_time(now)
    if now < before:
        raise ClockError(f"the clock went backwards: now {now} is before {before}")
