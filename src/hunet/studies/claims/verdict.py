"""What became of a paper's claim: the figure we found, and one word for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias, TypeVar

__all__ = ["Found", "Verdict", "errs", "holds", "judged"]

Found: TypeAlias = tuple[str, str]
"""The verdict, and what was measured."""
Evidence = TypeVar("Evidence")


class Verdict(NamedTuple):
    """A claim of the ledger and what was found."""

    claim: str
    about: str
    verdict: str
    """holds, partly, fails, or erratum: the paper contradicts itself or its own set-up."""
    measured: str
    reading: str = ""
    """Of what the paper leaves open: the one, not ours, with which the claim holds better; the figures have both."""
    on: str = ""
    """The traces that it was judged on, where it needs any."""


def holds(claim: str, about: str, right: bool, measured: str) -> Verdict:
    """A claim that holds or fails."""
    return Verdict(claim, about, "holds" if right else "fails", measured)


def errs(claim: str, about: str, right: bool, measured: str) -> Verdict:
    """A claim that is an erratum unless the figures agree with it after all."""
    return Verdict(claim, about, "holds" if right else "erratum", measured)


def judged(
    claim: tuple[str, str],
    judge: Callable[[Evidence], Found],
    ours: Evidence,
    others: Iterable[tuple[str, Evidence]],
    asked: str = "",
    why: str = "",
) -> Verdict:
    """The verdict under our reading; what does not hold is judged under the others too, and the first that helps named.

    A claim that holds under another reading only, holds partly. `asked` says what is asked for where the ledger leaves
    that open, `why` why it does not hold, where it does not.
    """
    word, measured = judge(ours)
    limits = f". Asked for: {asked}" if asked else ""
    if word not in ("fails", "partly"):
        return Verdict(*claim, word, measured + limits)
    for reading, evidence in others:
        other, figures = judge(evidence)
        better = other == "holds" or (word == "fails" and other == "partly")
        if better and figures != measured:
            return Verdict(*claim, "partly", f"{measured}. With {reading}: {figures}{limits}", reading)
    return Verdict(*claim, word, measured + limits + (f". {why}" if why else ""))
