"""From a sensor at one node to a radio at another that it never meets: somebody walks between them."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from hunet.node.daemon import Node
from tests.node.doors.mosquitto import mosquitto, said
from tests.node.running import until
from tests.node.village import ANY, member
from tests.ports import free_port

HALF = 15


def test_what_mosquitto_publishes_reaches_mosquitto_two_hops_away_once_with_a_restart_in_the_middle(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        door, place = ("127.0.0.1", free_port()), ("127.0.0.1", free_port())

        def walking(to: tuple[str, int]) -> AbstractAsyncContextManager[Node]:
            return member(tmp_path / "b", peers=(to,))

        async def publish(numbers: range) -> None:
            assert a.mqtt is not None
            sending = await mosquitto("mosquitto_pub", a.mqtt.port, "-t", "heat/room1", "-q", "1", "-l")
            assert (await said(sending, "".join(f"{i}\n" for i in numbers).encode()))[0] == 0

        async with member(tmp_path / "a", mqtt=ANY) as a:
            async with member(tmp_path / "c", mqtt=door, listen=place) as c:
                keeping = ("-t", "heat/#", "-q", "1", "-c", "-i", "radio", "-C", str(2 * HALF), "-W", "150")
                radio = await mosquitto("mosquitto_sub", door[1], *keeping)
                await until(lambda: (0, "heat/#") in c.host.interests.all, 30)
                async with walking(place) as b:  # who walks learns what is wanted there
                    await until(lambda: b.host.rows[0].state.wants.any(), 30)
                await publish(range(HALF))
                async with walking(("127.0.0.1", a.port)) as b:
                    await until(lambda: len(b.host.shelf.held) == HALF, 60)
                async with walking(place):
                    await until(lambda: len(c.store.deliveries()) == HALF, 60)
                await publish(range(HALF, 2 * HALF))
                async with walking(("127.0.0.1", a.port)) as b:
                    await until(lambda: len(b.host.shelf.held) == 2 * HALF, 60)
            async with member(tmp_path / "c", mqtt=door, listen=place) as c, walking(place):
                await until(lambda: len(c.store.deliveries()) == 2 * HALF, 60)
                status, got = await said(radio, patience=100)
                assert status == 0, got
                assert sorted(map(int, got.split())) == list(range(2 * HALF))
                assert {one.hops for one in c.store.deliveries()} == {2}

    asyncio.run(run())
