"""The bodies of frames that ask and answer: lists of ids, and a few bits for each of them. Strict, as all decoders."""

from __future__ import annotations

from collections.abc import Sequence

from hunet.model.errors import DecodeError
from hunet.protocols.wire import Reader, Writer

__all__ = [
    "LATER",
    "MOST_IDS",
    "NO_THANKS",
    "PLEASE",
    "decode_answers",
    "decode_ids",
    "decode_sections",
    "encode_answers",
    "encode_ids",
    "encode_sections",
]

MOST_IDS = 4096
"""Ids of one offer."""
NO_THANKS, PLEASE, LATER = 0, 1, 2
"""Answers to an offer: I have seen it; send it; another peer is about to send it, ask again. Of an acknowledgement: I
had it or will not have it; it is new and on my disk."""
_ID = 16
_PER_BYTE = 4


def encode_ids(ids: Sequence[bytes]) -> bytes:
    """16 bytes each."""
    return b"".join(ids)


def decode_ids(data: bytes) -> list[bytes]:
    """At most `MOST_IDS` different ids."""
    if len(data) % _ID or len(data) > MOST_IDS * _ID:
        raise DecodeError(f"an offer of {len(data)} bytes: up to {MOST_IDS} ids of {_ID} bytes are possible")
    ids = [data[at : at + _ID] for at in range(0, len(data), _ID)]
    if len(set(ids)) != len(ids):
        raise DecodeError("an id is offered twice")
    return ids


def encode_answers(answers: Sequence[int]) -> bytes:
    """Two bits each, four to a byte, the first lowest."""
    out = bytearray((len(answers) + _PER_BYTE - 1) // _PER_BYTE)
    for place, answer in enumerate(answers):
        out[place // _PER_BYTE] |= answer << 2 * (place % _PER_BYTE)
    return bytes(out)


def decode_answers(data: bytes, count: int) -> list[int]:
    """As many as there were questions."""
    if len(data) != (count + _PER_BYTE - 1) // _PER_BYTE:
        raise DecodeError(f"{len(data)} bytes of answers to {count} questions")
    answers = [data[place // _PER_BYTE] >> 2 * (place % _PER_BYTE) & 3 for place in range(_PER_BYTE * len(data))]
    if max(answers, default=0) > LATER or any(answers[count:]):
        raise DecodeError("an answer that is none of no, yes and later")
    return answers[:count]


def encode_sections(sections: Sequence[bytes]) -> bytes:
    """What each of my rows has to say: its length, and itself."""
    out = Writer()
    for section in sections:
        out.number(len(section))
        out.raw(section)
    return out.bytes()


def decode_sections(data: bytes, count: int) -> list[bytes]:
    """Of so many rows."""
    reader = Reader(data)
    sections = [reader.raw(reader.number()) for _ in range(count)]
    reader.finish()
    return sections
