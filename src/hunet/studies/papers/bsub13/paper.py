"""Everything of [bsub13] again: the data and the plot of every figure, and a verdict on every claim."""

from __future__ import annotations

from functools import partial

from hunet.studies.papers.bsub.traces import traces
from hunet.studies.papers.bsub13.claims import verdicts
from hunet.studies.papers.bsub13.figures import computed, simulated
from hunet.studies.papers.bsub13.relations import RELATIONS
from hunet.studies.papers.bsub13.runs import measure
from hunet.studies.papers.reproduce import Paper
from hunet.studies.papers.traces import INFOCOM06_98

__all__ = ["PAPER"]

PAPER = Paper("B-SUB (2013)", partial(traces, INFOCOM06_98), computed, measure, simulated, RELATIONS, verdicts)
