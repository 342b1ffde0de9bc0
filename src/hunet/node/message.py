"""Messages as they travel: what an author published and signed, and what carriers add to a copy.

Written with the protocols' own `Writer` and read with their strict `Reader`: there is one way to write a message, so
the hash of what was signed is its name. Every length is checked before anything is made of it, a signature before
anything is believed. Ages and lifetimes travel, in whole milliseconds, never times that others would
have to trust: the signed `written` is for people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from hunet.model.errors import DecodeError, InvalidValueError
from hunet.protocols.wire import MAX_HOPS, MAX_TAGS, MAX_TEXT, Reader, Writer

__all__ = ["EVENT", "MOST_AGE", "MOST_PAYLOAD", "TEXT", "Author", "Copy", "Envelope", "number_of"]

VERSION = 1
TEXT, EVENT = 0, 1
"""Kinds of messages: found by their tags, or by what their event says."""
MOST_PAYLOAD = 2**16
_KEY, _SIGNATURE, _ID = 32, 64, 16
MOST_AGE = 2**50
"""Milliseconds: 35,000 years."""
_HOLDS = b"hunet message"
"""What an author's signature begins with: no other kind of bytes can be passed off as a message."""


def number_of(name: bytes) -> int:
    """The number of 63 bits by which protocols know a node or a message."""
    return int.from_bytes(name[:8], "big") >> 1


class Author:
    """Who signs messages: a key of its own, not that of links."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes_raw()

    @classmethod
    def from_seed(cls, seed: bytes) -> Author:
        """The one whose key follows from these 32 bytes."""
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    def sign(self, body: bytes) -> bytes:
        """64 bytes."""
        return self._key.sign(_HOLDS + body)


@dataclass(frozen=True)
class Envelope:
    """What an author published. Nobody on the way can change it."""

    author: bytes
    written: int
    """Milliseconds since 1970 by the author's clock; nothing is decided by it, but which of two settings is newer."""
    lifetime: int
    """Milliseconds from publication to the end; 0 for no end."""
    kind: int
    tags: tuple[str, ...]
    payload: bytes
    signature: bytes = b""

    @classmethod
    def signed(
        cls, author: Author, written: int, lifetime: int, tags: tuple[str, ...], payload: bytes, kind: int = TEXT
    ) -> Envelope:
        """A new message; refused if others would refuse it."""
        if not 1 <= len(tags) <= MAX_TAGS or len(set(tags)) != len(tags):
            raise InvalidValueError(f"{len(tags)} tags: give 1 to {MAX_TAGS} different ones")
        for tag in tags:
            if not 1 <= len(tag.encode()) <= MAX_TEXT:
                raise InvalidValueError(f"a tag of {len(tag.encode())} bytes: give 1 to {MAX_TEXT}")
        if len(payload) > MOST_PAYLOAD:
            raise InvalidValueError(f"a message of {len(payload):,} bytes: at most {MOST_PAYLOAD:,} are carried")
        unsigned = cls(author.public, written, lifetime, kind, tags, payload)
        return cls(author.public, written, lifetime, kind, tags, payload, author.sign(unsigned.body))

    @cached_property
    def body(self) -> bytes:
        """What is signed."""
        out = Writer()
        out.number(VERSION)
        out.raw(self.author)
        out.number(self.written)
        out.number(self.lifetime)
        out.number(self.kind)
        out.number(len(self.tags))
        for tag in self.tags:
            out.text(tag)
        out.number(len(self.payload))
        out.raw(self.payload)
        return out.bytes()

    @cached_property
    def id(self) -> bytes:
        """16 bytes: BLAKE2b of the body."""
        return blake2b(self.body, digest_size=_ID).digest()

    def encode(self) -> bytes:
        """The body and its signature."""
        return self.body + self.signature

    @classmethod
    def decode(cls, data: bytes) -> Envelope:
        """What `encode` wrote, unverified; anything else raises `DecodeError`."""
        reader = Reader(data)
        version = reader.number()
        if version != VERSION:
            raise DecodeError(f"a message of version {version}: this hunet reads version {VERSION}")
        author, written, lifetime, kind = reader.raw(_KEY), reader.number(), reader.number(), reader.number(EVENT)
        tags = tuple(reader.text() for _ in range(reader.number(MAX_TAGS)))
        if not tags or len(set(tags)) != len(tags):
            raise DecodeError(f"{len(tags)} tags: a message has 1 to {MAX_TAGS} different ones")
        payload, signature = reader.raw(reader.number(MOST_PAYLOAD)), reader.raw(_SIGNATURE)
        reader.finish()
        return cls(author, written, lifetime, kind, tags, payload, signature)

    def verify(self) -> None:
        """`DecodeError` unless the author signed it."""
        try:
            Ed25519PublicKey.from_public_bytes(self.author).verify(self.signature, _HOLDS + self.body)
        except (InvalidSignature, ValueError):
            raise DecodeError("a message whose signature is not its author's") from None


@dataclass(frozen=True)
class Copy:
    """A message on its way: the envelope, and what its carriers say of this copy."""

    envelope: bytes
    """As `Envelope.encode` wrote it."""
    age: int
    """Milliseconds since publication, when it was sent."""
    hops: int
    """Transfers it took to get to the receiver."""
    note: int = 0
    """What the sender's protocol tells the receiver's; with the parcel, words of 8 bytes, beside it."""
    parcel: bytes = b""

    def encode(self, kind: int) -> bytes:
        """The body of a MESSAGE frame; the kind says whose note and parcel these are."""
        out = Writer()
        for number in (kind, self.age, self.hops, self.note):
            out.number(number)
        out.raw(self.parcel)
        out.raw(self.envelope)
        return out.bytes()

    @classmethod
    def decode(cls, data: bytes, sizes: Sequence[tuple[int, int]]) -> Copy:
        """What `encode` wrote; `sizes` has the largest note and the bytes of a parcel, by kind."""
        reader = Reader(data)
        most_note, parcel_bytes = sizes[reader.number(len(sizes) - 1)]
        age, hops, note = reader.number(MOST_AGE), reader.number(MAX_HOPS), reader.number(most_note)
        parcel = reader.raw(parcel_bytes)
        return cls(reader.raw(reader.left), age, hops, note, parcel)
