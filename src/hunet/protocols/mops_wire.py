"""What nodes of MOPS say to each other: the hello, the digest, and both as bytes.

A list on the wire is the number of its weights above 0, and for each the distance of its tag from the one before and
four bytes.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.kernels import leaf, rare
from hunet.model.errors import DecodeError
from hunet.protocols.mops_lists import MopsParams, weight_of
from hunet.protocols.wire import Reader, Writer, number_bytes

__all__ = [
    "ABROAD",
    "FELLOWS",
    "MEMBERS",
    "STRANGERS",
    "MopsDigest",
    "MopsHello",
    "decode",
    "decode_hello",
    "encode",
    "encode_hello",
    "hello_size",
    "new_digest",
    "new_hello",
    "size",
]

STRANGERS, MEMBERS, FELLOWS, ABROAD = range(4)
"""Kinds of meetings: of members of one community, of two of its brokers, of brokers of two, and all others (AMB-53)."""

_WEIGHT = struct.Struct(">f")


class MopsHello(NamedTuple):
    name: npt.NDArray[np.int64]
    community: npt.NDArray[np.int64]
    broker: npt.NDArray[np.uint8]
    members: npt.NDArray[np.int64]
    version: npt.NDArray[np.int64]
    """Per member of my community: the generation of its list that I have."""


class MopsDigest(NamedTuple):
    kind: npt.NDArray[np.uint8]
    asks: npt.NDArray[np.float32]
    """[1, tag]: what an event is worth to me in a meeting of this kind."""
    broker: npt.NDArray[np.uint8]
    lists: npt.NDArray[np.int64]
    """Member lists that follow, my own first; of those that two fellows share, only what is news."""
    owner: npt.NDArray[np.int64]
    """[list]: the place of its owner."""
    version: npt.NDArray[np.int64]
    level: npt.NDArray[np.float32]
    outside: npt.NDArray[np.float32]
    internal: npt.NDArray[np.float32]
    """[1, tag]: what my community wants."""
    relays: npt.NDArray[np.int64]
    relay: npt.NDArray[np.float32]
    """[list, tag]: what I collect for each community I have met brokers of."""


def new_hello(params: MopsParams, world: Any) -> MopsHello:
    """A hello to be written."""
    return MopsHello(
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(1, np.uint8),
        np.zeros(1, np.int64),
        np.zeros(params.around.member.shape[1], np.int64),
    )


def new_digest(params: MopsParams, world: Any) -> MopsDigest:
    """A digest to be written."""
    most, tags = params.around.member.shape[1], params.tags
    return MopsDigest(
        np.zeros(1, np.uint8),
        np.zeros((1, tags), np.float32),
        np.zeros(1, np.uint8),
        np.zeros(1, np.int64),
        np.zeros(most, np.int64),
        np.zeros(most, np.int64),
        np.zeros((most, tags), np.float32),
        np.zeros((most, tags), np.float32),
        np.zeros((1, tags), np.float32),
        np.zeros(1, np.int64),
        np.zeros((params.around.near.shape[1], tags), np.float32),
    )


# ------------------------------------------------------------------ sizes


@rare
def hello_size(params: Any, hello: Any) -> Any:
    """Bytes of a hello."""
    total = number_bytes(hello.name[0]) + number_bytes(hello.community[0]) + 1 + number_bytes(hello.members[0])
    for place in range(hello.members[0]):
        total += number_bytes(hello.version[place])
    return total


@leaf
def _list_bytes(table: Any, row: Any) -> Any:
    count, before, total = 0, -1, 0
    for tag in range(table.shape[1]):
        if table[row, tag] > 0:
            total += number_bytes(tag - before - 1) + 4
            before = tag
            count += 1
    return number_bytes(count) + total


@rare
def size(params: Any, digest: Any) -> Any:
    """Bytes of a digest."""
    kind = digest.kind[0]
    total = 1
    if kind in (STRANGERS, ABROAD):
        total += _list_bytes(digest.asks, 0)
    if kind == ABROAD:
        total += _list_bytes(digest.internal, 0)
    if kind in (MEMBERS, FELLOWS):
        total += 1 + number_bytes(digest.lists[0])
        for i in range(digest.lists[0]):
            total += number_bytes(digest.owner[i]) + number_bytes(digest.version[i])
            total += _list_bytes(digest.level, i) + _list_bytes(digest.outside, i)
    if kind == FELLOWS:
        total += number_bytes(digest.relays[0])
        for i in range(digest.relays[0]):
            total += _list_bytes(digest.relay, i)
    return total


# ------------------------------------------------------------------ bytes


def encode_hello(params: MopsParams, hello: MopsHello) -> bytes:
    """A hello as bytes."""
    out = Writer()
    for number in (hello.name[0], hello.community[0], hello.broker[0], hello.members[0]):
        out.number(number)
    for version in hello.version[: hello.members[0]]:
        out.number(version)
    return out.bytes()


def decode_hello(params: MopsParams, data: bytes, hello: MopsHello) -> None:
    """What `encode_hello` wrote."""
    reader = Reader(data)
    name, community, broker = reader.number(), reader.number(), reader.number(1)
    versions = [reader.number() for _ in range(reader.number(hello.version.size))]
    reader.finish()
    hello.name[0], hello.community[0], hello.broker[0], hello.members[0] = name, community, broker, len(versions)
    hello.version[: len(versions)] = versions


def _write_list(out: Writer, weights: npt.NDArray[np.float32]) -> None:
    tags = np.flatnonzero(weights)
    out.number(tags.size)
    before = -1
    for tag in tags.tolist():
        out.number(tag - before - 1)
        out.raw(_WEIGHT.pack(weights[tag]))
        before = tag


def _read_list(reader: Reader, tags: int) -> npt.NDArray[np.float32]:
    weights = np.zeros(tags, np.float32)
    tag = -1
    for _ in range(reader.number(tags)):
        tag += 1 + reader.number(tags)
        if tag >= tags:
            raise DecodeError(f"a list of tag {tag}, where there are {tags}")
        (weight,) = _WEIGHT.unpack(reader.raw(_WEIGHT.size))
        if not 0 < weight < np.inf:
            raise DecodeError(f"a weight of {weight} in a list")
        weights[tag] = weight
    return weights


def encode(params: MopsParams, digest: MopsDigest) -> bytes:
    """A digest as bytes."""
    out = Writer()
    kind = digest.kind[0]
    out.number(kind)
    if kind in (STRANGERS, ABROAD):
        _write_list(out, digest.asks[0])
    if kind == ABROAD:
        _write_list(out, digest.internal[0])
    if kind in (MEMBERS, FELLOWS):
        out.number(digest.broker[0])
        out.number(digest.lists[0])
        for i in range(digest.lists[0]):
            out.number(digest.owner[i])
            out.number(digest.version[i])
            _write_list(out, digest.level[i])
            _write_list(out, digest.outside[i])
    if kind == FELLOWS:
        out.number(digest.relays[0])
        for i in range(digest.relays[0]):
            _write_list(out, digest.relay[i])
    return out.bytes()


def decode(params: MopsParams, data: bytes, digest: MopsDigest) -> None:
    """What `encode` wrote; what members ask for follows from the list of the one who tells (Eq. 5)."""
    reader = Reader(data)
    tags = params.tags
    kind = reader.number(ABROAD)
    asks, internal = np.zeros(tags, np.float32), np.zeros(tags, np.float32)
    broker, heads, lists, relays = 0, [], [], []
    if kind in (STRANGERS, ABROAD):
        asks = _read_list(reader, tags)
    if kind == ABROAD:
        internal = _read_list(reader, tags)
    if kind in (MEMBERS, FELLOWS):
        broker = reader.number(1)
        for _ in range(reader.number(digest.owner.size)):
            heads.append((reader.number(digest.owner.size - 1), reader.number()))
            lists.append((_read_list(reader, tags), _read_list(reader, tags)))
        if not heads or len({owner for owner, _ in heads}) < len(heads):
            raise DecodeError("member lists must begin with the sender's own and have each owner once")
        own = zip(*lists[0], strict=True)
        asks = np.array([weight_of(params, broker, level, outside) for level, outside in own], np.float32)
    if kind == FELLOWS:
        relays = [_read_list(reader, tags) for _ in range(reader.number(len(digest.relay)))]
    reader.finish()
    digest.kind[0], digest.broker[0], digest.lists[0], digest.relays[0] = kind, broker, len(lists), len(relays)
    digest.asks[0], digest.internal[0] = asks, internal
    for i, ((owner, version), (level, outside)) in enumerate(zip(heads, lists, strict=True)):
        digest.owner[i], digest.version[i], digest.level[i], digest.outside[i] = owner, version, level, outside
    for i, weights in enumerate(relays):
        digest.relay[i] = weights
