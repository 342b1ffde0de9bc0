"""How claims are judged: from what is right or wrong in them to a word, on all traces and under every reading.

A judge names its claim by the id; where the ledger leaves open how much is enough, it says what it asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from hunet.studies.claims.verdict import Verdict, Word

__all__ = [
    "Alone",
    "Found",
    "Judge",
    "Part",
    "each",
    "everywhere",
    "falls",
    "judged",
    "rises",
    "shown",
    "weigh",
]

Evidence = TypeVar("Evidence")

Alone: TypeAlias = "Mapping[str, Callable[[], Found]]"
"""By id, judges of claims that need neither a trace nor a simulation."""
Part: TypeAlias = tuple[bool | Sequence[bool], str]
"""Whether a claim, or each of its parts, holds on one trace, and the figures that say so."""


class Found(NamedTuple):
    """What evidence says of a claim under one reading."""

    word: Word
    measured: str
    on: Sequence[str] = ()
    """The traces it was looked for on; all, where none is named."""
    reading: str = ""
    """Another one, where the figures have it beside ours."""

    @classmethod
    def of(cls, right: bool, measured: str, partly: bool = False) -> Found:
        """A claim that holds or does not, or does partly."""
        return cls(Word.HOLDS if right else Word.PARTLY if partly else Word.DOES_NOT_HOLD, measured)

    @classmethod
    def or_erratum(cls, right: bool, measured: str) -> Found:
        """A claim that is an erratum unless the figures agree with it after all."""
        return cls(Word.HOLDS if right else Word.ERRATUM, measured)

    def verdict(self, claim: str) -> Verdict:
        """On the claim of this id."""
        return Verdict(claim, self.word, self.measured, self.reading, "; ".join(self.on))


class Judge(NamedTuple, Generic[Evidence]):
    """How a claim that traces or simulations decide is judged."""

    claim: str
    find: Callable[[Evidence], Found]
    why: str = ""
    """Why it does not hold, where it does not: added to the figures then."""
    asked: str = ""
    """What is asked for, where the ledger leaves that open: added to the figures."""
    traces: Sequence[str] = ()
    """Keys of those without which it cannot be judged."""
    readings: Sequence[str] = ()
    """Those that are not ours and change what it is judged by."""


def weigh(right: bool | Iterable[bool]) -> Word:
    """One word for the parts of a claim."""
    parts = [right] if isinstance(right, bool) else list(right)
    return Word.HOLDS if all(parts) else Word.PARTLY if any(parts) else Word.DOES_NOT_HOLD


def judged(
    claim: str,
    find: Callable[[Evidence], Found],
    ours: Evidence,
    others: Iterable[tuple[str, Evidence]],
    asked: str = "",
    why: str = "",
) -> Verdict:
    """The verdict under our reading; what does not hold is judged under the others too, and the first that helps named.

    A claim that holds under another reading only, holds partly. `asked` says what is asked for where the ledger leaves
    that open, `why` why it does not hold, where it does not.
    """
    found = find(ours)
    word, measured = found.word, found.measured
    limits = f". Asked for: {asked}" if asked else ""
    verdict = found.verdict(claim)._replace(measured=measured + limits)
    if word not in (Word.DOES_NOT_HOLD, Word.PARTLY):
        return verdict
    for reading, evidence in others:
        other = find(evidence)
        better = other.word is Word.HOLDS or (word is Word.DOES_NOT_HOLD and other.word is Word.PARTLY)
        if better and other.measured != measured:
            both = f"{measured}. With {reading}: {other.measured}{limits}"
            return verdict._replace(word=Word.PARTLY, measured=both, reading=reading)
    return verdict._replace(measured=measured + limits + (f". {why}" if why else ""))


def everywhere(traces: Sequence[str], part: Callable[[str], Part]) -> Found:
    """A claim about each trace: it holds if it does on all, partly if on some."""
    found = {name: part(name) for name in traces}
    if not found:
        return Found(Word.NEEDS_DATA, "no such trace is there")
    words = {name: weigh(right) for name, (right, _) in found.items()}
    total = weigh(word is Word.HOLDS for word in words.values())
    if total is Word.DOES_NOT_HOLD and Word.PARTLY in words.values():
        total = Word.PARTLY
    told = "; ".join(f"{name} {_SHORT[words[name]]}: {figures}" for name, (_, figures) in found.items())
    return Found(total, told, traces)


_SHORT = {Word.HOLDS: "yes", Word.PARTLY: "in part", Word.DOES_NOT_HOLD: "no"}


def rises(values: Sequence[float]) -> bool:
    """Never falls."""
    return all(one <= other for one, other in pairwise(values))


def falls(values: Sequence[float]) -> bool:
    """Never rises."""
    return all(one >= other for one, other in pairwise(values))


def each(values: Iterable[float], form: str = ".3f") -> str:
    """Figures in a row."""
    return ", ".join(f"{value:{form}}" for value in values)


def shown(values: Mapping[str, float], form: str = ".2f") -> str:
    """Names with their figures."""
    return ", ".join(f"{name} {value:{form}}" for name, value in values.items())
