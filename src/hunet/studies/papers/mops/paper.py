"""Everything of [mops] again: the data and the plot of every figure, and a verdict on every claim.

Infocom05 and Reality are taken from the trace store; where they are not there, generated traces stand in for them and
are called so. The campus is generated, as the paper's was (AMB-62).
"""

from __future__ import annotations

from collections.abc import Sequence

from hunet.studies.papers.mops.claims import verdicts
from hunet.studies.papers.mops.closeness_claims import CLOSENESS_CLAIMS
from hunet.studies.papers.mops.figures import simulated
from hunet.studies.papers.mops.runs import measure
from hunet.studies.papers.mops.scenes import SCENES
from hunet.studies.papers.mops.structure_claims import STRUCTURE_CLAIMS
from hunet.studies.papers.mops.structure_figures import computed
from hunet.studies.papers.reproduce import Paper
from hunet.studies.papers.traces import CAMPUS, INFOCOM05, REALITY, Traces, generated_campus, paper_traces
from hunet.traces.store import TraceStore

__all__ = ["PAPER"]


def _traces(store: TraceStore, names: Sequence[str], _quick: bool) -> Traces:
    """Those that are named; else Infocom05 and Reality, or what stands in for them, and a campus."""
    stored = [name for name in names if name != CAMPUS]
    found = paper_traces(store, stored, () if names else (INFOCOM05, REALITY))
    if names and CAMPUS not in names:
        return found
    return found._replace(found=[*found.found, generated_campus()])


PAPER = Paper(
    "MOPS (2009)",
    _traces,
    computed,
    measure,
    simulated,
    {**CLOSENESS_CLAIMS, **STRUCTURE_CLAIMS, **SCENES},
    verdicts,
)
