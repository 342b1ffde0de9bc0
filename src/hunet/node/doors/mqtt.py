"""The MQTT door: what programs publish goes into the network of people, and what they subscribe to comes out of it.

MQTT 3.1.1 with qualities of service 0 and 1. A PUBACK says that the message is on this node's disk; where it goes from
there, people decide. A topic is a tag, and `talks/#` everything below one (`topics.py`); `+` is refused in the SUBACK.
Nothing is retained, for nobody owns a last value here: such a message is published as any other, and that is counted.
"""

from __future__ import annotations

import asyncio
import secrets
import struct
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from hunet.model.errors import HunetError
from hunet.node.address import listening_socket
from hunet.node.doors.mqtt_packets import (
    CONNACK,
    CONNECT,
    DISCONNECT,
    PINGREQ,
    PINGRESP,
    PUBACK,
    PUBLISH,
    SUBACK,
    SUBSCRIBE,
    UNSUBACK,
    UNSUBSCRIBE,
    Connect,
    MqttError,
    Publish,
    packet,
    publish_packet,
    read_connect,
    read_packet,
    read_publish,
    read_subscribe,
    read_unsubscribe,
)
from hunet.node.doors.mqtt_sessions import Session, Sessions, is_possible
from hunet.node.doors.owner import owner_of
from hunet.node.doors.token import is_token, token_at
from hunet.node.message import Envelope
from hunet.node.service import publish_bytes
from hunet.node.topics import plain

if TYPE_CHECKING:
    from hunet.node.daemon import Node

__all__ = ["MqttDoor"]

PATIENCE = 10.0
"""Seconds for a client to introduce itself, and to take what is sent to it."""
MOST_CLIENTS = 64
WINDOW = 100
"""Messages that a client has not acknowledged."""
NUMBERS = 65_535
_ACCEPTED, _WRONG_VERSION, _BAD_NAME, _UNAVAILABLE, _BAD_PASSWORD = range(5)
_REFUSED = 0x80
"""In a SUBACK: no such subscription here."""


class MqttDoor:
    """Open from `start` to `stop`."""

    def __init__(self, node: Node, address: tuple[str, int]) -> None:
        self.node, self._token = node, token_at(node.options.home)
        self._socket = listening_socket(address, "MQTT")
        host, self.port = self._socket.getsockname()[:2]
        self.address = f"{host}:{self.port}"
        self.sessions = Sessions(node)
        self.connected: dict[str, _Client] = {}
        self.counts: Counter[str] = Counter()
        """What was refused, or done otherwise than asked."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Open."""
        self._server = await asyncio.start_server(self._serve, sock=self._socket)

    async def stop(self) -> None:
        """Close; clients see the connection end."""
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            if client := await self._welcome(reader, writer):
                await client.live()
        except (MqttError, OSError, EOFError) as error:
            if isinstance(error, MqttError):
                self.counts[str(error)[:80] if len(self.counts) < 32 else "other mistakes"] += 1
        finally:
            writer.close()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> _Client | None:
        async with asyncio.timeout(PATIENCE):  # a TimeoutError is an OSError
            kind, _, body = await read_packet(reader)
        if kind != CONNECT:  # a browser that was sent here says GET or POST
            raise MqttError("something else than a CONNECT first")  # [MQTT-3.1.0-1]
        asked = read_connect(body)
        answer = self._judge(asked, writer)
        session, known = None, False
        if answer == _ACCEPTED:
            name = asked.client or f"unnamed-{secrets.token_hex(8)}"
            if (before := self.connected.get(name)) is not None:
                await before.leave()  # [MQTT-3.1.4-2]
            try:
                session, known = self.sessions.open(name, asked.clean)
            except HunetError:
                answer = _UNAVAILABLE
        writer.write(packet(CONNACK, bytes([known, answer])))
        return None if session is None else _Client(self, session, asked, reader, writer)

    def _judge(self, asked: Connect, writer: asyncio.StreamWriter) -> int:
        if not asked.speaks:
            return _WRONG_VERSION
        if not asked.client and not asked.clean:
            return _BAD_NAME  # [MQTT-3.1.3-8]
        if len(self.connected) >= MOST_CLIENTS:
            return _UNAVAILABLE
        if asked.password is not None:
            return _ACCEPTED if is_token(asked.password, self._token) else _BAD_PASSWORD
        peer, here = writer.get_extra_info("peername"), writer.get_extra_info("sockname")
        return _ACCEPTED if owner_of(peer, here).is_trusted else _BAD_PASSWORD


