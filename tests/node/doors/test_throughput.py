"""200 messages a second through each door, none lost: for a minute in `make soak`, for two seconds in `make test`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiomqtt
import pytest

from hunet.node import Client
from hunet.node.daemon import Node
from tests.node.doors.web import opened
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


def _say(door: str, seconds: int, took: float, cpu: float) -> None:
    number = RATE * seconds
    print(
        f"{door}: {number:,} messages in {took:.1f} s ({number / took:.0f} a second), {1000 * cpu / number:.1f} ms of CPU each"
    )


@pytest.mark.parametrize("seconds", SECONDS)
def test_through_http(seconds: int, tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "a") as (node, web):
            used = time.process_time()

            async def send(number: int) -> None:
                answer = await web.post("/v1/messages", json={"tags": ["load"], "text": str(number)})
                assert answer.status_code == 201

            took = await _publish(seconds, send)
            _say("HTTP", seconds, took, time.process_time() - used)
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
            _say("MQTT, in and out", seconds, took, time.process_time() - used)
            assert sorted(map(int, got)) == list(range(RATE * seconds))
            assert _kept(node) == RATE * seconds

    asyncio.run(run())


@pytest.mark.parametrize("seconds", SECONDS)
def test_through_the_local_door(seconds: int, tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a") as node, Client(tmp_path / "a") as client:
            used = time.process_time()
            took = await _publish(seconds, lambda number: client.publish(str(number), "load"))
            _say("local door", seconds, took, time.process_time() - used)
            assert _kept(node) == RATE * seconds

    asyncio.run(run())
