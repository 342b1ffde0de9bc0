"""Times and rates as people write them."""

from __future__ import annotations

import math

import pytest

from hunet.model.errors import InvalidValueError
from hunet.sim.workload.units import parse_bandwidth, parse_buffer, parse_seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("10h", 36000.0), ("90 min", 5400.0), ("1.5d", 129600.0), ("600", 600.0), ("2e3s", 2000.0), ("inf", math.inf)],
)
def test_lengths_of_time_have_units_and_a_bare_number_is_seconds(text: str, seconds: float) -> None:
    assert parse_seconds(text) == seconds


def test_bits_and_bytes_per_second_are_told_apart_by_their_unit() -> None:
    assert parse_bandwidth("250kbps") == 31250.0
    assert parse_bandwidth("250 kB/s") == 250000.0
    with pytest.raises(InvalidValueError, match="'250' has no unit"):
        parse_bandwidth("250")


@pytest.mark.parametrize("text", ["", "ten", "-5", "10 h later", "h"])
def test_what_is_no_amount_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidValueError, match="such as 10h"):
        parse_seconds(text, "ttl")


def test_an_unknown_unit_gives_the_nearest() -> None:
    with pytest.raises(InvalidValueError, match="ttl '5mins': there is no unit 'mins'; did you mean 'min'"):
        parse_seconds("5mins", "ttl")


def test_a_buffer_is_a_number_of_messages_or_unlimited() -> None:
    assert parse_buffer("100") == 100
    assert parse_buffer("unlimited") is None
    with pytest.raises(InvalidValueError, match="buffer '0'"):
        parse_buffer("0")
