"""How large the battery is: it comes last, when all others have been tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.harness import Tally

LEAST_CASES, MOST_SECONDS = 3_500, 60


def test_the_battery_is_large_and_quick(request: pytest.FixtureRequest, tally: Tally) -> None:
    here = Path(__file__).parent
    if {item.path for item in request.session.items if item.path.parent == here} < set(here.glob("test_*.py")):
        pytest.skip("only a part of the battery runs")
    assert tally.cases >= LEAST_CASES
    assert tally.seconds < MOST_SECONDS
