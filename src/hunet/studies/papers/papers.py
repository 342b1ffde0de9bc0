"""The papers that can be reproduced, by name."""

from __future__ import annotations

from collections.abc import Mapping

from hunet.studies.papers.bsub10.reproduction import BSUB10
from hunet.studies.papers.bsub13.reproduction import BSUB13
from hunet.studies.papers.mops.relations import with_relations
from hunet.studies.papers.mops.reproduction import MOPS
from hunet.studies.papers.reproduction import Paper
from hunet.studies.papers.sptbf.reproduction import SPTBF
from hunet.studies.papers.zigzag.reproduction import ZIGZAG

__all__ = ["PAPERS"]

PAPERS: Mapping[str, Paper] = {
    "bsub10": BSUB10,
    "bsub13": BSUB13,
    "mops": with_relations(MOPS),
    "sptbf": SPTBF,
    "zigzag": ZIGZAG,
}
