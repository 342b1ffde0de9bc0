"""How claims are judged: part by part of their sentence, on the paper's own trace, and under every reading.

A judge names its claim by the id and says, for each part, what it asks for, the figure, and whether it does. The word
follows from the parts on the paper's own trace alone; other traces and other readings stand beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from hunet.studies.claims.verdict import Beside, Part, Verdict, Word, weigh

__all__ = [
    "Alone",
    "Found",
    "Judge",
    "Own",
    "Parts",
    "each",
    "everywhere",
    "falls",
    "judged",
    "rises",
    "shown",
]

Evidence = TypeVar("Evidence")

Alone: TypeAlias = "Mapping[str, Callable[[], Found]]"
"""By id, judges of claims that need neither a trace nor a simulation."""
Parts: TypeAlias = Mapping[str, tuple[bool, str]]
"""By what is asked for: whether it is so, and the figure that says so."""
Own: TypeAlias = Mapping[str, bool]
"""The paper's own traces by title, or what stands for them: whether each is exactly the paper's."""


def _parts(found: Parts, on: str = "") -> tuple[Part, ...]:
    return tuple(
        Part(asked, figure, Word.HOLDS if right else Word.DOES_NOT_HOLD, on) for asked, (right, figure) in found.items()
    )


def _word(parts: Iterable[Part]) -> Word:
    return weigh(part.word is Word.HOLDS for part in parts)


class Found(NamedTuple):
    """What evidence says of a claim under one reading."""

    word: Word
    parts: tuple[Part, ...] = ()
    by_trace: Mapping[str, tuple[Part, ...]] = {}
    """Where it is about traces: the parts on each, before it is known which is the paper's own."""
    note: str = ""
    readings: tuple[Beside, ...] = ()
    """Other readings that the same figures decide."""

    @classmethod
    def of(cls, right: bool, figure: str) -> Found:
        """A claim of one part."""
        return cls.all({"": (right, figure)})

    @classmethod
    def all(cls, found: Parts) -> Found:
        """A claim of several parts."""
        parts = _parts(found)
        return cls(_word(parts), parts)

    @classmethod
    def or_erratum(cls, right: bool, figure: str) -> Found:
        """A sentence that contradicts another of the paper, or its arithmetic, unless the figures agree after all."""
        word = Word.HOLDS if right else Word.ERRATUM
        return cls(word, (Part("", figure, word),))

    @classmethod
    def needs_data(cls, why: str, found: Parts | None = None) -> Found:
        """What it is about is not there; figures may stand there all the same."""
        return cls(Word.NEEDS_DATA, _parts(found or {}), note=why)

    @property
    def measured(self) -> str:
        """The figures."""
        return "; ".join(part.told() for part in self.parts)

    def settled(self, own: Own) -> Found:
        """On these traces, the paper's own or what stands for them."""
        there = [name for name in own if name in self.by_trace or not self.by_trace]
        if self.by_trace and not there:
            return Found(Word.NEEDS_DATA, (), self.by_trace, "the paper's own trace is not there")
        found = self
        if self.by_trace:
            several = len(there) > 1
            parts = tuple(part._replace(on=name if several else "") for name in there for part in self.by_trace[name])
            found = self._replace(word=_word(parts), parts=parts)
        exact = all(own[name] for name in there)
        return found if exact else found._replace(word=found.word.on_surrogate)

    def elsewhere(self, own: Own) -> tuple[Beside, ...]:
        """What the other traces show."""
        others = {name: parts for name, parts in self.by_trace.items() if name not in own}
        return tuple(
            Beside(name, _word(parts), "; ".join(part.told() for part in parts)) for name, parts in others.items()
        )

    def verdict(self, claim: str, on: Sequence[str] = ()) -> Verdict:
        """On the claim of this id."""
        return Verdict(claim, self.word, self.parts, tuple(on), readings=self.readings, note=self.note)


class Judge(NamedTuple, Generic[Evidence]):
    """How a claim that traces or simulations decide is judged."""

    claim: str
    find: Callable[[Evidence], Found]
    why: str = ""
    """Why it does not hold, where it does not: added to the figures then."""
    asked: str = ""
    """What is asked for, where the ledger leaves that open and the parts do not say it: added to the figures."""
    traces: Sequence[str] = ()
    """Keys of those without which it cannot be judged."""
    readings: Sequence[str] = ()
    """Those that are not ours and change what it is judged by."""


def judged(
    judge: Judge[Evidence],
    ours: Evidence,
    others: Iterable[tuple[str, Evidence]],
    own: Own,
) -> Verdict:
    """The verdict on the paper's `own` traces under our reading.

    What does not hold is judged under the others too: each that changes a figure stands beside the verdict with its
    outcome. None of them changes the word.
    """
    raw = judge.find(ours)
    found = raw.settled(own)
    tried = [*found.readings]
    failed = found.word.plain in (Word.DOES_NOT_HOLD, Word.PARTLY)
    for reading, evidence in others if failed else ():
        other = judge.find(evidence).settled(own)
        if other.measured != found.measured:
            tried.append(Beside(reading, other.word, other.measured))
    notes = [found.note, f"Asked for: {judge.asked}" if judge.asked else "", judge.why if failed else ""]
    on = tuple(name for name in own if name in raw.by_trace or not raw.by_trace)
    return Verdict(
        judge.claim,
        found.word,
        found.parts,
        () if found.word is Word.NEEDS_DATA else on,
        raw.elsewhere(own),
        tuple(tried),
        ". ".join(note for note in notes if note),
    )


def everywhere(traces: Sequence[str], parts: Callable[[str], Parts]) -> Found:
    """A claim about each trace; which of them decide is settled later."""
    by_trace = {name: _parts(parts(name)) for name in traces}
    if not by_trace:
        return Found.needs_data("no such trace is there")
    every = tuple(part._replace(on=name) for name, some in by_trace.items() for part in some)
    return Found(_word(every), every, by_trace)


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
