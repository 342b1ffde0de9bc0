"""The MQTT door: stock clients publish and subscribe, sessions outlive absence, and nothing strange gets in."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiomqtt
import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from hunet.node.daemon import Node
from hunet.node.doors import mqtt as door_module
from hunet.node.doors.mqtt_packets import (
    CONNACK,
    CONNECT,
    PUBACK,
    PUBLISH,
    SUBACK,
    SUBSCRIBE,
    packet,
    publish_packet,
    read_packet,
)
from hunet.node.doors.owner import Owner
from hunet.node.doors.token import token_at
from hunet.node.service import publish_bytes
from tests.node.doors.mosquitto import mosquitto, said
from tests.node.running import until
from tests.node.village import ANY, member


def port_of(node: Node) -> int:
    assert node.mqtt is not None
    return int(node.mqtt.port)


def texts(node: Node) -> list[str]:
    from hunet.node.history import messages

    return [one["text"] for one in messages(node, since=0)["messages"]]


# ------------------------------------------------------------------ stock clients


def test_mosquitto_publishes_and_subscribes_below_a_topic(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            port = port_of(node)
            waiting = await mosquitto("mosquitto_sub", port, "-t", "talks/#", "-q", "1", "-v", "-C", "3", "-W", "60")
            await until(lambda: (0, "talks/#") in node.host.interests.all, 30)
            publishing = await mosquitto("mosquitto_pub", port, "-t", "talks/room1", "-q", "1", "-l")
            assert (await said(publishing, b"one\ntwo\n"))[0] == 0
            publishing = await mosquitto("mosquitto_pub", port, "-t", "talks", "-m", "three")
            assert (await said(publishing))[0] == 0
            status, lines = await said(waiting)
            assert (status, lines.splitlines()) == (0, ["talks/room1 one", "talks/room1 two", "talks three"])
            assert texts(node) == ["one", "two", "three"]
            await until(lambda: not node.host.interests.all, 30)  # wanted for its sake alone, and it is gone

    asyncio.run(run())


def test_a_plus_is_refused_as_mqtt_says_no(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            asking = await mosquitto("mosquitto_sub", port_of(node), "-t", "talks/+", "-W", "20")
            _, lines = await said(asking)
            assert "denied" in lines
            assert not node.host.interests.all

    asyncio.run(run())


def test_a_retained_message_is_published_and_not_retained(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            for message in (["-m", "21.5"], ["-n"]):
                sending = await mosquitto("mosquitto_pub", port_of(node), "-t", "heat", "-r", "-q", "1", *message)
                assert (await said(sending))[0] == 0
            assert texts(node) == ["21.5"]
            late = await mosquitto("mosquitto_sub", port_of(node), "-t", "heat", "-W", "1")
            assert "21.5" not in (await said(late))[1]
            assert node.mqtt is not None
            assert node.mqtt.counts["not retained"] == 2

    asyncio.run(run())


def test_a_session_outlives_its_client_and_the_node(tmp_path: Path) -> None:
    async def run() -> None:
        keeping = ("-t", "jazz", "-q", "1", "-c", "-i", "radio")
        async with member(tmp_path / "a", mqtt=ANY) as node:
            first = await mosquitto("mosquitto_sub", port_of(node), *keeping, "-C", "1", "-W", "60")
            await until(lambda: (0, "jazz") in node.host.interests.all, 30)
            await publish_bytes(node, ["jazz"], b"one")
            assert (await said(first))[1].split() == ["one"]
            await publish_bytes(node, ["jazz"], b"two")
        async with member(tmp_path / "a", mqtt=ANY) as node:
            assert (0, "jazz") in node.host.interests.all
            await publish_bytes(node, ["jazz"], b"three")
            again = await mosquitto("mosquitto_sub", port_of(node), *keeping, "-C", "2", "-W", "60")
            assert (await said(again))[1].split() == ["two", "three"]
            fresh = await mosquitto("mosquitto_sub", port_of(node), "-t", "jazz", "-i", "radio", "-W", "1")
            assert (await said(fresh))[1].split() == ["Timed", "out"] or not (await said(fresh))[1]
            await until(lambda: not node.host.interests.all, 30)  # a clean session ends the kept one

    asyncio.run(run())


def test_paho_and_aiomqtt_speak_with_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            port = port_of(node)
            async with aiomqtt.Client("127.0.0.1", port, identifier="aio") as client:
                await client.subscribe("sensors/#", qos=1)
                await asyncio.to_thread(_publish_with_paho, port)
                await client.publish("sensors/b", b"\x00\xff", qos=1)
                got = []
                async with asyncio.timeout(30):
                    async for message in client.messages:
                        got.append((str(message.topic), message.payload))
                        if len(got) == 2:
                            break
            assert sorted(got) == [("sensors/a", b"22"), ("sensors/b", b"\x00\xff")]

    asyncio.run(run())


def _publish_with_paho(port: int) -> None:
    client = paho.Client(CallbackAPIVersion.VERSION2)
    client.connect("127.0.0.1", port)
    client.loop_start()
    client.publish("sensors/a", "22", qos=1).wait_for_publish(30)
    client.disconnect()
    client.loop_stop()


def test_a_will_is_published_when_a_client_is_lost_and_not_when_it_leaves(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            will = aiomqtt.Will("lamp/state", "offline", qos=1)
            async with aiomqtt.Client("127.0.0.1", port_of(node), will=will):
                pass
            _, writer = await _connected(node, flags=0x06, more=_text("lamp/state") + _text("lost"))
            writer.transport.abort()
            await until(lambda: texts(node) == ["lost"], 30)

    asyncio.run(run())


# ------------------------------------------------------------------ by hand, packet by packet


def _text(text: str) -> bytes:
    return struct.pack(">H", len(text.encode())) + text.encode()


async def _open(node: Node) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port_of(node))


async def _connected(
    node: Node, client: str = "hand", flags: int = 0x02, more: bytes = b"", answer: int = 0
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await _open(node)
    head = _text("MQTT") + bytes([4, flags]) + struct.pack(">H", 60)
    writer.write(packet(CONNECT, head + _text(client) + more))
    kind, _, body = await read_packet(reader)
    assert (kind, body[1]) == (CONNACK, answer)
    return reader, writer


async def _is_closed(reader: asyncio.StreamReader) -> bool:
    async with asyncio.timeout(20):
        try:
            return await reader.read() == b""
        except ConnectionError:
            return True


def test_a_message_that_is_sent_again_is_published_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            reader, writer = await _connected(node, "sensor", flags=0x00)
            for again in (False, True):
                writer.write(publish_packet("heat", b"21", 7, again))
                assert await read_packet(reader) == (PUBACK, 0, b"\0\7")
            writer.close()
            reader, writer = await _connected(node, "sensor", flags=0x00)
            writer.write(publish_packet("heat", b"21", 7, again=True))  # the answer did not reach it
            assert await read_packet(reader) == (PUBACK, 0, b"\0\7")
            writer.write(publish_packet("heat", b"21", 7))  # the same measured once more
            assert await read_packet(reader) == (PUBACK, 0, b"\0\7")
            assert texts(node) == ["21", "21"]
            writer.close()

    asyncio.run(run())


def test_what_was_not_acknowledged_is_sent_again_after_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            reader, writer = await _connected(node, "radio", flags=0x00)
            writer.write(packet(SUBSCRIBE, b"\0\1" + _text("jazz") + b"\1", flags=2))
            assert await read_packet(reader) == (SUBACK, 0, b"\0\1\1")
            for text in (b"one", b"two"):
                await publish_bytes(node, ["jazz"], text)
            got = [await read_packet(reader) for _ in range(2)]
            numbers = [body[6:8] for _, _, body in got]
            writer.write(packet(PUBACK, numbers[0]))
            await until(lambda: node.mqtt is not None and node.mqtt.sessions.all["radio"].cursor == 1, 20)
            writer.transport.abort()
            reader, writer = await _connected(node, "radio", flags=0x00)
            kind, flags, body = await read_packet(reader)
            assert (kind, flags & 8, body[8:]) == (PUBLISH, 8, b"two")
            assert body[6:8] == numbers[1]
            writer.close()

    asyncio.run(run())


def test_a_second_connection_takes_the_place_of_the_first(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            reader, first = await _connected(node, "same")
            _, second = await _connected(node, "same")
            assert await _is_closed(reader)
            first.close()
            second.close()

    asyncio.run(run())


NO_PACKETS: list[tuple[str, Callable[[], bytes]]] = [
    ("a browser's request", lambda: b"POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
    ("a message before a CONNECT", lambda: publish_packet("x", b"y", 1)),
    ("an endless length", lambda: b"\x10\xff\xff\xff\xff\xff"),
    ("a length that is too much", lambda: b"\x10\xff\xff\xff\x7f"),
    ("a CONNECT that is cut", lambda: packet(CONNECT, _text("MQTT") + b"\4")),
    ("a reserved flag", lambda: packet(CONNECT, _text("MQTT") + b"\4\3\0\0" + _text("x"))),
]


@pytest.mark.parametrize("what", [name for name, _ in NO_PACKETS])
def test_what_is_no_introduction_closes_the_connection(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hunet.node.doors.mqtt.PATIENCE", 1.0)

    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            reader, writer = await _open(node)
            writer.write(dict(NO_PACKETS)[what]())
            assert await _is_closed(reader)
            writer.close()
            assert texts(node) == []

    asyncio.run(run())


BAD_PACKETS: dict[str, bytes] = {
    "quality of service 2": packet(PUBLISH, _text("x") + b"\0\1y", flags=4),
    "a topic with a wildcard": publish_packet("x/#", b"y", 1),
    "a topic of nothing": publish_packet("", b"y", 1),
    "a number of nothing": packet(PUBLISH, _text("x") + b"\0\0y", flags=2),
    "a topic that is no text": packet(PUBLISH, b"\0\2\xff\xfe", flags=0),
    "a subscription to nothing": packet(SUBSCRIBE, b"\0\1", flags=2),
    "a kind that clients do not send": packet(CONNACK, b"\0\0"),
    "a second introduction": packet(CONNECT, _text("MQTT") + b"\4\2\0\0" + _text("x")),
    "a message of more than 64 KiB": publish_packet("x", bytes(70_000), 1),
}


@pytest.mark.parametrize("what", BAD_PACKETS)
def test_what_the_standard_forbids_closes_the_connection_and_publishes_nothing(what: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            reader, writer = await _connected(node)
            writer.write(BAD_PACKETS[what])
            assert await _is_closed(reader)
            writer.close()
            assert texts(node) == []

    asyncio.run(run())


def test_another_version_is_told_so(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            reader, writer = await _open(node)
            writer.write(packet(CONNECT, _text("MQTT") + b"\5\2\0\0" + _text("x")))
            assert await read_packet(reader) == (CONNACK, 0, b"\0\1")
            writer.close()

    asyncio.run(run())


def test_others_who_share_the_machine_need_the_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            (await _connected(node))[1].close()  # my own program: Linux says whose it is
            monkeypatch.setattr(door_module, "owner_of", lambda *_: Owner(12_345))
            (await _connected(node, answer=4))[1].close()
            secret = _text("anybody") + _text(token_at(tmp_path / "a"))
            (await _connected(node, flags=0xC2, more=secret))[1].close()
            (await _connected(node, flags=0xC2, more=_text("anybody") + _text("wrong"), answer=4))[1].close()

    asyncio.run(run())


def test_a_client_that_falls_silent_is_left(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            reader, writer = await _open(node)
            writer.write(packet(CONNECT, _text("MQTT") + bytes([4, 2, 0, 1]) + _text("x")))
            await read_packet(reader)
            assert await _is_closed(reader)  # after one and a half seconds
            writer.close()

    asyncio.run(run())


def test_messages_of_people_come_out_under_their_tags(tmp_path: Path) -> None:
    """Several tags, some of which no topic can have: the first that the filter matches is the topic."""

    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            async with aiomqtt.Client("127.0.0.1", port_of(node)) as client:
                await client.subscribe("#")
                for tags in (["c++"], ["c++", "jazz"], ["blues", "jazz"]):
                    await publish_bytes(node, tags, b"x")
                got: list[Any] = []
                async with asyncio.timeout(30):
                    async for message in client.messages:
                        got.append(str(message.topic))
                        if len(got) == 2:
                            break
            assert got == ["jazz", "blues"]

    asyncio.run(run())
