"""What the claims of [mops] are judged by: means over seeds, looked up by what was varied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import pandas as pd

from hunet.studies.papers.mops.runs import BUSY, DEFAULTS, READ, READINGS, picked
from hunet.studies.papers.reproduction import Table
from hunet.studies.papers.traces import CAMPUS
from hunet.studies.statistics import differences

__all__ = ["EVENTS_ONLY", "Evidence"]

EVENTS_ONLY = "forwards of events alone (AMB-61)"
"""A reading for which nothing has to be run."""

_DAY = DEFAULTS["ttl"]
_WEIGHT = "default_weight"


class Evidence:
    """The computed tables, and the runs of all figures."""

    def __init__(self, tables: Mapping[str, Table], found: pd.DataFrame) -> None:
        self.tables = tables
        self.forwards = "forwards"
        """What is counted as cost: events and lists, or `event_forwards` (AMB-61)."""
        self._runs = found
        self._others: dict[str, Evidence] = {}
        self.traces: Sequence[str] = [str(name) for name in found["on"].unique()]
        self.lifetimes: Sequence[float] = sorted(found["ttl"].unique())
        self.rates: Sequence[float] = sorted(found[found["ttl"] == _DAY]["per_hour"].unique())
        self.thresholds: Sequence[float] = sorted(found["threshold"].dropna().unique())
        self._means = {varied: _by_key(found, varied) for varied in ("ttl", "per_hour", "threshold", _WEIGHT)}

    def under(self, reading: str) -> Evidence:
        """The same under another reading: what was not run with it stays as it is."""
        if reading not in self._others:
            self._others[reading] = self._changed(reading)
        return self._others[reading]

    def _changed(self, reading: str) -> Evidence:
        other = copy(self)
        if reading == EVENTS_ONLY:
            other.forwards = "event_forwards"
            return other
        ((column, value),) = READINGS[reading].items()
        runs = self._runs[self._runs[column] == value]
        other._means = {
            varied: {**ours, **_by_key(runs, varied, **READINGS[reading])} for varied, ours in self._means.items()
        }
        return other

    def at(self, trace: str, scheme: str, measure: str = "utility", ttl: float = _DAY) -> float:
        """A mean, with defaults but for the lifetime."""
        return self._means["ttl"][trace, scheme, measure, ttl]

    def by_lifetime(self, trace: str, scheme: str, measure: str = "utility") -> list[float]:
        """From the shortest lifetime to the longest."""
        return [self.at(trace, scheme, measure, ttl) for ttl in self.lifetimes]

    def busy(self, trace: str, scheme: str) -> float:
        """Utility where there are more events than contacts can carry."""
        return self._means["per_hour"][trace, scheme, "utility", BUSY]

    def without(self, trace: str, measure: str) -> float:
        """Of MOPS with default weight 0."""
        return self._means[_WEIGHT][trace, "mops", measure, 0.0]

    def by_rate(self, scheme: str, measure: str) -> list[float]:
        """On the campus, from the lowest rate of events to the highest."""
        return [self._means["per_hour"][CAMPUS, scheme, measure, rate] for rate in self.rates]

    def by_threshold(self, measure: str) -> list[float]:
        """Of MOPS on the campus, from the lowest T to the highest."""
        return [self._means["threshold"][CAMPUS, "mops", measure, threshold] for threshold in self.thresholds]

    def most(self, trace: str, scheme: str, measure: str) -> float:
        """The largest value of any run on a trace with the default workload."""
        runs = self._runs[(self._runs["on"] == trace) & (self._runs["protocol"] == scheme)]
        return float(runs[runs["measure"] == measure]["value"].max())

    def fact(self, table: str, column: str, **where: Any) -> Any:
        """A value of a computed table."""
        rows = self.tables[table]
        return next(row[column] for row in rows if all(row[name] == value for name, value in where.items()))

    def weight_matters(self) -> pd.DataFrame:
        """How MOPS on the campus differs with default weight 0 from the usual, by T: in pairs of the same seed."""
        runs = self._runs[(self._runs["on"] == CAMPUS) & (self._runs["protocol"] == "mops")]
        for column, value in {**DEFAULTS, **READ}.items():
            if column not in ("threshold", _WEIGHT):
                runs = runs[(runs[column] == value) | runs[column].isna()]
        runs = runs.assign(**{_WEIGHT: runs[_WEIGHT].map("{:g}".format)})
        usual = f"{DEFAULTS[_WEIGHT]:g}"
        return differences(runs, ["threshold"], of=_WEIGHT, from_=usual, paired_on=("seed", "threshold"))


def _by_key(found: pd.DataFrame, varied: str, **where: Any) -> Mapping[tuple[Any, ...], float]:
    """By trace, scheme, measure and the value of what is varied."""
    means = picked(found, varied, **where)
    keys = zip(*(means[name] for name in ("on", "protocol", "measure", varied)), strict=True)
    return dict(zip(keys, means["mean"], strict=True))
