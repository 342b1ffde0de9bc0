"""The papers that can be reproduced, by name."""

from __future__ import annotations

from collections.abc import Mapping

from hunet.studies.mops_reproduction import MOPS
from hunet.studies.reproduction import Paper
from hunet.studies.sptbf_reproduction import SPTBF
from hunet.studies.zigzag_reproduction import ZIGZAG

__all__ = ["PAPERS"]

PAPERS: Mapping[str, Paper] = {"mops": MOPS, "sptbf": SPTBF, "zigzag": ZIGZAG}
