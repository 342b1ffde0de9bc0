"""The papers that can be reproduced, by name."""

from __future__ import annotations

from collections.abc import Mapping

from hunet.studies.papers.bsub10.paper import PAPER as BSUB10
from hunet.studies.papers.bsub13.paper import PAPER as BSUB13
from hunet.studies.papers.mops.paper import PAPER as MOPS
from hunet.studies.papers.reproduce import Paper
from hunet.studies.papers.sptbf.paper import PAPER as SPTBF
from hunet.studies.papers.zigzag.paper import PAPER as ZIGZAG

__all__ = ["PAPERS"]

PAPERS: Mapping[str, Paper] = {"bsub10": BSUB10, "bsub13": BSUB13, "mops": MOPS, "sptbf": SPTBF, "zigzag": ZIGZAG}
