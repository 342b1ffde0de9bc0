"""Matchers against brute force, after any sequence of additions and removals."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hunet.content.stabbing
from hunet.content import Box, Category, Matcher, Number, Schema, ZigZag, z_order
from hunet.content.compressed import CompressedIndex
from hunet.filters import BloomFilter, Hashing
from hunet.model.errors import AbsentKeyError, ContentError, InvalidValueError
from tests.content.boxes import some_boxes, some_points
from tests.naive.content import holds

SPACE = Schema(x=Number(0, 1), y=Number(0, 1))
WAYS: dict[str, tuple[ZigZag | None, bool]] = {
    "exact": (None, False),
    "inclusive, verified": (ZigZag(bits=4), True),
    "Hilbert, two levels, verified": (ZigZag(bits=3, curve="hilbert", second_level=4), True),
    "filters, verified": (ZigZag(bits=3, filters="safe"), True),
}


@pytest.mark.parametrize("way", WAYS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25)
def test_a_matcher_does_what_brute_force_does(way: str, seed: int) -> None:
    chance = np.random.default_rng(seed)
    matcher, truth = Matcher(SPACE, *WAYS[way]), dict[int, Box]()
    for step in range(40):
        match chance.integers(0, 4):
            case 0 | 1:
                lows, highs = some_boxes(chance, 1, 2)
                truth[step] = Box(lows[0], highs[0])
                matcher.add(step, truth[step])
            case 2:
                lows, highs = some_boxes(chance, 8, 2)
                boxes = {1000 * (step + 1) + i: Box(lows[i], highs[i]) for i in range(8)}
                matcher.add_many(boxes, boxes.values())
                truth |= boxes
            case 3 if truth:
                for gone in chance.choice(list(truth), min(len(truth), 12), replace=False).tolist():
                    matcher.remove(gone)
                    del truth[gone]
    corners = (np.array([box[side] for box in truth.values()]).reshape(-1, 2) for side in (0, 1))
    points = some_points(chance, 25, *corners)
    expected = [[id_ for id_, (lows, highs) in truth.items() if holds(lows, highs, point)] for point in points]
    assert list(matcher.match_points(points)) == expected
    assert [matcher.match(dict(zip("xy", point, strict=True))) for point in points[:3]] == expected[:3]
    assert list(matcher) == list(truth)


@given(st.integers(0, 2**32), st.sampled_from(["z-order", "hilbert"]))
@settings(max_examples=30)
def test_approximations_err_only_as_they_may(seed: int, curve: str) -> None:
    """Truth within ZigZagH within ZigZag within Bloom filters; all matchers get the same boxes."""
    chance = np.random.default_rng(seed)
    lows, highs = some_boxes(chance, 30, 2, 0.4)
    points = some_points(chance, 60, lows, highs)
    ways = [
        None,
        ZigZag(bits=4, curve=curve, second_level=4),  # type: ignore[arg-type]
        ZigZag(bits=4, curve=curve),  # type: ignore[arg-type]
        ZigZag(bits=4, curve=curve, filters="literal"),  # type: ignore[arg-type]
    ]
    found: list[list[set[object]]] = []
    for how in ways:
        matcher = Matcher(SPACE, how)
        matcher.add_boxes(range(30), lows, highs)
        found.append([set(row) for row in matcher.match_points(points)])
    for fewer, more in itertools.pairwise(found):
        assert all(a <= b for a, b in zip(fewer, more, strict=True))


def test_a_million_is_only_more_of_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many subscriptions, with the tree: the same as scanning."""
    chance = np.random.default_rng(5)
    lows, highs = some_boxes(chance, 20_000, 2, 0.02)
    points = chance.random((300, 2))
    matcher = Matcher(SPACE)
    matcher.add_boxes(range(20_000), lows, highs)
    scanned = list(matcher.match_points(points))
    monkeypatch.setattr(hunet.content.stabbing, "_WORTH", 0)
    assert list(matcher.match_points(points)) == scanned
    assert sum(map(len, scanned)) > 1000


