"""`claims`: what the papers claim, and what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hunet.model.names import one_of
from hunet.report.table import Table
from hunet.studies.claims.ledger import entries
from hunet.studies.claims.verdict import Word

__all__ = ["claims"]

_HEADINGS = {"id": "claim", "verdict": "verdict", "claim": "what the paper says", "measured": "what we find"}


def claims(paper: str | Sequence[str] | None = None, verdict: str | Sequence[str] | None = None) -> Table:
    """The ledger: every checkable claim of the five papers, with the verdict of the last reproduction.

    paper     only these: bsub10, bsub13, mops, sptbf, zigzag
    verdict   only these: holds, partly, does not hold, each also with "on the surrogate", erratum, needs data, not
              computed yet

    `hunet claims --recompute` computes it anew.

    >>> import hunet as hn
    >>> {row["paper"] for row in hn.claims(paper="mops", verdict="holds")}
    {'mops'}
    """
    found = entries()
    known = dict.fromkeys(entry.paper for entry in found)
    papers = [one_of("paper", name, known) for name in _several(paper) or known]
    every = [word.value for word in Word]
    words = [one_of("verdict", word, every) for word in _several(verdict) or every]
    shown = [
        {**entry._asdict(), "verdict": entry.verdict.value}
        for entry in found
        if entry.paper in papers and entry.verdict in words
    ]
    count = Counter(entry["verdict"] for entry in shown)
    counted = [f"{count[word]} {word}" for word in every if count[word]]
    return Table(
        "Claims of the papers", shown, _HEADINGS if shown else {}, ", ".join((*counted, f"of {len(shown)} claims"))
    )


def _several(asked: str | Sequence[str] | None) -> Sequence[str]:
    return [asked] if isinstance(asked, str) else asked or []
