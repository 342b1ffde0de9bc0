"""What the claims of [mops] are judged by: what each of its studies varies, under every reading."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from hunet.studies.papers.evidence import COLUMNS, OURS, Evidence
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.mops.runs import BUSY, DEFAULTS, READINGS, picked
from hunet.studies.papers.traces import CAMPUS
from hunet.studies.statistics import differences
from hunet.studies.tables import Table

__all__ = ["EVENTS_ONLY", "MopsEvidence"]

EVENTS_ONLY = "forwards of events alone (AMB-61)"
"""A reading for which nothing has to be run: what is counted as cost are not events and lists, but events."""
_INSTEAD = {EVENTS_ONLY: {"forwards": "event_forwards"}}

_DAY = DEFAULTS["ttl"]
_WEIGHT = "default_weight"
_STUDIES = ("ttl", "per_hour", "threshold", _WEIGHT)
"""What is varied, all else as usual."""


def _by_study(found: pd.DataFrame) -> pd.DataFrame:
    """Runs with their study, what it varies as x, and the reading."""
    parts = []
    for study in _STUDIES:
        for reading, changes in ((OURS, {}), *READINGS.items()):
            some = found
            for column, value in changes.items():
                some = some[some[column] == value]
            some = picked(some, study, **changes)
            parts.append(some.assign(reading=reading, study=study, x=some[study]))
    return pd.concat(parts, ignore_index=True)[COLUMNS]


class MopsEvidence(Evidence):
    """The computed tables, and the runs of all figures."""

    def __init__(self, tables: Mapping[str, Table], measured: Measured) -> None:
        found = measured.runs
        super().__init__(measured.on, tables, _by_study(found), instead=_INSTEAD)
        self._found = found
        self.lifetimes: list[float] = sorted(found["ttl"].unique())
        self.rates: list[float] = sorted(found[found["ttl"] == _DAY]["per_hour"].unique())
        self.thresholds: list[float] = sorted(found["threshold"].dropna().unique())

    def title(self, key: str) -> str:
        """Of a trace that is there."""
        (title,) = self.own(key)
        return title

    def of(self, trace: str, scheme: str, measure: str = "utility", ttl: float = _DAY) -> float:
        """A mean, with defaults but for the lifetime."""
        return self.at(trace, scheme, measure, "ttl", ttl)

    def by_lifetime(self, trace: str, scheme: str, measure: str = "utility") -> list[float]:
        """From the shortest lifetime to the longest."""
        return self.curve(trace, scheme, measure, "ttl", self.lifetimes)

    def busy(self, trace: str, scheme: str) -> float:
        """Utility where there are more events than contacts can carry."""
        return self.at(trace, scheme, "utility", "per_hour", BUSY)

    def without(self, trace: str, measure: str) -> float:
        """Of MOPS with default weight 0."""
        return self.at(trace, "mops", measure, _WEIGHT, 0.0)

    def by_rate(self, scheme: str, measure: str) -> list[float]:
        """On the campus, from the lowest rate of events to the highest."""
        return self.curve(self.title(CAMPUS), scheme, measure, "per_hour", self.rates)

    def by_threshold(self, measure: str) -> list[float]:
        """Of MOPS on the campus, from the lowest T to the highest."""
        return self.curve(self.title(CAMPUS), "mops", measure, "threshold", self.thresholds)

    def most(self, trace: str, scheme: str, measure: str) -> float:
        """The largest value of any run on a trace, whatever is varied but how the paper is read."""
        runs = picked(self._found[(self._found["on"] == trace) & (self._found["protocol"] == scheme)], *DEFAULTS)
        return float(runs[runs["measure"] == measure]["value"].max())

    def weight_matters(self, measure: str) -> pd.DataFrame:
        """How MOPS on the campus differs with default weight 0 from the usual, by T: in pairs of the same seed."""
        runs = self._found[(self._found["on"] == self.title(CAMPUS)) & (self._found["protocol"] == "mops")]
        runs = runs[runs["measure"] == self.measured_as(measure)]
        runs = picked(runs, "threshold", _WEIGHT)
        runs = runs.assign(**{_WEIGHT: runs[_WEIGHT].map("{:g}".format)})
        usual = f"{DEFAULTS[_WEIGHT]:g}"
        found = differences(runs, ["threshold"], of=_WEIGHT, from_=usual, paired_on=("seed", "threshold"))
        return found.set_index("threshold")
