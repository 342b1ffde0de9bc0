"""Checks of arguments that several filters share: each says the value, the limit and nothing else.

What they return is the same number as Python's own int or float, so that no narrow numpy type wraps around later.
"""

from __future__ import annotations

import math

import numpy as np

from hunet.model.errors import ClockError, InvalidValueError

__all__ = ["MAX_TIME", "require_int", "require_later", "require_length", "require_real", "require_time"]

MAX_TIME = 1e12
"""The latest time in seconds (30,000 years): up to here milliseconds, and ticks of a microsecond, fit into 64 bits."""


def require_int(name: str, value: object, low: int, high: int) -> int:
    """Refuse what is not a whole number in [low, high]."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InvalidValueError(f"{name} must be a whole number, got {value!r}")
    if not low <= value <= high:
        raise InvalidValueError(f"{name} must lie in {low}..{high}, got {value}")
    return int(value)


def require_real(name: str, value: object, low: float, high: float = math.inf) -> float:
    """Refuse what is not a number in [low, high]."""
    number = _real(value)
    if number is None:
        raise InvalidValueError(f"{name} must be a number, got {value!r}")
    if not low <= number <= high:
        raise InvalidValueError(f"{name} must lie in {low:g}..{high:g}, got {value}")
    return number


def require_length(name: str, value: object) -> float:
    """Refuse what is not a number of seconds above 0; it may be infinite."""
    seconds = require_real(name, value, 0.0)
    if seconds == 0:
        raise InvalidValueError(f"{name} must be larger than 0 seconds, got 0")
    return seconds


def require_time(now: object) -> float:
    """Refuse a time that is negative or not finite."""
    number = _real(now)
    if number is None or not 0.0 <= number <= MAX_TIME:
        raise ClockError(f"a time is a number of seconds in 0..{MAX_TIME:g}, got {now!r}")
    return number


def require_later(now: object, before: float) -> float:
    """Refuse a time earlier than one that was already given."""
    number = require_time(now)
    if number < before:
        raise ClockError(f"the clock went backwards: now {now} is before {before}")
    return number


def _real(value: object) -> float | None:
    """The value as a float; None when it is no real number or too large for a float."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return None
    try:
        return float(value)
    except OverflowError:
        return None
