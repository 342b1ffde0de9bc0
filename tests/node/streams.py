"""Two ends of a real socket, for tests of what goes over streams."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hunet.node.frames import Records, StreamLink
from hunet.node.handshake import Self, answer, dial

KEY = b"k" * 32


@asynccontextmanager
async def pair() -> AsyncIterator[tuple[Records, Records]]:
    """Records over a connected pair of sockets."""
    ends = [Records(*await asyncio.open_connection(sock=one)) for one in socket.socketpair()]
    try:
        yield ends[0], ends[1]
    finally:
        for end in ends:
            await end.close()


def somebody(version: int = 1) -> Self:
    return Self(Ed25519PrivateKey.generate(), version=version)


@asynccontextmanager
async def links() -> AsyncIterator[tuple[StreamLink, StreamLink]]:
    """Both ends of a link: of who dialled, and of who answered."""
    async with pair() as (one, other):
        yield tuple(await asyncio.gather(dial(one, somebody(), KEY), answer(other, somebody(), [KEY])))  # type: ignore[misc]
