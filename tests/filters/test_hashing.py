"""Positions: the same on every machine, from every form in which keys come."""

from __future__ import annotations

import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from hunet.filters import PUBLIC_KEY, BloomFilter, Hashing
from hunet.filters.hashing import _CHUNK, MAX_HASHES, MAX_POSITIONS
from hunet.kernels import COMPILED
from hunet.model.errors import InvalidKeyError, InvalidValueError
from tests.naive.hashing import NaiveHashing
from tests.naive.siphash import siphash128

KEY = bytes(range(16))
# SipHash-2-4-128 of the bytes 0, 1, ..., n - 1 under the key 0, 1, ..., 15: the vectors its authors publish.
VECTORS = {
    0: "a3817f04ba25a8e66df67214c7550293",
    1: "da87c1d86b99af44347659119b22fc45",
    2: "8177228da4a45dc7fca38bdef60affe4",
    3: "9c70b60c5267a94e5f33b6b02985ed51",
    4: "f88164c12d9c8faf7d0f6e7c7bcd5579",
    5: "1368875980776f8854527a07690e9627",
    6: "14eeca338b208613485ea0308fd7a15e",
    7: "a1f1ebbed8dbc153c0b84aa61ff08239",
    8: "3b62a9ba6258f5610f83e264f31497b4",
    9: "264499060ad9baabc47f8b02bb6d71ed",
    15: "5493e99933b0a8117e08ec0f97cfc3d9",
    16: "6ee2a4ca67b054bbfd3315bf85230577",
    17: "473d06e8738db89854c066c47ae47740",
    31: "2939b0183223fafc1723de4f52c43d35",
    32: "7c3956ca5eeafc3e363e9d556546eb68",
    63: "5150d1772f50834a503e069a973fbd7c",
}
TEXTS = ["jazz", "ярмарка", "a", "x" * 7, "x" * 8, "x" * 9, "eight by", "🎷" * 5, "a longer key than two blocks of it"]


def slices(digest: bytes) -> list[int]:
    return [int.from_bytes(digest[4 * i : 4 * i + 4], "little") for i in range(4)]


@pytest.mark.parametrize(("length", "digest"), VECTORS.items())
def test_the_naive_siphash_gives_the_published_vectors(length: int, digest: str) -> None:
    assert siphash128(KEY, bytes(range(length))).hex() == digest


@pytest.mark.parametrize(("length", "digest"), [item for item in VECTORS.items() if item[0]])
def test_positions_are_the_slices_of_the_published_vectors(length: int, digest: str) -> None:
    # With m = 2^31 a position is its slice without the last bit: all that [0, m) can show.
    positions = Hashing(m=2**31, k=4, key=KEY).positions(bytes(range(length)))
    assert positions.tolist() == [piece >> 1 for piece in slices(bytes.fromhex(digest))]


@pytest.mark.parametrize("length", VECTORS)
def test_openssl_agrees_with_the_vectors(length: int, tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl on the path")
    message = tmp_path / "message"
    message.write_bytes(bytes(range(length)))
    options = ["-macopt", f"hexkey:{KEY.hex()}", "-macopt", "size:16", "-in", str(message)]
    run = subprocess.run([openssl, "mac", *options, "SIPHASH"], capture_output=True, text=True, check=False)
    if run.returncode:
        pytest.skip("this openssl knows no SIPHASH")
    assert run.stdout.strip().lower() == VECTORS[length]


def test_positions_of_the_public_network_never_change() -> None:
    assert Hashing(m=256, k=4).positions("jazz").tolist() == [32, 70, 104, 74]
    assert Hashing(m=1000, k=6).positions("opera").tolist() == [*NaiveHashing(1000, 6, PUBLIC_KEY).positions("opera")]


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 8, 9, 32])
@pytest.mark.parametrize("m", [32, 33, 100, 256, 1000, 65_537, MAX_POSITIONS])
def test_positions_equal_the_naive_ones(m: int, k: int, distinct: bool) -> None:
    rng = np.random.default_rng(1)
    keys = [rng.bytes(int(length)) for length in rng.integers(1, 40, 30)]
    network = rng.bytes(16)
    table = Hashing(m, k, network, distinct).table(keys)
    naive = NaiveHashing(m, k, network, distinct)
    assert table.T.tolist() == [list(naive.positions(key)) for key in keys]
    if distinct:
        assert all(len(set(column)) == k for column in table.T.tolist())


def test_distinct_positions_can_be_all_there_are() -> None:
    assert sorted(Hashing(m=32, k=32, distinct=True).positions("jazz").tolist()) == list(range(32))


def test_another_network_key_gives_other_positions() -> None:
    ours, theirs = Hashing(m=2**31, k=4), Hashing(m=2**31, k=4, key=b"another network!")
    assert not set(ours.positions("jazz").tolist()) & set(theirs.positions("jazz").tolist())


# ------------------------------------------------------------------ the forms of keys


