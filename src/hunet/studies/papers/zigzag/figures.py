"""The figures and tables of [zigzag].

Tables are computed for several seeds: a column of measured numbers becomes its mean, with the ends of the 95 % interval
beside it (`p_t`, `p_t_lo`, `p_t_hi`). ZZ-R1 is our evaluation of the routing, for which the paper has none (ERR-29).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import pandas as pd
from matplotlib.figure import Figure as Picture

from hunet.studies.papers.figures import Figure
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.traces import Traces
from hunet.studies.papers.zigzag.pictures import draw_covers
from hunet.studies.papers.zigzag.plots import (
    draw_filter_insertions,
    draw_filter_rates,
    draw_growth,
    draw_insertions,
    draw_points,
    draw_queries,
    draw_rates,
)
from hunet.studies.papers.zigzag.routing import MEASURES, draw_routing
from hunet.studies.papers.zigzag.tables import (
    false_positive_rates,
    filter_rates,
    grid_drawing,
    interval_growth,
    points_per_interval,
)
from hunet.studies.papers.zigzag.times import filter_insertions, insertions, queries
from hunet.studies.statistics import over_seeds, wide
from hunet.studies.tables import Table

__all__ = ["computed", "simulated"]

_OfSeed: TypeAlias = Callable[[bool, int], Table]
"""A table from whether it should be quick, and the seed."""


def computed(_traces: Traces, quick: bool) -> Sequence[Figure]:
    """Those that need no simulation."""
    seeds = range(1, 4 if quick else 11)

    def figure(
        name: str, caption: str, table: Callable[[bool, int], Table], draw: Callable[[Table], Picture]
    ) -> Figure:
        return Figure(name, caption, lambda: over_seeds([table(quick, seed) for seed in seeds]), draw)

    inserting = "Time to insert a transformed subscription into a Bloom filter and into an interval tree."
    matching = "Events that match a cover but not the subscription, against the cells per dimension."
    return (
        figure(
            "ZZ-F2",
            "A grid in Z-order, and the cells that cover a subscription.",
            grid_drawing,
            lambda _table: draw_covers(),
        ),
        figure("ZZ-T1", "Points per interval.", points_per_interval, draw_points),
        figure(
            "ZZ-F3a",
            "Time to transform and insert a subscription, against its dimensions.",
            insertions,
            draw_insertions,
        ),
        figure("ZZ-F3b", inserting, filter_insertions, draw_filter_insertions),
        figure("ZZ-F3c", "Time to match an event with 100 subscriptions.", queries, draw_queries),
        figure("ZZ-F4", "Intervals of a subscription against the cells per dimension.", interval_growth, draw_growth),
        figure("ZZ-F5", matching, false_positive_rates, draw_rates),
        figure("ZZ-F6", "What the Bloom filter adds to that.", filter_rates, draw_filter_rates),
    )


def simulated(measured: Measured, _tables: Mapping[str, Table]) -> Sequence[Figure]:
    """The routing: a picture per trace and spread of content."""
    found = measured.runs
    names = {"on": "trace", "spread": "spread", "protocol": "scheme", "lifetime": "ttl"}

    def draw(_table: pd.DataFrame) -> Mapping[str, Picture]:
        return {
            f"-{trace.key}-{spread}": draw_routing(found, trace.title, spread)
            for trace in measured.on
            for spread in found["spread"].unique()
        }

    return (
        Figure(
            "ZZ-R1",
            "Our evaluation of the routing, of which the paper has none (ERR-29).",
            lambda: wide(found, names, {measure: (measure, 1.0) for measure in MEASURES}),
            draw,
        ),
    )