class _Client:
    """One that is connected: a task reads what it says, another sends what is for it."""

    def __init__(
        self,
        door: MqttDoor,
        session: Session,
        asked: Connect,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._door, self._node, self._session = door, door.node, session
        self._reader, self._writer = reader, writer
        self._patience = 1.5 * asked.patience or None
        self._will = asked.will
        self._unanswered: dict[int, int] = {}
        """Numbers of packets, in the order sent, and those of their messages."""
        self._answered = asyncio.Event()
        self._over = asyncio.Event()
        self._at = session.cursor
        self._publishing: set[asyncio.Task[None]] = set()
        self._task = asyncio.current_task()

    async def live(self) -> None:
        """Until it leaves."""
        door, session = self._door, self._session
        door.connected[session.client] = self
        sending = asyncio.create_task(self._send())
        try:
            await self._listen()
        finally:
            sending.cancel()
            await asyncio.gather(sending, *self._publishing, return_exceptions=True)
            if door.connected.get(session.client) is self:
                del door.connected[session.client]
            if session.clean:
                door.sessions.end(session)
            self._over.set()
            if self._will is not None and not self._node.stopping.is_set():
                with suppress(HunetError):
                    await self._publish(self._will)

    async def leave(self) -> None:
        """Another connection has taken its place."""
        self._writer.transport.abort()
        await self._over.wait()

    # ------------------------------------------------------------------ what it says

    async def _listen(self) -> None:
        while True:
            async with asyncio.timeout(self._patience):
                kind, flags, body = await read_packet(self._reader)
            match kind:
                case _ if kind == PUBLISH:
                    self._take(read_publish(flags, body))
                case _ if kind == PUBACK:
                    self._acknowledged(body)
                case _ if kind == SUBSCRIBE:
                    self._subscribe(body)
                case _ if kind == UNSUBSCRIBE:
                    self._unsubscribe(body)
                case _ if kind == PINGREQ:
                    self._writer.write(packet(PINGRESP))
                case _ if kind == DISCONNECT:
                    self._will = None  # [MQTT-3.14.4-3]
                    return
                case _:
                    raise MqttError(f"a packet of kind {kind}, which a client does not send")
            while len(self._publishing) >= WINDOW:
                await asyncio.wait(self._publishing, return_when=asyncio.FIRST_COMPLETED)
            async with asyncio.timeout(PATIENCE):
                await self._writer.drain()

    def _take(self, message: Publish) -> None:
        """Publish it; several are under way at a time, and answered in the order they came."""
        if self._session.is_repeated(message):
            self._door.counts["sent again"] += 1
            self._writer.write(packet(PUBACK, struct.pack(">H", message.number)))
            return
        task = asyncio.create_task(self._publish_and_answer(message))
        self._publishing.add(task)
        task.add_done_callback(self._publishing.discard)

    async def _publish_and_answer(self, message: Publish) -> None:
        try:
            await self._publish(message)
        except HunetError as error:  # version 3.1.1 has no other way to say no
            self._door.counts[str(error)[:80]] += 1
            self._writer.transport.abort()
            return
        if message.number:
            self._session.remember(message)
            self._writer.write(packet(PUBACK, struct.pack(">H", message.number)))

    async def _publish(self, message: Publish) -> None:
        if message.retain:
            self._door.counts["not retained"] += 1
            if not message.payload:
                return  # it asks to forget a retained message; there is none
        await publish_bytes(self._node, [message.topic], message.payload)

    def _subscribe(self, body: bytes) -> None:
        number, filters = read_subscribe(body)
        answers = bytes(self._granted(pattern, qos) for pattern, qos in filters)
        self._writer.write(packet(SUBACK, struct.pack(">H", number) + answers))

    def _granted(self, pattern: str, qos: int) -> int:
        if not is_possible(pattern):
            self._door.counts["filters that nobody can answer"] += 1
            return _REFUSED
        try:
            self._door.sessions.subscribe(self._session, pattern, qos)
        except HunetError:
            return _REFUSED
        return min(qos, 1)

    def _unsubscribe(self, body: bytes) -> None:
        number, filters = read_unsubscribe(body)
        for pattern in filters:
            self._door.sessions.unsubscribe(self._session, pattern)
        self._writer.write(packet(UNSUBACK, struct.pack(">H", number)))

    def _acknowledged(self, body: bytes) -> None:
        if len(body) != 2:
            raise MqttError("a PUBACK of another length")
        self._unanswered.pop(int.from_bytes(body, "big"), None)
        self._answered.set()
        self._advance()

    # ------------------------------------------------------------------ what is for it

    async def _send(self) -> None:
        """Message by message, from the history, with at most so many unacknowledged."""
        while True:
            waiting = self._node.delivered
            rows = self._node.store.rows(
                "SELECT seq, envelope FROM delivery WHERE seq > ? ORDER BY seq LIMIT ?", self._at, WINDOW
            )
            for seq, data in rows:
                await self._send_one(seq, self._node.host.opened(Envelope.decode(data)))
            if rows:
                self._advance()
            elif waiting is self._node.delivered:
                await waiting.wait()

    async def _send_one(self, seq: int, envelope: Envelope) -> None:
        session = self._session
        found = session.match(seq, plain(envelope.tags))
        if found is not None:
            topic, qos = found
            number = seq % NUMBERS + 1 if qos else 0
            while qos and (len(self._unanswered) >= WINDOW or number in self._unanswered):
                self._answered.clear()
                await self._answered.wait()
            if qos:
                self._unanswered[number] = seq
            self._writer.write(publish_packet(topic, envelope.payload, number, again=seq <= session.sent))
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._writer.drain()
            except TimeoutError:
                self._writer.transport.abort()
                raise
        self._at = seq
        session.sent = max(session.sent, seq)

    def _advance(self) -> None:
        """Everything before the first unacknowledged message is done with."""
        cursor = min(self._unanswered.values(), default=self._at + 1) - 1
        if cursor > self._session.cursor:
            self._session.cursor = cursor
            self._door.sessions.save(self._session)
