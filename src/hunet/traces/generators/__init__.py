"""Made-up traces: one file per generator, each a frozen record of settings and a seed in, contacts out.

A generator knows no file but its own inputs, no clock and no chance but its seed; storing and naming what it makes
is the store's business. `GENERATORS` lists them all.
"""

from hunet.traces.generators.campus import CAMPUS
from hunet.traces.generators.conference import CONFERENCE
from hunet.traces.generators.generated import Generated, TraceGenerator
from hunet.traces.generators.mass_mobility import MASS_MOBILITY
from hunet.traces.generators.random_waypoint import RANDOM_WAYPOINT
from hunet.traces.generators.surrogate import SURROGATE

__all__ = ["GENERATORS", "Generated", "TraceGenerator"]

GENERATORS: tuple[TraceGenerator, ...] = (CONFERENCE, SURROGATE, CAMPUS, MASS_MOBILITY, RANDOM_WAYPOINT)
