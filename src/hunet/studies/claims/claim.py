"""What the papers claim: `claims.csv`, where the wording of each claim stands once."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from hunet.model.names import choose

__all__ = ["Claim", "all_claims", "claim_of"]


class Claim(NamedTuple):
    """A checkable sentence of a paper."""

    id: str
    paper: str
    where: str
    """In the paper."""
    kind: str
    """example, number, relation or trend."""
    wording: str
    tolerance: str
    """How it is checked, and what is asked for."""
    data: str
    """What it needs to be judged."""


@cache
def all_claims() -> Mapping[str, Claim]:
    """By id, in the order of the ledger."""
    text = files("hunet.studies.claims").joinpath("claims.csv").read_text(encoding="utf-8")
    rows = csv.reader(text.splitlines()[1:])
    return {row[0]: Claim(*row) for row in rows}


def claim_of(name: str) -> Claim:
    """The claim of this id."""
    return choose("claim", name, all_claims())
