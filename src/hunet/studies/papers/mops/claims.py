"""The claims of [mops] V about its schemes: utility, efficiency, hops, and who is left out.

Traces that are not there leave their claims unjudged; claims about all three are judged by those that are there. Where
nothing else is said, events live a day, and T, the default weight and the rate have their defaults. `parameter_claims`
has those about what is varied, `trace_claims` those about traces, `closeness_claims` and `structure_claims` those that
need neither.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from hunet.sim.workload.profiles import MOPS
from hunet.studies.claims.judging import Found, Judge, rises, shown, weigh
from hunet.studies.claims.verdict import Verdict, Word
from hunet.studies.papers.evidence import judge_all
from hunet.studies.papers.measured import Measured
from hunet.studies.papers.mops.evidence import MopsEvidence
from hunet.studies.papers.mops.parameter_claims import PARAMETER_CLAIMS
from hunet.studies.papers.mops.runs import BUSY, BY_LIFETIME, READINGS, SCHEMES
from hunet.studies.papers.mops.trace_claims import TRACE_CLAIMS
from hunet.studies.papers.traces import CAMPUS, INFOCOM05, REALITY, TITLES
from hunet.studies.tables import Table

__all__ = ["CLAIMS", "verdicts"]

_LONG = 3 * 86_400.0


def verdicts(tables: Mapping[str, Table], measured: Measured) -> list[Verdict]:
    """The claims that traces and simulations decide."""
    return judge_all(CLAIMS, MopsEvidence(tables, measured))


def _on_each(evidence: MopsEvidence, tell: Callable[[str], str]) -> str:
    return "; ".join(f"{trace}: {tell(trace)}" for trace in evidence.traces)


def _longer_is_better(evidence: MopsEvidence) -> Found:
    def fallen(measure: str, schemes: Sequence[str]) -> list[str]:
        return [
            f"{scheme} on {trace} ({values[0]:.2f} to {values[-1]:.2f})"
            for trace in evidence.traces
            for scheme in schemes
            if not rises(values := evidence.by_lifetime(trace, scheme, measure))
        ]

    utility, efficiency = fallen("utility", SCHEMES), fallen("efficiency", ("mops", "neighbors"))
    found = [f"{what} does not rise throughout for {', '.join(some)}" for what, some in (
        ("utility", utility), ("efficiency", efficiency)) if some]  # fmt: skip
    return Found.of(not found, "; ".join(found) or "both rise for all", partly=not utility)


def _reality_order(evidence: MopsEvidence) -> Found:
    at = {scheme: evidence.of(evidence.title(REALITY), scheme, ttl=_LONG) for scheme in SCHEMES}
    low, ordered = max(at.values()) < 0.4, all(one > other for one, other in pairwise(at.values()))
    return Found(weigh([low, ordered]), f"after 3 days {shown(at, '.3f')}")


def _close_to_push(evidence: MopsEvidence) -> Found:
    """An erratum if what is called the bound is none, and with the one that is meant the claim holds."""
    at = {scheme: evidence.of(evidence.title(REALITY), scheme, ttl=_LONG) for scheme in SCHEMES}
    close = at["mops"] >= 0.8 * at["push"] and at["mops"] > at["neighbors"]
    word = Word.DOES_NOT_HOLD if not close else Word.HOLDS if at["pull"] >= at["mops"] else Word.ERRATUM
    found = f"after 3 days {shown(at, '.3f')}: MOPS has {at['mops'] / at['push']:.2f} of push"
    return Found(
        word, f"{found}, {at['mops'] / at['neighbors']:.2f} of Neighbors; the bound is push, not pull (ERR-19)"
    )


def _infocom05_highest(evidence: MopsEvidence) -> Found:
    crowd, others = evidence.title(INFOCOM05), evidence.own(REALITY, CAMPUS)
    if not others:
        return Found(Word.NEEDS_DATA, f"{TITLES[REALITY]} and {TITLES[CAMPUS]} not there", [crowd])
    lower = [
        (scheme, ttl)
        for scheme in SCHEMES
        for ttl in evidence.lifetimes
        if evidence.of(crowd, scheme, ttl=ttl) <= max(evidence.of(trace, scheme, ttl=ttl) for trace in others)
    ]
    of = len(SCHEMES) * len(evidence.lifetimes)
    found = "; ".join(
        f"{name} {shown({trace: evidence.of(trace, name, ttl=_LONG) for trace in (crowd, *others)})}"
        for name in SCHEMES
    )
    return Found.of(not lower, f"not at {len(lower)} of {of} points; after 3 days {found}", partly=len(lower) < of / 2)


def _overtakes(evidence: MopsEvidence, trace: str) -> tuple[bool, bool, str]:
    """Whether push is ahead of MOPS at first, and MOPS at last."""
    mops, push = (evidence.by_lifetime(trace, scheme) for scheme in ("mops", "push"))
    first, last = (evidence.lifetimes[i] / 3600 for i in (0, -1))
    found = (
        f"push and MOPS {push[0]:.3f} and {mops[0]:.3f} at {first:g} h, {push[-1]:.3f} and {mops[-1]:.3f} at {last:g} h"
    )
    busy = ", ".join(f"{evidence.busy(trace, scheme):.3f}" for scheme in ("push", "mops"))
    return push[0] > mops[0], mops[-1] > push[-1], f"{found} (with {BUSY:g} events an hour, at 24 h, {busy})"


def _infocom05_crossing(evidence: MopsEvidence) -> Found:
    at_first, at_last, found = _overtakes(evidence, evidence.title(INFOCOM05))
    return Found(weigh([at_first, at_last]), found)


def _campus_margin(evidence: MopsEvidence) -> Found:
    campus = evidence.title(CAMPUS)
    _, overtakes, found = _overtakes(evidence, campus)

    def margin(trace: str) -> float:
        mops, neighbors = (evidence.by_lifetime(trace, scheme) for scheme in ("mops", "neighbors"))
        return float(np.max(np.subtract(mops, neighbors)))

    margins = {trace: margin(trace) for trace in evidence.traces}
    above = all(
        evidence.of(campus, "mops", ttl=ttl) > evidence.of(campus, scheme, ttl=ttl)
        for scheme in ("neighbors", "pull")
        for ttl in evidence.lifetimes
    )
    largest = margins[campus] == max(margins.values())
    right = [above, overtakes, largest]
    words = f"{found}; above Neighbors and pull at all lifetimes: {'yes' if above else 'no'}"
    return Found(weigh(right), f"{words}; largest margin over Neighbors {shown(margins, '.3f')}")


def _efficiency_order(evidence: MopsEvidence) -> Found:
    at = {trace: {scheme: evidence.of(trace, scheme, "efficiency") for scheme in SCHEMES} for trace in evidence.traces}
    above = [one["mops"] > max(one["neighbors"], one["push"]) for one in at.values()]
    poor = all(abs(one["push"] - MOPS.interest) < 0.05 for one in at.values())
    pure = all(one["pull"] == 1.0 for one in at.values())
    found = _on_each(
        evidence,
        lambda trace: (
            f"{shown(at[trace], '.3f')}, MOPS without default weight {evidence.without(trace, 'efficiency'):.3f}"
        ),
    )
    return Found.of(all(above) and poor and pure, found, partly=any(above) or (poor and pure))


def _hops(evidence: MopsEvidence) -> Found:
    most = {
        trace: {scheme: evidence.most(trace, scheme, "hops_max") for scheme in ("pull", "neighbors", "mops")}
        for trace in evidence.traces
    }
    right = all(one["pull"] == 1 and one["neighbors"] == 2 and one["mops"] > 2 for one in most.values())
    return Found.of(right, _on_each(evidence, lambda trace: f"at most {shown(most[trace], '.0f')}"))


def _both_at_once(evidence: MopsEvidence) -> Found:
    def joint(utility: float, efficiency: float) -> float:
        return 2 * utility * efficiency / (utility + efficiency)

    measures = ("utility", "efficiency")
    means = {
        trace: {scheme: joint(*(evidence.of(trace, scheme, measure) for measure in measures)) for scheme in SCHEMES}
        for trace in evidence.traces
    }
    without = {trace: joint(*(evidence.without(trace, measure) for measure in measures)) for trace in evidence.traces}
    best = [max(one, key=lambda scheme: one[scheme]) == "mops" for one in means.values()]
    told = _on_each(
        evidence, lambda trace: f"{shown(means[trace], '.3f')}, MOPS without default weight {without[trace]:.3f}"
    )
    return Found(weigh(best), f"harmonic mean, {told}")


def _quarters(evidence: MopsEvidence) -> Found:
    at = {
        scheme: [evidence.of(evidence.title(CAMPUS), scheme, f"utility_q{quarter}") for quarter in (1, 4)]
        for scheme in ("neighbors", "mops", "push")
    }
    gap = {scheme: most - least for scheme, (least, most) in at.items()}
    found = "; ".join(f"{scheme} {least:.3f} and {most:.3f}" for scheme, (least, most) in at.items())
    told = f"least and most central quarter: {found}; gap {shown(gap, '.3f')}"
    return Found.of(gap["neighbors"] > gap["mops"], told)


_RELAYS = "With more time relays are reached as well as subscribers"
_DENSER = "The public file has 8.7 contacts of a node per day, the paper's 4.6"
_SHORT = "In 3 days everybody on the campus meets, but Infocom05 ends 42 h after its history"
_IDLE = "10 events an hour hardly ever fill a contact, and then nothing is ahead of push"
_BROKERS = "Most nodes are brokers of something, and brokers ask for nearly every event"
_FARTHEST = "Neighbors is furthest behind where contacts are rarest, in Reality"
_NOBODY = "Nobody starves here: push leaves the same gap"
_POOR = "push within 0.05 of the share of interested nodes, 0.2"

_ALL_LIVES, _A_DAY = tuple(BY_LIFETIME), tuple(READINGS)

CLAIMS: Sequence[Judge[MopsEvidence]] = (
    *TRACE_CLAIMS,
    Judge("MOPS-27", _longer_is_better, _RELAYS, readings=_ALL_LIVES),
    Judge("MOPS-28", _reality_order, _DENSER, traces=(REALITY,), readings=_ALL_LIVES),
    Judge("MOPS-29", _close_to_push, traces=(REALITY,)),
    Judge("MOPS-30", _infocom05_highest, _SHORT, traces=(INFOCOM05,), readings=_ALL_LIVES),
    Judge("MOPS-31", _infocom05_crossing, _IDLE, traces=(INFOCOM05,), readings=_ALL_LIVES),
    Judge("MOPS-32", _campus_margin, _FARTHEST, traces=(CAMPUS,), readings=_ALL_LIVES),
    Judge("MOPS-33", _efficiency_order, _BROKERS, _POOR, readings=_A_DAY),
    *PARAMETER_CLAIMS,
    Judge("MOPS-38", _hops),
    Judge("MOPS-40", _both_at_once, _BROKERS, readings=_A_DAY),
    Judge("MOPS-42", _quarters, _NOBODY, traces=(CAMPUS,), readings=_A_DAY),
)
