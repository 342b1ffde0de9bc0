"""The decoders of filters: between peers (`unpack`) and from strangers (`decode`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from hunet.filters import TCBF, BloomFilter, CountingBloomFilter, Hashing, SpTBF, TCBFPool
from hunet.filters.base import Filter
from hunet.filters.codec import decode, encode, pack, unpack
from hunet.filters.encodings import Encoding
from hunet.filters.sizing import position_bits
from hunet.model.errors import InvalidValueError
from tests.fuzz.sample import FIXED_BYTES, Decoder, Sample

__all__ = ["SIZES", "filter_decoders", "honest_bytes"]

SIZES = (1, 2, 7, 20, 64, 100, 256, 300, 2000)
"""Positions of the filters that are tried."""
CEILINGS = (255, 1000, 100_000)
LARGEST_DECODED = 8192
"""`decode` is told to believe no more positions than this, so that an honest m costs little to try."""

_SLOT_BYTES = 9  # a byte for the hops, eight for the time
_KINDS = (BloomFilter, CountingBloomFilter, TCBF, TCBFPool, SpTBF)


def filter_decoders(sizes: Sequence[int] = SIZES) -> tuple[Decoder, ...]:
    """One for each kind of filter between peers, and the one that believes what the bytes say."""
    return (
        *(Decoder(f"unpack {kind.__name__}", partial(_packed, kind, sizes)) for kind in _KINDS),
        Decoder("decode", partial(_encoded, sizes)),
    )


def honest_bytes(m: int, filters: int, counter_bytes: int, given: int) -> int:
    """The most memory that decoding may take, from what the header says and how many bytes there are.

    A filter holds m counters (for an SpTBF 9 bytes per slot), and at most four of it exist at a time: the empty one,
    its copy, the result, and one being written again. Of one row there are also four numbers of 8 bytes per position,
    and its bits, at most 2P + C for a position, laid out one per byte: as read, filled up to whole bytes, and joined.
    """
    at_rest = 4 * m * filters * counter_bytes
    one_row = m * (4 * 8 + 3 * (2 * position_bits(m) + 8 * counter_bytes))
    return FIXED_BYTES + at_rest + one_row + 16 * given


def _packed(kind: type[Filter], sizes: Sequence[int]) -> Iterator[Sample]:
    for m in sizes:
        for f in _filters_of(m):
            if type(f) is kind:
                rows = f.limit if isinstance(f, TCBFPool) else 1
                bound = partial(_bound, m, rows, _bytes_per_position(f))
                for data in _packings(f):
                    yield Sample(data, partial(unpack, like=f), _pack_again, bound, about=f"m = {m}")


def _encoded(sizes: Sequence[int]) -> Iterator[Sample]:
    for m in sizes:
        for f in _filters_of(m):
            read = partial(decode, max_positions=LARGEST_DECODED)
            yield Sample(encode(f), read, _encode_again, _told_bound, about=f"m = {m}")


def _bound(m: int, rows: int, counter_bytes: int, data: bytes) -> int:
    return honest_bytes(m, rows, counter_bytes, len(data))


def _told_bound(data: bytes) -> int:
    """The settings come with the data, so the bound comes from them too, where `decode` believes them."""
    m = int.from_bytes(data[4:8], "big")
    if not 1 <= m <= LARGEST_DECODED:
        return honest_bytes(1, 1, 1, len(data))
    filters = 1 + int.from_bytes(data[46:48], "big") if len(data) >= 48 and data[3] == 4 else 1
    counter_bytes = (1, 1, 4, _SLOT_BYTES, 4)[data[3]] if data[3] < 5 else 1
    return honest_bytes(m, filters if m * filters <= LARGEST_DECODED else 1, counter_bytes, len(data))


def _bytes_per_position(f: Filter) -> int:
    match f:
        case TCBF():
            return f.counters.itemsize
        case TCBFPool():
            return f.rows.itemsize
        case SpTBF():
            return _SLOT_BYTES
    return 1


def _encode_again(result: Any, _data: bytes) -> bytes:
    result._check()
    return encode(result)


def _pack_again(result: Any, data: bytes) -> bytes:
    """In the encoding that the header names: all of them are allowed between peers."""
    result._check()
    return pack(result, None if isinstance(result, SpTBF | TCBFPool) else Encoding(data[0] & 7))


def _packings(f: Filter) -> Iterator[bytes]:
    if isinstance(f, SpTBF | TCBFPool):
        yield pack(f)
        return
    for encoding in Encoding:
        try:
            yield pack(f, encoding)
        except InvalidValueError:  # not every encoding holds every filter
            continue


def _filters_of(m: int) -> Iterator[Filter]:
    family = Hashing(m, min(3, m))
    keys = [f"key {i}" for i in range(1 + m // 8)]
    yield BloomFilter(family)
    yield BloomFilter(family, keys)
    yield CountingBloomFilter(family, keys * 2 + keys[:2])
    for ceiling in CEILINGS:
        fresh = TCBF(family, 50, 60.0, ceiling=ceiling, keys=keys[:2])
        later = TCBF(family, 40, 60.0, ceiling=ceiling, now=300.0, keys=keys)
        yield from (fresh, fresh + later)
        pool = TCBFPool(fresh, 0.1, 4)
        for key in keys:
            pool.add(key)
        yield pool
    for hop_bits, time_bits, strict in ((2, 6, False), (2, 6, True), (3, 8, False)):
        slots = SpTBF(family, hop_bits=hop_bits, time_bits=time_bits, strict_equations=strict)
        for number, key in enumerate(keys):
            slots.insert(key, 1 + number % slots.max_hops, 1 + number % slots.max_lifetime, now=1000.0)
        yield slots
