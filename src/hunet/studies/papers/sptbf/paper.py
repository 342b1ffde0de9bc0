"""Everything of [sptbf] again: the data and the plot of every figure, and a verdict on every claim.

The walkers have arenas of their own and need no traces.
"""

from __future__ import annotations

from collections.abc import Sequence

from hunet.studies.papers.reproduce import Paper
from hunet.studies.papers.sptbf.claims import verdicts
from hunet.studies.papers.sptbf.evaluation import measure
from hunet.studies.papers.sptbf.figures import computed, simulated
from hunet.studies.papers.sptbf.relations import RELATIONS
from hunet.studies.papers.traces import Traces
from hunet.traces.store import TraceStore

__all__ = ["PAPER"]


def _traces(_store: TraceStore, names: Sequence[str], _quick: bool) -> Traces:
    return Traces([], ["sptbf walks in arenas of its own: it is not simulated on traces"] if names else [])


PAPER = Paper("SpTBF (2012)", _traces, computed, measure, simulated, RELATIONS, verdicts)