def arrow_forms() -> dict[str, pa.Array | pa.ChunkedArray]:
    text = pa.array(TEXTS)
    forms = {
        "string": text,
        "large_string": text.cast(pa.large_string()),
        "binary": text.cast(pa.binary()),
        "large_binary": text.cast(pa.large_binary()),
        "dictionary": text.dictionary_encode(),
        "dictionary of large strings": text.cast(pa.large_string()).dictionary_encode(),
        "sliced": pa.array(["before", *TEXTS, "after"])[1:-1],
        "sliced large": pa.array(["before", *TEXTS, "after"], pa.large_string())[1:-1],
        "chunked": pa.chunked_array([TEXTS[:2], [], TEXTS[2:]]),
        "chunked and sliced": pa.chunked_array([["before", *TEXTS[:2]], TEXTS[2:]])[1:],
        "chunked dictionary": pa.chunked_array([TEXTS[:2], TEXTS[2:]]).dictionary_encode(),
        "with room for nulls": pa.array([None, *TEXTS])[1:],
    }
    if hasattr(pa, "string_view"):
        forms["string_view"] = text.cast(pa.string_view())
        forms["binary_view"] = text.cast(pa.binary()).cast(pa.binary_view())
    return forms


@pytest.mark.parametrize("form", arrow_forms())
def test_every_arrow_form_of_the_same_keys_has_the_same_positions(form: str) -> None:
    hashing = Hashing(m=1000, k=5)
    one_by_one = np.stack([hashing.positions(key) for key in TEXTS], axis=1)
    assert np.array_equal(hashing.table(arrow_forms()[form]), one_by_one)


def test_lists_generators_and_numpy_arrays_have_the_same_positions() -> None:
    hashing = Hashing(m=1000, k=5)
    one_by_one = np.stack([hashing.positions(key) for key in TEXTS], axis=1)
    forms = [TEXTS, tuple(TEXTS), (key for key in TEXTS), [key.encode() for key in TEXTS], np.array(TEXTS)]
    for form in forms:
        assert np.array_equal(hashing.table(form), one_by_one)


def test_keys_of_fixed_size_have_the_same_positions() -> None:
    keys = [b"abcd", b"efgh", b"\0\0\0\0"]
    hashing = Hashing(m=1000, k=3)
    assert np.array_equal(hashing.table(pa.array(keys, pa.binary(4))), hashing.table(keys))


@pytest.mark.parametrize("none", [[], (), pa.array([], pa.string()), pa.chunked_array([], pa.string())])
def test_no_keys_have_no_positions(none: list[str]) -> None:
    assert Hashing(m=10, k=3).table(none).shape == (3, 0)


def test_pieces_put_together_are_the_whole_table() -> None:
    keys = [str(i) for i in range(_CHUNK + 7)]
    hashing = Hashing(m=1000, k=3)
    pieces = [piece.copy() for piece in hashing.tables(keys)]
    assert [piece.shape[1] for piece in pieces] == [_CHUNK, 7]
    assert np.array_equal(np.concatenate(pieces, axis=1), hashing.table(keys))


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (["jazz", ""], "key 1 is empty"),
        (["jazz", None], "key 1 is None"),
        ([7], "key 0 is 7"),
        ([bytearray(b"x")], "key 0 is bytearray"),
        (["\ud800"], "not valid text"),
        ("jazz", "single key 'jazz'"),
        (b"jazz", "single key b'jazz'"),
        (pa.array(["jazz", None]), "key 1 is null"),
        (pa.array(["a", "jazz", None])[1:], "key 1 is null"),
        (pa.array(["jazz", ""]), "key 1 is empty"),
        (pa.array([b"", b"jazz"]), "key 0 is empty"),
        (pa.array([1, 2]), "int64"),
        (pa.array([1, 2]).dictionary_encode(), "int64"),
        (pa.array([["a"]]), "list"),
    ],
)
def test_bad_keys_are_refused_by_row(keys: object, said: str) -> None:
    f = BloomFilter(Hashing(m=64, k=3), ["here before"])
    before = f.copy()
    with pytest.raises(InvalidKeyError, match=said):
        f.update(keys)
    with pytest.raises(InvalidKeyError, match=said):
        f.contains(keys)
    assert f == before


@pytest.mark.parametrize(
    ("key", "said"), [("", "empty"), (b"", "empty"), (None, "None"), (3, "3"), ("\udfff", "not valid text")]
)
def test_a_bad_single_key_is_refused(key: object, said: str) -> None:
    with pytest.raises(InvalidKeyError, match=said):
        Hashing(m=64, k=3).positions(key)  # type: ignore[arg-type]


