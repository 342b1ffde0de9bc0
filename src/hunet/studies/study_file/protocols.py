"""The [[protocol]] sections of a study file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from hunet.model.errors import InvalidValueError
from hunet.model.names import one_of
from hunet.protocols import PROTOCOLS, Protocol, make_settings, protocol_named
from hunet.protocols.protocol import Social, World
from hunet.sim.engine.extras import check_extras
from hunet.studies.study_file.page import Page, Place
from hunet.studies.study_file.values import combinations, values_of

__all__ = ["ProtocolChoice", "can_be", "read_protocol"]

_FRIENDS = Social(pa.table({"a": [0], "b": [1], "closeness": [0.5]}), 2, np.zeros((2, 2), np.float32))
_SMALL_WORLD = World(2, ("a", "b"), 64, peer_start=np.arange(3), closeness=np.full(2, 0.5), social=_FRIENDS)


@dataclass(frozen=True)
class ProtocolChoice:
    """A protocol, and the values of its parameters: every combination of them is run."""

    protocol: Protocol
    values: Mapping[str, Sequence[Any]]

    def can_tell(self, extra: str) -> bool:
        """Whether a measure that costs extra has a meaning here."""
        try:
            check_extras((extra,), self.protocol)
        except InvalidValueError:
            return False
        return True


def read_protocol(page: Page, number: int, section: Mapping[str, Any]) -> ProtocolChoice | None:
    """One section; mistakes are noted on the page."""
    place = Place("protocol", number)
    if "name" not in section:
        names = ", ".join(protocol.name for protocol in PROTOCOLS)
        page.note(place, f"this [[protocol]] has no name; write one of {names}")
        return None
    try:
        protocol = protocol_named(str(section["name"]))
    except InvalidValueError as error:
        page.note(place._replace(key="name"), str(error))
        return None
    values: dict[str, list[Any]] = {}
    wrong = False
    for key, found in section.items():
        if key == "name":
            continue
        try:
            values[key] = [_checked(protocol, key, value) for value in values_of(key, found)]
        except InvalidValueError as error:
            page.note(place._replace(key=key), str(error))
            wrong = True
    if wrong:
        return None
    for settings in combinations(values):
        try:
            protocol.prepare(make_settings(protocol, settings), _SMALL_WORLD)
        except InvalidValueError as error:
            named_key = next((key for key in values if key in str(error)), "")
            page.note(place._replace(key=named_key), f"{protocol.name}: {error}")
            return None
    return ProtocolChoice(protocol, values)


def can_be(protocol: Protocol, settings: Mapping[str, Any]) -> bool:
    """Whether these settings go together."""
    try:
        protocol.prepare(make_settings(protocol, settings), _SMALL_WORLD)
    except InvalidValueError:
        return False
    return True


def _checked(protocol: Protocol, key: str, value: Any) -> Any:
    """The value as the protocol has it: 256 becomes 256.0 where it counts in fractions."""
    defaults = protocol.settings()
    one_of(f"setting of {protocol.name}", key, defaults._fields)
    if isinstance(value, bool) and not isinstance(getattr(defaults, key), bool):
        raise InvalidValueError(f"{protocol.name}.{key} is not true or false, got {value!r}")
    return getattr(make_settings(protocol, {key: value}), key)
