"""The packets of MQTT 3.1.1 that a node's door reads and writes. No I/O but reading from a stream.

Numbers in brackets are requirements of the standard (OASIS, 2014).
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass
from typing import TypeVar

__all__ = [
    "CONNACK", "CONNECT", "DISCONNECT", "PINGREQ", "PINGRESP", "PUBACK", "PUBLISH", "SUBACK", "SUBSCRIBE", "UNSUBACK",
    "UNSUBSCRIBE", "Connect", "MqttError", "Publish", "packet", "publish_packet", "read_connect", "read_packet",
    "read_publish", "read_subscribe", "read_unsubscribe",
]  # fmt: skip

_T = TypeVar("_T")

CONNECT, CONNACK, PUBLISH, PUBACK = 1, 2, 3, 4
SUBSCRIBE, SUBACK, UNSUBSCRIBE, UNSUBACK, PINGREQ, PINGRESP, DISCONNECT = range(8, 15)

MOST_PACKET = 2**17
"""Bytes of a packet: a message of 64 KiB and its topic fit."""
MOST_TOPIC = 255
"""Bytes: a tag's."""
MOST_FILTERS = 64
"""Of one request."""


class MqttError(Exception):
    """What a client must not send; the connection is closed, as the standard asks for."""


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def raw(self, length: int) -> bytes:
        if self._at + length > len(self._data):
            raise MqttError("a packet that ends too early")
        self._at += length
        return self._data[self._at - length : self._at]

    def number(self, length: int = 2) -> int:
        return int.from_bytes(self.raw(length), "big")

    def binary(self) -> bytes:
        return self.raw(self.number())

    def text(self) -> str:
        try:
            text = self.binary().decode()
        except UnicodeDecodeError:
            raise MqttError("text that is not UTF-8") from None  # [MQTT-1.5.3-1]
        if "\0" in text:
            raise MqttError("text with a null character")  # [MQTT-1.5.3-2]
        return text

    def rest(self) -> bytes:
        return self.raw(len(self._data) - self._at)

    @property
    def is_done(self) -> bool:
        return self._at == len(self._data)


@dataclass(frozen=True)
class Publish:
    """A message of a client; `number` is 0 where no answer is wanted."""

    topic: str
    payload: bytes
    number: int = 0
    retain: bool = False
    again: bool = False
    """Sent before, without an answer."""


@dataclass(frozen=True)
class Connect:
    """How a client introduces itself."""

    speaks: bool
    """Whether it speaks MQTT 3.1.1; otherwise nothing else is known of it."""
    client: str = ""
    clean: bool = True
    patience: int = 0
    """Seconds within which it says something; 0 for no promise."""
    will: Publish | None = None
    """To be published if it goes without a word."""
    user: str | None = None
    password: bytes | None = None


async def read_packet(reader: asyncio.StreamReader) -> tuple[int, int, bytes]:
    """The kind of the next packet, its flags and its body."""
    first = (await reader.readexactly(1))[0]
    length = shift = 0
    while True:
        byte = (await reader.readexactly(1))[0]
        length |= (byte & 127) << shift
        if byte < 128:
            break
        shift += 7
        if shift > 21:
            raise MqttError("a length of more than four bytes")
    if length > MOST_PACKET:
        raise MqttError(f"a packet of {length:,} bytes: at most {MOST_PACKET:,} are taken")
    kind, flags = first >> 4, first & 15
    if kind != PUBLISH and flags != (2 if kind in (SUBSCRIBE, UNSUBSCRIBE, 6) else 0):
        raise MqttError(f"a packet of kind {kind} with flags {flags}")  # [MQTT-2.2.2-2]
    return kind, flags, await reader.readexactly(length)


def packet(kind: int, body: bytes = b"", flags: int = 0) -> bytes:
    """A whole packet.

    >>> packet(PINGRESP).hex()
    'd000'
    """
    out, left = bytearray([kind << 4 | flags]), len(body)
    while left >= 128:
        out.append(left & 127 | 128)
        left >>= 7
    out.append(left)
    return bytes(out) + body


def publish_packet(topic: str, payload: bytes, number: int = 0, again: bool = False) -> bytes:
    """A message for a client, with a number where it shall answer."""
    name = topic.encode()
    head = struct.pack(">H", len(name)) + name
    if number == 0:
        return packet(PUBLISH, head + payload)
    return packet(PUBLISH, head + struct.pack(">H", number) + payload, flags=2 | 8 * again)


def read_connect(body: bytes) -> Connect:
    """What a CONNECT says."""
    reader = _Reader(body)
    if reader.binary() != b"MQTT" or reader.number(1) != 4:
        return Connect(speaks=False)
    flags, patience = reader.number(1), reader.number()
    has_will, will_qos, retains = bool(flags & 4), flags >> 3 & 3, bool(flags & 32)
    if flags & 1 or will_qos == 3 or (not has_will and (will_qos or retains)) or (flags & 64 and not flags & 128):
        raise MqttError(f"a CONNECT with flags {flags:#x}")  # [MQTT-3.1.2-3], -11 to -15, -22
    client = reader.text()
    will = Publish(_topic(reader.text()), reader.binary(), retain=retains) if has_will else None
    user = reader.text() if flags & 128 else None
    password = reader.binary() if flags & 64 else None
    if not reader.is_done:
        raise MqttError("a CONNECT that is too long")
    return Connect(True, client, bool(flags & 2), patience, will, user, password)


def read_publish(flags: int, body: bytes) -> Publish:
    """What a PUBLISH says."""
    reader, qos = _Reader(body), flags >> 1 & 3
    if qos > 1:
        raise MqttError("quality of service 2: this door has 0 and 1")
    topic = _topic(reader.text())
    number = 0
    if qos:
        number = reader.number()
        if number == 0:
            raise MqttError("a packet without a number")  # [MQTT-2.3.1-1]
    return Publish(topic, reader.rest(), number, bool(flags & 1), bool(flags & 8))


def _topic(topic: str) -> str:
    if not 1 <= len(topic.encode()) <= MOST_TOPIC or "+" in topic or "#" in topic or topic.startswith("$"):
        raise MqttError(f"{topic!r:.60} is no topic to publish to")  # [MQTT-3.3.2-2]
    return topic


def read_subscribe(body: bytes) -> tuple[int, list[tuple[str, int]]]:
    """The number of a SUBSCRIBE, its filters, and the quality asked for with each."""
    reader = _Reader(body)
    number, filters = reader.number(), []
    while not reader.is_done:
        pattern, qos = reader.text(), reader.number(1)
        if qos > 2:
            raise MqttError(f"a quality of service of {qos}")  # [MQTT-3-8.3-4]
        filters.append((pattern, qos))
    return _several(number, filters)


def read_unsubscribe(body: bytes) -> tuple[int, list[str]]:
    """The number of an UNSUBSCRIBE and its filters."""
    reader = _Reader(body)
    number, filters = reader.number(), []
    while not reader.is_done:
        filters.append(reader.text())
    return _several(number, filters)


def _several(number: int, filters: list[_T]) -> tuple[int, list[_T]]:
    if number == 0 or not 1 <= len(filters) <= MOST_FILTERS:
        raise MqttError(f"a request, number {number}, with {len(filters)} filters")  # [MQTT-3.8.3-3]
    return number, filters
