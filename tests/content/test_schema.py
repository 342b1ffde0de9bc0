"""Schemas: events to points, subscriptions to boxes, and an answer for everything that can be wrong."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from hunet.content import Category, Number, Schema, Time, schema_from
from hunet.model.errors import ContentError

CAMERA = Schema(
    {"max aperture": Number(0.95, 22)},
    brand=Category(("Canon", "Nikon", "Carl Zeiss")),
    focal=Number(8, 800),
    sold=Time(datetime(2026, 1, 1), datetime(2027, 1, 1)),
)
INF = math.inf


def ranges(where: Any) -> dict[str, tuple[float, float]]:
    """The dimensions that a subscription restricts."""
    box = CAMERA.box(where)
    both = zip(CAMERA, box.lows.tolist(), box.highs.tolist(), strict=True)
    return {name: (low, high) for name, low, high in both if (low, high) != (-INF, INF)}


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("brand = Nikon and 50 <= focal <= 105", {"brand": (1, 1), "focal": (50, 105)}),
        ("focal >= 50 AND focal<=105", {"focal": (50, 105)}),
        ("105 >= focal >= 50", {"focal": (50, 105)}),
        ("focal > 50", {"focal": (math.nextafter(50, INF), INF)}),
        ("focal < 50", {"focal": (-INF, math.nextafter(50, -INF))}),
        ("focal ≥ 5e1 and focal == 85", {"focal": (85, 85)}),
        ("brand = 'Carl Zeiss'", {"brand": (2, 2)}),
        ('"Carl Zeiss" = brand', {"brand": (2, 2)}),
        ("'max aperture' <= 2.8", {"max aperture": (-INF, 2.8)}),
        ("focal <= 10000", {"focal": (-INF, 10000)}),
        ("", {}),
        ({}, {}),
        ({"brand": "Nikon", "focal": [50, 105]}, {"brand": (1, 1), "focal": (50, 105)}),
        ({"focal": (None, 105)}, {"focal": (-INF, 105)}),
        ({"focal": {">": 50, "<=": 105}}, {"focal": (math.nextafter(50, INF), 105)}),
        ({"focal": np.float64(85)}, {"focal": (85, 85)}),
    ],
)
def test_a_subscription_is_a_box(where: Any, expected: dict[str, tuple[float, float]]) -> None:
    assert ranges(where) == expected


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("brnad = Nikon", "there is no attribute 'brnad'; did you mean 'brand'?"),
        ("50 <= focl <= 105", "there is no attribute 'focl'; did you mean 'focal'?"),
        ("50 <= focl", "there is no attribute 'focl'; did you mean 'focal'?"),
        ({"focl": 3}, "there is no attribute 'focl'; did you mean 'focal'?"),
        ("brand = nikon", "brand: there is no 'nikon'; did you mean 'Nikon'?"),
        ("brand = Xyz", "brand: there is no 'Xyz'; there are: Canon, Nikon, Carl Zeiss"),
        ("brand < Nikon", "brand is a category: it can be = a value, not <"),
        ("105 <= focal <= 50", "focal: nothing is at least 105 and at most 50; the range is empty"),
        ({"focal": [105, 50]}, "focal: nothing is at least 105 and at most 50; the range is empty"),
        ("brand = Nikon and brand = Canon", "brand: nothing is at least Nikon and at most Canon; the range is empty"),
        ("focal > 50 and focal < 50", "focal: nothing is at least 50 and at most 50; the range is empty"),
        ("focal = 900", "focal: the range lies outside of 8 to 800; no event can be there"),
        ("sold < 2026-01-01", "sold: the range lies outside of 2026-01-01T00:00:00 to 2027-01-01T00:00:00; no event"),
        ("focal = wide", "focal: 'wide' is not a number"),
        ("focal = nan", "focal: 'nan' is not a number"),
        ({"focal": True}, "focal: True is not a number"),
        ("sold = yesterday", "sold: 'yesterday' is not a date or time such as 2026-05-01T18:00"),
        ("focal = 85 or focal = 50", "'or' in 'focal = 85 or focal = 50': conditions are joined by 'and' only"),
        ("focal != 85", "'!=' in 'focal != 85': comparisons are = < <= > >="),
        ("focal", "'focal' has 'focal' where a condition such as"),
        ("brand = Carl Zeiss", "'brand = Carl Zeiss' has 'brand = Carl Zeiss' where a condition such as"),
        ("focal > 3 and", "'focal > 3 and' has 'nothing' where a condition such as"),
        ("brand = 'Nikon", '"\'" is out of place'),
        ({"focal": [1, 2, 3]}, "focal: a range has two ends, null for an open one; got [1, 2, 3]"),
        ({"focal": {"<>": 3}}, "focal: '<>' is no comparison; there are = < <= > >="),
        (17, "a subscription is text or a mapping of attributes, got 17"),
    ],
)
def test_a_wrong_subscription_gets_a_clear_answer(where: Any, message: str) -> None:
    with pytest.raises(ContentError) as raised:
        CAMERA.box(where)
    assert str(raised.value).startswith(message)


GOOD = {"brand": "Nikon", "focal": 85, "sold": "2026-05-01T18:00", "max aperture": 1.4, "title": "ignored"}


def test_an_event_is_a_point() -> None:
    point = CAMERA.point(GOOD)
    moment = datetime(2026, 5, 1, 18, tzinfo=UTC).timestamp() * 1e6
    assert point.tolist() == [1.4, 1, 85, moment]
    assert CAMERA.point({**GOOD, "sold": datetime(2026, 5, 1, 20, tzinfo=timezone(timedelta(hours=2)))})[3] == moment
    assert CAMERA.point({**GOOD, "sold": date(2026, 5, 1)})[3] == moment - 18 * 3600e6


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"focal": None}, "the event has no 'focal'"),
        ({"focal": 7.9}, "focal = 7.9 lies outside of 8 to 800"),
        ({"brand": "Kodak"}, "brand: there is no 'Kodak'; there are: Canon, Nikon, Carl Zeiss"),
        ({"focal": "long"}, "focal: 'long' is not a number"),
        ({"sold": 3}, "sold: 3 is not a date or time"),
    ],
)
def test_a_wrong_event_gets_the_same_answer_alone_and_in_bulk(change: dict[str, object], message: str) -> None:
    with pytest.raises(ContentError) as raised:
        CAMERA.point({**GOOD, **change})
    assert str(raised.value).startswith(message)
    table = pa.table({name: pa.array([change.get(name, value)]) for name, value in GOOD.items()})
    with pytest.raises(ContentError) as in_bulk:
        CAMERA.points(table, ["e7"])
    expected = "event 'e7' has no focal" if change == {"focal": None} else f"event 'e7': {message}"
    assert str(in_bulk.value).startswith(expected)


def test_columns_of_every_kind_are_understood() -> None:
    moments = [datetime(2026, 5, 1, 18), datetime(2026, 6, 1)]
    expected = CAMERA.points(pa.Table.from_pylist([{**GOOD, "sold": m.isoformat()} for m in moments]))
    for kind in (pa.timestamp("s"), pa.timestamp("ms"), pa.timestamp("us", "UTC"), pa.timestamp("ns")):
        table = pa.table(
            {
                "brand": pa.array(["Nikon"] * 2).dictionary_encode(),
                "focal": pa.array(["85", "85.0"]),
                "sold": pa.array(moments).cast(kind),
                "max aperture": pa.array([1.4, 1.4], pa.float64()),
            }
        )
        assert np.array_equal(CAMERA.points(table), expected)
        assert np.array_equal(CAMERA.points(pa.concat_tables([table, table])), np.concatenate([expected, expected]))
    with pytest.raises(ContentError, match="no column 'focal'; did you mean 'focsl'"):
        CAMERA.points(table.rename_columns(["brand", "focsl", "sold", "max aperture"]))


def test_a_schema_comes_from_a_description() -> None:
    description = {
        "attributes": {
            "brand": {"type": "category", "values": ["Canon", "Nikon"]},
            "focal": {"type": "number", "min": 8, "max": 800},
            "sold": {"type": "time", "min": date(2026, 1, 1), "max": "2027-01-01"},
        }
    }
    schema = schema_from(description)
    assert list(schema) == ["brand", "focal", "sold"]
    assert schema["sold"].domain == CAMERA["sold"].domain
    assert "focal=Number(low=8, high=800)" in repr(schema)


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({}, "a schema needs a table [attributes.NAME] per attribute"),
        ({"focal": 3}, "[attributes.focal] must be a table with type = ..., got 3"),
        ({"focal": {"type": "numbr"}}, "[attributes.focal] has the type 'numbr'; did you mean 'number'?"),
        ({"focal": {"type": "number", "min": 1}}, "[attributes.focal] lacks 'max'; a number needs min and max"),
        ({"focal": {"type": "number", "min": 1, "mx": 2}}, "[attributes.focal] has 'mx'; did you mean 'max'?"),
        ({"focal": {"type": "number", "min": 2, "max": 2}}, "[attributes.focal]: min must be below max, got 2 and 2"),
        ({"focal": {"type": "number", "min": "a", "max": 2}}, "[attributes.focal]: min and max must be finite numbers"),
        ({"brand": {"type": "category", "values": []}}, "[attributes.brand]: values must be different words"),
        ({"brand": {"type": "category", "values": "ab"}}, "[attributes.brand]: values must be a list of words"),
        ({"brand": {"type": "category", "values": [1]}}, "[attributes.brand]: values must be words, got 1"),
        ({"sold": {"type": "time", "min": "2027-01-01", "max": "2026-01-01"}}, "[attributes.sold]: min must be before"),
        ({"sold": {"type": "time", "min": 4, "max": 5}}, "[attributes.sold]: 4 is not a date or time"),
    ],
)
def test_a_wrong_description_gets_a_clear_answer(attributes: dict[str, object], message: str) -> None:
    with pytest.raises(ContentError) as raised:
        schema_from({"attributes": attributes})
    assert str(raised.value).startswith(message)
