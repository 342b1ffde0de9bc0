"""A protocol and its settings as a TOML file, which `hunet tune` writes and whoever runs the protocol reads.

    protocol = "bsub13"

    [settings]
    decay_cycle = 64.0

Settings that are not named have their defaults. Other sections are notes for people and are not looked at.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hunet.atomic import whole_file
from hunet.input_files import parse_toml, read_text
from hunet.model.errors import InvalidValueError
from hunet.protocols import Protocol, make_settings, protocol_named
from hunet.protocols.settings import check_settings

__all__ = ["read_settings", "write_settings"]


def read_settings(file: Path) -> tuple[Protocol, dict[str, Any]]:
    """The protocol that a file names, and the settings it changes."""
    content = parse_toml(read_text(file, InvalidValueError, "settings file"), file, InvalidValueError, own=True)
    name, settings = content.get("protocol"), content.get("settings", {})
    if not isinstance(name, str) or not isinstance(settings, dict):
        raise InvalidValueError(f"settings file '{file}': write protocol = \"bsub13\", and settings under [settings]")
    try:
        protocol = protocol_named(name)
        check_settings(protocol, settings)
    except InvalidValueError as error:
        raise InvalidValueError(f"settings file '{file}': {error}") from None
    return protocol, settings


def write_settings(
    file: Path, protocol: Protocol, settings: Mapping[str, Any], notes: Mapping[str, Mapping[str, Any]]
) -> Path:
    """Write all settings of a protocol, and notes on where they come from, by section."""
    chosen = make_settings(protocol, settings)._asdict()
    lines = [f"protocol = {_toml(protocol.name)}"]
    for section, values in {"settings": chosen, **notes}.items():
        lines += ["", f"[{section}]", *(f"{name} = {_toml(value)}" for name, value in values.items())]
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(file) as draft:
        draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def _toml(value: Any) -> str:
    """Text, numbers and truth values are written in TOML as in JSON, but for infinity and what is not a number."""
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)
