"""Decay cycles so short, or clocks so late, that ticks since time 0 do not fit into an integer."""

from __future__ import annotations

import pytest

from hunet.filters import TCBF, Hashing

FAMILY = Hashing(m=16, k=2)


@pytest.mark.parametrize(
    ("cycle", "start", "now"), [(1e-10, 1.7e9, 1.7e9 + 1), (1e-10, 1.0, 1.7e9), (1e-300, 0.0, 1e9), (1e-300, 1.0, 2.0)]
)
def test_a_key_is_gone_after_more_ticks_than_its_counter(cycle: float, start: float, now: float) -> None:
    f = TCBF(FAMILY, 5, decay_cycle=cycle, now=start, keys=["jazz"])
    f.decay(now)
    assert "jazz" not in f


def test_a_key_stays_where_no_tick_lies_in_between() -> None:
    f = TCBF(FAMILY, 5, decay_cycle=1e-10, now=1.7e9, keys=["jazz"])
    f.decay(1.7e9)
    assert f["jazz"] == 5
