"""The [[protocol]] sections of a study file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hunet.model.errors import InvalidValueError
from hunet.model.names import one_of
from hunet.protocols import PROTOCOLS, Protocol, make_settings, protocol_named
from hunet.protocols.settings import check_settings
from hunet.sim.engine.extras import check_extras
from hunet.studies.study_file.page import Page, Place
from hunet.studies.study_file.values import MOST_COMBINATIONS, combinations, require_few, values_of

__all__ = ["ProtocolChoice", "can_be", "read_protocol"]


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
    try:
        require_few(values, MOST_COMBINATIONS)
    except InvalidValueError as error:
        page.note(place, f"{protocol.name}: {error}")
        return None
    for settings in combinations(values):
        try:
            check_settings(protocol, settings)
        except InvalidValueError as error:
            named_key = next((key for key in values if key in str(error)), "")
            page.note(place._replace(key=named_key), f"{protocol.name}: {error}")
            return None
    return ProtocolChoice(protocol, values)


def can_be(protocol: Protocol, settings: Mapping[str, Any]) -> bool:
    """Whether these settings go together."""
    try:
        check_settings(protocol, settings)
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
