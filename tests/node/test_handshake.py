"""A link between members; nothing for strangers; a polite word to members of another version."""

from __future__ import annotations

import asyncio
import socket
import struct

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from hunet.model.errors import LinkError
from hunet.node import handshake
from hunet.node.frames import Records
from hunet.node.handshake import Self, StrangerError, VersionError, answer, dial, prologue
from hunet.node.noise import Handshake
from tests.node.streams import KEY, links, pair, somebody


def test_both_ends_know_each_others_link_key_and_name_the_contact_alike() -> None:
    async def run() -> None:
        me, other = somebody(), somebody()
        async with pair() as (mine, theirs):
            one, two = await asyncio.gather(dial(mine, me, KEY), answer(theirs, other, [KEY]))
        assert one.peer == other.link.public_key().public_bytes_raw()
        assert two.peer == me.link.public_key().public_bytes_raw()
        assert one.contact == two.contact
        assert len(one.contact) == 32
        async with links() as (third, _):
            assert third.contact != one.contact

    asyncio.run(run())


def test_an_older_key_is_accepted_as_well() -> None:
    async def run() -> None:
        async with pair() as (mine, theirs):
            await asyncio.gather(dial(mine, somebody(), KEY), answer(theirs, somebody(), [b"n" * 32, KEY]))

    asyncio.run(run())


async def all_that_is_answered(said: bytes, me: Self) -> tuple[bytes, LinkError]:
    """Every byte that somebody gets who says this and then waits, and why it ended."""
    one, two = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=one)
    records = Records(*await asyncio.open_connection(sock=two))
    writer.write(said)
    with pytest.raises(LinkError) as ended:
        await answer(records, me, [KEY], patience=0.5)
    await records.close()
    got = await asyncio.wait_for(reader.read(), 2.0)
    writer.close()
    return got, ended.value


def first(key: bytes, version: int = 1) -> bytes:
    message = Handshake(True, X25519PrivateKey.generate(), key, prologue(version)).write()
    return struct.pack(">H", len(message)) + message


@pytest.mark.parametrize(
    "said",
    [
        first(b"x" * 32),
        b"",
        b"\0",
        b"\0\x30" + bytes(48),
        b"\xff\xff" + bytes(70_000),
        b"GET / HTTP/1.1\r\nHost: here\r\n\r\n",
        first(KEY)[:30],
        first(KEY, version=17),
    ],
    ids=["wrong key", "silence", "half a length", "zeros", "too long", "HTTP", "half a message", "a version too far"],
)
def test_a_stranger_gets_not_one_byte(said: bytes) -> None:
    got, _ = asyncio.run(all_that_is_answered(said, somebody()))
    assert got == b""


def test_a_wrong_key_costs_no_operation_on_the_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    said, me = first(b"x" * 32), somebody()
    me.card()  # made when a node starts

    def refuse(*_: object) -> None:
        raise AssertionError("an operation on the curve")

    monkeypatch.setattr("hunet.node.noise.X25519PrivateKey", refuse)
    monkeypatch.setattr("hunet.node.noise.X25519PublicKey", refuse)
    monkeypatch.setattr(Handshake, "_exchange", refuse)
    got, error = asyncio.run(all_that_is_answered(said, me))
    assert got == b""
    assert isinstance(error, StrangerError)


@pytest.mark.parametrize(("mine", "theirs"), [(1, 2), (2, 1), (1, 16), (3, 5)])
def test_another_version_is_refused_politely_on_both_sides(mine: int, theirs: int) -> None:
    async def run() -> None:
        async with pair() as (one, other):
            ends = await asyncio.gather(
                dial(one, somebody(mine), KEY), answer(other, somebody(theirs), [KEY]), return_exceptions=True
            )
        told = [str(end) for end in ends if isinstance(end, VersionError)]
        older = ["this node", "the peer"] if mine < theirs else ["the peer", "this node"]
        assert told == [
            f"the peer speaks version {theirs} of the wire, this node {mine}: update hunet on {older[0]}",
            f"the peer speaks version {mine} of the wire, this node {theirs}: update hunet on {older[1]}",
        ]

    asyncio.run(run())


def test_a_refusal_that_no_member_wrote_says_nothing_of_versions() -> None:
    async def run() -> None:
        async with pair() as (one, other):
            dialling = asyncio.create_task(dial(one, somebody(), KEY))
            await other.get()
            await other.put(bytes(handshake.REFUSAL))
            with pytest.raises(LinkError, match="no member") as refused:
                await dialling
            assert not isinstance(refused.value, VersionError)

    asyncio.run(run())


class Impostor(Self):
    """Shows somebody else's card."""

    def card(self) -> bytes:
        return somebody().card()


@pytest.mark.parametrize("dialler_lies", [True, False])
def test_a_card_of_somebody_else_is_refused(dialler_lies: bool) -> None:
    async def run() -> None:
        liar, honest = Impostor(Ed25519PrivateKey.generate()), somebody()
        me, other = (liar, honest) if dialler_lies else (honest, liar)
        async with pair() as (one, two):
            dialling = asyncio.create_task(dial(one, me, KEY, patience=1.0))
            answering = asyncio.create_task(answer(two, other, [KEY], patience=1.0))
            with pytest.raises(LinkError, match="card"):
                await (answering if dialler_lies else dialling)
            (dialling if dialler_lies else answering).cancel()
            await asyncio.gather(dialling, answering, return_exceptions=True)

    asyncio.run(run())


def test_a_slow_handshake_ends_when_its_time_is_up() -> None:
    async def run() -> None:
        async with pair() as (one, other):
            answering = asyncio.create_task(answer(other, somebody(), [KEY], patience=0.3))
            for byte in first(KEY):
                await asyncio.sleep(0.02)
                try:
                    await one.write(bytes([byte]))
                except LinkError:
                    break
            with pytest.raises(LinkError, match=r"within 0.3 s"):
                await answering

    asyncio.run(run())
