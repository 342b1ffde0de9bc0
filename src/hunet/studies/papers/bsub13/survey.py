"""How far people agree on tags ([bsub13] 4.2, Fig. 7): the definition, and a synthetic survey.

The survey itself is not public; ours is made up with the paper's outcome: everybody knows the usual tag of all titles
but one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Picture

from hunet.report.study import draw_study
from hunet.studies.statistics import over_seeds
from hunet.studies.tables import Table

__all__ = ["consensus", "draw_surveys", "surveys"]


def consensus(chosen: Sequence[Sequence[str]]) -> float:
    """The share of people who chose the tag that most of them chose; each has a list of tags."""
    counts = Counter(tag for tags in chosen for tag in set(tags))
    return max(counts.values(), default=0) / len(chosen)


def surveys() -> Table:
    """Consensus by title, over 20 surveys."""
    return over_seeds([_survey(seed) for seed in range(1, 21)])


def _survey(seed: int, people: int = 21, titles: int = 10) -> Table:
    chance = np.random.default_rng(seed)
    rows: Table = []
    for title in range(1, titles + 1):
        usual = 0.43 if title == titles else 0.92
        chosen = [["usual"] if chance.random() < usual else [f"own {chance.integers(6)}"] for _ in range(people)]
        rows.append({"title": title, "people": people, "consensus": consensus(chosen)})
    return rows


def draw_surveys(table: Table) -> Picture:
    """A mark for each title."""
    frame = pd.DataFrame(table)
    shown = frame.assign(line=frame["title"].map("title {}".format), x=None, measure="consensus").rename(
        columns={"consensus": "mean", "consensus_lo": "low", "consensus_hi": "high"}
    )
    words = {"consensus": ("Consensus", "share of those who chose the most-chosen tag")}
    return draw_study("A synthetic survey", shown, words, "")
