"""A protocol that says which copies wait says no more than `want` and `give` do: asking changes nothing but time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hunet.protocols import PROTOCOLS, Protocol, make_settings
from tests.sim.compare import deliveries_of, simulate
from tests.sim.stories import random_conditions, random_story, variants_of
from tests.slow import ALL

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize("continuous", [False, True], ids=["start", "continuous"])
@pytest.mark.parametrize(
    "protocol", [one for one in PROTOCOLS if one.waits is not None], ids=lambda protocol: protocol.name
)
def test_copies_that_wait_go_where_they_would_go_unasked(protocol: Protocol, continuous: bool) -> None:
    for seed in range(7100, 7120 if ALL else 7106):
        variants = variants_of(protocol)
        settings = make_settings(protocol, variants[seed % len(variants)])
        # few tags, so that tags are weighed: only then are copies passed over
        story, conditions = random_story(seed, messages=40, tags=3), random_conditions(seed)
        asked, unasked = (
            simulate(story, one, settings, continuous=continuous, **conditions)
            for one in (protocol, replace(protocol, waits=None))
        )
        assert deliveries_of(asked) == deliveries_of(unasked)
        assert asked.copies.tolist() == unasked.copies.tolist()
        assert asked.forwards == unasked.forwards
