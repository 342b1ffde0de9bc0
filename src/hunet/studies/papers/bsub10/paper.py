"""Everything of [bsub10] again: the data and the plot of every figure, and a verdict on every claim.

Infocom06 is a surrogate, Reality is cut to the three days in a row with most contacts (AMB-21); where they are not
stored, generated traces stand in for them and are called so.
"""

from __future__ import annotations

from functools import partial

from hunet.studies.papers.bsub.traces import traces
from hunet.studies.papers.bsub10.claims import verdicts
from hunet.studies.papers.bsub10.equation_claims import EQUATION_CLAIMS
from hunet.studies.papers.bsub10.figures import computed, simulated
from hunet.studies.papers.bsub10.filter_claims import FILTER_CLAIMS
from hunet.studies.papers.bsub10.runs import measure
from hunet.studies.papers.reproduce import Paper
from hunet.studies.papers.traces import INFOCOM06_79

__all__ = ["PAPER"]

PAPER = Paper(
    "B-SUB (2010)",
    partial(traces, INFOCOM06_79),
    computed,
    measure,
    simulated,
    {**FILTER_CLAIMS, **EQUATION_CLAIMS},
    verdicts,
)
