"""Filters as bytes.

`pack` and `unpack` are for peers that share a network, and so its m, k and settings: one header byte and the content.
`encode` and `decode` are for strangers and for files: the settings travel with the content, all but the network's key,
of which four bytes of a fingerprint are kept. Both refuse, with one error, everything that `pack` or `encode` would
not have written.

The header byte is `0mkkkeee`: the encoding e (0 to 6, see `encodings`), the kind of filter k, and whether a TCBF was
merged.
"""

from __future__ import annotations

import math
import struct
from typing import Any, TypeVar

import numpy as np

from hunet.filters.base import Filter
from hunet.filters.bloom import BloomFilter
from hunet.filters.counters import tally
from hunet.filters.counting import STUCK, CountingBloomFilter
from hunet.filters.encodings import COUNTER_ENCODINGS, PLAIN_ENCODINGS, Encoding, pack_row, smallest, unpack_row
from hunet.filters.hashing import PUBLIC_KEY, Hashing
from hunet.filters.pool import TCBFPool
from hunet.filters.slot_codec import pack_slots, unpack_slots
from hunet.filters.spatiotemporal import SpTBF
from hunet.filters.temporal import TCBF
from hunet.kernels import loop
from hunet.model.errors import DecodeError, HunetError, InvalidValueError

__all__ = ["MAX_DECODED_POSITIONS", "decode", "encode", "pack", "unpack"]

_tally = loop(tally)
"""For Python; compiled code takes the kernels themselves."""

AnyFilter = TypeVar("AnyFilter", bound=Filter)

KINDS: tuple[type[Filter], ...] = (BloomFilter, CountingBloomFilter, TCBF, SpTBF, TCBFPool)
MAX_DECODED_POSITIONS = 2**20
"""The largest m (for a pool: m times filters) that `decode` believes unless told otherwise."""

_MERGED = 0x40


# ------------------------------------------------------------------ between peers of one network


def pack(f: Filter, encoding: Encoding | None = None) -> bytes:
    """The content as bytes behind one header byte; without an encoding, the smallest.

    >>> request = BloomFilter(Hashing(m=256, k=4), ["jazz"])
    >>> len(pack(request)), len(pack(request, Encoding.E0))
    (5, 33)
    """
    if isinstance(f, SpTBF | TCBFPool):
        if encoding is not None:
            raise InvalidValueError(f"a {type(f).__name__} has one encoding only; {encoding.name} does not apply")
        body = pack_slots(f) if isinstance(f, SpTBF) else _pack_pool(f)
        return bytes([_header(f, 0)]) + body
    row = _row(f)
    if encoding is None:
        set_count, distinct = _tally(row)
        code, _ = smallest(not isinstance(f, BloomFilter), row.size, set_count, distinct, 8 * row.itemsize)
        encoding = Encoding(code)
    elif encoding not in _allowed(type(f)):
        raise InvalidValueError(f"{encoding.name} cannot hold a {type(f).__name__}")
    return bytes([_header(f, encoding)]) + pack_row(row, encoding)


def unpack(data: bytes, like: AnyFilter) -> AnyFilter:
    """The filter that `pack` wrote, with the family and settings of `like`, which stays as it is."""
    if not data:
        raise DecodeError("truncated: no header byte")
    header, body = data[0], bytes(data[1:])
    result = like.copy()
    if header & 0x80 or (header & _MERGED and not isinstance(like, TCBF)):
        raise DecodeError(f"unknown header 0x{header:02x}")
    kind, code = (header >> 3) & 7, header & 7
    if kind >= len(KINDS) or KINDS[kind] is not type(like):
        what = KINDS[kind].__name__ if kind < len(KINDS) else f"filter of unknown kind {kind}"
        raise DecodeError(f"a {type(like).__name__} was expected, this is a {what}")
    if isinstance(result, SpTBF | TCBFPool):
        if code:
            raise DecodeError(f"unknown header 0x{header:02x}")
        if isinstance(result, SpTBF):
            unpack_slots(body, result)
        else:
            _unpack_pool(body, result)
        return result
    if code not in _allowed(type(like)):
        raise DecodeError(f"encoding {code} does not hold a {type(like).__name__}")
    _set_row(result, body, Encoding(code), bool(header & _MERGED))
    return result


def _header(f: Filter, encoding: int) -> int:
    merged = _MERGED if isinstance(f, TCBF) and f.merged else 0
    return merged | KINDS.index(type(f)) << 3 | encoding


def _allowed(kind: type[Filter]) -> tuple[Encoding, ...]:
    return PLAIN_ENCODINGS if kind is BloomFilter else COUNTER_ENCODINGS


def _row(f: Filter) -> Any:
    if isinstance(f, BloomFilter):
        return np.unpackbits(f.words.view(np.uint8), count=f.hashing.m, bitorder="little")
    assert isinstance(f, CountingBloomFilter | TCBF)
    return f.counters


def _set_row(f: Filter, body: bytes, encoding: Encoding, merged: bool) -> None:
    m = f.hashing.m
    if isinstance(f, BloomFilter):
        row = unpack_row(body, encoding, m, np.uint8, 1)
        packed = np.packbits(row, bitorder="little")
        f.words[:] = 0
        f.words.view(np.uint8)[: packed.size] = packed
    elif isinstance(f, CountingBloomFilter):
        f.counters = unpack_row(body, encoding, m, np.uint8, STUCK)
    else:
        assert isinstance(f, TCBF)
        row = unpack_row(body, encoding, m, f.counters.dtype, f.ceiling)
        if not merged and int(row.max(initial=0)) > f.initial:
            raise DecodeError(f"a counter of {row.max()} in a filter that was never merged; inserts give {f.initial}")
        f.counters = row
        f.mark(merged)


