"""A network is a name and a key. Who has the key is a member; an invitation is how it gets from person to person.

Beside the key there is a salt for the filters, which outlives keys: two nodes of which one has a newer key still
understand each other's digests. A network may have a schema, for subscriptions to ranges; and, if its maker kept a
settings key, members know the public half of it: whose settings they take over.

Keys are rotated: the new one is used, the old ones are accepted for a time, in which members hand the new invitation
on. Who is not given it is left behind when that time is over. Times are those of the wall clock, which may be wrong by
hours.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
import time
import zlib
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from hunet.model.errors import DecodeError, NodeError
from hunet.node.identity import make_private_folder, read_private, write_private
from hunet.protocols.wire import Reader, Writer

__all__ = ["GRACE", "Key", "Network", "invitation_of", "read_invitation"]

FILE = "network.json"
GRACE = 7 * 86_400.0
"""Seconds for which an old key is accepted unless somebody says otherwise."""
KEY_BYTES, SALT_BYTES = 32, 16
MOST_NAME = 40
"""Letters of a network's name."""
MOST_KEYS = 8
"""Keys that are accepted at a time: each costs a stranger's caller some hashing more."""
MOST_SCHEMA = 2**16
"""Bytes of a schema."""
MOST_INVITATION = 8_192
"""Letters of an invitation."""
HOLDER_BYTES = 32
_PREFIX = "HUNET:"
_FILE_FORM = 1
_PLAIN, _WITH_HOLDER = 1, 2
"""Forms of invitations: the second has the public settings key too."""
_CHECK_BYTES = 4
_NAME = re.compile(r"[^\W_]([\w .-]*[\w.-])?")


@dataclass(frozen=True)
class Key:
    """A secret of the network, and until when it is accepted (seconds since 1970; None for as long as it is used)."""

    secret: bytes
    until: float | None = None


@dataclass(frozen=True)
class Network:
    """What a member knows. The first key is the one that is used; the others are older, and accepted still."""

    name: str
    salt: bytes
    keys: tuple[Key, ...]
    schema: str | None = None
    """A schema as TOML."""
    holder: bytes | None = None
    """32 bytes: the public settings key. None where nobody may send settings, as in networks made before there were
    such keys."""

    @classmethod
    def new(cls, name: str, schema: str | None = None, holder: bytes | None = None) -> Network:
        """A network that nobody is in yet."""
        if len(name) > MOST_NAME or not _NAME.fullmatch(name):
            raise NodeError(f"{name!r} names no network: use 1 to {MOST_NAME} letters, digits, dots, dashes and spaces")
        if schema is not None and len(schema.encode()) > MOST_SCHEMA:
            raise NodeError(f"a schema of {len(schema.encode()):,} bytes: the limit is {MOST_SCHEMA:,}")
        return cls(name, os.urandom(SALT_BYTES), (Key(os.urandom(KEY_BYTES)),), schema, holder)

    def accepted(self, now: float) -> tuple[bytes, ...]:
        """The secrets that count at a time, the newest first."""
        return tuple(key.secret for key in self.keys if key.until is None or now < key.until)

    def rotated(self, now: float, grace: float = GRACE, secret: bytes | None = None) -> Network:
        """The same network with a new key; the old ones are accepted for so many seconds, never longer than before."""
        secret = secret or os.urandom(KEY_BYTES)
        ends = [Key(key.secret, min(now + grace, now + grace if key.until is None else key.until)) for key in self.keys]
        old = tuple(key for key in ends if key.until is not None and key.until > now and key.secret != secret)
        return replace(self, keys=(Key(secret), *old[: MOST_KEYS - 1]))

    def joined(self, other: Network, now: float, grace: float = GRACE) -> Network:
        """What I know after an invitation to `other`, which must be this network, maybe with a newer key."""
        if (other.name, other.salt, other.holder) != (self.name, self.salt, self.holder):
            raise NodeError(
                f"this node is in the network {self.name!r} already: give the other one a home of its own "
                "(--home DIR), or leave this one with: hunet node wipe"
            )
        if other.keys[0].secret == self.keys[0].secret:
            return self
        if any(other.keys[0].secret == key.secret for key in self.keys):
            raise NodeError("this invitation is older than the key this node has: ask for a new one")
        return self.rotated(now, grace, other.keys[0].secret)

    @classmethod
    def at(cls, home: Path) -> Network:
        """The network that a node's home belongs to."""
        file = home / FILE
        if not file.exists():
            raise NodeError(
                f"the node in '{home}' is in no network yet: hunet node network new NAME, "
                "or, with an invitation of somebody who is in one: hunet node join INVITATION"
            )
        try:
            return _from_json(json.loads(read_private(file, most=2 * MOST_SCHEMA)))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, DecodeError):
            raise NodeError(f"'{file}' is damaged: join once more by an invitation, after removing it") from None

    def save(self, home: Path) -> None:
        """Keep it in a node's home, for its owner alone."""
        make_private_folder(home)
        keys = [{"key": key.secret.hex(), "until": key.until} for key in self.keys]
        what = {"hunet": _FILE_FORM, "name": self.name, "salt": self.salt.hex(), "keys": keys, "schema": self.schema}
        holder = None if self.holder is None else self.holder.hex()
        write_private(home / FILE, json.dumps({**what, "settings_key": holder}, indent=1).encode())


