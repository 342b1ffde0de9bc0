"""Everything of [zigzag] again: the data and the plot of every figure, and a verdict on every claim."""

from __future__ import annotations

from collections.abc import Sequence

from hunet.studies.papers.reproduce import Paper
from hunet.studies.papers.traces import INFOCOM05, INFOCOM06_79, REALITY, Traces, only_busy_days, paper_traces
from hunet.studies.papers.zigzag.claims import verdicts
from hunet.studies.papers.zigzag.figures import computed, simulated
from hunet.studies.papers.zigzag.relations import RELATIONS
from hunet.studies.papers.zigzag.routing import measure
from hunet.traces.store import TraceStore

__all__ = ["PAPER"]

_DAYS = 3


def _traces(store: TraceStore, names: Sequence[str], quick: bool) -> Traces:
    """Those that are named; else Infocom05 and, unless it should be quick, Infocom06 and the busiest days of Reality.

    What is not stored has another in its place.
    """
    found = paper_traces(store, names, (INFOCOM05,) if quick else (INFOCOM05, INFOCOM06_79, REALITY))
    return found if names else found._replace(found=only_busy_days(found.found, _DAYS))


PAPER = Paper("ZigZag (2011)", _traces, computed, measure, simulated, RELATIONS, verdicts)
