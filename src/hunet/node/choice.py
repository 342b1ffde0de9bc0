"""What a node runs: a protocol and its settings; and which of these it takes over from others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hunet.model.errors import InvalidValueError, MismatchError
from hunet.protocols import PROTOCOLS, Protocol, make_settings, protocol_named
from hunet.protocols.settings import check_settings

__all__ = ["Choice", "deployable", "name_of_row", "permitted"]


DEFAULT_PROTOCOL = "envoy"
_DEFAULT_SETTINGS = {"worth": 0.02}
"""What a node runs unless it is told otherwise: docs/node.md says why."""


class Choice(NamedTuple):
    """A protocol and its settings."""

    protocol: Protocol
    settings: Any

    @property
    def facts(self) -> dict[str, Any]:
        """For JSON: the protocol's name, and all settings by name."""
        return {"protocol": self.protocol.name, "settings": self.settings._asdict()}

    @property
    def changed(self) -> dict[str, Any]:
        """The settings that differ from their defaults."""
        defaults = self.protocol.settings()._asdict()
        return {name: value for name, value in self.settings._asdict().items() if value != defaults[name]}

    @property
    def name(self) -> str:
        """As text; the same for the same."""
        return name_of_row(self.protocol, self.settings)


def name_of_row(protocol: Protocol, settings: Any) -> str:
    """A protocol, the version of its rules, and the settings that differ from their defaults, as nodes compare them."""
    changed = Choice(protocol, settings).changed
    return f"{protocol.name} {protocol.rules} {json.dumps(changed, sort_keys=True)}"


def deployable(name: str) -> Protocol:
    """The protocol of this name, if it runs on devices."""
    chosen = protocol_named(name)
    if not chosen.deployable:
        names = ", ".join(one.name for one in PROTOCOLS if one.deployable)
        raise InvalidValueError(f"{chosen.name} does not run on devices: choose one of {names}")
    return chosen


def settings_for(protocol: Protocol) -> Any:
    """What a node runs a protocol with unless it is given a file."""
    return make_settings(protocol, _DEFAULT_SETTINGS if protocol.name == DEFAULT_PROTOCOL else {})


def chosen(name: str | None, file: Path | None) -> Choice:
    """What a node is started with: a protocol by its name, with its settings from a file (`hunet tune`), or neither."""
    if file is None:
        protocol = deployable(DEFAULT_PROTOCOL if name is None else name)
        return Choice(protocol, settings_for(protocol))
    from hunet.protocols.settings_file import read_settings

    named, settings = read_settings(file)
    if name not in (None, named.name):
        raise MismatchError(f"'{file}' is for {named.name}, not for {name}")
    return Choice(deployable(named.name), make_settings(named, settings))


def permitted(name: str, given: Mapping[str, Any]) -> Choice:
    """What somebody else sent, if a node may take it over: a protocol that runs on devices, and of its settings only
    those that `hunet tune` looks for, within the ranges in which it looks; the others as they are by default. So nobody
    can ask for a filter that fills the memory."""
    protocol = deployable(name)
    settings, defaults = make_settings(protocol, given), protocol.settings()
    for setting, value in settings._asdict().items():
        default, where = getattr(defaults, setting), protocol.searched.get(setting)
        if value == default:
            continue
        if where is None or not where.allows(value):
            range_ = f"{default!r} only" if where is None else f"{where}"
            raise InvalidValueError(f"{protocol.name}.{setting} = {value!r:.60} is not taken over: nodes take {range_}")
    check_settings(protocol, given)
    return Choice(protocol, settings)
