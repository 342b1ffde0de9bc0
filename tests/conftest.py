"""How thorough hypothesis is: `full` by default, `short` for the run that measures coverage without compilation.

Both always draw the same examples, so that a run can be repeated.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

SLOW_IS_FINE = (HealthCheck.too_slow,)

settings.register_profile(
    "full", max_examples=1700, deadline=None, derandomize=True, database=None, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile(
    "short", max_examples=100, deadline=None, derandomize=True, database=None, suppress_health_check=SLOW_IS_FINE
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "full"))
