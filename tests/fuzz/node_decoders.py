"""The decoders of the live node: messages and copies of them, questions and answers, beacons, records, invitations."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from hunet.model.errors import DecodeError, LinkError, NodeError
from hunet.node import answers, beacon
from hunet.node.choice import permitted
from hunet.node.frames import FrameReader
from hunet.node.message import Author, Copy, Envelope
from hunet.node.network import Key, Network, invitation_of, read_invitation
from hunet.node.noise import Cipher
from hunet.node.notice import TAG, Notice, read_told
from tests.fuzz.sample import FIXED_BYTES, Decoder, Sample

__all__ = ["node_decoders"]

_KEY = bytes(range(32))
_SIZES = ((0, 0), (70_000, 16))
_COUNT = 9


def node_decoders() -> tuple[Decoder, ...]:
    """A new decoder of the node is one more line here."""
    return (
        Decoder("message", _messages),
        Decoder("copy of a message", _copies),
        Decoder("ids of an offer", lambda: _of_lists(answers.decode_ids, answers.encode_ids, _ids)),
        Decoder("answers", lambda: _of_lists(_decode_answers, answers.encode_answers, _answers)),
        Decoder("sections of rows", lambda: _of_lists(_decode_sections, answers.encode_sections, _sections)),
        Decoder("beacon of a node", _beacons, sealed=True),
        Decoder("record", _records),
        Decoder("invitation", _invitations),
        Decoder("settings of a network", _settings),
    )


def _bound(data: bytes) -> int:
    return FIXED_BYTES + 400 * len(data)


def _envelopes() -> Iterator[Envelope]:
    chance = random.Random(3)
    author = Author.from_seed(_KEY)
    for _ in range(12):
        tags = tuple(f"größe {number}" for number in range(chance.randint(1, 5)))
        payload = chance.randbytes(chance.choice((0, 1, 130, 3000)))
        yield Envelope.signed(author, chance.randrange(1 << 41), chance.randrange(1 << 40), tags, payload)


def _messages() -> Iterator[Sample]:
    for envelope in _envelopes():
        yield Sample(envelope.encode(), Envelope.decode, lambda read, _data: read.encode(), _bound)


def _copies() -> Iterator[Sample]:
    for number, envelope in enumerate(_envelopes()):
        kind = number % 2
        copy = Copy(envelope.encode(), 1 << number, number, _SIZES[kind][0], bytes(_SIZES[kind][1]))
        yield Sample(
            copy.encode(kind),
            lambda data: (Copy.decode(data, _SIZES), data[0]),
            lambda read, _data: read[0].encode(read[1]),
            _bound,
        )


def _of_lists(
    read: Callable[[bytes], Any], write: Callable[[Any], bytes], drawn: Callable[[random.Random], Any]
) -> Iterator[Sample]:
    chance = random.Random(4)
    for _ in range(12):
        yield Sample(write(drawn(chance)), read, lambda found, _data: write(found), _bound)


def _ids(chance: random.Random) -> list[bytes]:
    return [chance.randbytes(16) for _ in range(chance.randrange(20))]


def _answers(chance: random.Random) -> list[int]:
    return [chance.randrange(3) for _ in range(_COUNT)]


def _sections(chance: random.Random) -> list[bytes]:
    return [chance.randbytes(chance.randrange(300)) for _ in range(_COUNT)]


def _decode_answers(data: bytes) -> list[int]:
    return answers.decode_answers(data, _COUNT)


def _decode_sections(data: bytes) -> list[bytes]:
    return answers.decode_sections(data, _COUNT)


def _beacons() -> Iterator[Sample]:
    def read(data: bytes) -> tuple[bytes, bytes, int, bytes]:
        found = beacon.decode(data, [bytes(32), _KEY])
        if found is None:
            raise DecodeError("no beacon of this network")
        return found

    for kind in (b"h", b"H"):
        yield Sample(
            beacon.encode(kind, bytes(8), 4242, _KEY), read, lambda found, _data: beacon.encode(*found), _bound
        )


def _records() -> Iterator[Sample]:
    """What was sealed by a member who means harm: others do not get past the seal."""

    def read(data: bytes) -> tuple[int, bytes] | None:
        return FrameReader(Cipher(_KEY)).take(Cipher(_KEY).seal(data))

    def write(found: tuple[int, bytes] | None, data: bytes) -> bytes:
        return data if found is None else bytes([0, found[0]]) + found[1]

    chance = random.Random(5)
    for kind in range(12):
        yield Sample(bytes([0, kind]) + chance.randbytes(chance.randrange(500)), read, write, _bound, LinkError)


def _invitations() -> Iterator[Sample]:
    def read(data: bytes) -> Network:
        return read_invitation(data.decode("latin-1"))

    def write(found: Network, data: bytes) -> bytes:
        return data if read_invitation(invitation_of(found)) == found else b""

    schema = '[attributes.x]\ntype = "number"\nmin = 0\nmax = 9\n'
    for packed, holder in ((None, None), (schema, None), (None, _KEY), (schema, _KEY)):
        network = Network("village", bytes(16), (Key(_KEY),), packed, holder)
        yield Sample(invitation_of(network).encode(), read, write, lambda _data: 1 << 20, NodeError)


def _settings() -> Iterator[Sample]:
    """As a member tells them; and what the holder of the settings key could have signed, whatever it says."""
    holder = Author.from_seed(_KEY)

    def read(data: bytes) -> tuple[int, Notice]:
        age, envelope = read_told(data)
        return age, Notice.read(envelope, holder.public)

    def signed(data: bytes) -> Notice:
        return Notice.read(Envelope.signed(holder, 5, 0, (TAG,), data), holder.public)

    for name in ("bsub13", "spray", "push", "envoy"):
        notice = Notice.signed(holder, 1 << 40, permitted(name, {}), 1000)
        yield Sample(notice.told(77), read, lambda found, _data: found[1].told(found[0]), _bound)
        yield Sample(notice.envelope.payload, signed, lambda found, _data: found.envelope.payload, _bound)
