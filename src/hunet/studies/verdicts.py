"""What became of a paper's claim: the figure we found, and one word for it."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Verdict", "errs", "holds"]


class Verdict(NamedTuple):
    """A claim of the ledger and what was found."""

    claim: str
    about: str
    verdict: str
    """holds, partly, fails, or erratum: the paper contradicts itself or its own set-up."""
    measured: str
    reading: str = ""
    """Of what the paper leaves open: the one, not ours, with which the claim holds better; the figures have both."""


def holds(claim: str, about: str, right: bool, measured: str) -> Verdict:
    """A claim that holds or fails."""
    return Verdict(claim, about, "holds" if right else "fails", measured)


def errs(claim: str, about: str, right: bool, measured: str) -> Verdict:
    """A claim that is an erratum unless the figures agree with it after all."""
    return Verdict(claim, about, "holds" if right else "erratum", measured)
