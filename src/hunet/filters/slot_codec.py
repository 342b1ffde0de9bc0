"""The slots of a spatiotemporal filter as bytes: a 4-byte time base and a fixed number of bits per slot."""

from __future__ import annotations

import numpy as np

from hunet.filters.encodings import from_bits, to_bits
from hunet.filters.spatiotemporal import TICKS_PER_SECOND, SpTBF
from hunet.model.errors import DecodeError

__all__ = ["pack_slots", "packed_slots_bytes", "unpack_slots"]


def packed_slots_bytes(m: int, hop_bits: int = 2, time_bits: int = 6) -> int:
    """Size without the header byte: m + 4 with the paper's widths ([sptbf] 4).

    >>> packed_slots_bytes(100)
    104
    """
    return 4 + -(-m * (hop_bits + time_bits) // 8)


def pack_slots(f: SpTBF) -> bytes:
    """Time base (whole seconds, modulo 2^32), then per slot the hops and the seconds left, rounded up (AMB-66).

    Times are brought to `f.now` first, so they fit; rounding up keeps what lives alive.
    """
    current = f.copy()
    current.adjust_time(f.now)
    seconds = -(-current.times // TICKS_PER_SECOND)
    slots = current.hops.astype(np.uint64) << np.uint64(f.time_bits) | seconds.astype(np.uint64)
    bits = to_bits(slots, f.hop_bits + f.time_bits)
    return (int(current.timebase) % 2**32).to_bytes(4, "big") + np.packbits(bits).tobytes()


def unpack_slots(body: bytes, f: SpTBF) -> None:
    """Put packed slots into the filter, in place of what it had; its time base becomes the sender's."""
    m, width = f.hashing.m, f.hop_bits + f.time_bits
    expected = packed_slots_bytes(m, f.hop_bits, f.time_bits)
    if len(body) != expected:
        what = "truncated" if len(body) < expected else "trailing bytes"
        raise DecodeError(f"{what}: {len(body)} bytes, {expected} expected for m = {m} and {width} bits per slot")
    bits = np.unpackbits(np.frombuffer(body, np.uint8, offset=4))
    if bits[m * width :].any():
        raise DecodeError("the bits that fill up the last byte are not zero")
    slots = from_bits(bits[: m * width], m, width)
    hops = (slots >> np.uint64(f.time_bits)).astype(np.uint8)
    times = (slots & np.uint64(2**f.time_bits - 1)).astype(np.int64) * TICKS_PER_SECOND
    if not f.strict_equations and not np.array_equal(hops > 0, times > 0):
        raise DecodeError("a slot has hops but no time, or time but no hops")
    f.rebase(int.from_bytes(body[:4], "big"))
    f.hops, f.times = hops, times