def _pack_pool(pool: TCBFPool) -> bytes:
    packed = [pack(single) for single in pool.to_filters()]
    return b"".join(len(one).to_bytes(4, "big") + one for one in packed)


def _unpack_pool(body: bytes, pool: TCBFPool) -> None:
    filters: list[TCBF] = []
    at = 0
    while at < len(body):
        if len(filters) == pool.limit:
            raise DecodeError(f"oversized: more than the {pool.limit} filters this pool may hold")
        if len(body) - at < 4:
            raise DecodeError("truncated: a filter of the pool has no length")
        start, stop = at + 4, at + 4 + int.from_bytes(body[at : at + 4], "big")
        if stop > len(body):
            raise DecodeError(
                f"truncated: a filter of the pool says {stop - start} bytes, {len(body) - start} are left"
            )
        single = unpack(body[start:stop], pool.template)
        if not single or not single.merged:
            raise DecodeError("a pool holds merged filters that are not empty")
        if pack(single) != body[start:stop]:
            raise DecodeError("a filter of the pool is not in its smallest encoding")
        filters.append(single)
        at = stop
    pool.replace(filters)


# ------------------------------------------------------------------ between strangers, and in files

_MAGIC = b"hF\x01"
_SHAPE = struct.Struct(">3sBIB?I")  # magic, kind, m, k, distinct, fingerprint of the network key
_TEMPORAL = struct.Struct(">IIdd")  # initial, ceiling, decay cycle, now
_POOL = struct.Struct(">dH")  # threshold, limit - 1
_SPATIAL = struct.Struct(">BB?")  # hop bits, time bits, strict equations


def encode(f: Filter) -> bytes:
    """The filter and its settings as bytes, for a file or a peer of unknown settings."""
    shape = f.hashing
    head = _SHAPE.pack(_MAGIC, KINDS.index(type(f)), shape.m, shape.k, shape.distinct, _fingerprint(shape.key))
    return head + _settings(f) + pack(f)


def decode(
    data: bytes,
    key: bytes = PUBLIC_KEY,
    expect: Hashing | None = None,
    max_positions: int = MAX_DECODED_POSITIONS,
) -> Filter:
    """The filter that `encode` wrote. `expect` refuses any other m, k, distinct or network key."""
    if len(data) < _SHAPE.size:
        raise DecodeError(f"truncated: {len(data)} bytes, {_SHAPE.size} are needed to tell what this is")
    magic, kind, m, k, distinct, fingerprint = _SHAPE.unpack_from(data)
    if magic != _MAGIC:
        raise DecodeError("not an encoded filter (or of another version)")
    if expect is not None:
        key = expect.key
    if fingerprint != _fingerprint(key):
        raise DecodeError("the filter belongs to a network with another key")
    if expect is not None and (m, k, distinct) != (expect.m, expect.k, expect.distinct):
        raise DecodeError(
            f"m={m}, k={k}, distinct={distinct}; expected m={expect.m}, k={expect.k}, distinct={expect.distinct}"
        )
    if kind >= len(KINDS):
        raise DecodeError(f"filter of unknown kind {kind}")
    if m > max_positions:
        raise DecodeError(f"oversized: m = {m}, at most {max_positions} are accepted")
    try:
        empty, at = _empty(KINDS[kind], Hashing(m=m, k=k, key=key, distinct=distinct), data, max_positions)
    except DecodeError:
        raise
    except HunetError as error:
        raise DecodeError(f"impossible settings: {error}") from None
    result = unpack(data[at:], empty)
    if encode(result) != data:  # flags that are neither 0 nor 1, or an encoding that is not the smallest
        raise DecodeError("there is a shorter or plainer way to write this filter, and encode would have taken it")
    return result


def _fingerprint(key: bytes) -> int:
    family = Hashing(m=2**31, k=1, key=key)
    return int(family.positions("hunet network fingerprint")[0])


def _settings(f: Filter) -> bytes:
    if isinstance(f, TCBF):
        return _TEMPORAL.pack(f.initial, f.ceiling, f.decay_cycle, f.now)
    if isinstance(f, TCBFPool):
        return _settings(f.template) + _POOL.pack(f.threshold, f.limit - 1)
    if isinstance(f, SpTBF):
        return _SPATIAL.pack(f.hop_bits, f.time_bits, f.strict_equations)
    return b""


def _empty(kind: type[Filter], hashing: Hashing, data: bytes, max_positions: int) -> tuple[Filter, int]:
    """A filter of the encoded settings without content, and where its content begins."""
    at = _SHAPE.size
    if kind is BloomFilter or kind is CountingBloomFilter:
        return kind(hashing), at
    if kind is SpTBF:
        hop_bits, time_bits, strict = _take(_SPATIAL, data, at)
        return SpTBF(hashing, hop_bits=hop_bits, time_bits=time_bits, strict_equations=strict), at + _SPATIAL.size
    initial, ceiling, cycle, now = _take(_TEMPORAL, data, at)
    at += _TEMPORAL.size
    template = TCBF(hashing, initial, cycle, ceiling=ceiling, now=now)
    if kind is TCBF:
        return template, at
    threshold, limit = _take(_POOL, data, at)
    if hashing.m * (limit + 1) > max_positions:
        raise DecodeError(f"oversized: {limit + 1} filters of m = {hashing.m}, at most {max_positions} are accepted")
    return TCBFPool(template, threshold, limit + 1), at + _POOL.size


def _take(layout: struct.Struct, data: bytes, at: int) -> tuple[Any, ...]:
    if len(data) < at + layout.size:
        raise DecodeError("truncated: the settings are not complete")
    values = layout.unpack_from(data, at)
    if any(isinstance(value, float) and math.isnan(value) for value in values):
        raise DecodeError("a setting is not a number")
    return values
