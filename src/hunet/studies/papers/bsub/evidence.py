"""What the claims of [bsub10] and [bsub13] are judged by: means over seeds, looked up by what was varied.

Runs come as a frame with one row per run and measure, in the columns `COLUMNS`: the trace it was done `on`, `protocol`,
`reading` (of what the paper leaves open; empty for ours), `study`, `x` (the value of what that study varies; 0 where
the protocol does not have it), seed, measure, value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from hunet.studies.claims.verdict import Found, Verdict, judged
from hunet.studies.papers.bsub.traces import crowds, is_sparse
from hunet.studies.papers.reproduction import Table
from hunet.studies.statistics import means

__all__ = [
    "COLUMNS",
    "NO_CROWD",
    "OURS",
    "Claim",
    "Evidence",
    "Found",
    "Part",
    "each",
    "everywhere",
    "falls",
    "judge_all",
    "rises",
    "shown",
    "weigh",
]

OURS = ""
"""The reading that is ours."""
_KEYS = ["on", "protocol", "reading", "study", "x"]
COLUMNS = [*_KEYS, "seed", "measure", "value"]

NO_CROWD: Found = ("not judged", "no crowd is there")
Part: TypeAlias = tuple[bool | Sequence[bool], str]
"""Whether a claim, or each of its parts, holds on one trace, and the figures that say so."""


class Evidence:
    """The computed tables, and the means of all runs, under one reading.

    A reading is run only for what it changes. Where a run is missing, that of the reading it rests on is taken: the one
    that `rests_on` names, and ours in the end. A reading in `instead` looks at other measures of the same runs.
    """

    def __init__(
        self,
        tables: Mapping[str, Table],
        runs: pd.DataFrame,
        rests_on: Mapping[str, str] | None = None,
        instead: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.tables = tables
        self.runs = runs
        self._rests_on = rests_on or {}
        self._instead = instead or {}
        self._measures: Mapping[str, str] = {}
        self._readings: Sequence[str] = (OURS,)
        self.traces: Sequence[str] = [str(name) for name in runs["on"].unique()]
        self.crowds = crowds(self.traces)
        self.sparse = [name for name in self.traces if is_sparse(name)]
        self.seeds = int(runs["seed"].nunique())
        found = means(runs, _KEYS)
        keys = zip(*(found[name] for name in (*_KEYS, "measure")), strict=True)
        self._means: Mapping[tuple[Any, ...], float] = dict(zip(keys, found["mean"], strict=True))

    def under(self, reading: str) -> Evidence:
        """The same, under another reading."""
        other = object.__new__(Evidence)
        base = self._rests_on.get(reading)
        other.__dict__ |= self.__dict__ | {"_readings": (reading, *([base] if base else []), OURS)}
        other._measures = self._instead.get(reading, {})
        return other

    def at(self, on: str, protocol: str, measure: str, study: str, x: float = 0.0) -> float:
        """A mean."""
        measure = self._measures.get(measure, measure)
        for reading in self._readings:
            if (key := (on, protocol, reading, study, x, measure)) in self._means:
                return self._means[key]
        raise KeyError(f"{protocol} on {on}: no {measure} at {x:g} of {study}")

    def xs(self, protocol: str, study: str) -> list[float]:
        """The values that were tried."""
        for reading in self._readings:
            if found := sorted({k[4] for k in self._means if k[1:4] == (protocol, reading, study)}):
                return [float(x) for x in found]
        return []

    def curve(self, on: str, protocol: str, measure: str, study: str, xs: Sequence[float] | None = None) -> list[float]:
        """Means over the values that were tried."""
        chosen = self.xs(protocol, study) if xs is None else xs
        return [self.at(on, protocol, measure, study, x) for x in chosen]

    def each_seed(
        self, on: str, protocol: str, measure: str, study: str, x: float
    ) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """One value per seed."""
        runs = self.runs
        chosen = (runs["on"] == on) & (runs["protocol"] == protocol) & (runs["study"] == study) & (runs["x"] == x)
        chosen &= runs["measure"] == self._measures.get(measure, measure)
        parts = (runs[chosen & (runs["reading"] == reading)] for reading in self._readings)
        part = next(one for one in parts if len(one))
        return np.asarray(part.sort_values("seed")["value"].to_numpy(), np.float64)

    def fact(self, table: str, column: str, **where: Any) -> Any:
        """A value of a computed table; None where there is no such row."""
        rows = self.tables[table]
        return next((row[column] for row in rows if all(row[name] == value for name, value in where.items())), None)


class Claim(NamedTuple):
    """A claim of the ledger that runs decide."""

    id: str
    about: str
    judge: Callable[[Evidence], Found]
    why: str = ""
    """Why it does not hold, where it does not: added to the figures then."""
    asked: str = ""
    """What is asked for, where the ledger leaves that open: added to the figures."""


def everywhere(names: Sequence[str], part: Callable[[str], Part]) -> Found:
    """A claim about each trace: it holds if it does on all, partly if on some."""
    found = {name: part(name) for name in names}
    words = {name: weigh(right) for name, (right, _) in found.items()}
    total = weigh([word == "holds" for word in words.values()])
    if total == "fails" and "partly" in words.values():
        total = "partly"
    told = "; ".join(f"{name} {_SHORT[words[name]]}: {figures}" for name, (_, figures) in found.items())
    return (total, told) if found else ("not judged", "no such trace is there")


_SHORT = {"holds": "yes", "partly": "in part", "fails": "no"}


def weigh(right: bool | Sequence[bool]) -> str:
    """One word for the parts of a claim."""
    parts = [right] if isinstance(right, bool) else list(right)
    return "holds" if all(parts) else "partly" if any(parts) else "fails"


def rises(values: Sequence[float]) -> bool:
    """Never falls."""
    return all(one <= other for one, other in pairwise(values))


def falls(values: Sequence[float]) -> bool:
    """Never rises."""
    return all(one >= other for one, other in pairwise(values))


def each(values: Iterable[float], form: str = ".3f") -> str:
    """Figures in a row."""
    return ", ".join(f"{value:{form}}" for value in values)


def judge_all(claims: Sequence[Claim], evidence: Evidence, readings: Sequence[str]) -> list[Verdict]:
    """Verdicts under our reading, and where that does not do under the others (`verdicts.judged`)."""
    others = [(reading, evidence.under(reading)) for reading in readings]
    found = [judged((claim.id, claim.about), claim.judge, evidence, others, claim.asked, claim.why) for claim in claims]
    return [verdict._replace(on=_named(verdict.measured, evidence.traces)) for verdict in found]


def _named(figures: str, traces: Sequence[str]) -> str:
    """The traces that figures are given for; all, where none is named."""
    return "; ".join([trace for trace in traces if trace in figures] or traces)


def shown(values: Mapping[str, float], form: str = ".2f") -> str:
    """Names with their figures."""
    return ", ".join(f"{name} {value:{form}}" for name, value in values.items())
