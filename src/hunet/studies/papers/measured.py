"""What the simulations of a paper found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from hunet.studies.papers.traces import PaperTrace

__all__ = ["Measured"]


class Measured(NamedTuple):
    """What the simulations of a paper found."""

    on: Sequence[PaperTrace]
    """The traces as they were simulated: parts of some."""
    runs: pd.DataFrame
    """One row per run (or mean) and measure, as the judges and figures of the paper want them."""
    others: Mapping[str, pd.DataFrame] = {}
    """What was measured besides, by name."""
