"""What no paper's protocol uses works all the same: engine, oracle and devices agree on the probe."""

from __future__ import annotations

import pytest

from tests.conformance import test_what_may_be_touched
from tests.interpreted import interpreted_only
from tests.naive.simulator import NaiveSimulator
from tests.sim import test_conditions
from tests.sim.compare import assert_same, simulate
from tests.sim.probe import PROBE, ProbeSettings
from tests.sim.stories import random_conditions, random_story, run_naively
from tests.slow import ALL
from tests.twin import test_twin

both_contact_models = pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])


@both_contact_models
def test_ranks_losses_lifetimes_room_and_digests_count_as_the_oracle_says(continuous: bool) -> None:
    dropped = expired = 0
    for seed in range(8000, 8300 if ALL else 8020):
        story, conditions = random_story(seed), random_conditions(seed) | {"continuous": continuous}
        outcome = simulate(story, PROBE, ProbeSettings(), **conditions)
        naive, behaviour = run_naively(story, "probe", ProbeSettings(), **conditions)
        assert isinstance(naive, NaiveSimulator)
        assert_same(outcome, naive)
        # Nobody forgets in the background: what a node lost since it last met somebody is not counted yet.
        assert outcome.state.losses[:, 1].tolist() == [row[1] for row in behaviour.losses]
        dropped += int(outcome.state.losses[:, 1].sum())
        expired += int(outcome.state.losses[:, 0].sum())
    assert dropped > 20
    assert expired > 20


@interpreted_only
@both_contact_models
def test_the_probe_passes_the_batteries(continuous: bool) -> None:
    test_twin.test_devices_that_exchange_bytes_end_as_the_simulation(PROBE, continuous)
    test_what_may_be_touched.test_choosing_changes_nothing_and_moving_a_message_only_its_entry(PROBE, continuous)
    test_conditions.test_with_clocks_days_apart_engine_oracle_and_devices_agree(PROBE, continuous)
    test_conditions.test_eviction_that_is_fair_is_the_same_for_engine_oracle_and_devices(PROBE, continuous)
