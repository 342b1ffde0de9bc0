"""The papers that can be reproduced, by name."""

from __future__ import annotations

from collections.abc import Mapping

from hunet.studies.bsub10_reproduction import BSUB10
from hunet.studies.bsub13_reproduction import BSUB13
from hunet.studies.mops_relations import with_relations
from hunet.studies.mops_reproduction import MOPS
from hunet.studies.reproduction import Paper
from hunet.studies.sptbf_reproduction import SPTBF
from hunet.studies.zigzag_reproduction import ZIGZAG

__all__ = ["PAPERS"]

PAPERS: Mapping[str, Paper] = {
    "bsub10": BSUB10,
    "bsub13": BSUB13,
    "mops": with_relations(MOPS),
    "sptbf": SPTBF,
    "zigzag": ZIGZAG,
}
