"""The claims of [mops] V-C about its parameters, on the campus: the threshold T, the default weight, the rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hunet.studies.claims.judging import Found, Judge, rises, shown
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
    fewest = f"{forwards[best]:,.0f} at T = {threshold:g}, {_at(evidence, forwards, 0.5):,.0f} at T = 0.5"
    hours = f"{latency[best] / 3600:.1f} h of {min(latency) / 3600:.1f} to {max(latency) / 3600:.1f}"
    return Found.all(
        {
            "forwards are fewest at a T of 0.3 to 0.7": (0.3 <= threshold <= 0.7, fewest),
            "where latency is neither least nor most": (min(latency) < latency[best] < max(latency), hours),
        }
    )


def _at(evidence: MopsEvidence, values: Sequence[float], threshold: float) -> float:
    return values[list(evidence.thresholds).index(threshold)]


def _extreme_thresholds(evidence: MopsEvidence) -> Found:
    campus = evidence.title(CAMPUS)
    share = evidence.fact("MOPS-F3", "largest_share", dataset=campus, T=0.1)
    size = evidence.fact("MOPS-F3", "mean_size", dataset=campus, T=0.99)
    forwards = evidence.by_threshold("forwards")
    worst = evidence.thresholds[int(np.argmax(forwards))]
    found = {
        "at T = 0.1 one community has more than half": (share > 0.5, f"{share:.0%}"),
        "and forwards are most": (forwards[0] == max(forwards), f"most at T = {worst:g}"),
        "at T = 0.99 the mean size is below 1.1": (size < 1 + _NEAR, f"{size:.2f}"),
    }
    for measure in ("utility", "efficiency"):
        ratio = _at(evidence, evidence.by_threshold(measure), 0.99) / evidence.of(campus, "neighbors", measure)
        found[f"and {measure} within a tenth of Neighbors'"] = (abs(ratio - 1) < _NEAR, f"{ratio:.2f} of it")
    return Found.all(found)


def _default_weight(evidence: MopsEvidence) -> Found:
    """At every T, in pairs of the same seed, 95 % sure."""
    latency, forwards = (evidence.weight_matters(name) for name in ("latency", "forwards"))
    slower, fewer = latency["low"] > 0, forwards["high"] < 0
    usual = DEFAULTS["threshold"]
    return Found.all(
        {
            "larger latency with default weight 0 at every T": (
                bool(slower.all()),
                f"at {slower.sum()} of {len(slower)}; at T = 0.5 by {latency['mean'][usual] / 3600:+.2f} h",
            ),
            "fewer forwards at every T": (
                bool(fewer.all()),
                f"at {fewer.sum()} of {len(fewer)}; at T = 0.5 by {forwards['mean'][usual]:+,.0f}",
            ),
        }
    )


def _rates(evidence: MopsEvidence) -> Found:
    """From the lowest rate to the highest, for each scheme and both measures."""
    found = {}
    for measure in ("utility", "efficiency"):
        curves = {scheme: evidence.by_rate(scheme, measure) for scheme in SCHEMES}
        lost = {scheme: 1 - curve[-1] / curve[0] for scheme, curve in curves.items()}
        for scheme, curve in curves.items():
            falling = rises(curve[::-1]) and curve[-1] < curve[0]
            found[f"{measure} of {scheme} falls with the rate"] = (falling, f"{curve[0]:.3f} to {curve[-1]:.3f}")
        found[f"MOPS loses the least {measure}"] = (lost["mops"] == min(lost.values()), shown(lost, ".1%"))
    return Found.all(found)


_LISTS = "A low T gives one community without brokers, and lists cost most where there are many that are still large"
_NO_TIME = "Pull is always efficient, and MOPS becomes so: brokers have no time left for what few ask for"

PARAMETER_CLAIMS: Sequence[Judge[MopsEvidence]] = (
    Judge("MOPS-34", _best_threshold, _LISTS, traces=(CAMPUS,), readings=(EVENTS_ONLY,)),
    Judge(
        "MOPS-35",
        _extreme_thresholds,
        f"{_LISTS}; at T near 1 all are brokers",
        traces=(CAMPUS,),
        readings=(EVENTS_ONLY, *BY_LIFETIME),
    ),
    Judge("MOPS-36", _default_weight, traces=(CAMPUS,), readings=(EVENTS_ONLY,)),
    Judge("MOPS-37", _rates, _NO_TIME, traces=(CAMPUS,)),
)
