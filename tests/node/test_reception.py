"""Callers before they are known: floods, slow handshakes, and members among them."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager

import psutil
import pytest

from hunet.model.errors import LinkError
from hunet.node.frames import Records, StreamLink
from hunet.node.handshake import Self, VersionError, dial
from hunet.node.reception import MOST_HALF_OPEN, Reception
from tests.node.streams import KEY, somebody


@asynccontextmanager
async def listening(me: Self, patience: float = 5.0) -> AsyncIterator[tuple[Reception, int, list[StreamLink]]]:
    reception, made = Reception(me, lambda: [KEY], patience), []

    async def receive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = await reception.receive(reader, writer)
        if link is not None:
            made.append(link)

    server = await asyncio.start_server(receive, "127.0.0.1", 0)
    try:
        yield reception, server.sockets[0].getsockname()[1], made
    finally:
        server.close()
        for link in made:
            link.abort()
        await asyncio.sleep(0.05)  # those who were left notice


async def called(port: int, key: bytes = KEY, version: int = 1) -> StreamLink:
    records = Records(*await asyncio.open_connection("127.0.0.1", port))
    try:
        return await dial(records, somebody(version), key)
    except LinkError:
        records.abort()
        raise


def test_a_member_gets_a_link_in_the_middle_of_a_flood_of_silent_callers() -> None:
    async def run() -> None:
        async with listening(somebody()) as (reception, port, made):
            flood, members = ExitStack(), []
            process = psutil.Process()
            before, most = process.memory_info().rss, 0
            for i in range(400):
                flood.enter_context(socket.create_connection(("127.0.0.1", port)))
                await asyncio.sleep(0.001)
                most = max(most, reception.half_open)
                if i % 40 == 39:
                    began = time.monotonic()
                    members.append(await called(port))
                    assert time.monotonic() - began < 1.0
            await asyncio.sleep(0.05)
            assert len(made) == 10
            assert most <= MOST_HALF_OPEN
            assert reception.refused["pushed out"] >= 400 - MOST_HALF_OPEN
            assert process.memory_info().rss - before < 20e6
            flood.close()
            for link in members:
                link.abort()

    asyncio.run(run())


def test_callers_with_a_wrong_key_are_counted_and_answered_nothing() -> None:
    async def run() -> None:
        async with listening(somebody()) as (reception, port, made):
            for _ in range(20):
                with pytest.raises(LinkError, match="left"):
                    await called(port, key=b"x" * 32)
            assert reception.refused == {"stranger": 20}
            assert made == []
            assert reception.half_open == 0

    asyncio.run(run())


def test_another_version_is_told_and_remembered_for_the_doctor() -> None:
    async def run() -> None:
        async with listening(somebody()) as (reception, port, _):
            with pytest.raises(VersionError, match="update hunet on the peer"):
                await called(port, version=2)
            assert "update hunet on this node" in str(reception.last_version_error)

    asyncio.run(run())


def test_a_slow_caller_has_its_place_no_longer_than_patience_lasts() -> None:
    async def run() -> None:
        async with listening(somebody(), patience=0.2) as (reception, port, _):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"\0")
            await asyncio.sleep(0.05)
            assert reception.half_open == 1
            await asyncio.sleep(0.3)
            assert reception.half_open == 0
            assert reception.refused == {"broken": 1}
            writer.transport.abort()

    asyncio.run(run())
