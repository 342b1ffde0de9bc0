"""Decay cycles by Eq. 5 and by feedback."""

from __future__ import annotations

import numpy as np
import pytest

from hunet.filters.sizing import decay_factor, next_decay_factor
from hunet.protocols import make_settings, protocol_named
from hunet.protocols.decay import cycles_by_nodes_met, make_decay, retuned_cycle

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize(("m", "k"), [(256, 4), (256, 3), (64, 1), (8, 8), (4, 6)])
def test_the_table_is_eq_5(m: int, k: int) -> None:
    cycles = cycles_by_nodes_met(200, m, k, 50, 36000.0, 1e-5)
    expected = [1 / decay_factor(50, 36000.0, n, m, k, 1e-5) for n in range(201)]
    assert cycles == pytest.approx(expected, rel=1e-9)


def test_a_table_for_ten_thousand_nodes_is_made_at_once() -> None:
    cycles = cycles_by_nodes_met(10_000, 256, 4, 50, 36000.0, 0.0)
    assert cycles[-1] == pytest.approx(1 / decay_factor(50, 36000.0, 10_000, 256, 4), rel=1e-9)
    assert (np.diff(cycles) < 0).all()


def test_feedback_steps_as_the_formula_of_the_filters_and_stays_in_its_bounds() -> None:
    given = {"decay": "feedback", "m": 64, "k": 2, "delay_limit": 5000.0, "feedback_period": 100.0, "target_rate": 0.1}
    decay = make_decay(make_settings(protocol_named("bsub10"), given), 64, 10)
    assert (decay.start, decay.longest, decay.shortest) == (100.0, 100.0, 2.0)
    relay = np.zeros((1, 64), np.uint8)
    cycle = 50.0
    for filled in (0, 10, 30, 64):
        relay[0, :filled] = 1
        expected = 1 / next_decay_factor(1 / cycle, filled / 64, 2, 0.1)
        assert retuned_cycle(decay, cycle, 3, relay, 1) == pytest.approx(expected, rel=1e-12)
    assert retuned_cycle(decay, 2.1, 3, relay, 1) == 2.0
    assert retuned_cycle(decay, 99.0, 3, np.zeros_like(relay), 1) == 100.0
