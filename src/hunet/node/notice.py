"""Settings as they travel: a message under a tag of its own, signed with the network's settings key.

A protocol does not carry it, since nodes that would need it may run another one: it is told over every contact before
settings are compared (`session.py`). Whichever was written later is the newer one. When nodes change is said as a time
to wait from when it was written, and its age travels with it, as with every message: clocks need not agree.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hunet.model.errors import DecodeError
from hunet.node.budget import DAY
from hunet.node.choice import Choice
from hunet.node.message import MOST_AGE, Author, Envelope
from hunet.protocols.wire import Reader, Writer

__all__ = ["MOST_WAIT", "TAG", "Notice", "read_told"]

TAG = "hunet/settings"
"""The reserved tag: nobody publishes under it, and who brings a message with it is refused."""
MOST_WAIT = 7 * DAY
MOST_BYTES = 4096
"""Of what it says."""
_KEYS = {"protocol": str, "settings": dict, "wait": int}


@dataclass(frozen=True)
class Notice:
    """What the holder of the settings key wants all nodes to run, and how long after it was written."""

    envelope: Envelope
    protocol: str
    settings: dict[str, Any]
    """By name; whether this node can run them is another question."""
    wait: int
    """Milliseconds."""

    @property
    def serial(self) -> int:
        """The higher, the newer; above 0."""
        return self.envelope.written

    @classmethod
    def signed(cls, holder: Author, serial: int, choice: Choice, wait: int) -> Notice:
        """A new one."""
        said = {**choice.facts, "wait": wait}
        payload = json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
        return cls(Envelope.signed(holder, serial, 0, (TAG,), payload), said["protocol"], said["settings"], wait)

    @classmethod
    def read(cls, envelope: Envelope, holder: bytes | None) -> Notice:
        """What an envelope says, if the holder of the settings key signed it; `DecodeError` if not."""
        from hunet.input_files import parse_json  # with readers of archives that a device seldom needs

        if envelope.tags != (TAG,) or envelope.lifetime or envelope.kind or not envelope.written:
            raise DecodeError("settings that are none")
        if holder is None or envelope.author != holder:
            raise DecodeError("settings of somebody who may not send any")
        envelope.verify()
        if len(envelope.payload) > MOST_BYTES:
            raise DecodeError(f"settings of {len(envelope.payload):,} bytes: at most {MOST_BYTES:,} are taken")
        try:
            said = parse_json(envelope.payload.decode(), "settings", DecodeError)
        except UnicodeDecodeError:
            raise DecodeError("settings that are no text") from None
        if not isinstance(said, dict) or {name: type(value) for name, value in said.items()} != _KEYS:
            raise DecodeError(f"settings have {', '.join(_KEYS)}, and nothing else")
        if not 0 <= said["wait"] <= MOST_WAIT:
            raise DecodeError(f"settings that wait for {said['wait']:,} ms: at most {MOST_WAIT:,}")
        return cls(envelope, said["protocol"], said["settings"], said["wait"])

    def told(self, age: int) -> bytes:
        """The body of a SETTINGS frame: how old it is by now, and itself."""
        out = Writer()
        out.number(age)
        out.raw(self.envelope.encode())
        return out.bytes()


def read_told(data: bytes) -> tuple[int, Envelope]:
    """What `told` wrote: the age, and an envelope that nobody has verified yet."""
    reader = Reader(data)
    age = reader.number(MOST_AGE)
    return age, Envelope.decode(reader.raw(reader.left))
