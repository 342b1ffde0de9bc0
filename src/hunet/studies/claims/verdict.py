"""What became of a paper's claim: one word, and the figures behind it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from hunet.studies.claims.claim import claim_of

__all__ = ["Verdict", "Word"]


class Word(StrEnum):
    """All that can be said of a claim, in the order in which the ledger counts."""

    HOLDS = "holds"
    PARTLY = "partly"
    """In some of its parts, on some traces, or with a reading that is not ours."""
    DOES_NOT_HOLD = "does not hold"
    ERRATUM = "erratum"
    """The paper contradicts itself or its own set-up."""
    NEEDS_DATA = "needs data"
    """What it is about is not there."""
    NOT_COMPUTED = "not computed yet"


class Verdict(NamedTuple):
    """What was found of a claim, which is named by its id: `claims.csv` has its wording."""

    claim: str
    word: Word
    measured: str
    """The figures, and why where they do not do."""
    reading: str = ""
    """Of what the paper leaves open: the one, not ours, with which the claim holds better; the figures have both."""
    on: str = ""
    """The traces that it was judged on, where it needs any."""

    def row(self) -> dict[str, str]:
        """For tables that people read: with what the paper says."""
        return {
            "claim": self.claim,
            "about": claim_of(self.claim).wording,
            "verdict": self.word.value,
            "measured": self.measured,
            "reading": self.reading,
            "on": self.on,
        }
