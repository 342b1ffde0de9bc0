"""Times and rates as people write them: 10h, 90 min, 250kbps."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from hunet.model.errors import InvalidValueError
from hunet.model.names import unknown

__all__ = ["parse_bandwidth", "parse_buffer", "parse_least", "parse_seconds"]

_SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES_PER_SECOND = {
    "bps": 1 / 8,
    "kbps": 1e3 / 8,
    "Mbps": 1e6 / 8,
    "Gbps": 1e9 / 8,
    "B/s": 1.0,
    "kB/s": 1e3,
    "MB/s": 1e6,
}
_UNLIMITED = ("unlimited", "inf")
_AMOUNT = re.compile(r"\s*([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?)\s*([A-Za-z/]*)\s*")


def parse_seconds(text: str, what: str = "time") -> float:
    """A length of time in seconds; a bare number is seconds already.

    >>> parse_seconds("10h"), parse_seconds("90 min"), parse_seconds("unlimited")
    (36000.0, 5400.0, inf)
    """
    return _parse(text, what, _SECONDS, "s", "10h, 90min, 600 or unlimited")


def parse_bandwidth(text: str, what: str = "bandwidth") -> float:
    """A rate in bytes per second; its unit must be written, because bits and bytes are easily confused.

    >>> parse_bandwidth("250kbps"), parse_bandwidth("31.25 kB/s")
    (31250.0, 31250.0)
    """
    return _parse(text, what, _BYTES_PER_SECOND, None, "250kbps, 1Mbps, 31.25kB/s or unlimited")


def parse_buffer(text: str) -> int | None:
    """How many messages a node can carry; None for any number."""
    if text.strip().lower() in _UNLIMITED:
        return None
    if not re.fullmatch(r"\s*[0-9]{1,18}\s*", text) or int(text) < 1:
        raise InvalidValueError(f"buffer {text[:100]!r}: write a number of messages of at least 1, or unlimited")
    return int(text)


def parse_least(text: str, what: str = "time") -> float:
    """A least length of time in seconds, which may be 0."""
    return 0.0 if text.strip() in ("0", "0s") else parse_seconds(text, what)


def _parse(text: str, what: str, units: Mapping[str, float], bare: str | None, examples: str) -> float:
    if text.strip().lower() in _UNLIMITED:
        return math.inf
    found = _AMOUNT.fullmatch(text) if len(text) < 100 else None
    if found is None:
        raise InvalidValueError(f"{what} {text[:100]!r}: write a number and a unit, such as {examples}")
    amount, unit = float(found[1]), found[2] or bare
    if unit is None:
        raise InvalidValueError(f"{what} {text!r} has no unit: write it as in {examples}")
    if unit not in units:
        raise InvalidValueError(f"{what} {text!r}: {unknown('unit', unit, units)}")
    if not 0 < amount * units[unit] < math.inf:
        raise InvalidValueError(f"{what} {text!r} must be above 0 and finite (or unlimited)")
    return amount * units[unit]
