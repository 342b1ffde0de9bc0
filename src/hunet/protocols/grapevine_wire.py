"""What a beacon of Grapevine consists of: an interest summary, then context summaries.

The interest summary takes m + 4 bytes ([sptbf] 4; `filters.slot_codec`); one that tells no interests leaves it out. A
context summary is its origin, version and hops left, which labels it has, as a set (a bit for each there is, or the
positions, whichever is smaller: E0 or E1 of `filters.encodings`), and their values, 4 bytes each in the order of the
labels (AMB-67). Numbers are those of `wire`: one byte up to 127.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hunet.filters import Hashing, SpTBF
from hunet.filters.bits import words_for
from hunet.filters.slot_codec import pack_slots, packed_slots_bytes, unpack_slots
from hunet.kernels import count_ones, leaf
from hunet.model.errors import DecodeError
from hunet.protocols.layout import Part, layout, number, repeat
from hunet.protocols.layout.part import Arrays, Kernel, Places
from hunet.protocols.protocol import World
from hunet.protocols.quantities import Digest
from hunet.protocols.wire import Reader, Writer, bloom_bytes

__all__ = ["BEACON", "VALUE_BYTES", "interest_bytes"]

VALUE_BYTES = 4
_TIMEBASE_BYTES = 4
_MOST_NUMBER = 2**62


@leaf
def interest_bytes(params: Any) -> Any:
    """Bytes of the interest summary: m + 4 ([sptbf] 4)."""
    return params.m + _TIMEBASE_BYTES if params.aware else 0


def _interest_size(hops: int) -> Kernel:
    @leaf
    def size(m: Any, digest: Digest, row: Any) -> Any:
        return digest[hops].size + _TIMEBASE_BYTES if digest[hops].size > 0 else 0

    return size


class _InterestSummary(Part):
    """Hops and times of every slot, in whole seconds of milliseconds from arrival on, and the sender's clock."""

    names: Sequence[str] = ("hops", "times", "second")

    def new(self, params: Any, world: World, rows: int | None = None) -> Arrays:
        slots = params.m if params.aware else 0
        hops, times = np.zeros(slots, np.uint8), np.zeros(slots, np.int64)
        return {"hops": hops, "times": times, "second": np.zeros(1, np.int64)}

    def size(self, at: Places, in_rows: bool) -> Kernel:
        return _interest_size(at["hops"])

    def write(self, out: Writer, params: Any, digest: Digest, row: int | None = None) -> None:
        if params.aware:
            interests = SpTBF(Hashing(m=params.m, k=1))
            interests.rebase(float(digest.second[0]))
            interests.hops, interests.times = digest.hops, digest.times
            out.raw(pack_slots(interests))

    def read(self, reader: Reader, params: Any, digest: Digest, row: int | None = None) -> None:
        if params.aware:
            interests = SpTBF(Hashing(m=params.m, k=1))
            unpack_slots(reader.raw(packed_slots_bytes(params.m)), interests)
            digest.hops[:], digest.times[:] = interests.hops, interests.times
            digest.second[0] = int(interests.timebase)  # which the paper sends and nobody needs


class _Values(Part):
    """[row, word], a bit for every label that there is a value of; and [row, label], the values."""

    names: Sequence[str] = ("labels", "values")

    def new(self, params: Any, world: World, rows: int | None = None) -> Arrays:
        assert rows is not None
        labels = len(world.tags)
        return {
            "labels": np.zeros((rows, words_for(labels)), np.uint64),
            "values": np.zeros((rows, labels), np.uint32),
        }

    def size(self, at: Places, in_rows: bool) -> Kernel:
        return _values_size(at["labels"], at["values"])

    def write(self, out: Writer, params: Any, digest: Digest, row: int | None = None) -> None:
        out.bloom(digest.labels[row], digest.values.shape[1])
        for label in _labels(digest.labels[row], digest.values.shape[1]):
            out.raw(int(digest.values[row, label]).to_bytes(VALUE_BYTES, "big"))

    def read(self, reader: Reader, params: Any, digest: Digest, row: int | None = None) -> None:
        digest.labels[row] = reader.bloom(digest.values.shape[1])
        labels = _labels(digest.labels[row], digest.values.shape[1])
        if not labels:
            raise DecodeError("a context summary without values")
        for label in labels:
            digest.values[row, label] = int.from_bytes(reader.raw(VALUE_BYTES), "big")


def _labels(words: npt.NDArray[np.uint64], count: int) -> list[int]:
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), count=count, bitorder="little")
    return [int(label) for label in np.flatnonzero(bits)]


def _values_size(labels: int, values: int) -> Kernel:
    @leaf
    def size(m: Any, digest: Digest, row: Any) -> Any:
        count = 0
        for word in range(digest[labels].shape[1]):
            count += count_ones(digest[labels][row, word])
        return bloom_bytes(digest[labels][row], digest[values].shape[1]) + count * VALUE_BYTES

    return size


def _each_once(params: Any, digest: Digest) -> None:
    origins = digest.origin[: digest.used[0]]
    if np.unique(origins).size < origins.size:
        raise DecodeError("two context summaries of one node")


BEACON = layout(
    _InterestSummary(),
    repeat(
        "used",
        number("origin", most=_MOST_NUMBER),
        number("version", most=_MOST_NUMBER),
        number("left", most=lambda params: params.hops - 1),
        _Values(),
        most=lambda params: params.slots + 1,
    ),
    derive=_each_once,
)
