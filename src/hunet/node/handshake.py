"""How two nodes of one network get a link: three records, in which each learns the other's link key and proves its own.

    1  48 bytes   network key, ephemeral key of who dials          (psk, e)
    2 192 bytes   ephemeral key, static key, card of who answers   (e, ee, s, es)
    3 160 bytes   static key, card of who dials                    (s, se)

A node's link key is an Ed25519 key that only signs. The X25519 key that Noise works with is drawn when the node starts
and never stored; the card says whose it is: the public link key, and its signature of the X25519 key.

The prologue is the version of the wire. All versions write message 1 alike, so whoever has the network's key can tell
what version a caller speaks; another one gets a refusal of 34 bytes that only members can make or read, and both ends
say the two versions. A caller without the key gets not one byte, and costs some hashing.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from hunet.model.errors import LinkError
from hunet.node.frames import Records, StreamLink
from hunet.node.noise import KEY_BYTES, TAG_BYTES, Handshake

__all__ = ["HANDSHAKE_PATIENCE", "VERSION", "Self", "StrangerError", "VersionError", "answer", "dial", "prologue"]

VERSION = 1
"""Of the wire: frames and messages of another one are not understood."""
MOST_VERSION = 16
"""Callers of versions up to this one are recognised."""
HANDSHAKE_PATIENCE = 5.0
"""Seconds for all three records."""
FIRST, SECOND, THIRD, REFUSAL = 48, 192, 160, 34
_CARD = 32 + 64
_BINDING = b"hunet link key:"
_REFUSED = b"hunet refused:"


class StrangerError(LinkError):
    """Somebody who does not know the network's key; nothing was answered."""


class VersionError(LinkError):
    """A node of this network that speaks another version of the wire."""

    def __init__(self, theirs: int, mine: int) -> None:
        older = "this node" if theirs > mine else "the peer"
        super().__init__(f"the peer speaks version {theirs} of the wire, this node {mine}: update hunet on {older}")


def prologue(version: int) -> bytes:
    """What both ends must agree on before anything else."""
    return b"hunet wire %d" % version


@dataclass(frozen=True)
class Self:
    """What a running node shows of itself in handshakes."""

    link: Ed25519PrivateKey
    static: X25519PrivateKey = field(default_factory=X25519PrivateKey.generate)
    version: int = VERSION

    def card(self) -> bytes:
        """My link key, and that this static key is mine."""
        static = self.static.public_key().public_bytes_raw()
        return self.link.public_key().public_bytes_raw() + self.link.sign(_BINDING + static)


async def dial(records: Records, me: Self, key: bytes, patience: float = HANDSHAKE_PATIENCE) -> StreamLink:
    """The link that I asked for, with this key of the network."""
    shake = Handshake(True, me.static, key, prologue(me.version))
    async with _in_time(patience):
        first = shake.write()
        await records.put(first)
        second = await records.get(SECOND)
        if len(second) == REFUSAL:
            raise _refusal(me, key, first, second)
        if len(second) != SECOND:
            raise LinkError(f"an answer of {len(second)} bytes: {SECOND} are due")
        peer = _checked(shake.read(second), shake)
        await records.put(shake.write(me.card()))
    return StreamLink(records, peer, shake.transcript, shake.split(), key)


async def answer(
    records: Records,
    me: Self,
    keys: Sequence[bytes],
    known: Callable[[], None] = lambda: None,
    patience: float = HANDSHAKE_PATIENCE,
) -> StreamLink:
    """The link that a caller asked for, who knows one of these keys. `known` is called once it has proved that."""
    async with _in_time(patience):
        first = await records.get(FIRST)
        shake, key = await _recognised(records, me, keys, first)
        known()
        await records.put(shake.write(me.card()))
        third = await records.get(THIRD)
        if len(third) != THIRD:
            raise LinkError(f"a last message of {len(third)} bytes: {THIRD} are due")
        peer = _checked(shake.read(third), shake)
    return StreamLink(records, peer, shake.transcript, shake.split(), key)


async def _recognised(records: Records, me: Self, keys: Sequence[bytes], first: bytes) -> tuple[Handshake, bytes]:
    """The handshake that message 1 began, and its key; hashing only. A member of another version is told mine."""
    if len(first) == FIRST:
        others = (version for version in range(1, MOST_VERSION + 1) if version != me.version)
        for version in (me.version, *others):
            for key in keys:
                shake = Handshake(False, me.static, key, prologue(version))
                try:
                    shake.read(first)
                except LinkError:
                    continue
                if version == me.version:
                    return shake, key
                await records.put(_refusing(me, key, first))
                raise VersionError(version, me.version)
    raise StrangerError("a caller that does not know the network's key")


def _refusing(me: Self, key: bytes, first: bytes) -> bytes:
    mine = me.version.to_bytes(2, "big")
    return mine + hmac.digest(key, _REFUSED + mine + first, "sha256")


def _refusal(me: Self, key: bytes, first: bytes, refusal: bytes) -> LinkError:
    theirs = refusal[:2]
    if not hmac.compare_digest(refusal[2:], hmac.digest(key, _REFUSED + theirs + first, "sha256")):
        return LinkError("a refusal that no member wrote")
    return VersionError(int.from_bytes(theirs, "big"), me.version)


def _checked(card: bytes, shake: Handshake) -> bytes:
    """The link key on a card that belongs to the key of this handshake."""
    try:
        Ed25519PublicKey.from_public_bytes(card[:KEY_BYTES]).verify(card[KEY_BYTES:], _BINDING + shake.peer_static)
    except (InvalidSignature, ValueError):
        raise LinkError("a card that does not belong to its key") from None
    return card[:KEY_BYTES]


@asynccontextmanager
async def _in_time(patience: float) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(patience):
            yield
    except TimeoutError:
        raise LinkError(f"no handshake within {patience:g} s") from None


assert SECOND == KEY_BYTES + (KEY_BYTES + TAG_BYTES) + (_CARD + TAG_BYTES)
assert THIRD == (KEY_BYTES + TAG_BYTES) + (_CARD + TAG_BYTES)
