"""`hunet.node.Client`: a node from Python."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hunet.model.errors import NodeError
from hunet.node import Client, Message
from tests.node.running import until
from tests.node.village import member


def test_two_programs_talk_through_two_nodes(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "ann") as ann, member(tmp_path / "bob", peers=(("127.0.0.1", ann.port),)) as bob:
            async with Client(tmp_path / "ann") as here, Client(tmp_path / "bob") as there:
                await there.subscribe("jazz")
                got: list[Message] = []

                async def listen() -> None:
                    got.append(await anext(there.messages("jazz")))

                listening = asyncio.create_task(listen())
                await until(lambda: len(bob.contacts), 30)
                mid = await here.publish("Tonight at nine.", "jazz", "music")
                await here.publish(b"\xff", "storm")
                await until(lambda: got, 30)
                await listening
                (one,) = got
                assert (one.id, one.text, one.tags, one.hops, one.own) == (
                    mid, "Tonight at nine.", ("jazz", "music"), 1, False,
                )  # fmt: skip
                assert one.carrier == ann.me.hex()
                assert [each.text for each in await there.history("jazz")] == ["Tonight at nine."]
                assert [peer["peer"] for peer in await there.peers()] == [ann.me.hex()]
                (wanted,) = await there.interests()
                assert (wanted["tag"], wanted["unread"]) == ("jazz", 1)
                await there.unsubscribe("jazz")
                with pytest.raises(NodeError, match="not subscribed"):
                    await there.unsubscribe("jazz")

    asyncio.run(run())


def test_from_a_cursor_on_nothing_is_missed_and_own_messages_come_if_asked_for(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a"), Client(tmp_path / "a") as client:
            await asyncio.gather(*(client.publish(f"{i}", "x") for i in range(20)))
            got = []
            async for message in client.messages("x", since=0, own=True):
                got.append(message.text)
                if len(got) == 20:
                    break
            assert sorted(got, key=int) == [str(i) for i in range(20)]

    asyncio.run(run())


def test_whoever_listens_is_told_when_the_node_stops_and_without_a_node_what_to_do(tmp_path: Path) -> None:
    async def run() -> None:
        async with member(tmp_path / "a") as node, Client(tmp_path / "a") as client:
            listening = asyncio.create_task(anext(client.messages()))
            await asyncio.sleep(0.2)
            node.stopping.set()
            with pytest.raises(NodeError, match="stopped"):
                await listening
        with pytest.raises(NodeError, match="hunet node run"):
            async with Client(tmp_path / "a"):
                pass

    asyncio.run(run())
