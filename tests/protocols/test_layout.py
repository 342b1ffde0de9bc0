"""Digests whose layout is data: sizes are those of the bytes, what arrives is what was told, all else is refused."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from hunet.model.errors import DecodeError
from hunet.protocols.accounts import ACCOUNTS
from hunet.protocols.layout import (
    NOTHING,
    Layout,
    bloom,
    counters,
    layout,
    local,
    number,
    positions,
    repeat,
    values,
    weights,
    when,
)
from hunet.protocols.protocol import World

pytestmark = pytest.mark.interpreted

SILENT, POSITIONS, COUNTERS, LISTS = range(4)
WORLD = World(1, ["jazz", "rock", "folk", "soul", "punk"], 1)


class Params(NamedTuple):
    m: int
    table: npt.NDArray[np.uint8]
    ceiling: int
    tags: int
    rows: int


PARAMS = Params(70, np.array([[1, 2, 3, 66, 69], [10, 11, 12, 66, 0]], np.uint8), 300, 5, 3)


def _double(params: Any, digest: Any) -> None:
    if digest.kind[0] == COUNTERS and digest.used[0] == 0:
        raise DecodeError("counters of nothing")
    digest.twice[0] = 2 * digest.kind[0]


EVERYTHING = layout(
    number("kind", most=LISTS),
    bloom("genuine", answers="answers"),
    when("kind", [POSITIONS], repeat("used", positions("relay"), number("left"), most="rows")),
    when("kind", [COUNTERS], repeat("used", counters("relay"), number("left"), most="rows")),
    when("kind", [LISTS], weights("asks"), repeat("lists", bloom("cells"), weights("list"), most=lambda p: p.rows - 1)),
    local("twice"),
    derive=_double,
)


def random_digest(random: np.random.Generator) -> Any:
    """As somebody would tell it."""
    digest = EVERYTHING.new(PARAMS, WORLD)
    kind = digest.kind[0] = random.integers(4)
    digest.genuine[:] = random.integers(0, 2**63, 2).astype(np.uint64) & np.uint64(2 ** random.integers(6) - 1)
    if kind in (POSITIONS, COUNTERS):
        digest.used[0] = random.integers(kind == COUNTERS, PARAMS.rows + 1)
        rows = slice(0, digest.used[0])
        few = random.random(digest.relay[rows].shape) < random.random()
        digest.relay[rows] = few * (1 if kind == POSITIONS else random.integers(1, 301, few.shape))
        digest.left[rows] = random.choice([0, 127, 128, 2**62], digest.used[0])
    if kind == LISTS:
        digest.lists[0] = random.integers(PARAMS.rows)
        digest.cells[: digest.lists[0], 0] = random.integers(0, 2**40)
        for table in (digest.asks, digest.list[: digest.lists[0]]):
            table[:] = (random.random(table.shape) < 0.5) * random.random(table.shape)
    EVERYTHING.refresh(PARAMS, digest)
    return digest


def decoded(of: Layout, data: bytes) -> Any:
    digest = of.new(PARAMS, WORLD)
    of.decode(PARAMS, data, digest)
    return digest


def are_same(one: Any, other: Any) -> bool:
    return all(np.array_equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


def test_what_is_told_arrives_and_its_size_is_known() -> None:
    random = np.random.default_rng(1)
    for _ in range(200):
        digest = random_digest(random)
        data = EVERYTHING.encode(PARAMS, digest)
        assert EVERYTHING.size(PARAMS, digest) == len(data)
        assert are_same(decoded(EVERYTHING, data), digest)


class Named(NamedTuple):
    """How values name their tags: by places of one byte, or by hashes of eight."""

    tags: int
    tag_ids: npt.NDArray[np.uint64]
    tag_bytes: int


@pytest.mark.parametrize(
    "params",
    [Named(5, np.zeros(0, np.uint64), 1), Named(5, np.array([9, 2**63, 4, 2**40, 7], np.uint64), 8)],
    ids=["places", "hashes"],
)
def test_values_arrive_whatever_names_their_tags(params: Named) -> None:
    told = layout(values("told"), measured_by="tag_bytes")
    random = np.random.default_rng(4)
    for _ in range(50):
        digest = told.new(params, WORLD)
        digest.told[:] = random.choice([0, 1, 2**16 - 1], params.tags)
        data = told.encode(params, digest)
        assert told.size(params, digest) == len(data)
        arrived = told.new(params, WORLD)
        told.decode(params, data, arrived)
        assert are_same(arrived, digest)


def test_what_is_refused_changes_nothing_and_what_is_accepted_is_all_there_is() -> None:
    random = np.random.default_rng(2)
    refused = accepted = 0
    for _ in range(400):
        digest, data = random_digest(random), bytearray(EVERYTHING.encode(PARAMS, random_digest(random)))
        before = type(digest)(*(part.copy() for part in digest))
        data[random.integers(len(data))] ^= 1 << random.integers(8)
        cut = bytes(data[: random.integers(len(data)) if random.integers(3) == 0 else None])
        try:
            EVERYTHING.decode(PARAMS, cut, digest)
        except DecodeError:
            refused += 1
            assert are_same(digest, before)
        else:  # nothing is left of what the digest said before
            accepted += 1
            assert are_same(digest, decoded(EVERYTHING, cut))
            assert EVERYTHING.encode(PARAMS, digest) == cut
    assert refused > 50
    assert accepted > 50


def test_what_nobody_would_tell_is_refused() -> None:
    digest = EVERYTHING.new(PARAMS, WORLD)
    digest.kind[0] = COUNTERS
    with pytest.raises(DecodeError, match="counters of nothing"):
        decoded(EVERYTHING, EVERYTHING.encode(PARAMS, digest))


@pytest.mark.parametrize(("kind", "most"), [(POSITIONS, 3), (COUNTERS, 3), (LISTS, 2)])
def test_there_are_no_more_rows_than_there_is_room_for(kind: int, most: int) -> None:
    head = bytes([kind, 1, 1, *([0] * (kind == LISTS))])  # an empty filter as E1, an empty list
    with pytest.raises(DecodeError, match=f"at least {most + 1}, at most {most}"):
        decoded(EVERYTHING, head + bytes([most + 1]))


def test_answers_are_worked_out_anew_when_the_table_has_grown() -> None:
    digest = EVERYTHING.new(PARAMS, WORLD)
    digest.genuine[0] = (1 << 1) | (1 << 10)  # the positions of jazz
    EVERYTHING.refresh(PARAMS, digest)
    assert digest.answers.tolist() == [0b00001]
    grown = PARAMS._replace(table=np.array([[1, 2, 3, 66, 10], [10, 11, 12, 66, 1]], np.uint8))
    EVERYTHING.refresh(grown, digest)
    assert digest.answers.tolist() == [0b10001]


def test_only_what_has_filters_is_accounted_for() -> None:
    assert NOTHING.account is None
    assert layout(number("one"), weights("asks")).account is None
    random = np.random.default_rng(3)
    for _ in range(50):
        digest = random_digest(random)
        out = np.zeros(len(ACCOUNTS), np.int64)
        assert EVERYTHING.account is not None
        EVERYTHING.account(PARAMS, digest, np.array([4, 4, 4, 4, 4]), out)
        if digest.kind[0] == SILENT:  # beside the filter one byte for the kind
            assert out[:2].min() == EVERYTHING.size(PARAMS, digest) - 1


def test_who_says_nothing_says_it_in_no_bytes() -> None:
    empty = NOTHING.new(PARAMS, WORLD)
    assert NOTHING.encode(PARAMS, empty) == b""
    assert NOTHING.size(PARAMS, empty) == 0
    with pytest.raises(DecodeError, match="1 bytes too many"):
        NOTHING.decode(PARAMS, b"\0", empty)


def test_digests_with_the_same_names_are_of_one_class_that_its_module_knows() -> None:
    one, other = layout(number("used"), bloom("own")), layout(local("used"), bloom("own", answers=None))
    assert type(one.new(PARAMS, WORLD)) is type(other.new(PARAMS, WORLD))
    kind: Any = type(one.new(PARAMS, WORLD))
    assert getattr(__import__(kind.__module__, fromlist=["_"]), kind.__name__) is kind
