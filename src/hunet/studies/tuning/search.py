"""Looking for good settings of a protocol: as cheap as can be, as long as enough is delivered.

Delivery is relative to PUSH under the same conditions. Settings are drawn by chance, spread evenly over what
`Protocol.searched` allows, the defaults among them. Round by round the worse are dropped and the rest is tried with
more seeds (successive halving): chance decides little about what is poor, and much between two that are good.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from hunet.model.errors import InvalidValueError
from hunet.protocols import Protocol
from hunet.protocols.search import Search, Span
from hunet.studies.statistics import interval
from hunet.studies.study_file.protocols import can_be

__all__ = ["QUICK", "Candidate", "Effort", "Found", "Measure", "candidates", "search"]

Candidate: TypeAlias = Mapping[str, Any]
"""Settings by name, those that are searched."""

Measure: TypeAlias = Callable[[Sequence[Candidate], int], pd.DataFrame]
"""Candidates and a number of seeds to a row per candidate, part of the trace and seed.

Columns: candidate (its place), part, seed, delivery (of PUSH's) and cost (what is to be small).
"""

_TRIES = 100


class Effort(NamedTuple):
    """How thoroughly to look."""

    candidates: int = 96
    seeds: Sequence[int] = (3, 9, 27)
    """In each round."""
    keep: int = 4
    """One of so many goes on to the next round."""
    judging: int = 20
    """Seeds with which what was found is judged."""


QUICK = Effort(candidates=24, seeds=(2, 6), judging=8)


class Found(NamedTuple):
    """What came of a search."""

    best: Candidate
    meets: bool
    """Whether it delivers enough in every part, at the lower end of the interval."""
    tried: pd.DataFrame
    """Per candidate, by its place: its settings, round (the last it was in), seeds, delivery, delivery_low (both in the
    worst part) and cost."""


def candidates(protocol: Protocol, effort: Effort, seed: int) -> list[Candidate]:
    """The defaults, and settings by chance: of each parameter every stretch of its range occurs equally often."""
    if not protocol.searched:
        raise InvalidValueError(f"{protocol.name} has no settings that could be searched")
    chance = np.random.default_rng(seed)
    defaults = protocol.settings()
    found = [{name: getattr(defaults, name) for name in protocol.searched}]
    count = effort.candidates
    places = {name: (chance.permutation(count) + chance.random(count)) / count for name in protocol.searched}
    for place in range(count):
        drawn = {name: float(places[name][place]) for name in protocol.searched}
        for _ in range(_TRIES):
            one = {name: _value(where, drawn[name], defaults, name) for name, where in protocol.searched.items()}
            if can_be(protocol, one):
                found.append(one)
                break
            drawn = {name: float(chance.random()) for name in drawn}  # such as a ceiling below the initial counter
    return list({tuple(one.items()): one for one in found}.values())


def _value(where: Search, share: float, defaults: Any, name: str) -> Any:
    """As the setting is typed, with three digits: more say nothing, and are hard to read."""
    if not isinstance(where, Span):
        return where.at(share)
    value = where.at(share)
    if isinstance(getattr(defaults, name), int):
        return round(value)
    return min(max(float(f"{value:.3g}"), float(where.low)), float(where.high))


def search(some: Sequence[Candidate], measure: Measure, enough: float, effort: Effort) -> Found:
    """The cheapest of the candidates that deliver enough; where none does, the one that is nearest to it."""
    tried = pd.DataFrame([dict(one) for one in some])
    left = list(range(len(some)))
    standing = pd.DataFrame()
    for number, seeds in enumerate(effort.seeds, start=1):
        rows = measure([some[place] for place in left], seeds)
        rows = rows.assign(candidate=rows["candidate"].map(dict(enumerate(left))))
        standing = _standing(rows, enough, strict=number == len(effort.seeds))
        facts = standing.drop(columns="short").assign(round=number, seeds=seeds)
        tried.loc[facts.index, facts.columns] = facts
        left = list(standing.index[: max(1, -(-len(left) // effort.keep))])
    best = int(standing.index[0])
    return Found(some[best], bool(standing["short"].iloc[0] <= 0), tried)


def _standing(rows: pd.DataFrame, enough: float, strict: bool) -> pd.DataFrame:
    """Candidates by what they lack, then by what they cost. `strict` believes the lower end of an interval only: with
    few seeds that would drop whatever chance treated badly."""
    ranks = []
    for candidate, part in rows.groupby("candidate"):
        ends = [interval(one["delivery"].to_numpy(np.float64)) for _, one in part.groupby("part")]
        mean, low = min(end[1] for end in ends), min(end[2] for end in ends)
        cost = part.groupby("part")["cost"].mean().mean()
        short = max(0.0, enough - (low if strict else mean))
        ranks.append((candidate, short, mean, low, np.inf if np.isnan(cost) else cost))
    table = pd.DataFrame(ranks, columns=["candidate", "short", "delivery", "delivery_low", "cost"])
    return table.sort_values(["short", "cost", "candidate"]).set_index("candidate")
