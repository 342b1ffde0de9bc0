"""What a message about an event says: the event, by the attributes of the network's schema, and a text. JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["decode_event", "encode_event"]

_SHORT: dict[str, Any] = {"separators": (",", ":"), "sort_keys": True, "ensure_ascii": False}


def encode_event(event: Mapping[str, object], text: str) -> bytes:
    """The payload of a message about an event: JSON, always written alike."""
    return json.dumps({"event": dict(event), "text": text}, **_SHORT).encode()


def decode_event(payload: bytes) -> tuple[dict[str, object], str] | None:
    """What `encode_event` wrote; None for anything else."""
    try:
        what = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    if not isinstance(what, dict) or set(what) != {"event", "text"}:
        return None
    event, text = what["event"], what["text"]
    return (event, text) if isinstance(event, dict) and isinstance(text, str) else None
