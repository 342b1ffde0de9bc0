"""The claims of [mops] V about its schemes: utility, efficiency, hops, and who is left out.

Traces that are not there leave their claims unjudged; claims about all three are judged by those that are there. Where
nothing else is said, events live a day, and T, the default weight and the rate have their defaults. `parameter_claims`
has those about what is varied, `trace_claims` those about traces, `closeness_claims` and `structure_claims` those that
need neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from hunet.sim.workload.profiles import MOPS
from hunet.studies.claims.judging import Found, Judge, Parts, everywhere, rises, shown
from hunet.studies.claims.verdict import Verdict
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


def _longer_is_better(evidence: MopsEvidence) -> Found:
    def parts(on: str) -> Parts:
        measured = [("utility", scheme) for scheme in SCHEMES]
        measured += [("efficiency", scheme) for scheme in ("mops", "neighbors")]
        curves = {one: evidence.by_lifetime(on, one[1], one[0]) for one in measured}
        return {
            f"{measure} of {scheme} rises with the lifetime": (rises(curve), f"{curve[0]:.2f} to {curve[-1]:.2f}")
            for (measure, scheme), curve in curves.items()
        }

    return everywhere(evidence.traces, parts)


def _reality_order(evidence: MopsEvidence) -> Found:
    def parts(on: str) -> Parts:
        at = {scheme: evidence.of(on, scheme, ttl=_LONG) for scheme in SCHEMES}
        figures = shown(at, ".3f")
        return {
            "all are below 0.4 after 3 days": (max(at.values()) < 0.4, figures),
            "push is highest": (at["push"] == max(at.values()), figures),
            "pull is very low: below a third of push": (
                at["pull"] < at["push"] / 3,
                f"{at['pull'] / at['push']:.2f} of it",
            ),
            "push, MOPS, Neighbors, pull in this order": (
                all(one > other for one, other in pairwise(at.values())),
                figures,
            ),
        }

    return everywhere([evidence.title(REALITY)], parts)


def _close_to_push(evidence: MopsEvidence) -> Found:
    """An erratum if what is called the bound is none, and with the one that is meant the claim holds."""
    at = {scheme: evidence.of(evidence.title(REALITY), scheme, ttl=_LONG) for scheme in SCHEMES}
    close = at["mops"] >= 0.8 * at["push"] and at["mops"] > at["neighbors"]
    figures = (
        f"after 3 days {shown(at, '.3f')}: MOPS has {at['mops'] / at['push']:.2f} of push, "
        f"{at['mops'] / at['neighbors']:.2f} of Neighbors; the bound is push, not pull (ERR-19)"
    )
    return Found.or_erratum(at["pull"] >= at["mops"], figures) if close else Found.of(False, figures)


def _infocom05_highest(evidence: MopsEvidence) -> Found:
    crowd, others = evidence.title(INFOCOM05), evidence.own(REALITY, CAMPUS)
    if not others:
        return Found.needs_data(f"{TITLES[REALITY]} and {TITLES[CAMPUS]} not there")
    found = {}
    for other in others:
        for scheme in SCHEMES:
            ours, theirs = (evidence.by_lifetime(trace, scheme) for trace in (crowd, other))
            lower = sum(one <= two for one, two in zip(ours, theirs, strict=True))
            figures = f"not at {lower} of {len(ours)}; after 3 days {ours[-1]:.2f} and {theirs[-1]:.2f}"
            found[f"{scheme} above {other} at every lifetime"] = (lower == 0, figures)
    return Found.all(found)


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
    return Found.all(
        {
            "push is ahead at the shortest lifetime": (at_first, found),
            "MOPS at the longest": (at_last, found.partition(", ")[2]),
        }
    )


def _campus_margin(evidence: MopsEvidence) -> Found:
    campus = evidence.title(CAMPUS)
    _, overtakes, found = _overtakes(evidence, campus)

    def margin(trace: str) -> float:
        mops, neighbors = (evidence.by_lifetime(trace, scheme) for scheme in ("mops", "neighbors"))
        return float(np.max(np.subtract(mops, neighbors)))

    margins = {trace: margin(trace) for trace in evidence.traces}

    def least(scheme: str) -> float:
        return min(
            evidence.of(campus, "mops", ttl=ttl) - evidence.of(campus, scheme, ttl=ttl) for ttl in evidence.lifetimes
        )

    return Found.all(
        {
            "MOPS above Neighbors at every lifetime": (
                least("neighbors") > 0,
                f"by {least('neighbors'):+.3f} at least",
            ),
            "and above pull": (least("pull") > 0, f"by {least('pull'):+.3f} at least"),
            "above push at the longest": (overtakes, found),
            "the largest margin over Neighbors of the three": (
                margins[campus] == max(margins.values()),
                shown(margins, ".3f"),
            ),
        }
    )


def _efficiency_order(evidence: MopsEvidence) -> Found:
    """At every lifetime of Fig. 9, as the sentence has it."""

    def parts(on: str) -> Parts:
        curves = {scheme: np.array(evidence.by_lifetime(on, scheme, "efficiency")) for scheme in SCHEMES}
        mops, push = curves["mops"], curves["push"]
        without = evidence.without(on, "efficiency")
        found = {
            f"MOPS above {scheme} at every lifetime": (
                bool((mops > curves[scheme]).all()),
                f"at {(mops > curves[scheme]).sum()} of {mops.size}; at 24 h "
                f"{evidence.of(on, 'mops', 'efficiency'):.3f} and {evidence.of(on, scheme, 'efficiency'):.3f}",
            )
            for scheme in ("neighbors", "push")
        }
        found["push is very poor: the share of interested nodes, 0.2, within 0.05 at the longest"] = (
            bool(abs(push[-1] - MOPS.interest) < 0.05),
            f"{push[-1]:.3f}",
        )
        found["pull is always 1"] = (bool((curves["pull"] == 1.0).all()), f"{curves['pull'].min():.3f} at least")
        label, (right, figure) = next(iter(found.items()))
        found[label] = right, f"{figure}; MOPS without default weight {without:.3f}"
        return found

    return everywhere(evidence.traces, parts)


def _hops(evidence: MopsEvidence) -> Found:
    def parts(on: str) -> Parts:
        most = {scheme: evidence.most(on, scheme, "hops_max") for scheme in ("pull", "neighbors", "mops")}
        return {
            "pull goes 1 hop": (most["pull"] == 1, f"{most['pull']:.0f}"),
            "Neighbors 2": (most["neighbors"] == 2, f"{most['neighbors']:.0f}"),
            "MOPS more": (most["mops"] > 2, f"{most['mops']:.0f}"),
        }

    return everywhere(evidence.traces, parts)


def _both_at_once(evidence: MopsEvidence) -> Found:
    def joint(utility: float, efficiency: float) -> float:
        return 2 * utility * efficiency / (utility + efficiency)

    measures = ("utility", "efficiency")

    def parts(on: str) -> Parts:
        means = {scheme: joint(*(evidence.of(on, scheme, measure) for measure in measures)) for scheme in SCHEMES}
        without = joint(*(evidence.without(on, measure) for measure in measures))
        figures = f"{shown(means, '.3f')}, MOPS without default weight {without:.3f}"
        return {
            "MOPS has the largest harmonic mean of utility and efficiency": (
                means["mops"] == max(means.values()),
                figures,
            )
        }

    return everywhere(evidence.traces, parts)


def _quarters(evidence: MopsEvidence) -> Found:
    """Who starves gets less than half of what the most central get, and less than push would give them."""
    campus = evidence.title(CAMPUS)
    at = {
        scheme: [evidence.of(campus, scheme, f"utility_q{quarter}") for quarter in (1, 4)]
        for scheme in ("neighbors", "mops", "push")
    }
    ratio = {scheme: least / most for scheme, (least, most) in at.items()}
    gap = {scheme: most - least for scheme, (least, most) in at.items()}

    def figures(scheme: str) -> str:
        return f"{at[scheme][0]:.3f} and {at[scheme][1]:.3f}, push {at['push'][0]:.3f} and {at['push'][1]:.3f}"

    return Found.all(
        {
            "with Neighbors the least central quarter gets less than half of the most central": (
                ratio["neighbors"] < 0.5,
                figures("neighbors"),
            ),
            "with MOPS it does not": (ratio["mops"] >= 0.5, figures("mops")),
            "the gap is larger with Neighbors": (gap["neighbors"] > gap["mops"], shown(gap, ".3f")),
        }
    )


_RELAYS = "With more time relays are reached as well as subscribers"
_DENSER = "The public file has 8.7 contacts of a node per day, the paper's 4.6"
_SHORT = "In 3 days everybody on the campus meets, but Infocom05 ends 42 h after its history"
_IDLE = "10 events an hour hardly ever fill a contact, and then nothing is ahead of push"
_BROKERS = "Most nodes are brokers of something, and brokers ask for nearly every event"
_FARTHEST = "Neighbors is furthest behind where contacts are rarest, in Reality"
_NOBODY = "Nobody starves here: push leaves the same gap"

_ALL_LIVES, _A_DAY = tuple(BY_LIFETIME), tuple(READINGS)

CLAIMS: Sequence[Judge[MopsEvidence]] = (
    *TRACE_CLAIMS,
    Judge("MOPS-27", _longer_is_better, _RELAYS, readings=_ALL_LIVES),
    Judge("MOPS-28", _reality_order, _DENSER, traces=(REALITY,), readings=_ALL_LIVES),
    Judge("MOPS-29", _close_to_push, traces=(REALITY,)),
    Judge("MOPS-30", _infocom05_highest, _SHORT, traces=(INFOCOM05,), readings=_ALL_LIVES),
    Judge("MOPS-31", _infocom05_crossing, _IDLE, traces=(INFOCOM05,), readings=_ALL_LIVES),
    Judge("MOPS-32", _campus_margin, _FARTHEST, traces=(CAMPUS,), readings=_ALL_LIVES),
    Judge("MOPS-33", _efficiency_order, _BROKERS, readings=_ALL_LIVES),
    *PARAMETER_CLAIMS,
    Judge("MOPS-38", _hops),
    Judge("MOPS-40", _both_at_once, _BROKERS, readings=_A_DAY),
    Judge("MOPS-42", _quarters, _NOBODY, traces=(CAMPUS,), readings=_A_DAY),
)
