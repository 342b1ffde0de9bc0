"""A beacon of Grapevine as bytes: an interest summary, then context summaries.

The interest summary takes m + 4 bytes ([sptbf] 4; `filters.slot_codec`); one that tells no interests leaves it out. A
context summary is its origin, version and hops left, how many values there are, and each of these as the number of its
label and 4 bytes (AMB-67). Numbers are those of `wire`: one byte up to 127.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hunet.filters import Hashing, SpTBF
from hunet.filters.slot_codec import pack_slots, packed_slots_bytes, unpack_slots
from hunet.kernels import count_ones, leaf, lowest_bit
from hunet.model.errors import DecodeError
from hunet.protocols.wire import Reader, Writer, number_bytes

__all__ = ["VALUE_BYTES", "GrapevineDigest", "decode", "encode", "interest_bytes", "size"]

VALUE_BYTES = 4
_TIMEBASE_BYTES = 4
_MOST_NUMBER = 2**62


class GrapevineDigest(NamedTuple):
    """What a beacon says. Times are milliseconds from its arrival on, whole seconds of them."""

    hops: npt.NDArray[np.uint8]
    times: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    """The sender's clock, which the paper sends and nobody needs."""
    used: npt.NDArray[np.int64]
    """How many context summaries follow."""
    origin: npt.NDArray[np.int64]
    version: npt.NDArray[np.int64]
    left: npt.NDArray[np.int64]
    labels: npt.NDArray[np.uint64]
    values: npt.NDArray[np.uint32]


@leaf
def interest_bytes(params: Any) -> Any:
    """Bytes of the interest summary: m + 4 ([sptbf] 4)."""
    return params.m + _TIMEBASE_BYTES if params.aware else 0


@leaf
def size(params: Any, digest: Any) -> Any:
    """Bytes of what `encode` writes."""
    total = interest_bytes(params) + number_bytes(digest.used[0])
    for i in range(digest.used[0]):
        total += number_bytes(digest.origin[i]) + number_bytes(digest.version[i]) + number_bytes(digest.left[i])
        count = 0
        for word in range(digest.labels.shape[1]):
            bits = digest.labels[i, word]
            here = count_ones(bits)
            count += here
            if word < 2:
                total += here * (VALUE_BYTES + 1)
                continue
            while bits != np.uint64(0):
                total += VALUE_BYTES + number_bytes(np.int64(word) * 64 + lowest_bit(bits))
                bits &= bits - np.uint64(1)
        total += number_bytes(count)
    return total


def _as_filter(params: Any) -> SpTBF:
    return SpTBF(Hashing(m=params.m, k=1))


def encode(params: Any, digest: GrapevineDigest) -> bytes:
    """The beacon as bytes."""
    out = Writer()
    if params.aware:
        interests = _as_filter(params)
        interests.rebase(float(digest.second[0]))
        interests.hops, interests.times = digest.hops, digest.times
        out.raw(pack_slots(interests))
    out.number(digest.used[0])
    for i in range(digest.used[0]):
        labels = _labels(digest.labels[i], digest.values.shape[1])
        out.number(digest.origin[i])
        out.number(digest.version[i])
        out.number(digest.left[i])
        out.number(len(labels))
        for label in labels:
            out.number(label)
            out.raw(int(digest.values[i, label]).to_bytes(VALUE_BYTES, "big"))
    return out.bytes()


def _labels(words: npt.NDArray[np.uint64], count: int) -> list[int]:
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), count=count, bitorder="little")
    return [int(label) for label in np.flatnonzero(bits)]


def decode(params: Any, data: bytes, digest: GrapevineDigest) -> None:
    """What `encode` wrote; anything else raises and changes nothing."""
    reader = Reader(data)
    interests = _as_filter(params)
    if params.aware:
        unpack_slots(reader.raw(packed_slots_bytes(params.m)), interests)
    summaries = [_read_summary(params, reader) for _ in range(reader.number(params.slots + 1))]
    reader.finish()
    if len({origin for origin, _, _, _ in summaries}) < len(summaries):
        raise DecodeError("two context summaries of one node")
    digest.hops[:], digest.times[:] = interests.hops, interests.times
    digest.second[0] = int(interests.timebase)
    digest.used[0] = len(summaries)
    for i, (origin, version, left, values) in enumerate(summaries):
        digest.origin[i], digest.version[i], digest.left[i] = origin, version, left
        digest.labels[i] = 0
        for label, value in values.items():
            digest.labels[i, label >> 6] |= np.uint64(1) << np.uint64(label & 63)
            digest.values[i, label] = value


def _read_summary(params: Any, reader: Reader) -> tuple[int, int, int, dict[int, int]]:
    origin, version = reader.number(_MOST_NUMBER), reader.number(_MOST_NUMBER)
    left = reader.number(params.hops - 1)
    labels = params.table.shape[1]
    values: dict[int, int] = {}
    last = -1
    for _ in range(reader.number(labels)):
        label = reader.number(labels - 1)
        if label <= last:
            raise DecodeError(f"label {label} after label {last}: they must rise")
        last = label
        values[label] = int.from_bytes(reader.raw(VALUE_BYTES), "big")
    if not values:
        raise DecodeError("a context summary without values")
    return origin, version, left, values
