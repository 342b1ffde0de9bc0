"""How far people agree on tags ([bsub13] 4.2, Fig. 7): the definition, on real tags where they are stored.

The survey itself is not public. Tags that listeners of last.fm gave to artists (hetrec2011) are, and where
`user_taggedartists*.dat` lie in the folder `tagging` of hunet's home, Fig. 7 has the ten artists with most taggers.
Elsewhere a survey is generated, and called so: every title has a few plausible tags, and people take one by its rank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Picture

from hunet.report.study import Look, draw_study
from hunet.studies.statistics import over_seeds
from hunet.studies.tables import Table

__all__ = ["consensus", "draw_surveys", "surveys"]

_TITLES = 10


def consensus(chosen: Sequence[Sequence[str]]) -> float:
    """The share of people who chose the tag that most of them chose; each has a list of tags."""
    counts = Counter(tag for tags in chosen for tag in set(tags))
    return max(counts.values(), default=0) / len(chosen)


def surveys(home: Path | None = None) -> Table:
    """Consensus by title: of real tags where there are any in this home, else over 20 generated surveys."""
    files = sorted((home / "tagging").glob("user_taggedartists*.dat*")) if home else []
    return _tagged(files) if files else over_seeds([_survey(seed) for seed in range(1, 21)])


def _tagged(files: Sequence[Path]) -> Table:
    """The artists with most taggers, all of whom count."""
    table = pd.concat(pd.read_csv(file, sep="\t", usecols=["userID", "artistID", "tagID"]) for file in files)
    by_person = table.groupby(["artistID", "userID"])["tagID"].agg(lambda tags: [str(tag) for tag in tags])
    by_artist = by_person.groupby("artistID").agg(list)
    most = by_artist.loc[by_artist.map(len).sort_values(ascending=False, kind="stable").index[:_TITLES]]
    return [
        {"title": number, "source": "last.fm", "people": len(chosen), "consensus": consensus(chosen)}
        for number, chosen in enumerate(most, start=1)
    ]


def _survey(seed: int, people: int = 20) -> Table:
    """Each title has one to six tags, of which people take the first most often: the n-th with a weight of 1/n^2."""
    chance = np.random.default_rng(seed)
    rows: Table = []
    for title in range(1, _TITLES + 1):
        weights = 1.0 / np.arange(1, chance.integers(1, 7) + 1) ** 2
        chosen = [[f"{tag}"] for tag in chance.choice(weights.size, people, p=weights / weights.sum())]
        rows.append({"title": title, "source": "generated", "people": people, "consensus": consensus(chosen)})
    return rows


def draw_surveys(table: Table) -> Picture:
    """A mark for each title."""
    frame = pd.DataFrame(table)
    real = frame["source"].eq("last.fm").all()
    kind = "artist" if real else "title"
    shown = frame.assign(line=kind + " " + frame["title"].astype(str), x=None, measure="consensus").rename(
        columns={"consensus": "mean", "consensus_lo": "low", "consensus_hi": "high"}
    )
    shown = shown.assign(**{end: shown.get(end, np.nan) for end in ("low", "high")})
    words = {"consensus": ("Consensus", "share of those who chose the most-chosen tag")}
    title = "Tags of ten artists on last.fm" if real else "A generated survey"
    return draw_study(title, shown, words, "", Look(mark_y={"consensus": (0.86, "paper: most above 0.86")}))
