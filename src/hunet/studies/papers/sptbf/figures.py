"""The figures of [sptbf]: its drawings, the evaluation, and AMB-67, what our readings do to the savings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd

from hunet.report.sharing import draw_lost_savings, draw_readings, draw_savings
from hunet.sim.sharing.network import COVERED, LABELS
from hunet.studies.papers.figures import Figure
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.sptbf.drawings import example_filter, life, operations, signatures
from hunet.studies.papers.sptbf.evaluation import applications, percents, sensitivity, sizes
from hunet.studies.papers.sptbf.pictures import draw_life
from hunet.studies.papers.traces import Traces
from hunet.studies.tables import Table

__all__ = ["computed", "simulated"]

_READINGS = {
    "range": "radio range, m",
    "period": "seconds between beacons",
    "lifetime": "seconds an interest lives",
    "m": "slots (m)",
    "k": "hash functions (k)",
    "loss": "share of beacons lost",
    "value_bytes": "bytes per value",
}

_OVERHEAD = -5.0, "paper: about 5 % lost"


def computed(_traces: Traces, _quick: bool) -> Sequence[Figure]:
    """The drawings of the paper as tables, and Fig. 3 as a strip of pictures among walkers."""
    return (
        Figure(
            "SPTBF-F1",
            "The example filter: hops and seconds of its 8 slots.",
            lambda: pd.DataFrame(example_filter().slots(), columns=["hops", "time"]),
        ),
        Figure("SPTBF-F2", "The operations on the example filter, before and after.", operations),
        Figure(
            "SPTBF-F3",
            "An interest for 2 hops and 15 seconds that spreads among walkers and dies.",
            life,
            lambda _table: draw_life(),
        ),
        Figure(
            "SPTBF-T1",
            "The operations and their signatures, with the operand of merge that the paper's table leaves out.",
            signatures,
        ),
    )


def simulated(measured: Measured, _tables: Mapping[str, Table]) -> Sequence[Figure]:
    """Savings, by what each node wants, by applications, by slots, and by what the paper leaves open."""
    found = measured.runs
    by_percent, by_applications = percents(found), applications(found)
    by_size, readings = sizes(found), sensitivity(found)
    wanted = "labels that each node wants, %"
    return (
        Figure(
            "SPTBF-F4",
            "Bytes saved against the percentage of labels that each node wants; hollow where too little arrives.",
            partial(_named, by_percent),
            lambda _: draw_savings(
                "Savings by what each node wants", by_percent, wanted, COVERED, (30.0, "paper: below 30 %"), _OVERHEAD
            ),
        ),
        Figure(
            "SPTBF-F5",
            "Bytes saved against the number of applications; hollow where too little arrives.",
            partial(_named, by_applications, "apps"),
            lambda _: draw_savings(
                "Savings by applications", by_applications, "applications", COVERED, (3.0, "paper: above 3"), _OVERHEAD
            ),
        ),
        Figure(
            "SPTBF-F6",
            "Savings lost to false positives against the slots of the interest summary.",
            partial(_named, by_size),
            lambda _: draw_lost_savings("Savings lost to false positives, hop limit 3", by_size, LABELS),
        ),
        Figure(
            "AMB-67",
            "Bytes saved by what the paper leaves open: each of our readings varied by itself.",
            partial(_named, readings),
            lambda _: draw_readings("Savings by what the paper leaves open, hop limit 2", readings, _READINGS),
        ),
    )


def _named(table: pd.DataFrame, amount: str = "percent") -> pd.DataFrame:
    """With the names of columns that people read."""
    sent = {f"bytes{end}": f"bytes_sptbf{end}" for end in ("", "_lo", "_hi")}
    return table.rename(columns={"hops": "hop_limit", "amount": amount, **sent})
