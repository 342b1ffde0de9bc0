"""200 messages a second through each door, none lost: for a minute in `make soak`, for two seconds in `make test`."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiomqtt
import pytest

from hunet.node import Client
from hunet.node.daemon import Node
from tests.node.doors.web import base_of, token_of
from tests.node.village import ANY, member

RATE = 200
AT_ONCE = 50
"""Publications under way: one after the other, a disk takes fewer than a hundred a second."""

SECONDS = [pytest.param(2, id="short"), pytest.param(60, id="minute", marks=pytest.mark.soak)]


async def _publish(seconds: int, send: Callable[[int], Awaitable[object]]) -> float:
    """Publish at the rate; how many seconds it took."""
    loop, free = asyncio.get_running_loop(), asyncio.Semaphore(AT_ONCE)
    began = loop.time()

    async def one(number: int) -> None:
        async with free:
            await send(number)

    async with asyncio.TaskGroup() as tasks:
        for number in range(RATE * seconds):
            await asyncio.sleep(max(0.0, began + number / RATE - loop.time()))
            tasks.create_task(one(number))
    return loop.time() - began


def _kept(node: Node) -> int:
    return int(node.store.rows("SELECT count(*) FROM delivery")[0][0])


def _judge(door: str, seconds: int, took: float, cpu: float) -> None:
    """The long run keeps up the rate; a short one, on a machine that is busy with other tests, loses nothing."""
    number = RATE * seconds
    rate, each = number / took, 1000 * cpu / number
    print(f"{door}: {number:,} messages in {took:.1f} s, {rate:.0f} a second, {each:.1f} ms of CPU each")
    assert seconds < 60 or rate > 0.95 * RATE


class Posting:
    """HTTP with as little as possible around it: the door is what is measured, not a client's comfort."""

    def __init__(self, node: Node) -> None:
        host = base_of(node).removeprefix("http://")
        self._address = host.split(":")
        self._head = (
            f"POST /v1/messages HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token_of(node)}\r\n"
            "Content-Type: application/json\r\nContent-Length: "
        )
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def send(self, number: int) -> None:
        while self._free and self._free[-1][0].at_eof():  # the door closes what is idle for long
            self._free.pop()[1].close()
        reader, writer = self._free.pop() if self._free else await asyncio.open_connection(*self._address)
        body = json.dumps({"tags": ["load"], "text": str(number)})
        writer.write(f"{self._head}{len(body)}\r\n\r\n{body}".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 201"), head
        length = next(line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        await reader.readexactly(int(length.partition(b":")[2]))
        self._free.append((reader, writer))

    def close(self) -> None:
        for _, writer in self._free:
            writer.close()


@pytest.mark.parametrize("seconds", SECONDS)
def test_through_http(seconds: int, tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", http=ANY) as node:
            used, posting = time.process_time(), Posting(node)
            took = await _publish(seconds, posting.send)
            posting.close()
            _judge("HTTP", seconds, took, time.process_time() - used)
            assert _kept(node) == RATE * seconds

    asyncio.run(run())


@pytest.mark.parametrize("seconds", SECONDS)
def test_through_mqtt_in_and_out(seconds: int, tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a", mqtt=ANY) as node:
            assert node.mqtt is not None
            used, port, got = time.process_time(), node.mqtt.port, list[bytes]()
            async with aiomqtt.Client("127.0.0.1", port, identifier="reader", clean_session=False) as reader:
                await reader.subscribe("load/#", qos=1)

                async def read() -> None:
                    async for message in reader.messages:
                        got.append(bytes(message.payload))
                        if len(got) == RATE * seconds:
                            return

                reading = asyncio.create_task(read())
                async with aiomqtt.Client("127.0.0.1", port, max_queued_outgoing_messages=0) as writer:
                    took = await _publish(
                        seconds, lambda number: writer.publish("load/a", str(number), qos=1, timeout=120)
                    )
                async with asyncio.timeout(60 + seconds):
                    await reading
            _judge("MQTT, in and out", seconds, took, time.process_time() - used)
            assert sorted(map(int, got)) == list(range(RATE * seconds))
            assert _kept(node) == RATE * seconds

    asyncio.run(run())


@pytest.mark.parametrize("seconds", SECONDS)
def test_through_the_local_door(seconds: int, tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a") as node, Client(tmp_path / "a") as client:
            used = time.process_time()
            took = await _publish(seconds, lambda number: client.publish(str(number), "load"))
            _judge("local door", seconds, took, time.process_time() - used)
            assert _kept(node) == RATE * seconds

    asyncio.run(run())