def test_chunks_that_arrow_cannot_join_are_widened(monkeypatch: pytest.MonkeyPatch) -> None:
    # More than 2 GB of text does not fit into one narrow array; a small stand-in answers as Arrow does then.
    chunks = pa.chunked_array([["jazz"], ["opera"]])
    joined = chunks.combine_chunks

    class Stubborn:
        __module__ = "pyarrow.lib"

        def combine_chunks(self) -> Stubborn:
            return self

        def cast(self, kind: pa.DataType) -> pa.ChunkedArray:
            assert kind == pa.large_binary()
            return chunks.cast(kind)

    monkeypatch.setattr("pyarrow.ChunkedArray", Stubborn)
    table = Hashing(m=64, k=3).table(Stubborn())
    monkeypatch.undo()
    assert np.array_equal(table, Hashing(m=64, k=3).table(joined()))


# ------------------------------------------------------------------ spread

MANY = 20_000 if COMPILED else 1_000


@pytest.mark.parametrize("m", [7, 64, 100])
def test_positions_are_spread_evenly(m: int) -> None:
    keys, k = MANY, 4
    table = Hashing(m, k).table([f"key {i}" for i in range(keys)])
    for row in table:
        counts = np.bincount(row, minlength=m)
        chi_square = float(np.sum((counts - keys / m) ** 2) / (keys / m))
        # chi^2 with m - 1 degrees of freedom has mean m - 1 and variance 2 (m - 1): within 5 standard deviations
        assert abs(chi_square - (m - 1)) <= 5 * math.sqrt(2 * (m - 1))


def test_slices_are_independent_of_each_other() -> None:
    m, keys = 8, MANY
    table = Hashing(m, 6).table([f"key {i}" for i in range(keys)]).astype(np.int64)
    for i in range(6):
        for j in range(i):
            pairs = np.bincount(table[i] * m + table[j], minlength=m * m)
            chi_square = float(np.sum((pairs - keys / m**2) ** 2) / (keys / m**2))
            assert abs(chi_square - (m * m - 1)) <= 5 * math.sqrt(2 * (m * m - 1))  # as above


# ------------------------------------------------------------------ the family itself


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"m": 0, "k": 1}, "m must lie in 1..2147483648, got 0"),
        ({"m": MAX_POSITIONS + 1, "k": 1}, "got 2147483649"),
        ({"m": -5, "k": 1}, "got -5"),
        ({"m": 2.0, "k": 1}, "whole number, got 2.0"),
        ({"m": True, "k": 1}, "whole number, got True"),
        ({"m": "8", "k": 1}, "whole number, got '8'"),
        ({"m": 8, "k": 0}, "k must lie in 1..32, got 0"),
        ({"m": 8, "k": MAX_HASHES + 1}, "k must lie in 1..32, got 33"),
        ({"m": 8, "k": None}, "whole number, got None"),
        ({"m": 8, "k": 1, "key": b"short"}, "16 bytes, got b'short'"),
        ({"m": 8, "k": 1, "key": "sixteen letters!"}, "16 bytes"),
        ({"m": 8, "k": 9, "distinct": True}, "k = 9 distinct positions do not exist among m = 8"),
    ],
)
def test_an_impossible_family_is_refused(settings: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidValueError, match=said):
        Hashing(**settings)  # type: ignore[arg-type]


def test_narrow_numpy_numbers_do_not_wrap_around() -> None:
    family = Hashing(m=np.uint8(200), k=np.int16(4))  # type: ignore[arg-type]
    assert family == Hashing(m=200, k=4)
    assert type(family.m) is int
    assert "jazz" in BloomFilter(family, ["jazz"])


def test_a_family_can_be_made_from_a_number_of_keys_and_a_rate() -> None:
    for keys, rate, k in [(1000, 0.01, None), (38, 0.04, 4), (5, 0.5, None), (10, 0.9, 3), (1, 1e-6, 20)]:
        family = Hashing.for_keys(keys, rate, k)
        below = -math.expm1(-family.k * keys / family.m)
        above = -math.expm1(-family.k * keys / max(family.m - 1, 1))
        assert below**family.k <= rate * (1 + 1e-12)  # the smallest m that does: one less does not (up to rounding)
        assert family.m == 1 or above**family.k >= rate * (1 - 1e-12)


@pytest.mark.parametrize(
    ("keys", "rate", "k", "said"),
    [
        (0, 0.1, None, "keys must lie in"),
        (10, 0.0, None, "false_positive_rate must lie in"),
        (10, 1.0, None, "got 1.0"),
        (10, math.nan, None, "got nan"),
        (10, "much", None, "must be a number"),
        (10, 0.1, 0, "k must lie in 1..32, got 0"),
        (2**31, 1e-9, None, "m must lie in"),
    ],
)
def test_a_family_of_impossible_wishes_is_refused(keys: int, rate: float, k: int | None, said: str) -> None:
    with pytest.raises(InvalidValueError, match=said):
        Hashing.for_keys(keys, rate, k)


def test_families_are_values() -> None:
    assert Hashing(8, 2) == Hashing(8, 2)
    assert hash(Hashing(8, 2)) == hash(Hashing(8, 2))
    assert Hashing(8, 2) != Hashing(8, 2, distinct=True)
    with pytest.raises(AttributeError):
        Hashing(8, 2).m = 9  # type: ignore[misc]
