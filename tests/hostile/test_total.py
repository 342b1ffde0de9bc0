"""How large the battery is: it comes last, when all others have been tried."""

from __future__ import annotations

import pytest

from tests.hostile.harness import Tally

WHOLE = {"test_files.py", "test_folders.py", "test_options.py"}
LEAST_CASES, MOST_SECONDS = 4_500, 60


def test_the_battery_is_large_and_quick(request: pytest.FixtureRequest, tally: Tally) -> None:
    if not {item.path.name for item in request.session.items} >= WHOLE:
        pytest.skip("only a part of the battery runs")
    assert tally.cases >= LEAST_CASES
    assert tally.seconds < MOST_SECONDS
