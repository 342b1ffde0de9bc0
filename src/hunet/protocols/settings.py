"""Settings of a protocol: by name, with the nearest valid name in the error when there is none such."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hunet.model.errors import InvalidValueError
from hunet.model.names import one_of
from hunet.protocols.protocol import Protocol

__all__ = ["make_settings", "require_choice"]

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
    try:
        result = kind(value)
    except (TypeError, ValueError):
        wanted = "a whole number" if kind is int else "a number"
        raise InvalidValueError(f"{name} is {wanted}, got {value!r}") from None
    if kind is int and not isinstance(value, str) and result != value:
        raise InvalidValueError(f"{name} is a whole number, got {value!r}")
    return result
