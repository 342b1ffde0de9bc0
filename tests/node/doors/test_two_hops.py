"""From a sensor at one node to a radio at another that it never meets: somebody walks between them."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.node.doors.mosquitto import mosquitto, said
from tests.node.running import free_port, until
from tests.node.village import member

MESSAGES = 30


def test_what_mosquitto_publishes_reaches_mosquitto_two_hops_away_once_with_a_restart_in_the_middle(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        door, listening = ("127.0.0.1", free_port()), ("127.0.0.1", free_port())
        keeping = ("-t", "heat/#", "-q", "1", "-c", "-i", "radio", "-C", str(MESSAGES), "-W", "120")
        async with member(tmp_path / "a", mqtt=("127.0.0.1", 0)) as a:
            assert a.mqtt is not None
            async with member(tmp_path / "c", mqtt=door, listen=listening) as c:
                radio = await mosquitto("mosquitto_sub", door[1], *keeping)
                await until(lambda: (0, "heat/#") in c.host.interests.all, 30)
                async with member(tmp_path / "b", peers=(listening,)) as b:  # who walks knows what is wanted there
                    await until(lambda: len(b.contacts), 30)
                    await asyncio.sleep(0.5)
                for half in range(2):
                    sending = await mosquitto("mosquitto_pub", a.mqtt.port, "-t", "heat/room1", "-q", "1", "-l")
                    lines = "".join(f"{half * MESSAGES // 2 + i}\n" for i in range(MESSAGES // 2))
                    assert (await said(sending, lines.encode()))[0] == 0
                    async with member(tmp_path / "b", peers=(("127.0.0.1", a.port),)) as b:
                        await until(lambda b=b, half=half: len(b.host.shelf.held) == (half + 1) * MESSAGES // 2, 60)
                    async with member(tmp_path / "b", peers=(listening,)) as b:
                        if half == 0:
                            await until(lambda: len(c.store.deliveries()) == MESSAGES // 2, 60)
                        else:
                            break
            async with (
                member(tmp_path / "c", mqtt=door, listen=listening) as c,
                member(tmp_path / "b", peers=(listening,)),
            ):
                await until(lambda: len(c.store.deliveries()) == MESSAGES, 60)
                status, got = await said(radio, patience=100)
                assert status == 0
                assert sorted(map(int, got.split())) == list(range(MESSAGES))
                assert {one.hops for one in c.store.deliveries()} == {2}

    asyncio.run(run())