def _from_json(what: Any) -> Network:
    if what["hunet"] != _FILE_FORM:
        raise ValueError("of another form")
    if not isinstance(what["name"], str) or not isinstance(what["schema"], str | None):
        raise TypeError("a name or a schema that is no text")
    if not all(isinstance(key["until"], int | float | None) for key in what["keys"]):
        raise TypeError("an end that is no time")
    keys = tuple(Key(bytes.fromhex(key["key"]), key["until"]) for key in what["keys"])
    told = what.get("settings_key")
    holder = None if told is None else bytes.fromhex(told)
    network = Network(what["name"], bytes.fromhex(what["salt"]), keys, what["schema"], holder)
    if not keys or any(len(key.secret) != KEY_BYTES for key in keys) or len(network.salt) != SALT_BYTES:
        raise ValueError("keys of another length")
    if holder is not None and len(holder) != HOLDER_BYTES:
        raise ValueError("a settings key of another length")
    return network


def invitation_of(network: Network) -> str:
    """A line of letters and digits that makes a member of whoever gets it: the newest key, never an old one."""
    out = Writer()
    out.number(_PLAIN if network.holder is None else _WITH_HOLDER)
    out.text(network.name)
    out.raw(network.salt + network.keys[0].secret + (network.holder or b""))
    out.raw(b"" if network.schema is None else zlib.compress(network.schema.encode(), 9))
    body = out.bytes()
    letters = base64.b32encode(body + blake2b(body, digest_size=_CHECK_BYTES).digest()).decode().rstrip("=")
    return _PREFIX + letters


def read_invitation(text: str) -> Network:
    """The network of an invitation; blanks, dashes and small letters are no mistakes, any other change is one."""
    letters = re.sub(r"[\s-]", "", text).upper()
    if not letters.startswith(_PREFIX) or len(letters) > MOST_INVITATION:
        raise NodeError(f"this is no invitation: it begins with {_PREFIX} (hunet node network show prints one)")
    letters = letters.removeprefix(_PREFIX)
    try:
        data = base64.b32decode(letters + "=" * (-len(letters) % 8))
        body, check = data[:-_CHECK_BYTES], data[-_CHECK_BYTES:]
        if blake2b(body, digest_size=_CHECK_BYTES).digest() != check:
            raise DecodeError("a wrong checksum")
        reader = Reader(body)
        if (form := reader.number()) not in (_PLAIN, _WITH_HOLDER):
            raise NodeError(
                f"the invitation is of form {form}, this hunet knows {_PLAIN} and {_WITH_HOLDER}: update hunet"
            )
        name, salt, secret = reader.text(), reader.raw(SALT_BYTES), reader.raw(KEY_BYTES)
        holder = reader.raw(HOLDER_BYTES) if form == _WITH_HOLDER else None
        schema = _inflate(reader.raw(reader.left)) if reader.left else None
    except (DecodeError, binascii.Error, ValueError):
        raise NodeError("the invitation is mistyped or not whole: copy it once more, from HUNET: to its end") from None
    if len(name) > MOST_NAME or not _NAME.fullmatch(name):
        raise NodeError("the invitation names no network: ask for another one")
    return Network(name, salt, (Key(secret),), schema, holder)


def _inflate(data: bytes) -> str:
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(data, MOST_SCHEMA)
    except zlib.error:
        raise DecodeError("a schema that cannot be unpacked") from None
    if not unpacking.eof or unpacking.unused_data:
        raise DecodeError("a schema that is too long, or not whole")
    return text.decode()


def now() -> float:
    """Seconds since 1970: what the lives of keys are measured with."""
    return time.time()
