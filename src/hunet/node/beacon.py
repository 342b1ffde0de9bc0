"""Who is here? A datagram of 19 bytes to a multicast group on every network card, now and then.

    1 byte   what it is: 'h' asks, 'H' answers one that asked
    8 bytes  a name, drawn anew every quarter of an hour
    2 bytes  the port at which I listen
    8 bytes  HMAC-SHA256 of the network's key and the 11 bytes before, cut

A stranger cannot tell one network's datagrams from another's, nor that two names are one node; who has the key sees at
once. No clock is in it: a small board that thinks it is 1970 is found as well. What asks is answered directly, not to
the group, because access points and phones drop much of what goes to groups: it is enough that one of two is heard. For
the same reason known addresses are asked directly (`probe`).
"""

from __future__ import annotations

import asyncio
import hmac
import math
import os
import random
import socket
import struct
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

__all__ = ["BEACON_PORT", "GROUP", "Beacon", "Sighting", "decode", "encode"]

GROUP, BEACON_PORT = "239.255.77.77", 47474
EPOCH = 900.0
"""Seconds for which a name is used."""
EVERY = 1.5
"""Seconds from one beacon to the next, give or take a quarter."""
BYTES = 19
_ASKS, _ANSWERS = b"h", b"H"
_HEAD = struct.Struct(">1s8sH")
_MARK_BYTES = 8
_MOST_ANSWERS = 50
"""Per second: a node cannot be made to shout."""


@dataclass(frozen=True)
class Sighting:
    """A member that said it is here."""

    name: bytes
    host: str
    port: int
    key: bytes
    """Which of the network's keys it used."""


def encode(kind: bytes, name: bytes, port: int, key: bytes) -> bytes:
    """A beacon."""
    head = _HEAD.pack(kind, name, port)
    return head + _mark(key, head)


def decode(data: bytes, keys: Iterable[bytes]) -> tuple[bytes, bytes, int, bytes] | None:
    """Kind, name, port and key of a beacon of this network; None for anything else."""
    if not _looks_like_one(data):
        return None
    for key in keys:
        if hmac.compare_digest(data[_HEAD.size :], _mark(key, data[: _HEAD.size])):
            kind, name, port = _HEAD.unpack_from(data)
            return (kind, name, port, key) if port else None
    return None


def _looks_like_one(data: bytes) -> bool:
    return len(data) == BYTES and data[:1] in (_ASKS, _ANSWERS)


def _mark(key: bytes, head: bytes) -> bytes:
    return hmac.digest(key, b"hunet beacon:" + head, "sha256")[:_MARK_BYTES]


class Beacon:
    """Says at what address and port I am listening, and tells `seen` about others.

    `keys` are asked for each time: they are rotated. Who listens on this machine only speaks on it only.
    """

    def __init__(
        self,
        keys: Callable[[], Sequence[bytes]],
        listening: tuple[str, int],
        seen: Callable[[Sighting], None],
        *,
        every: float = EVERY,
        at: int = BEACON_PORT,
    ) -> None:
        self._keys, self._seen, self._every, self._at = keys, seen, every, at
        self._host, self._port = listening
        self._name, self._drawn = os.urandom(8), time.monotonic()
        self._cards: set[int] = set()
        self._answers: list[float] = []
        self._telling: asyncio.Task[None] | None = None
        self.heard = self.foreign = 0
        """Beacons with a key of mine, and beacons with others."""
        self._last = -math.inf

    @property
    def name(self) -> bytes:
        """By what others know me at the moment."""
        if time.monotonic() - self._drawn >= EPOCH:
            self._name, self._drawn = os.urandom(8), time.monotonic()
        return self._name

    def counts(self) -> dict[str, float | None]:
        """What was heard; `silent` seconds have passed since the last one with a key of mine."""
        silent = time.monotonic() - self._last if self.heard else None
        return {"heard": self.heard, "foreign": self.foreign, "silent": silent and round(silent, 1)}

    async def start(self) -> None:
        """Listen, and speak from now on. One socket is the group's, the other is my own: it gets the answers."""
        loop = asyncio.get_running_loop()
        self._group = _socket("", self._at)
        self._own = _socket(self._host, 0)
        self._own.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
        self._hearing = [
            (await loop.create_datagram_endpoint(lambda: _Ear(self._hear), sock=sock))[0]
            for sock in (self._group, self._own)
        ]
        self._telling = asyncio.create_task(self._tell())

    async def stop(self) -> None:
        """Fall silent."""
        if self._telling is not None:
            self._telling.cancel()
            with suppress(asyncio.CancelledError):
                await self._telling
            for transport in self._hearing:
                transport.close()

    def probe(self, host: str) -> None:
        """Ask at one address whether a member is there."""
        for key in self._keys():
            with suppress(OSError):
                self._own.sendto(encode(_ASKS, self.name, self._port, key), (host, self._at))

    async def _tell(self) -> None:
        while True:
            self._join_cards()
            for card in sorted(self._cards):
                with suppress(OSError):  # a card without an address, or one that just went away
                    self._own.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, _through(card))
                    for key in self._keys():
                        self._own.sendto(encode(_ASKS, self.name, self._port, key), (GROUP, self._at))
            await asyncio.sleep(self._every * random.uniform(0.75, 1.25))

    def _join_cards(self) -> None:
        """Cards come and go; a group is joined once on each."""
        only_here = self._host.startswith("127.")
        there = {number for number, name in socket.if_nameindex() if not only_here or name.startswith("lo")}
        for card in there - self._cards:
            with suppress(OSError):
                self._group.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, _through(card))
                self._cards.add(card)
        self._cards &= there

    def _hear(self, data: bytes, address: tuple[str, int]) -> None:
        found = decode(data, self._keys())
        if found is None:
            self.foreign += _looks_like_one(data)
            return
        kind, name, port, key = found
        if name == self._name:
            return
        self.heard, self._last = self.heard + 1, time.monotonic()
        if kind == _ASKS and self._may_answer():
            with suppress(OSError):
                self._own.sendto(encode(_ANSWERS, self.name, self._port, key), address)
        self._seen(Sighting(name, address[0], port, key))

    def _may_answer(self) -> bool:
        now = time.monotonic()
        self._answers = [at for at in self._answers if now - at < 1.0]
        self._answers.append(now)
        return len(self._answers) <= _MOST_ANSWERS


class _Ear(asyncio.DatagramProtocol):
    def __init__(self, hear: Callable[[bytes, tuple[str, int]], None]) -> None:
        self._hear = hear

    def datagram_received(self, data: bytes, address: tuple[str, int]) -> None:
        self._hear(data, address)

    def error_received(self, error: Exception) -> None:
        """Somebody is not reachable: nothing new."""


def _socket(host: str, port: int) -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # several nodes on one machine hear the group
    sock.bind((host, port))
    sock.setblocking(False)
    return sock


def _through(card: int) -> bytes:
    """A group and a network card, as the system wants to be told."""
    return socket.inet_aton(GROUP) + socket.inet_aton("0.0.0.0") + struct.pack("@i", card)
