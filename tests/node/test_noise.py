"""The handshake against the published vectors and against another implementation, and what it refuses."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from noise.connection import Keypair, NoiseConnection

from hunet.model.errors import LinkError
from hunet.node.noise import NAME, Handshake

VECTORS = Path(__file__).parents[1] / "vectors"


def private(seed: bytes) -> X25519PrivateKey:
    return X25519PrivateKey.from_private_bytes(seed)


def test_every_byte_is_that_of_the_published_vector() -> None:
    vector = json.loads((VECTORS / "noise.json").read_text())
    assert vector["name"].encode() == NAME
    psk, prologue = bytes.fromhex(vector["psk"]), bytes.fromhex(vector["prologue"])
    ends = [
        Handshake(
            role == "dialler",
            private(bytes.fromhex(vector[f"{role}_static"])),
            psk,
            prologue,
            private(bytes.fromhex(vector[f"{role}_ephemeral"])),
        )
        for role in ("dialler", "answerer")
    ]
    messages = [(bytes.fromhex(text), bytes.fromhex(sealed)) for text, sealed in vector["messages"]]
    for i, (text, sealed) in enumerate(messages[:3]):
        assert ends[i % 2].write(text) == sealed
        assert ends[1 - i % 2].read(sealed) == text
    (send, _), (send_back, _) = (end.split() for end in ends)
    assert send.seal(messages[3][0]) == messages[3][1]
    assert send_back.seal(messages[4][0]) == messages[4][1]


def oracle(dialled: bool, seed: bytes, psk: bytes, prologue: bytes) -> NoiseConnection:
    other = NoiseConnection.from_name(NAME)
    other.set_as_initiator() if dialled else other.set_as_responder()
    other.set_psks(psk)
    other.set_prologue(prologue)
    other.set_keypair_from_private_bytes(Keypair.STATIC, seed)
    other.start_handshake()
    return other


@pytest.mark.parametrize("dialled", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_it_speaks_with_another_implementation(dialled: bool, seed: int) -> None:
    chance = random.Random(seed)
    psk, prologue = chance.randbytes(32), chance.randbytes(seed * 7)
    static, theirs = chance.randbytes(32), chance.randbytes(32)
    mine = Handshake(dialled, private(static), psk, prologue)
    other = oracle(not dialled, theirs, psk, prologue)
    for turn in range(3):
        payload = chance.randbytes(chance.randrange(100))
        if (turn % 2 == 0) == dialled:
            assert bytes(other.read_message(mine.write(payload))) == payload
        else:
            assert mine.read(bytes(other.write_message(payload))) == payload
    assert mine.transcript == other.get_handshake_hash()
    assert mine.peer_static == private(theirs).public_key().public_bytes_raw()
    sending, receiving = mine.split()
    for _ in range(3):
        text = chance.randbytes(chance.randrange(1000))
        assert bytes(other.decrypt(sending.seal(text))) == text
        assert receiving.open(bytes(other.encrypt(text))) == text


def begun(psk: bytes = b"k" * 32, prologue: bytes = b"p") -> tuple[Handshake, Handshake]:
    return (
        Handshake(True, X25519PrivateKey.generate(), b"k" * 32, b"p"),
        Handshake(False, X25519PrivateKey.generate(), psk, prologue),
    )


@pytest.mark.parametrize(("psk", "prologue"), [(b"x" * 32, b"p"), (b"k" * 32, b"q")])
def test_another_key_or_prologue_fails_at_the_first_message(psk: bytes, prologue: bytes) -> None:
    one, other = begun(psk, prologue)
    with pytest.raises(LinkError):
        other.read(one.write())


def test_a_stranger_costs_no_operation_on_the_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = begun(psk=b"x" * 32)
    first = one.write()

    def refuse(*_: object) -> None:
        raise AssertionError("an operation on the curve")

    monkeypatch.setattr("hunet.node.noise.X25519PrivateKey", refuse)
    monkeypatch.setattr("hunet.node.noise.X25519PublicKey", refuse)
    with pytest.raises(LinkError):
        other.read(first)


def test_a_point_of_small_order_is_no_key() -> None:
    """Without this check a peer could fix what both ends share."""
    one, _ = begun()
    one.write()
    with pytest.raises(LinkError, match="a public key that is none"):
        one.read(bytes(192))


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_a_message_with_any_bit_changed_or_any_length_is_refused(turn: int) -> None:
    chance = random.Random(turn)
    for case in range(40):
        ends = begun()
        for i in range(turn):
            ends[1 - i % 2].read(ends[i % 2].write(b"card"))
        message = bytearray(ends[turn % 2].write(b"card"))
        if case % 4 == 3:
            del message[chance.randrange(len(message)) :]
        else:
            message[chance.randrange(len(message))] ^= 1 << chance.randrange(8)
        with pytest.raises(LinkError):
            ends[1 - turn % 2].read(bytes(message))
