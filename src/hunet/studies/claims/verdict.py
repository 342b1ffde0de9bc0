"""What became of a paper's claim: a word, on which trace, part by part, and what stands beside it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, NamedTuple

from hunet.studies.claims.claim import claim_of

__all__ = ["Beside", "Part", "Verdict", "Word", "weigh"]


class Word(StrEnum):
    """All that can be said of a claim, in the order in which the ledger counts."""

    HOLDS = "holds"
    PARTLY = "partly"
    """In some parts of its sentence, and the parts are named."""
    DOES_NOT_HOLD = "does not hold"
    HOLDS_ON_SURROGATE = "holds on the surrogate"
    """Where the paper's own trace cannot be had, what stands for it may say so; it is counted apart."""
    PARTLY_ON_SURROGATE = "partly on the surrogate"
    DOES_NOT_HOLD_ON_SURROGATE = "does not hold on the surrogate"
    ERRATUM = "erratum"
    """The paper contradicts itself or its own set-up, whatever is measured."""
    NEEDS_DATA = "needs data"
    """It is about data that are not there."""
    NOT_COMPUTED = "not computed yet"

    @property
    def on_surrogate(self) -> Word:
        """The same, said of a trace that stands for the paper's."""
        return _ON_SURROGATE.get(self, self)

    @property
    def plain(self) -> Word:
        """The same without saying on what."""
        return next((word for word, other in _ON_SURROGATE.items() if other is self), self)


_ON_SURROGATE = {
    Word.HOLDS: Word.HOLDS_ON_SURROGATE,
    Word.PARTLY: Word.PARTLY_ON_SURROGATE,
    Word.DOES_NOT_HOLD: Word.DOES_NOT_HOLD_ON_SURROGATE,
}
_SHORT = {Word.HOLDS: "yes", Word.PARTLY: "in part", Word.DOES_NOT_HOLD: "no"}


def weigh(right: bool | Iterable[bool]) -> Word:
    """One word for the parts of a claim."""
    parts = [right] if isinstance(right, bool) else list(right)
    return Word.HOLDS if all(parts) else Word.PARTLY if any(parts) else Word.DOES_NOT_HOLD


class Part(NamedTuple):
    """One part of a sentence, as it is asked for; a claim of one part need not say it again."""

    asked: str
    figure: str
    word: Word
    on: str = ""
    """The trace, where there are several."""

    def told(self) -> str:
        """For people: trace, what was asked, the answer and the figure."""
        if not self.asked and not self.on:
            return self.figure
        head = ", ".join(one for one in (self.on, self.asked) if one)
        return f"{head}: {_SHORT.get(self.word, self.word)}, {self.figure}"


class Beside(NamedTuple):
    """What another trace, or another reading of what the paper leaves open, shows."""

    where: str
    word: Word
    figure: str

    def told(self) -> str:
        """For people."""
        return f"{self.where}: {self.word}, {self.figure}"


class Verdict(NamedTuple):
    """What was found of a claim, which is named by its id: `claims.csv` has its wording."""

    claim: str
    word: Word
    parts: tuple[Part, ...] = ()
    on: tuple[str, ...] = ()
    """The paper's own traces, or what stands for them, where it needs any: they decide the word, and nothing else."""
    elsewhere: tuple[Beside, ...] = ()
    """Other traces of the kind."""
    readings: tuple[Beside, ...] = ()
    """Every other reading that was tried and changes a figure, whether it helps or not."""
    note: str = ""
    """What is asked for where the ledger leaves it open, and why it does not hold, where it does not."""

    @property
    def measured(self) -> str:
        """The figures that decided."""
        figures = "; ".join(part.told() for part in self.parts)
        return f"{figures}. {self.note}" if figures and self.note else figures or self.note

    def row(self) -> dict[str, str]:
        """For tables that people read: with what the paper says."""
        return {
            "claim": self.claim,
            "about": claim_of(self.claim).wording,
            "verdict": self.word.value,
            "on": "; ".join(self.on),
            "measured": self.measured,
            "elsewhere": "; ".join(one.told() for one in self.elsewhere),
            "readings": "; ".join(one.told() for one in self.readings),
        }

    def stored(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**self._asdict(), "word": self.word.value}

    @classmethod
    def read(cls, stored: dict[str, Any]) -> Verdict:
        """What `stored` wrote."""
        return cls(
            stored["claim"],
            Word(stored["word"]),
            tuple(Part(asked, figure, Word(word), on) for asked, figure, word, on in stored["parts"]),
            tuple(stored["on"]),
            tuple(Beside(where, Word(word), figure) for where, word, figure in stored["elsewhere"]),
            tuple(Beside(where, Word(word), figure) for where, word, figure in stored["readings"]),
            stored["note"],
        )
