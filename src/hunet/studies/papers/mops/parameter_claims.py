"""The claims of [mops] V-C about its parameters, on the campus: the threshold T, the default weight, the rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hunet.studies.claims.judging import Found, Judge, rises, shown, weigh
from hunet.studies.papers.mops.evidence import EVENTS_ONLY, MopsEvidence
from hunet.studies.papers.mops.runs import BY_LIFETIME, DEFAULTS, SCHEMES
from hunet.studies.papers.traces import CAMPUS

__all__ = ["PARAMETER_CLAIMS"]

_NEAR = 0.1
"""Two figures that are called alike differ by less than a tenth."""


def _best_threshold(evidence: MopsEvidence) -> Found:
    forwards, latency = evidence.by_threshold("forwards"), evidence.by_threshold("latency")
    best = int(np.argmin(forwards))
    threshold = evidence.thresholds[best]
    moderate = min(latency) < latency[best] < max(latency)
    found = (
        f"fewest forwards ({forwards[best]:,.0f}) at T = {threshold:g}, where latency is {latency[best] / 3600:.1f} h "
        f"of {min(latency) / 3600:.1f} to {max(latency) / 3600:.1f}; at T = 0.5 {_at(evidence, forwards, 0.5):,.0f}"
    )
    return Found.of(0.3 <= threshold <= 0.7 and moderate, found, partly=0.3 <= threshold <= 0.7)


def _at(evidence: MopsEvidence, values: Sequence[float], threshold: float) -> float:
    return values[list(evidence.thresholds).index(threshold)]


def _extreme_thresholds(evidence: MopsEvidence) -> Found:
    campus = evidence.title(CAMPUS)
    share = evidence.fact("MOPS-F3", "largest_share", dataset=campus, T=0.1)
    size = evidence.fact("MOPS-F3", "mean_size", dataset=campus, T=0.99)
    forwards = evidence.by_threshold("forwards")
    many = forwards[0] == max(forwards)
    ratio = {
        measure: _at(evidence, evidence.by_threshold(measure), 0.99) / evidence.of(campus, "neighbors", measure)
        for measure in ("utility", "efficiency")
    }
    alike = all(abs(one - 1) < _NEAR for one in ratio.values())
    right = [share > 0.5, many, size < 1 + _NEAR, alike]
    worst = evidence.thresholds[int(np.argmax(forwards))]
    found = (
        f"largest community at T = 0.1 has {share:.0%}; mean size at T = 0.99 {size:.2f}; most forwards at "
        f"T = {worst:g}; as parts of Neighbors', at T = 0.99: {shown(ratio)}"
    )
    return Found(weigh(right), found)


def _default_weight(evidence: MopsEvidence) -> Found:
    latency, forwards, utility = (evidence.weight_matters(name) for name in ("latency", "forwards", "utility"))
    slower, fewer = latency["low"] > 0, forwards["high"] < 0
    usual = DEFAULTS["threshold"]
    found = (
        f"at T = 0.5, in pairs: latency {latency['mean'][usual] / 60:+.1f} min "
        f"({latency['low'][usual] / 60:+.1f} to {latency['high'][usual] / 60:+.1f}), forwards "
        f"{forwards['mean'][usual]:+,.0f} ({forwards['low'][usual]:+,.0f} to {forwards['high'][usual]:+,.0f}), utility "
        f"{utility['mean'][usual]:+.3f}; slower at {slower.sum()}, fewer forwards at {fewer.sum()} of {len(slower)} T"
    )
    return Found(weigh([bool(slower[usual]), bool(fewer[usual])]), found)


def _rates(evidence: MopsEvidence) -> Found:
    def loss(scheme: str, measure: str) -> float:
        values = evidence.by_rate(scheme, measure)
        return 1 - values[-1] / values[0]

    measures = ("utility", "efficiency")
    lost = {measure: {scheme: loss(scheme, measure) for scheme in SCHEMES} for measure in measures}
    falls = all(rises(evidence.by_rate(scheme, measure)[::-1]) for scheme in SCHEMES for measure in measures)
    least = [lost[measure]["mops"] == min(lost[measure].values()) for measure in measures]
    found = "; ".join(f"{measure} lost {shown(lost[measure], '.1%')}" for measure in measures)
    words = f"from {evidence.rates[0]:g} to {evidence.rates[-1]:g} events per hour: {found}"
    return Found.of(falls and all(least), words, partly=falls or any(least))


_LISTS = "A low T gives one community without brokers, and lists cost most where there are many that are still large"
_NO_TIME = "Pull is always efficient, and MOPS becomes so: brokers have no time left for what few ask for"
_ALIKE = "a mean size below 1.1, and utility and efficiency within a tenth of Neighbors"

PARAMETER_CLAIMS: Sequence[Judge[MopsEvidence]] = (
    Judge("MOPS-34", _best_threshold, _LISTS, traces=(CAMPUS,), readings=(EVENTS_ONLY,)),
    Judge(
        "MOPS-35",
        _extreme_thresholds,
        f"{_LISTS}; at T near 1 all are brokers",
        _ALIKE,
        traces=(CAMPUS,),
        readings=(EVENTS_ONLY, *BY_LIFETIME),
    ),
    Judge("MOPS-36", _default_weight, traces=(CAMPUS,), readings=(EVENTS_ONLY,)),
    Judge("MOPS-37", _rates, _NO_TIME, traces=(CAMPUS,)),
)
