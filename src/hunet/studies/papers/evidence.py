"""What claims are judged by: computed tables, and means over seeds, looked up by what was varied.

Runs come as a frame with one row per run and measure, in the columns `COLUMNS`: the trace it was done `on` (its title),
`protocol`, `reading` (of what the paper leaves open; empty for ours), `study`, `x` (the value of what that study
varies; 0 where the protocol does not have it), seed, measure, value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd

from hunet.studies.claims.claim import claim_of
from hunet.studies.claims.judging import Found, Judge, judged
from hunet.studies.claims.verdict import Verdict, Word
from hunet.studies.papers.traces import SYNTHETIC, TITLES, PaperTrace, keys_of
from hunet.studies.statistics import means
from hunet.studies.tables import Table

__all__ = ["COLUMNS", "NO_CROWD", "OURS", "Evidence", "judge_all"]

OURS = ""
"""The reading that is ours."""
_KEYS = ["on", "protocol", "reading", "study", "x"]
COLUMNS = [*_KEYS, "seed", "measure", "value"]

NO_CROWD = Found.needs_data("no crowd is there")


class Evidence:
    """The computed tables, and the means of all runs, under one reading.

    A reading is run only for what it changes. Where a run is missing, that of the reading it rests on is taken: the one
    that `rests_on` names, and ours in the end. A reading in `instead` looks at other measures of the same runs.
    """

    def __init__(
        self,
        traces: Sequence[PaperTrace],
        tables: Mapping[str, Table],
        runs: pd.DataFrame,
        rests_on: Mapping[str, str] | None = None,
        instead: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.tables = tables
        self.runs = runs
        self._traces = traces
        self._rests_on = rests_on or {}
        self._instead = instead or {}
        self._measures: Mapping[str, str] = {}
        self._readings: Sequence[str] = (OURS,)
        self.traces = [trace.title for trace in traces]
        self.crowds = [trace.title for trace in traces if not trace.sparse]
        self.sparse = [trace.title for trace in traces if trace.sparse]
        found = means(runs, _KEYS)
        keys = zip(*(found[name] for name in (*_KEYS, "measure")), strict=True)
        self._means: Mapping[tuple[Any, ...], float] = dict(zip(keys, found["mean"], strict=True))

    def own(self, *keys: str) -> list[str]:
        """The titles of the papers' traces of these keys, as far as they are there; what stands in is not theirs."""
        return [trace.title for key in keys for trace in self._traces if trace.is_own(key)]

    def standing_for(self, data: str) -> list[PaperTrace]:
        """Traces that are, or stand for, what the ledger names as the data of a claim."""
        return [trace for key in keys_of(data) for trace in self._traces if trace.key == key]

    @property
    def reading(self) -> str:
        """The one it is under."""
        return self._readings[0]

    def under(self, reading: str) -> Self:
        """The same, under another reading."""
        other = object.__new__(type(self))
        base = self._rests_on.get(reading)
        other.__dict__ |= self.__dict__ | {"_readings": (reading, *([base] if base else []), OURS)}
        other._measures = self._instead.get(reading, {})
        return other

    def measured_as(self, measure: str) -> str:
        """What this reading looks at where a claim asks for a measure."""
        return self._measures.get(measure, measure)

    def at(self, on: str, protocol: str, measure: str, study: str, x: float = 0.0) -> float:
        """A mean."""
        measure = self.measured_as(measure)
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
        chosen &= runs["measure"] == self.measured_as(measure)
        parts = (runs[chosen & (runs["reading"] == reading)] for reading in self._readings)
        part = next(one for one in parts if len(one))
        return np.asarray(part.sort_values("seed")["value"].to_numpy(), np.float64)

    def fact(self, table: str, column: str, **where: Any) -> Any:
        """A value of a computed table; None where there is no such row."""
        rows = self.tables[table]
        return next((row[column] for row in rows if all(row[name] == value for name, value in where.items())), None)


def judge_all(judges: Sequence[Judge[Any]], evidence: Evidence, readings: Sequence[str] = ()) -> list[Verdict]:
    """Verdicts under our reading, and where that does not do under those of the judge, or these (`judged`)."""
    return [_verdict(judge, evidence, judge.readings or readings) for judge in judges]


def _verdict(judge: Judge[Any], evidence: Evidence, readings: Sequence[str]) -> Verdict:
    if missing := [TITLES[key] for key in judge.traces if not evidence.own(key)]:
        return Verdict(judge.claim, Word.NEEDS_DATA, note=f"{' and '.join(missing)} not there")
    others = ((reading, evidence.under(reading)) for reading in readings)
    data = claim_of(judge.claim).data
    own = {one.title: one.is_exact for one in evidence.standing_for(data)}
    if not own and data == SYNTHETIC:  # any contacts will do
        own = dict.fromkeys(evidence.traces, True)
    return judged(judge, evidence, others, own)
