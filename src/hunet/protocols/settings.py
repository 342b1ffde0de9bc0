"""Settings of a protocol: by name, with the nearest valid name in the error when there is none such."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from hunet.model.errors import InvalidValueError
from hunet.model.names import one_of
from hunet.model.numbers import plain_number
from hunet.protocols.protocol import Protocol, Social, World

__all__ = ["check_settings", "make_settings", "require_choice"]

_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def require_choice(name: str, value: str, choices: Iterable[str]) -> str:
    """A setting that names one of a few ways."""
    return one_of(f"value of {name}", value, choices)


def make_settings(protocol: Protocol, given: Mapping[str, Any]) -> Any:
    """The protocol's settings, with these changed; values may be text, as a command line has them.

    >>> from hunet.protocols import protocol_named
    >>> make_settings(protocol_named("pull"), {"k": "4"})
    PullSettings(m=256, k=4, any_holder=False)
    """
    defaults = protocol.settings()
    changed = {}
    for name, value in given.items():
        one_of(f"setting of {protocol.name}", name, defaults._fields)
        changed[name] = _like(f"{protocol.name}.{name}", value, getattr(defaults, name))
    return defaults._replace(**changed)


def _like(name: str, value: Any, default: Any) -> Any:
    """The value as the type of the default."""
    kind = type(default)
    if kind is bool:
        if isinstance(value, bool):
            return value
        text = str(value).lower()
        if text not in _TRUE + _FALSE:
            raise InvalidValueError(f"{name} is true or false, got {value!r}")
        return text in _TRUE
    result = _whole(value) if kind is int else _number(value) if kind is float else str(value)
    if result is None:
        wanted = "a whole number" if kind is int else "a number"
        raise InvalidValueError(f"{name} is {wanted}, got {value!r}")
    return result


def _whole(value: Any) -> int | None:
    """A whole number of 63 bits, which a file may also have written as 4.0."""
    if isinstance(value, str):
        value = int(value) if re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", value) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1 << 62:
        return None
    return int(value) if int(value) == value else None


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        return math.inf if value.strip() == "inf" else plain_number(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return None
    return float(value)


_SMALL_WORLD = World(2, ("a", "b"), 64, peer_start=np.arange(3), closeness=np.full(2, 0.5))


def _friends() -> Social:
    import pyarrow as pa  # a device has none, and no protocol that needs it

    return Social(pa.table({"a": [0], "b": [1], "closeness": [0.5]}), 2, np.zeros((2, 2), np.float32))


def check_settings(protocol: Protocol, given: Mapping[str, Any]) -> None:
    """Refuse settings that do not go together, before there is a trace to run on."""
    social = _friends() if protocol.needs.social else None
    protocol.prepare(make_settings(protocol, given), replace(_SMALL_WORLD, social=social))