def test_bulk_from_arrow_answers_as_the_single_call() -> None:
    schema = Schema(brand=Category(("Canon", "Nikon")), focal=Number(8, 400))
    matcher = Matcher(schema)
    matcher.add_many([1, 2, 3], ["brand = Nikon", "focal > 100", {"focal": [50, 105]}])
    events = pa.table({"focal": [85, 105, 200], "brand": ["Nikon", "Canon", "Nikon"], "title": ["a", "b", "c"]})
    matches = matcher.match_many(events)
    assert list(matches) == [[1, 3], [2, 3], [1, 2]] == [matcher.match(row) for row in events.to_pylist()]
    assert matches.to_arrow().to_pylist() == [[1, 3], [2, 3], [1, 2]]
    assert matches[-1] == [1, 2]
    assert matcher.match_many(events.slice(0, 0)).to_arrow().to_pylist() == []


def test_a_compressed_subscription_is_the_bloom_filter_of_its_cells() -> None:
    curve = z_order(2, 5)
    intervals = curve.cover([[3, 4], [8, 8], [0, 17]], [[12, 9], [15, 15], [30, 20]])
    asked = np.arange(1024, dtype=np.uint64)
    for sizing, k in (("literal", 3), ("safe", 6)):
        index = CompressedIndex(sizing, k, key=b"a secret of ours")  # type: ignore[arg-type]
        index.add(intervals, np.arange(3, dtype=np.int32))
        offsets, owners = index.find(asked, np.ones(0, np.uint8))
        event = np.repeat(asked, np.diff(offsets))
        sizes = []
        for row in range(3):
            cells = [number for a, b in intervals.of(row) for number in range(a, b + 1)]
            m = 64 * len(intervals.of(row))
            sizes.append(m if sizing == "literal" else max(m, 8 * len(cells)))
            naive = BloomFilter(Hashing(sizes[-1], k, b"a secret of ours"), [c.to_bytes(8, "little") for c in cells])
            answers = naive.contains([int(c).to_bytes(8, "little") for c in asked])
            assert event[owners == row].tolist() == np.flatnonzero(answers).tolist()
        assert index.bits == sum(sizes)


def test_bad_calls_change_nothing() -> None:
    matcher = Matcher(SPACE)
    matcher.add("a", "x < 0.5")
    with pytest.raises(ContentError, match="already a subscription 'a'"):
        matcher.add_many(["b", "a"], ["x < 1", "x < 1"])
    with pytest.raises(ContentError, match="subscription 'c': there is no attribute 'z'"):
        matcher.add_many(["b", "c"], ["x < 1", "z < 1"])
    with pytest.raises(ContentError, match="already a subscription 'b'"):
        matcher.add_many(["b", "b"], ["x < 1", "x < 1"])
    with pytest.raises(ContentError, match="whole number or text"):
        matcher.add(1.5, "x < 1")  # type: ignore[arg-type]
    with pytest.raises(AbsentKeyError, match="no subscription 'b'"):
        matcher.remove("b")
    with pytest.raises(ContentError, match="subscription 1: its range is empty"):
        matcher.add_boxes([0, 1], np.zeros((2, 2)), np.array([[1.0, 1.0], [-1.0, 1.0]]))
    with pytest.raises(ContentError, match="2 columns"):
        matcher.add_boxes([0], np.zeros((1, 3)), np.ones((1, 3)))
    assert list(matcher) == ["a"]
    assert "a" in matcher
    assert len(matcher) == 1
    assert matcher.match({"x": 0.1, "y": 0.1}) == ["a"]


def test_bad_settings_are_refused_at_once() -> None:
    with pytest.raises(InvalidValueError, match="no transformation 'best'"):
        Matcher(SPACE, ZigZag(transformation="best"))  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match="at most 32 bits"):
        Matcher(SPACE, ZigZag(bits=40))
    with pytest.raises(InvalidValueError, match="'literal' or 'safe'"):
        Matcher(SPACE, ZigZag(filters="small"))  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match="power of two"):
        Matcher(SPACE, ZigZag(second_level=5))
    with pytest.raises(InvalidValueError, match=r"cells, more than .* use fewer bits"):
        Matcher(SPACE, ZigZag(bits=20, filters="safe")).add(1, "x < 0.5")
