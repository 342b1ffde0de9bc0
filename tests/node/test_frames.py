"""Frames over streams: what goes in comes out, and everything else is the one error, in bounded time and memory."""

from __future__ import annotations

import asyncio
import random

import psutil
import pytest

from hunet.model.errors import LinkError
from hunet.node import frames
from hunet.node.frames import PIECE, FrameReader, records_of
from hunet.node.link import MESSAGE, MOST_FRAME
from hunet.node.noise import Cipher
from tests.node.streams import links, pair

SIZES = [0, 1, PIECE - 2, PIECE - 1, PIECE, 3 * PIECE - 1, 3 * PIECE, MOST_FRAME - 1]


@pytest.mark.parametrize("size", SIZES)
def test_a_frame_of_any_size_arrives(size: int) -> None:
    async def run() -> None:
        body = random.Random(size).randbytes(size)
        async with links() as (one, other):
            _, got = await asyncio.gather(one.send(MESSAGE, body), other.receive(5.0))
            assert got == (MESSAGE, body)
            assert one.sent == other.received

    asyncio.run(run())


def test_a_frame_that_is_too_long_is_not_sent() -> None:
    with pytest.raises(LinkError, match="the limit is"):
        records_of(Cipher(bytes(32)), MESSAGE, bytes(MOST_FRAME))


@pytest.mark.parametrize(
    "texts",
    [
        [b""],
        [b"\0"],
        [b"\2x"],
        [b"\1x"],  # says that more follows, and is not full
        [b"\1" + bytes(PIECE)] * 17,  # above a megabyte
        [b"\1" + bytes(PIECE)] * 15 + [b"\0" + bytes(PIECE)] + [b"\0"],
    ],
    ids=["empty", "no piece", "no such flag", "cut too early", "too long", "an empty end"],
)
def test_what_no_sender_writes_is_refused(texts: list[bytes]) -> None:
    sealing, reader = Cipher(bytes(32)), FrameReader(Cipher(bytes(32)))
    *before, last = (sealing.seal(text) for text in texts)
    for record in before:
        reader.take(record)
    with pytest.raises(LinkError):
        reader.take(last)


def test_a_peer_that_sends_a_byte_at_a_time_is_left_when_the_time_is_up() -> None:
    async def run() -> None:
        async with links() as (one, other):
            data = b"".join(records_of(one._sealing, MESSAGE, bytes(100)))

            async def drip() -> None:
                for byte in data:
                    await one._records.write(bytes([byte]))
                    await asyncio.sleep(0.02)

            dripping = asyncio.create_task(drip())
            with pytest.raises(LinkError, match=r"within 0\.3 s"):
                await other.receive(0.3)
            with pytest.raises(LinkError):
                await dripping

    asyncio.run(run())


def test_a_peer_that_reads_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "SEND_PATIENCE", 0.3)

    async def run() -> None:
        async with links() as (one, _):

            async def send() -> None:
                for _ in range(64):
                    await one.send(MESSAGE, bytes(MOST_FRAME - 1))

            with pytest.raises(LinkError, match="took nothing"):
                await send()

    asyncio.run(run())


def test_both_may_write_eight_megabytes_before_either_has_read() -> None:
    async def run() -> None:
        async with links() as ends:

            async def send(i: int) -> None:
                for _ in range(8):
                    await ends[i].send(MESSAGE, bytes(MOST_FRAME - 1))

            async def take(i: int) -> None:
                for _ in range(8):
                    assert len((await ends[i].receive(5.0))[1]) == MOST_FRAME - 1

            await asyncio.wait_for(asyncio.gather(send(0), send(1), take(0), take(1)), 20)

    asyncio.run(run())


def test_a_peer_that_leaves_is_a_link_error_at_both() -> None:
    async def run() -> None:
        async with links() as (one, other):
            await one.close()
            with pytest.raises(LinkError, match="left"):
                await other.receive(1.0)
            with pytest.raises(LinkError):
                await one.send(MESSAGE, b"x")

    asyncio.run(run())


def test_a_record_longer_than_its_limit_is_refused_before_it_is_read() -> None:
    async def run() -> None:
        async with pair() as (one, other):
            await one.write(b"\xff\xff")
            with pytest.raises(LinkError, match="1 to 192"):
                await asyncio.wait_for(other.get(192), 1.0)

    asyncio.run(run())


def mutants(count: int, seed: int) -> int:
    """So many damaged records, each to a reader that is in the middle of a frame or not; how many were refused."""
    chance = random.Random(seed)
    whole = records_of(Cipher(bytes(32)), MESSAGE, bytes(300))[0][2:]
    refused = 0
    for _ in range(count):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 4)):
            where = chance.randrange(len(data))
            what = chance.randrange(4)
            if what == 0:
                data[where] ^= 1 << chance.randrange(8)
            elif what == 1:
                del data[where + 1 :]
            elif what == 2:
                data[where:where] = chance.randbytes(3)
            else:
                data[where] = chance.choice((0, 127, 128, 255))
        try:
            FrameReader(Cipher(bytes(32))).take(bytes(data))
        except LinkError:
            refused += 1
        else:
            assert bytes(data) == whole
    return refused


def insiders(count: int, seed: int) -> None:
    """So many records that are sealed as they should be, by a member that writes nonsense into them."""
    chance = random.Random(seed)
    done = 0
    while done < count:
        sealing, reader = Cipher(bytes(32)), FrameReader(Cipher(bytes(32)))
        try:
            while done < count:
                done += 1
                text = bytes([chance.choice((0, 0, 1, 1, 2, 255))]) + bytes(chance.choice((0, 1, 50, 50, 50)))
                reader.take(sealing.seal(text))
        except LinkError:
            continue


def refused_without_growing(count: int) -> None:
    mutants(1000, 0)
    insiders(1000, 0)
    process = psutil.Process()
    before = process.memory_info().rss
    assert mutants(count // 2, 1) > 0.98 * (count // 2)
    insiders(count // 2, 2)
    assert process.memory_info().rss - before < 20e6


def test_a_hundred_thousand_mutated_records_raise_the_one_error_and_leave_no_memory_behind() -> None:
    refused_without_growing(100_000)


@pytest.mark.soak
def test_ten_million_mutated_records_raise_the_one_error_and_leave_no_memory_behind() -> None:
    refused_without_growing(10_000_000)
