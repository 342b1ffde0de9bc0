"""Filters as bytes: what is written can be read, and nothing else can."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hunet.filters import TCBF, BloomFilter, CountingBloomFilter, Hashing, SpTBF, TCBFPool
from hunet.filters.base import Filter
from hunet.filters.codec import decode, encode, pack, unpack
from hunet.filters.counters import tally
from hunet.filters.encodings import (
    COUNTER_ENCODINGS,
    PLAIN_ENCODINGS,
    Encoding,
    encoded_bits,
    pack_row,
    smallest,
    unpack_row,
)
from hunet.filters.slot_codec import packed_slots_bytes
from hunet.kernels import COMPILED
from hunet.model.errors import DecodeError, InvalidValueError

SIZES = [*range(1, 20), 31, 32, 33, 64, 65, 100, 128, 129, 256, 257, 512, 513, 700]
TYPES = [(np.uint8, 255), (np.uint16, 2**16 - 1), (np.uint32, 2**32 - 1)]


def rows(m: int, dtype: Any, highest: int) -> list[Any]:
    """An empty row, a full one, and some in between with few and with many values."""
    rng = np.random.default_rng(m)
    results = [np.zeros(m, dtype), np.full(m, highest, dtype)]
    for share in (0.02, 0.3, 0.8):
        for values in (1, 3, min(200, highest)):
            row = np.where(rng.random(m) < share, rng.integers(1, values + 1, m), 0).astype(dtype)
            results.append(row)
    for only in {0, m // 2, m - 1}:
        row = np.zeros(m, dtype)
        row[only] = highest
        results.append(row)
    return results


@pytest.mark.parametrize(("dtype", "highest"), TYPES)
def test_every_row_survives_every_encoding_in_the_size_foretold(dtype: Any, highest: int) -> None:
    for m in SIZES:
        for row in rows(m, dtype, highest):
            set_count, distinct = tally(row)
            assert (set_count, distinct) == (np.count_nonzero(row), np.unique(row[row > 0]).size)
            lengths = {}
            for encoding in Encoding:
                bits = encoded_bits(int(encoding), m, set_count, distinct, 8 * row.itemsize)
                if bits < 0:
                    assert encoding == Encoding.E2
                    with pytest.raises(InvalidValueError, match=f"the row has {distinct} values"):
                        pack_row(row, encoding)
                    continue
                data = pack_row(row, encoding)
                lengths[encoding] = len(data)
                assert len(data) == -(-bits // 8)
                expected = (row != 0).astype(dtype) if encoding in PLAIN_ENCODINGS else row
                again = unpack_row(data, encoding, m, dtype, highest)
                assert again.dtype == dtype
                assert np.array_equal(again, expected), (m, encoding)
            for counters, allowed in ((False, PLAIN_ENCODINGS), (True, COUNTER_ENCODINGS)):
                code, bits = smallest(counters, m, set_count, distinct, 8 * row.itemsize)
                assert code in allowed
                assert -(-bits // 8) == min(lengths[e] for e in allowed if e in lengths)


def test_the_table_of_sizes_is_the_papers() -> None:  # spec section 3, m = 256, 76 set positions, 5 values
    sizes = [encoded_bits(code, 256, 76, 5, 8) / 8 for code in range(7)]
    assert sizes == [32, 76, -1 / 8, 152, 108, 86, 32 + 5 + 76 * 3 / 8]
    assert encoded_bits(2, 256, 4, 1, 8) == 40


# ------------------------------------------------------------------ whole filters


def samples(m: int) -> list[Filter]:
    """Filters of every kind and setting, empty and not."""
    family = Hashing(m, min(3, m), distinct=m % 2 == 0)
    keys = [f"key {i}" for i in range(m // 6 + 1)]
    result: list[Filter] = [BloomFilter(family), BloomFilter(family, keys)]
    result += [CountingBloomFilter(family), CountingBloomFilter(family, keys * 2 + keys[:1] * 300)]
    for ceiling in (255, 1000, 2**32 - 1):
        fresh = TCBF(family, 50, 60.0, ceiling=ceiling, keys=keys[:2])
        later = TCBF(family, 40, ceiling=ceiling, now=300.0, keys=keys)
        result += [TCBF(family, 50, ceiling=ceiling), fresh, fresh + later, fresh | later]
        pool = TCBFPool(fresh, 0.2, 4)
        result.append(pool.copy())
        for key in keys:
            pool.add(key)
        pool.decay(120.5)
        result.append(pool)
    for hop_bits, time_bits, strict in ((2, 6, False), (2, 6, True), (1, 3, False), (8, 32, True), (5, 8, False)):
        slots = SpTBF(family, hop_bits=hop_bits, time_bits=time_bits, strict_equations=strict)
        result.append(slots.copy())
        slots.insert(keys[0], 1, 5, now=1000.0)
        slots.insert(keys[-1], slots.max_hops, slots.max_lifetime, now=1002.0)
        result.append(slots)
        if strict:
            twins = slots.copy()
            twins.adjust_time(1006.0)
            twins.decrement_hops()
            result.append(twins)
    return result


@pytest.mark.parametrize("m", [1, 2, 5, 8, 64, 100, 257, 700])
def test_filters_of_every_kind_come_back(m: int) -> None:
    for f in samples(m):
        packed = pack(f)
        like = f.copy()
        again = unpack(packed, like)
        again._check()
        assert like == f
        assert pack(again) == packed
        stranger = decode(encode(f), expect=f.hashing)
        stranger._check()
        assert encode(stranger) == encode(f)
        if isinstance(f, SpTBF):  # times are rounded up to seconds and brought to the present
            assert isinstance(again, SpTBF)
            current = f.copy()
            current.adjust_time(f.now)
            assert (again.hops.tolist(), again.timebase) == (current.hops.tolist(), current.timebase)
            assert again.times.tolist() == [-(-t // 1000) * 1000 for t in current.times.tolist()]
            assert len(packed) == 1 + packed_slots_bytes(m, f.hop_bits, f.time_bits)
        else:
            assert again == f
            assert stranger == f


@pytest.mark.parametrize("m", [3, 100, 257])
def test_every_encoding_can_be_asked_for_and_auto_is_the_smallest(m: int) -> None:
    for f in samples(m):
        if isinstance(f, SpTBF | TCBFPool):
            for encoding in Encoding:
                with pytest.raises(InvalidValueError, match=f"has one encoding only; {encoding.name}"):
                    pack(f, encoding)
            continue
        allowed = PLAIN_ENCODINGS if isinstance(f, BloomFilter) else COUNTER_ENCODINGS
        packed = []
        for encoding in Encoding:
            if encoding not in allowed:
                with pytest.raises(InvalidValueError, match=f"{encoding.name} cannot hold a {type(f).__name__}"):
                    pack(f, encoding)
                continue
            try:
                data = pack(f, encoding)
            except InvalidValueError:
                assert encoding == Encoding.E2
                continue
            packed.append(data)
            assert unpack(data, f) == f
            assert pack(unpack(data, f), encoding) == data
        assert len(pack(f)) == min(map(len, packed))
        assert pack(f) in packed


def test_unpacking_takes_nothing_from_the_filter_that_shows_how() -> None:
    full = TCBF(Hashing(64, 3), 10, 60.0, now=9.0, keys=["jazz", "opera"])
    assert unpack(pack(TCBF(Hashing(64, 3), 10)), full) == TCBF(Hashing(64, 3), 10, 60.0, now=9.0)
    bits = BloomFilter(Hashing(65, 3), ["jazz", "opera"])
    assert unpack(pack(BloomFilter(Hashing(65, 3))), bits) == BloomFilter(Hashing(65, 3))
    slots = SpTBF(Hashing(64, 3), strict_equations=True)
    slots.insert("jazz", 1, 60, now=100.0)
    received = SpTBF(Hashing(64, 3), strict_equations=True, now=7.0)
    received.insert("opera", 1, 60, now=7.0)
    assert unpack(pack(received), slots) == received


def test_the_papers_sizes() -> None:
    one = TCBF(Hashing(256, 4, distinct=True), 50, keys=["jazz"])
    assert len(pack(one)) - 1 == 5  # "at most 5 bytes" per key
    assert len(pack(SpTBF(Hashing(100, 3)))) - 1 == 104
    assert packed_slots_bytes(100, hop_bits=3, time_bits=6) == 4 + 113


def test_time_bases_wrap_at_32_bits() -> None:
    f = SpTBF(Hashing(8, 1), now=2**32 + 5.7)
    assert unpack(pack(f), f).timebase == 5.0


# ------------------------------------------------------------------ what is refused

PLAIN = BloomFilter(Hashing(20, 2))
COUNTS = CountingBloomFilter(Hashing(20, 2))
TEMPORAL = TCBF(Hashing(20, 2), 10, ceiling=100)
POOL = TCBFPool(TEMPORAL, 0.5, 2)
SLOTS = SpTBF(Hashing(3, 1))
ODD_SLOTS = SpTBF(Hashing(3, 1), hop_bits=2, time_bits=7)


def bits(text: str) -> bytes:
    """'1 01 001' and so on as bytes, filled up with zeros."""
    text = text.replace(" ", "")
    text += "0" * (-len(text) % 8)
    return bytes(int(text[i : i + 8], 2) for i in range(0, len(text), 8))


def with_header(f: Filter, code: int, content: str, merged: bool = False) -> bytes:
    kind = [BloomFilter, CountingBloomFilter, TCBF, SpTBF, TCBFPool].index(type(f))
    return bytes([merged << 6 | kind << 3 | code]) + bits(content)


def in_pool(*filters: bytes) -> bytes:
    return b"\x20" + b"".join(len(one).to_bytes(4, "big") + one for one in filters)


P3, P5, P20, P31 = "00011", "00101", "10100", "11111"  # positions of five bits; m = 20 allows 0 to 19
C7, C9, C0, C101 = "00000111", "00001001", "00000000", "01100101"
V35 = "0001 0100 0000 0000 0000"  # the bit vector of positions 3 and 5
GOOD_SINGLE = with_header(TEMPORAL, 2, C7 + P3, merged=True)

MALFORMED: dict[str, tuple[Filter, bytes, str]] = {
    "nothing": (PLAIN, b"", "truncated"),
    "highest bit of the header": (PLAIN, bytes([0x80]), "unknown header 0x80"),
    "merged Bloom filter": (PLAIN, bytes([0x40]) + bytes(3), "unknown header 0x40"),
    "another kind": (PLAIN, with_header(COUNTS, 3, ""), "a BloomFilter was expected, this is a CountingBloomFilter"),
    "unknown kind": (PLAIN, bytes([0x38]), "unknown kind 7"),
    "counters in a Bloom filter": (PLAIN, with_header(PLAIN, 3, P3 + C7), "encoding 3 does not hold a BloomFilter"),
    "no counters in a TCBF": (TEMPORAL, with_header(TEMPORAL, 1, P3), "encoding 1 does not hold a TCBF"),
    "code 7": (TEMPORAL, with_header(TEMPORAL, 7, ""), "encoding 7"),
    "E0 truncated": (PLAIN, with_header(PLAIN, 0, "0" * 16), "truncated"),
    "E0 trailing": (PLAIN, with_header(PLAIN, 0, "0" * 32), "trailing: 1 bytes"),
    "E0 fill": (PLAIN, with_header(PLAIN, 0, "0" * 20 + "0001"), "fill up the last byte"),
    "E0 oversized": (PLAIN, with_header(PLAIN, 0, "0" * 4000), "oversized"),
    "E1 out of range": (PLAIN, with_header(PLAIN, 1, P20), "position 20 is out of range for m = 20"),
    "E1 twice": (PLAIN, with_header(PLAIN, 1, P3 + P3), "do not ascend"),
    "E1 unsorted": (PLAIN, with_header(PLAIN, 1, P5 + P3), "do not ascend"),
    "E1 fill": (PLAIN, with_header(PLAIN, 1, P3 + "001"), "fill up the last byte"),
    "E1 trailing": (PLAIN, with_header(PLAIN, 1, P3 + "000" + "00000000"), "do not ascend"),
    "E2 truncated": (COUNTS, with_header(COUNTS, 2, C7), "E2 has a counter but no position"),
    "E2 empty": (COUNTS, with_header(COUNTS, 2, ""), "truncated: 8 more bits expected, 0 left"),
    "E2 counter 0": (COUNTS, with_header(COUNTS, 2, C0 + P3), r"outside 1\.\.255"),
    "E2 ceiling": (TEMPORAL, with_header(TEMPORAL, 2, C101 + P3, merged=True), r"101\.\.101, outside 1\.\.100"),
    "E2 out of range": (COUNTS, with_header(COUNTS, 2, C7 + P31), "position 31"),
    "E3 truncated": (COUNTS, with_header(COUNTS, 3, P3 + C7 + P5), "trailing|fill up"),
    "E3 unsorted": (COUNTS, with_header(COUNTS, 3, P5 + C7 + P3 + C7), "do not ascend"),
    "E3 counter 0": (COUNTS, with_header(COUNTS, 3, P3 + C0), r"outside 1\.\.255"),
    "E3 out of range": (COUNTS, with_header(COUNTS, 3, P20 + C7), "position 20"),
    "E4 truncated vector": (COUNTS, with_header(COUNTS, 4, "0" * 8), "truncated: 20 more bits"),
    "E4 truncated counters": (COUNTS, with_header(COUNTS, 4, V35 + C7), "truncated: 16 more bits"),
    "E4 trailing": (COUNTS, with_header(COUNTS, 4, V35 + C7 + C9 + C9), "trailing"),
    "E4 counter 0": (COUNTS, with_header(COUNTS, 4, V35 + C7 + C0), "outside"),
    "E5 truncated count": (COUNTS, with_header(COUNTS, 5, C7), "truncated"),
    "E5 truncated positions": (COUNTS, with_header(COUNTS, 5, C7 + "00011" + P3), "truncated"),
    "E5 values unsorted": (
        COUNTS,
        with_header(COUNTS, 5, C9 + "00000" + P3 + C7 + "00000" + P5),
        "the counter values of E5 do not ascend",
    ),
    "E5 counter 0": (COUNTS, with_header(COUNTS, 5, C0 + "00000" + P3), "do not ascend"),
    "E5 ceiling": (TEMPORAL, with_header(TEMPORAL, 5, C101 + "00000" + P3, merged=True), "outside"),
    "E5 position in two groups": (
        COUNTS,
        with_header(COUNTS, 5, C7 + "00000" + P3 + C9 + "00000" + P3),
        "a position stands in two groups",
    ),
    "E5 unsorted": (COUNTS, with_header(COUNTS, 5, C7 + "00001" + P5 + P3), "do not ascend"),
    "E5 out of range": (COUNTS, with_header(COUNTS, 5, C7 + "00000" + P20), "position 20"),
    "E5 fill": (COUNTS, with_header(COUNTS, 5, C7 + "00000" + P3 + "000001"), "fill up the last byte"),
    "E6 truncated": (COUNTS, with_header(COUNTS, 6, V35), "E6 has set bits but no counter"),
    "E6 values unsorted": (COUNTS, with_header(COUNTS, 6, V35 + C9 + C7 + "01"), "values of E6 do not ascend"),
    "E6 unused value": (COUNTS, with_header(COUNTS, 6, V35 + C7 + C9 + "00"), "do not fit its value table"),
    "E6 index beyond the table": (
        COUNTS,
        with_header(COUNTS, 6, "1111" + "0" * 16 + C7 + C9 + "00001010" + "00011011"),
        "do not fit its value table",
    ),
    "E6 trailing": (COUNTS, with_header(COUNTS, 6, V35 + C7 + C9 + "01" + "00000000" * 2), "trailing"),
    "E6 counter 0": (COUNTS, with_header(COUNTS, 6, V35 + C0 + C9 + "01"), "outside"),
    "unmerged but above initial": (TEMPORAL, with_header(TEMPORAL, 2, "00001011" + P3), "a counter of 11 in a filter"),
    "slots truncated": (SLOTS, b"\x18" + bytes(6), "truncated: 6 bytes, 7 expected"),
    "slots trailing": (SLOTS, b"\x18" + bytes(8), "trailing bytes: 8 bytes, 7 expected"),
    "slots half dead, no time": (SLOTS, b"\x18" + bytes(6) + b"\x40", "hops but no time"),
    "slots half dead, no hops": (SLOTS, b"\x18" + bytes(6) + b"\x01", "time but no hops"),
    "slots fill": (ODD_SLOTS, b"\x18" + bytes(7) + b"\x01", "fill up the last byte"),
    "slots with an encoding": (SLOTS, b"\x19" + bytes(7), "unknown header 0x19"),
    "pool with an encoding": (POOL, b"\x21", "unknown header 0x21"),
    "pool without length": (POOL, b"\x20\0\0\0", "a filter of the pool has no length"),
    "pool truncated": (POOL, in_pool(GOOD_SINGLE)[:-1], "a filter of the pool says 3 bytes, 2 are left"),
    "pool of too many": (POOL, in_pool(GOOD_SINGLE, GOOD_SINGLE, GOOD_SINGLE), "more than the 2 filters"),
    "pool of Bloom filters": (POOL, in_pool(with_header(PLAIN, 1, P3)), "a TCBF was expected"),
    "pool of unmerged": (POOL, in_pool(with_header(TEMPORAL, 2, C7 + P3)), "merged filters that are not empty"),
    "pool of empty": (POOL, in_pool(with_header(TEMPORAL, 3, "", merged=True)), "merged filters that are not empty"),
    "pool of nothing": (POOL, in_pool(b""), "truncated: no header byte"),
    "pool in a roundabout way": (
        POOL,
        in_pool(with_header(TEMPORAL, 3, P3 + C7 + P5 + C7, merged=True)),
        "not in its smallest encoding",
    ),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_bytes_raise_the_one_documented_error(case: str) -> None:
    like, data, said = MALFORMED[case]
    before = like.copy()
    with pytest.raises(DecodeError, match=said):
        unpack(data, like)
    assert like == before


def test_the_good_neighbours_of_the_malformed_are_read() -> None:
    assert unpack(with_header(PLAIN, 1, P3 + P5), PLAIN).set_bits == 2
    assert unpack(with_header(COUNTS, 5, C7 + "00000" + P3 + C9 + "00000" + P5), COUNTS).counters[[3, 5]].tolist() == [
        7,
        9,
    ]
    assert unpack(with_header(COUNTS, 6, V35 + C7 + C9 + "01"), COUNTS).counters[[3, 5]].tolist() == [7, 9]
    assert unpack(in_pool(GOOD_SINGLE, GOOD_SINGLE), POOL).filters == 2
    assert unpack(b"\x18" + bytes(6) + b"\x41", SLOTS).slots()[2] == (1, 1.0)


def test_a_strict_filter_keeps_its_dead_twins_in_bytes() -> None:
    like = SpTBF(Hashing(3, 1), strict_equations=True)
    assert unpack(b"\x18" + bytes(6) + b"\x40", like).slots()[2] == (1, 0.0)


def changed(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]


BLOOM = encode(BloomFilter(Hashing(20, 2), ["jazz"]))
TCBF_BYTES = encode(TCBF(Hashing(20, 2), 10, 60.0, keys=["jazz"]))
POOL_BYTES = encode(POOL)
SLOT_BYTES = encode(SLOTS)
NAN = struct.pack(">d", math.nan)

# magic 0-2, kind 3, m 4-7, k 8, distinct 9, fingerprint 10-13; TCBF: initial 14-17, ceiling 18-21, cycle 22-29,
# now 30-37; pool: threshold 38-45, limit 46-47; slots: hop bits 14, time bits 15, strict 16
STRANGE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "truncated: 0 bytes, 14 are needed"),
    "no shape": (BLOOM[:13], "truncated: 13 bytes"),
    "magic": (changed(BLOOM, 0, b"x"), "not an encoded filter"),
    "version": (changed(BLOOM, 2, b"\2"), "of another version"),
    "kind": (changed(BLOOM, 3, b"\5"), "unknown kind 5"),
    "kind that differs from the content": (changed(BLOOM, 3, b"\1"), "was expected"),
    "m of 0": (changed(BLOOM, 4, bytes(4)), "impossible settings: m must lie in"),
    "m too large": (changed(BLOOM, 4, b"\xff" * 4), "oversized: m = 4294967295, at most 1048576"),
    "k of 0": (changed(BLOOM, 8, b"\0"), "impossible settings: k must lie in 1..32, got 0"),
    "k of 33": (changed(BLOOM, 8, b"\x21"), "impossible settings"),
    "distinct of 2": (changed(BLOOM, 9, b"\2"), "shorter or plainer"),
    "another network": (changed(BLOOM, 10, bytes(4)), "network with another key"),
    "settings cut": (TCBF_BYTES[:30], "the settings are not complete"),
    "initial of 0": (changed(TCBF_BYTES, 14, bytes(4)), "impossible settings: initial"),
    "ceiling below initial": (changed(TCBF_BYTES, 18, b"\0\0\0\1"), "impossible settings: initial must lie in 1..1"),
    "cycle not a number": (changed(TCBF_BYTES, 22, NAN), "a setting is not a number"),
    "cycle of 0": (changed(TCBF_BYTES, 22, bytes(8)), "impossible settings: decay_cycle"),
    "negative time": (changed(TCBF_BYTES, 30, struct.pack(">d", -1.0)), "impossible settings: a time"),
    "content cut": (TCBF_BYTES[:38], "no header byte"),
    "threshold": (changed(POOL_BYTES, 38, struct.pack(">d", 1.5)), "impossible settings: threshold"),
    "a pool too large": (
        changed(changed(POOL_BYTES, 4, b"\0\0\x7f\xff"), 46, b"\xff\xff"),
        "65536 filters of m = 32767",
    ),
    "pool settings cut": (POOL_BYTES[:45], "the settings are not complete"),
    "hop bits": (changed(SLOT_BYTES, 14, b"\0"), "impossible settings: hop_bits"),
    "time bits": (changed(SLOT_BYTES, 15, b"\x40"), "impossible settings: time_bits"),
    "strict of 2": (changed(SLOT_BYTES, 16, b"\2"), "shorter or plainer"),
    "trailing": (BLOOM + b"\0", "do not ascend|trailing"),
    "not the smallest encoding": (
        TCBF_BYTES[:38] + pack(TCBF(Hashing(20, 2), 10, 60.0, keys=["jazz"]), Encoding.E4),
        "shorter or plainer",
    ),
}


@pytest.mark.parametrize("case", STRANGE)
def test_malformed_strangers_raise_the_one_documented_error(case: str) -> None:
    data, said = STRANGE[case]
    with pytest.raises(DecodeError, match=said):
        decode(data)


@pytest.mark.parametrize(
    "expect", [Hashing(21, 2), Hashing(20, 3), Hashing(20, 2, distinct=True), Hashing(20, 2, key=b"another network!")]
)
def test_strangers_of_another_family_than_expected_are_refused(expect: Hashing) -> None:
    with pytest.raises(DecodeError, match=r"expected m=|another key"):
        decode(BLOOM, expect=expect)


def test_a_filter_of_a_private_network_needs_its_key() -> None:
    key = b"another network!"
    f = BloomFilter(Hashing(64, 3, key), ["jazz"])
    assert decode(encode(f), key=key) == f
    with pytest.raises(DecodeError, match="another key"):
        decode(encode(f))
    with pytest.raises(InvalidValueError, match="16 bytes"):
        decode(encode(f), key=b"short")


def test_larger_filters_are_believed_when_asked_to() -> None:
    f = BloomFilter(Hashing(1001, 3), ["jazz"])
    with pytest.raises(DecodeError, match="oversized: m = 1001, at most 1000"):
        decode(encode(f), max_positions=1000)
    assert decode(encode(f), max_positions=1001) == f


def test_settings_that_end_with_infinity_come_back() -> None:
    f = TCBF(Hashing(20, 2), 10)
    assert f.decay_cycle == math.inf
    assert decode(encode(f)) == f


def damaged(data: bytes) -> Callable[[int], bytes]:
    return lambda at: changed(data, at // 8, bytes([data[at // 8] ^ 1 << at % 8]))


@pytest.mark.parametrize("m", [5, 20, 64, 100] if COMPILED else [5, 20])
def test_whatever_one_flipped_bit_leaves_readable_is_written_the_same_way_again(m: int) -> None:
    for f in samples(m):
        packed, flip = pack(f), damaged(pack(f))
        for at in range(min(8 * len(packed), 400)):
            try:
                again = unpack(flip(at), f)
            except DecodeError:
                continue
            again._check()
            code = flip(at)[0] & 7
            encoding = None if isinstance(f, SpTBF | TCBFPool) else Encoding(code)
            assert pack(again, encoding) == flip(at)
